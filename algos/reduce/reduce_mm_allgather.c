/* SPDX-License-Identifier: BSD-3-Clause
 * Every rank combines a piece of the data of all ranks: all ranks exchange addresses, then rank i reads piece
 * i of every vector from memory, combines these pieces and writes the result to the memory of the root.
 *
 *   addresses: all <> all   then   memory of 0, 1, 2, ..., piece i > i > memory of 0, piece i
 *
 * source: Velamati et al. 2007, section 7.1 (AG). */
#include "algos/memory/double_buffer.h"
#include "algos/memory/metadata.h"
#include "algos/phase/doubling.h"
#include "algos/step/layout.h"

static void run(struct coll *c) {
  struct span piece = layout_piece(c->group, c->rank, c->nranks);
  metadata_allgather(c);
  memory_combine(c, &(struct memory_combine){.to = metadata_at(c, c->root) + piece.offset,
                                             .from = metadata_list(c, c->nranks, piece.offset),
                                             .nfrom = c->nranks,
                                             .nbytes = piece.nbytes});
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo reduce_mm_allgather = {
  .collective = COLL_REDUCE,
  .name = "mm-allgather",
  .source = "velamati2007",
  .idea = "every rank combines a piece of all vectors and writes it to the memory of the root",
  .in_memory = true,
  .in_order = true,
  .scratch = metadata_scratch,
  .run = run,
};
