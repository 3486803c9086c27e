/* SPDX-License-Identifier: BSD-3-Clause
 * See memory.h. A bus request of fewer than 128 bytes takes as long as a full one (assumption). */
#include "sim/hw/memory.h"

#include "sim/base/des.h"
#include "sim/hw/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

void
memory_init(struct memory *memory, const struct figures *figures)
{
  *memory = (struct memory){.figures = figures};
  memory->bytes = mmap(NULL, figures->memory_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory->bytes == MAP_FAILED) {
    perror("cellcoll: main memory");
    abort();
  }
}

void
memory_fini(struct memory *memory)
{
  munmap(memory->bytes, memory->figures->memory_bytes);
}

void
memory_reset(struct memory *memory)
{
  /* Gives untouched pages of zeros. */
  if (memory->allocated) {
    madvise(memory->bytes, memory->figures->memory_bytes, MADV_DONTNEED);
  }
  memory->allocated = 0;
  memory->pace = (struct pace){0};
}

/* Let the controller serve one bus request for INTERVAL_MCYC as soon as it can. */
static uint64_t
serve(struct memory *memory, uint64_t interval_mcyc)
{
  uint64_t start = pace_ready(&memory->pace, des_now());
  pace_take(&memory->pace, start, pace_interval(interval_mcyc));
  return start + memory->figures->memory_latency;
}

uint64_t
memory_read(struct memory *memory)
{
  return serve(memory, memory->figures->memory_read_mcyc);
}

uint64_t
memory_write(struct memory *memory)
{
  return serve(memory, memory->figures->memory_write_mcyc);
}
