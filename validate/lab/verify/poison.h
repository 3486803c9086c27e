/* SPDX-License-Identifier: BSD-3-Clause
 * A pattern in all bytes of local stores that were never written. The pattern comes from a seed and differs
 * from address to address. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct poison {
  uint64_t seed;
  uint8_t *bytes;
};

/* NBYTES of the local store of an SPE. */
struct poison_range {
  unsigned spe;
  size_t address, nbytes;
};

/* Make POISON from SEED. */
void poison_init(struct poison *poison, uint64_t seed);
void poison_fini(struct poison *poison);

/* The local stores of SPEs 0, 1, ..., of LS_BYTES each. */
struct poison_stores {
  struct pages *pages;
  size_t ls_bytes;
};

/* Let STORES hold POISON. */
void poison_show(const struct poison *poison, struct poison_stores stores);

/* Fill RANGE, whose first byte is at BYTES. */
void poison_fill(const struct poison *poison, struct poison_range range, uint8_t *bytes);

/* Return how many bytes of RANGE, whose first byte is at BYTES, hold the pattern before the first other
 * byte. */
size_t poison_match(const struct poison *poison, struct poison_range range, const uint8_t *bytes);

/* Return how many bytes of the local store of SPE, one of STORES with POISON mapped, hold the pattern before
 * the first other byte; WRITTEN tells of each page of STORES whether the page may have been written. */
size_t poison_match_shown(const struct poison *poison, struct poison_stores stores, unsigned spe,
                          const bool written[]);
