/* SPDX-License-Identifier: BSD-3-Clause
 * See monitor.h. The pattern of a block of local store is a stretch of the random bytes, different for each
 * block and SPE: filling and comparing go at the speed of memory. Local stores need not be filled: all blades
 * of the process map one file that contains the pattern. */
#include "validate/lab/verify/monitor.h"

#include "sim/base/minmax.h"
#include "sim/base/pages.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes of a block, how far the stretches of two blocks are apart, how many stretches there are. */
enum { BLOCK = 4096, SHIFT = 16, SHIFTS = 64 };

void poison_init(struct poison *poison, uint64_t seed) {
  uint64_t state = seed ^ UINT64_C(0x706f69736f6e);
  poison->seed = seed;
  poison->bytes = xrealloc(NULL, BLOCK + SHIFT * SHIFTS, 1);
  for (size_t i = 0; i < BLOCK + SHIFT * SHIFTS; i += sizeof state) {
    uint64_t word = random_next(&state);
    memcpy(poison->bytes + i, &word, sizeof word);
  }
}

void poison_fini(struct poison *poison) {
  free(poison->bytes);
  poison->bytes = NULL;
}

/* Return the pattern at the start of RANGE; *NBYTES becomes the number of bytes up to the end of the
 * block. */
static const uint8_t *pattern_at(const struct poison *poison, struct poison_range range, size_t *nbytes) {
  size_t block = range.address / BLOCK, within = range.address % BLOCK;
  *nbytes = MIN(range.nbytes, BLOCK - within);
  return poison->bytes + (block + 7 * (size_t)range.spe) % SHIFTS * SHIFT + within;
}

void poison_fill(const struct poison *poison, struct poison_range range, uint8_t *bytes) {
  for (size_t n; range.nbytes > 0; range.nbytes -= n, range.address += n, bytes += n) {
    const uint8_t *pattern = pattern_at(poison, range, &n);
    memcpy(bytes, pattern, n);
  }
}

size_t poison_match(const struct poison *poison, struct poison_range range, const uint8_t *bytes) {
  size_t done = 0;
  for (size_t n; range.nbytes > 0; range.nbytes -= n, range.address += n, done += n) {
    const uint8_t *pattern = pattern_at(poison, range, &n);
    if (memcmp(bytes + done, pattern, n) != 0) {
      while (bytes[done] == *pattern++) {
        done++;
      }
      return done;
    }
  }
  return done;
}

/* The file behind the local stores: NSPES local stores of LS_BYTES each, with the pattern of SEED; no file
 * yet if NSPES is 0. */
static struct {
  int number;
  uint64_t seed;
  size_t ls_bytes;
  unsigned nspes;
} file;

/* Make the file hold the local stores of NSPES SPEs, of LS_BYTES each, full of POISON. */
static void make_file(const struct poison *poison, size_t ls_bytes, unsigned nspes) {
  if (file.nspes >= nspes && file.seed == poison->seed && file.ls_bytes == ls_bytes) {
    return;
  }
  if (file.nspes) {
    close(file.number); /* blades that map the file keep the file */
  }
  int number = memfd_create("local stores", MFD_CLOEXEC);
  SCOPED uint8_t *store = xrealloc(NULL, ls_bytes, 1);
  for (unsigned spe = 0; spe < nspes; spe++) { /* mapped pages would cost a page fault each */
    poison_fill(poison, (struct poison_range){spe, 0, ls_bytes}, store);
    if (write(number, store, ls_bytes) != (ssize_t)ls_bytes) {
      xalloc_fail("the pattern of local stores");
    }
  }
  file.number = number;
  file.seed = poison->seed;
  file.ls_bytes = ls_bytes;
  file.nspes = nspes;
}

void poison_show(const struct poison *poison, struct poison_stores stores) {
  size_t nspes = stores.pages->nbytes / stores.ls_bytes;
  make_file(poison, stores.ls_bytes, nspes < SHIFTS ? (unsigned)nspes : SHIFTS); /* SPE s as s + SHIFTS */
  pages_show(stores.pages, file.number, SHIFTS * stores.ls_bytes);
}

size_t poison_match_shown(const struct poison *poison, struct poison_stores stores, unsigned spe,
                          const bool written[]) {
  size_t size = (size_t)sysconf(_SC_PAGESIZE), start = spe * stores.ls_bytes, end = start + stores.ls_bytes;
  for (size_t at = start, next; at < end; at = next) {
    next = MIN((at / size + 1) * size, end);
    if (written[at / size]) {
      struct poison_range range = {spe, at - start, next - at};
      size_t same = poison_match(poison, range, stores.pages->bytes + at);
      if (same < range.nbytes) {
        return range.address + same;
      }
    }
  }
  return stores.ls_bytes;
}
