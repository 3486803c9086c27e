/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_tree.h. Slot 1 + b belongs to buffer b; a fenced get begins when the buffer has been written
 * out. */
#include "algos/memory/memory_tree.h"

#include "algos/memory/double_buffer.h"
#include "algos/phase/knomial.h"

struct step_transfer memory_tree_piece(const struct coll *c, size_t index, unsigned buffer, size_t size) {
  size_t offset = index * size, left = c->nbytes - offset;
  return (struct step_transfer){.ls = c->scratch + buffer * size,
                                .ea = c->buffer_ea + offset,
                                .nbytes = left < size ? left : size,
                                .slot = 1 + buffer,
                                .fenced = true};
}

static void await_children(struct coll *c, struct tree tree) {
  for (struct tree_child child = tree_first(tree, c->rank); tree_has(child); child = tree_next(child)) {
    step_await_taken(c, tree_child_rank(child));
  }
}

/* Return piece INDEX of the data, between the buffer and main memory. */
static struct step_transfer piece(const struct coll *c, size_t index) {
  return memory_tree_piece(c, index, index % DOUBLE_BUFFER_BUFFERS, DOUBLE_BUFFER_BYTES);
}

static void give_pieces(struct coll *c, struct tree tree, size_t npieces) {
  struct step_transfer first = piece(c, 0);
  step_start_get(c, &first);
  for (size_t i = 0; i < npieces; i++) {
    step_begin(c);
    step_finish(c, 1 + i % DOUBLE_BUFFER_BUFFERS);
    knomial_notify(c, tree);
    if (i >= 1) {
      await_children(c, tree);
    }
    if (i + 1 < npieces) {
      struct step_transfer next = piece(c, i + 1);
      step_start_get(c, &next);
    }
  }
  await_children(c, tree);
}

static void pass_pieces(struct coll *c, struct tree tree, size_t npieces) {
  unsigned parent = tree_parent(tree, c->rank);
  for (size_t i = 0; i < npieces; i++) {
    struct step_transfer out = piece(c, i), in = out;
    step_begin(c);
    if (i >= DOUBLE_BUFFER_BUFFERS) {
      await_children(c, tree);
    }
    step_await(c, parent);
    in.ea = step_peer_ea(c, parent, in.ls);
    step_start_get(c, &in);
    step_finish(c, in.slot);
    step_notify_more(c, parent);
    out.fenced = false;
    step_start_put(c, &out);
    knomial_notify(c, tree);
  }
  for (size_t i = 0; i < npieces && i < DOUBLE_BUFFER_BUFFERS; i++) {
    await_children(c, tree);
    step_finish(c, 1 + (unsigned)i);
  }
}

void memory_tree_bcast(struct coll *c, struct tree tree) {
  size_t npieces = (c->nbytes + DOUBLE_BUFFER_BYTES - 1) / DOUBLE_BUFFER_BYTES;
  if (npieces == 0) {
    return;
  }
  if (c->rank == tree.root) {
    give_pieces(c, tree, npieces);
  } else {
    pass_pieces(c, tree, npieces);
  }
}
