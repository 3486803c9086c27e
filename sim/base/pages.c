/* SPDX-License-Identifier: BSD-3-Clause
 * See pages.h.
 *
 * The kernel gives a page when it is touched first, which takes many times as long as filling it with zeros. So a run that
 * is as large as the one before it finds its pages in place. */
#include "sim/base/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNK_PAGES = 1024, KEPT_PAGES = 4096 };

uint8_t *
pages_new(size_t nbytes, const char *name)
{
  uint8_t *bytes =
    mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) {
    fprintf(stderr, "cellcoll: %s: ", name);
    perror(NULL);
    abort();
  }
  return bytes;
}

void
pages_free(uint8_t *bytes, size_t nbytes)
{
  munmap(bytes, nbytes);
}

/* Make the pages among the NPAGES of SIZE bytes at BYTES zero that have been touched.
 * returns: how many there were; or -1 if that is not known and nothing was done. */
static int
zero_touched(uint8_t *bytes, size_t npages, size_t size)
{
  unsigned char touched[CHUNK_PAGES];
  int count = 0;
  if (mincore(bytes, npages * size, touched) != 0) {
    return -1;
  }
  for (size_t i = 0; i < npages; i++) {
    if (touched[i] & 1) {
      memset(bytes + i * size, 0, size);
      count++;
    }
  }
  return count;
}

void
pages_clear(uint8_t *bytes, size_t nbytes, size_t used)
{
  size_t size = (size_t)sysconf(_SC_PAGESIZE), npages = (nbytes + size - 1) / size, done = 0;
  size_t nused = (used + size - 1) / size;
  int kept = 0;
  while (done < nused && kept < KEPT_PAGES) {
    size_t chunk = nused - done < CHUNK_PAGES ? nused - done : CHUNK_PAGES;
    int count = zero_touched(bytes + done * size, chunk, size);
    if (count < 0) {
      break;
    }
    kept += count;
    done += chunk;
  }
  if (done < npages) {
    madvise(bytes + done * size, (npages - done) * size, MADV_DONTNEED);
  }
}
