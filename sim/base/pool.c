/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks of one size. After a reset things are taken in the same order again: a run finds the same ones as
 * the run before. Each blade of a large cluster has pools and needs few things: a pool begins with a small
 * block. */
#include "sim/base/pool.h"

#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

enum { FIRST_THINGS = 8, BLOCK_THINGS = 64 };

struct pool_block {
  struct pool_block *next;
  size_t nthings;
  _Alignas(64) char things[];
};

void pool_init(struct pool *pool, size_t nbytes) {
  size_t align = _Alignof(max_align_t);
  *pool = (struct pool){.nbytes = (nbytes + align - 1) / align * align};
}

void pool_fini(struct pool *pool) {
  while (pool->blocks) {
    struct pool_block *block = pool->blocks;
    pool->blocks = block->next;
    free(block);
  }
  pool->unused = NULL;
}

/* Put all things of BLOCK before the unused ones. */
static void add_block(struct pool *pool, struct pool_block *block) {
  for (size_t i = block->nthings; i-- > 0;) {
    pool_give(pool, block->things + i * pool->nbytes);
  }
}

void pool_grow(struct pool *pool) {
  size_t twice = pool->blocks ? 2 * pool->blocks->nthings : FIRST_THINGS, nthings = MIN(twice, BLOCK_THINGS);
  struct pool_block *block = xalloc_lines(1, sizeof *block + nthings * pool->nbytes);
  *block = (struct pool_block){.next = pool->blocks, .nthings = nthings};
  pool->blocks = block;
  add_block(pool, block);
}

void pool_reset(struct pool *pool) {
  pool->unused = NULL;
  for (struct pool_block *block = pool->blocks; block; block = block->next) {
    add_block(pool, block);
  }
}
