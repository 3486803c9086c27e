/* SPDX-License-Identifier: BSD-3-Clause
 * Every rank moves a piece of the data to all ranks: all ranks exchange addresses, then rank i reads piece i
 * from the memory of the root and writes piece i to the memory of all other ranks. The parameter is the
 * minimum size of a piece, so with little data fewer ranks move more each.
 *
 *   addresses: all <> all   then   memory of 0, piece i > i > memory of 1, of 2, ...
 *
 * source: Velamati et al. 2007, section 6.1 (AG). */
#include "algos/memory/double_buffer.h"
#include "algos/memory/metadata.h"
#include "algos/phase/doubling.h"
#include "algos/step/layout.h"

static void run(struct coll *c) {
  size_t pieces = c->nbytes / coll_value(c, 0);
  /* number of ranks that move data */
  unsigned n = pieces == 0 ? 1 : pieces < c->nranks ? (unsigned)pieces : c->nranks;
  metadata_allgather(c);
  if (c->rank < n) {
    struct span piece = layout_piece(c->group, c->rank, n);
    double_buffer_copy_to_all(c, &(struct double_buffer_copy){.from = metadata_at(c, c->root) + piece.offset,
                                                              .to = metadata_list(c, c->root, piece.offset),
                                                              .nto = c->nranks - 1,
                                                              .nbytes = piece.nbytes});
  }
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo bcast_mm_allgather = {
  .collective = COLL_BCAST,
  .name = "mm-allgather",
  .source = "velamati2007",
  .idea = "every rank moves a piece from the memory of the root to that of all",
  .in_memory = true,
  .params = {{.name = "min", .least = 16, .most = 1 << 20, .initial = 4096, .multiple = 16}},
  .scratch = metadata_scratch,
  .run = run,
};
