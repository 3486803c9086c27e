/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/memory/memory_blocks.h"

#include "algos/phase/synchronize.h"
#include "algos/shape/tree.h"
#include "algos/step/layout.h"

void memory_gather(struct coll *c) {
  struct span block = layout_block(c->group, c->rank);
  struct tree tree = {.team = team_of_all(c->nranks), .root = c->root};
  step_begin(c);
  uint64_t root = c->rank == c->root ? c->buffer_ea : step_await_post(c, tree_parent(tree, c->rank));
  for (struct tree_child child = tree_first(tree, c->rank); tree_has(child); child = tree_next(child)) {
    step_post_ea(c, tree_child_rank(child), root);
  }
  if (c->rank != c->root) {
    step_begin(c);
    double_buffer_copy(c, root + block.offset, c->buffer_ea + block.offset, block.nbytes);
  }
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

/* Tell all other ranks where the own buffer is, the next one first. */
static void tell_all(struct coll *c) {
  step_begin(c);
  for (unsigned distance = 1; distance < c->nranks; distance++) {
    step_post_ea(c, (c->rank + distance) % c->nranks, c->buffer_ea);
  }
}

size_t memory_allgather_scratch(const struct coll_group *group) {
  return double_buffer_scratch(group) + group->nranks * sizeof(uint64_t);
}

void memory_allgather(struct coll *c) {
  struct span block = layout_block(c->group, c->rank);
  uint64_t *to = (uint64_t *)(void *)(c->scratch + double_buffer_scratch(c->group));
  unsigned nto = 0;
  tell_all(c);
  for (unsigned distance = 1; distance < c->nranks; distance++) {
    to[nto++] = step_await_post(c, (c->rank + distance) % c->nranks) + block.offset;
  }
  step_begin(c);
  double_buffer_copy_to_all(c,
                            &(struct double_buffer_copy){c->buffer_ea + block.offset, to, nto, block.nbytes});
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

void memory_alltoall(struct coll *c) {
  struct copies copies = {0};
  size_t stride = layout_stride(c->group);
  tell_all(c);
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
