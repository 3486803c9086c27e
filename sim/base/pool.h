/* SPDX-License-Identifier: BSD-3-Clause
 * A pool of blocks of one size. Blocks never move. Blocks whose size is a whole number of cache lines begin
 * on a cache line. */
#pragma once

#include <stddef.h>

struct pool {
  size_t nbytes; /* size of a block, at least the size of a pointer */
  void *unused;  /* the first one; each begins with a pointer to the next one */
  struct pool_block *blocks;
};

/* Make POOL empty, for things of NBYTES. */
void pool_init(struct pool *pool, size_t nbytes);

/* Release all blocks of POOL, also blocks in use. */
void pool_fini(struct pool *pool);

/* Take all things of POOL back. */
void pool_reset(struct pool *pool);

/* Put more unused things into POOL. */
void pool_grow(struct pool *pool);

/* Return a block of POOL, with the bytes of the last use.
 * owner: the pool; return the block with pool_give. */
static inline void *pool_take(struct pool *pool) {
  if (!pool->unused) {
    pool_grow(pool);
  }
  void **thing = pool->unused;
  pool->unused = *thing;
  return thing;
}

/* Give THING back to POOL. */
static inline void pool_give(struct pool *pool, void *thing) {
  *(void **)thing = pool->unused;
  pool->unused = thing;
}
