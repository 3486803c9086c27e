/* SPDX-License-Identifier: BSD-3-Clause
 * A hash table: numbers by code. The table has open addresses and is at most half full. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct hash_place {
  uint64_t code;
  size_t number; /* from 1 on; 0: the place is free */
};

/* Starts as zero. */
struct hash {
  struct hash_place *places;
  size_t n, room; /* room: a power of two */
};

/* Return the first place with CODE, whose low bits are random, or a free place; hash_next: the same behind
 * PLACE.
 * owner: HASH, until the next hash_find. */
struct hash_place *hash_find(struct hash *hash, uint64_t code);
struct hash_place *hash_next(const struct hash *hash, const struct hash_place *place, uint64_t code);

/* Keep NUMBER with CODE at PLACE, the free place found for CODE. */
void hash_add(struct hash *hash, struct hash_place *place, uint64_t code, size_t number);

/* Release the contents of HASH. */
void hash_fini(struct hash *hash);
