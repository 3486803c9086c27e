/* SPDX-License-Identifier: BSD-3-Clause
 * A pattern that local stores hold where nobody has written. It is drawn from a seed and differs from place
 * to place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pages;

struct poison {
  uint64_t seed;
  uint8_t *bytes;
};

/* NBYTES of the local store of an SPE. */
struct poison_place {
  unsigned spe;
  size_t address, nbytes;
};

/* Draw POISON from SEED.
 * owner: the caller, with poison_fini. */
void poison_init(struct poison *poison, uint64_t seed);

/* Release what POISON holds. */
void poison_fini(struct poison *poison);

/* The local stores of SPEs 0, 1, ..., of LS_BYTES each. */
struct poison_stores {
  struct pages *pages;
  size_t ls_bytes;
};

/* Let STORES hold POISON. */
void poison_show(const struct poison *poison, struct poison_stores stores);

/* Fill PLACE, which begins at BYTES. */
void poison_fill(const struct poison *poison, struct poison_place place, uint8_t *bytes);

/* Return how many bytes of PLACE, which begins at BYTES, still hold the pattern before the first one that
 * does not. */
size_t poison_match(const struct poison *poison, struct poison_place place, const uint8_t *bytes);

/* Return how many bytes of the local store of SPE, one of STORES, which have been shown POISON, still hold it
 * before the first one that does not; pages that are not WRITTEN (pages_written) are not looked at. */
size_t poison_match_shown(const struct poison *poison, struct poison_stores stores, unsigned spe,
                          const bool written[]);
