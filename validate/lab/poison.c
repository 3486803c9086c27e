/* SPDX-License-Identifier: BSD-3-Clause
 * See poison.h. The pattern of a block of local store is a stretch of the random bytes, from which each block and SPE takes
 * another one: filling and comparing go at the speed of memory. */
#include "validate/lab/poison.h"

#include "sim/base/random.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a block, how far the stretches of two blocks are apart, how many stretches there are. */
enum { BLOCK = 4096, SHIFT = 16, SHIFTS = 64 };

void
poison_init(struct poison *poison, uint64_t seed)
{
  uint64_t state = seed ^ UINT64_C(0x706f69736f6e);
  poison->bytes = xcalloc(BLOCK + SHIFT * SHIFTS, 1);
  for (size_t i = 0; i < BLOCK + SHIFT * SHIFTS; i += sizeof state) {
    uint64_t word = random_next(&state);
    memcpy(poison->bytes + i, &word, sizeof word);
  }
}

void
poison_fini(struct poison *poison)
{
  free(poison->bytes);
  poison->bytes = NULL;
}

/* Return the pattern at the start of PLACE; *NBYTES becomes how many bytes of it lie in the same block. */
static const uint8_t *
pattern_at(const struct poison *poison, struct poison_place place, size_t *nbytes)
{
  size_t block = place.address / BLOCK, within = place.address % BLOCK;
  *nbytes = place.nbytes < BLOCK - within ? place.nbytes : BLOCK - within;
  return poison->bytes + (block + 7 * (size_t)place.spe) % SHIFTS * SHIFT + within;
}

void
poison_fill(const struct poison *poison, struct poison_place place, uint8_t *bytes)
{
  for (size_t n; place.nbytes > 0; place.nbytes -= n, place.address += n, bytes += n) {
    const uint8_t *pattern = pattern_at(poison, place, &n);
    memcpy(bytes, pattern, n);
  }
}

size_t
poison_match(const struct poison *poison, struct poison_place place, const uint8_t *bytes)
{
  size_t done = 0;
  for (size_t n; place.nbytes > 0; place.nbytes -= n, place.address += n, done += n) {
    const uint8_t *pattern = pattern_at(poison, place, &n);
    if (memcmp(bytes + done, pattern, n) != 0) {
      while (bytes[done] == *pattern++) {
        done++;
      }
      return done;
    }
  }
  return done;
}
