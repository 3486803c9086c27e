/* SPDX-License-Identifier: BSD-3-Clause
 * All-gather in main memory: every rank copies its block to all others; a pairwise exchange of flags ends the
 * call. Blocks without bytes are not copied.
 *
 *   metadata   every rank tells all others the place of its buffer
 *   data       every rank reads the own block once, piece by piece, and writes each piece to the buffers of
 *              all others
 *
 * rounds: n - 1 of metadata; n blocks are read and n (n - 1) written.
 * source: Velamati et al. 2007, sections 4 (double buffering), 6.1 (metadata first, then copies by all ranks)
 * and 8 (the name of this collective, without a description; assumed to follow the broadcasts). */
#include "algos/memory/double_buffer.h"
#include "algos/memory/metadata.h"
#include "algos/phase/doubling.h"
#include "algos/step/layout.h"

static size_t scratch(const struct coll_group *group) {
  return double_buffer_scratch(group) + group->nranks * sizeof(uint64_t);
}

static void run(struct coll *c) {
  struct span block = layout_block(c->group, c->rank);
  uint64_t *to = (uint64_t *)(void *)(c->scratch + double_buffer_scratch(c->group));
  unsigned nto = 0;
  metadata_tell_all(c);
  for (unsigned distance = 1; distance < c->nranks; distance++) {
    to[nto++] = step_await_post(c, (c->rank + distance) % c->nranks) + block.offset;
  }
  step_begin(c);
  double_buffer_copy_to_all(c,
                            &(struct double_buffer_copy){c->buffer_ea + block.offset, to, nto, block.nbytes});
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo allgather_mm = {
  .collective = COLL_ALLGATHER,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank reads its block once and writes it to all others",
  .in_memory = true,
  .scratch = scratch,
  .run = run,
};

/* The same of blocks of different sizes. */
const struct algo allgatherv_mm = {
  .collective = COLL_ALLGATHERV,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank that has a block writes it to all others",
  .in_memory = true,
  .scratch = scratch,
  .run = run,
};
