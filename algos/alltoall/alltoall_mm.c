/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-all in main memory: every rank copies its blocks to the others; a pairwise exchange of flags ends
 * the call. Blocks without bytes are not copied.
 *
 *   metadata   every rank tells all others the place of its buffer
 *   data       every rank copies the own block, then the block for rank + 1, rank + 2, ...
 *
 * rounds: n - 1 of metadata; n^2 blocks are copied, by all ranks at the same time.
 * source: Velamati et al. 2007, sections 4 (double buffering), 6.1 (metadata first, then copies by all ranks)
 * and 8 (the name of this collective, without a description; assumed to follow the broadcasts). */
#include "algos/memory/double_buffer.h"
#include "algos/memory/metadata.h"
#include "algos/phase/doubling.h"
#include "algos/step/layout.h"

static void run(struct coll *c) {
  struct copies copies = {0};
  size_t stride = layout_stride(c->group);
  metadata_tell_all(c);
  for (unsigned distance = 0; distance < c->nranks; distance++) {
    unsigned peer = (c->rank + distance) % c->nranks;
    uint64_t buffer = distance == 0 ? c->buffer_ea : step_await_post(c, peer);
    step_begin(c);
    copies_add(c, &copies,
               (struct copy){.to = buffer + c->rank * stride,
                             .from = c->in_ea + peer * stride,
                             .nbytes = layout_count(c->group, c->rank, peer)});
  }
  copies_finish(c, &copies);
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo alltoall_mm = {
  .collective = COLL_ALLTOALL,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank copies its blocks to their places",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = run,
};

/* The same of blocks of different sizes. */
const struct algo alltoallv_mm = {
  .collective = COLL_ALLTOALLV,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank copies what blocks it has to their places",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = run,
};
