/* SPDX-License-Identifier: BSD-3-Clause
 * Things of one size, taken and given back often; they never move. If their size is one of whole cache lines,
 * each begins on one. */
#pragma once

#include <stddef.h>

struct pool {
  size_t nbytes; /* of a thing, at least those of a pointer */
  void *unused;  /* the first one; each begins with the next */
  struct pool_block *blocks;
};

/* Make POOL empty, for things of NBYTES. */
void pool_init(struct pool *pool, size_t nbytes);

/* Release all things of POOL, also those that have not been given back. */
void pool_fini(struct pool *pool);

/* Take all things of POOL back. */
void pool_reset(struct pool *pool);

/* Put more unused things into POOL. */
void pool_grow(struct pool *pool);

/* Return a thing of POOL; what is in there is left from before.
 * owner: the pool; give it back with pool_give. */
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
