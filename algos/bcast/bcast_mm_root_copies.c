/* SPDX-License-Identifier: BSD-3-Clause
 * The root copies to all ranks: the addresses of all ranks go up a tree, then the root reads each piece of
 * its data once and writes the piece to all ranks.
 *
 *   addresses: all > 0   then   memory of 0 > 0 > memory of 1, of 2, ...
 *
 * source: Velamati et al. 2007, section 6.1 (G). */
#include "algos/memory/double_buffer.h"
#include "algos/memory/metadata.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  metadata_gather(c);
  if (c->rank == c->root) {
    double_buffer_copy_to_all(
      c, &(struct double_buffer_copy){
           .from = c->buffer_ea, .to = metadata_list(c, 0, 0), .nto = c->nranks - 1, .nbytes = c->nbytes});
  }
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo bcast_mm_root_copies = {
  .collective = COLL_BCAST,
  .name = "mm-root-copies",
  .source = "velamati2007",
  .idea = "the root writes its data to the memory of all ranks",
  .in_memory = true,
  .scratch = metadata_scratch,
  .run = run,
};
