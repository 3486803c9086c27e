/* SPDX-License-Identifier: BSD-3-Clause
 * See memory.h. A bus request of fewer than 128 bytes takes as long as a full one (assumption). */
#include "sim/hw/board/memory.h"

#include "platform/parameters.h"
#include "sim/base/engine/des.h"
#include "sim/base/minmax.h"

/* Return how many bytes of MEMORY, from the start, may have been written since the last reset. */
static uint64_t written(const struct memory *memory) {
  return MAX(memory->reached, memory->allocated);
}

void memory_fini(struct memory *memory) {
  if (memory->pages.bytes) {
    pages_fini(&memory->pages, written(memory));
  }
}

void memory_reset(struct memory *memory) {
  if (memory->pages.bytes && written(memory)) {
    pages_clear(&memory->pages, written(memory));
  }
  memory->allocated = memory->reached = 0;
  memory->pace = (struct rate_server){0};
}

uint8_t *memory_place(struct memory *memory, uint64_t offset, uint64_t nbytes) {
  uint64_t size = memory->parameters->memory_bytes, end = MIN(offset + nbytes, size);
  if (!memory->pages.bytes) {
    pages_init(&memory->pages, size, "main memory");
  }
  RAISE(memory->reached, end);
  return memory->pages.bytes + offset;
}

uint64_t memory_room(const struct memory *memory, const uint8_t *place) {
  return memory->parameters->memory_bytes - (uint64_t)(place - memory->pages.bytes);
}

/* Let the controller serve one bus request for INTERVAL_MCYC as soon as the controller can. */
static uint64_t serve_line(struct memory *memory, uint64_t interval_mcyc) {
  uint64_t start = rate_server_ready(&memory->pace, des_now());
  rate_server_take(&memory->pace, start, rate_interval(interval_mcyc));
  return start + memory->parameters->memory_latency;
}

uint64_t memory_read(struct memory *memory) {
  return serve_line(memory, memory->parameters->memory_read_mcyc);
}

uint64_t memory_write(struct memory *memory) {
  return serve_line(memory, memory->parameters->memory_write_mcyc);
}
