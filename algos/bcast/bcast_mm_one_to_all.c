/* SPDX-License-Identifier: BSD-3-Clause
 * Every rank copies from the memory of the root: the root's address goes down a tree, then rank i copies from
 * byte i S to the end, then the bytes before byte i S, so that with a shift S > 0 not all ranks read the same
 * place at once.
 *
 *   address: 0 > all    then   memory of 0 > memory of 1, of 2, ... at the same time
 *
 * source: Velamati et al. 2007, section 6.1 (OTA). */
#include "algos/memory/double_buffer.h"
#include "algos/memory/metadata.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  uint64_t from = metadata_of_root(c);
  size_t places = c->nbytes / 16, first = (size_t)coll_value(c, 0) / 16 * c->rank;
  size_t offset = places ? first % places * 16 : 0; /* offset of the byte copied first */
  if (c->rank != c->root) {
    double_buffer_copy(c, c->buffer_ea + offset, from + offset, c->nbytes - offset);
    double_buffer_copy(c, c->buffer_ea, from, offset);
  }
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo bcast_mm_one_to_all = {
  .collective = COLL_BCAST,
  .name = "mm-one-to-all",
  .source = "velamati2007",
  .idea = "every rank copies from the memory of the root and each begins elsewhere",
  .in_memory = true,
  .params = {{.name = "shift", .least = 0, .most = 1 << 20, .initial = 4096, .multiple = 16}},
  .scratch = double_buffer_scratch,
  .run = run,
};
