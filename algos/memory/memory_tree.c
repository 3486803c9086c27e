/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_tree.h. Slot 1 + b belongs to buffer b; a fenced get begins when the buffer has been written
 * out. */
#include "algos/memory/memory_tree.h"

#include "algos/memory/double_buffer.h"
#include "algos/phase/tree_ways.h"
#include "sim/base/minmax.h"

struct step_transfer memory_tree_piece(const struct coll *c, size_t index, unsigned buffer, size_t size) {
  size_t offset = index * size, left = c->nbytes - offset;
  return (struct step_transfer){.ls = c->scratch + buffer * size,
                                .ea = c->buffer_ea + offset,
                                .nbytes = MIN(left, size),
                                .slot = 1 + buffer,
                                .fenced = true};
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
    tree_notify_children(c, tree);
    if (i >= 1) {
      tree_await_children(c, tree);
    }
    if (i + 1 < npieces) {
      struct step_transfer next = piece(c, i + 1);
      step_start_get(c, &next);
    }
  }
  tree_await_children(c, tree);
}

static void pass_pieces(struct coll *c, struct tree tree, size_t npieces) {
  unsigned parent = tree_parent(tree, c->rank);
  for (size_t i = 0; i < npieces; i++) {
    struct step_transfer out = piece(c, i), in = out;
    step_begin(c);
    if (i >= DOUBLE_BUFFER_BUFFERS) {
      tree_await_children(c, tree);
    }
    step_await(c, parent);
    in.ea = step_peer_ea(c, parent, in.ls);
    step_start_get(c, &in);
    step_finish(c, in.slot);
    step_notify_more(c, parent);
    out.fenced = false;
    step_start_put(c, &out);
    tree_notify_children(c, tree);
  }
  for (size_t i = 0; i < npieces && i < DOUBLE_BUFFER_BUFFERS; i++) {
    tree_await_children(c, tree);
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

/* --- reduction ---
 *
 * Buffers 0 and 1 take pieces of the own data in turn, buffers 2 and 3 pieces of children.
 *
 * A rank gets the next piece of a child, if the piece is ready, while the rank combines the last piece.
 * Acknowledgements do not wait for anything else; otherwise a rank could wait for the acknowledgement of a
 * piece while the rank's parent waits for the next piece. */

enum { HALF_BYTES = DOUBLE_BUFFER_BYTES / 2 };

/* The progress of a rank: `next` is the next operand to get, in the order of combination of all pieces of all
 * children. */
struct reduction {
  struct tree tree;
  unsigned nchildren;
  size_t npieces, next;
};

static struct step_transfer own_piece(const struct coll *c, size_t index) {
  return memory_tree_piece(c, index, index % 2, HALF_BYTES);
}

/* Return the child of operand INDEX: children with the shortest paths below first. */
static unsigned child_of(const struct coll *c, const struct reduction *reduction, size_t index) {
  unsigned n = reduction->nchildren;
  return tree_child_of(reduction->tree, c->rank, n - 1 - (unsigned)(index % n));
}

/* Return operand INDEX, from the local store of the operand's child. */
static struct step_transfer operand(const struct coll *c, const struct reduction *reduction, size_t index) {
  size_t number = index / reduction->nchildren;
  struct step_transfer transfer = memory_tree_piece(c, number, 2 + index % 2, HALF_BYTES);
  transfer.ea = step_peer_ea(c, child_of(c, reduction, index), own_piece(c, number).ls);
  return transfer;
}

/* Start to get piece INDEX of the own data as soon as its buffer is free. */
static void start_own(struct coll *c, const struct reduction *reduction, size_t index) {
  struct step_transfer own = own_piece(c, index);
  if (index >= reduction->npieces) {
    return;
  }
  if (index >= 2 && c->rank != reduction->tree.root) {
    step_await_taken(c, tree_parent(reduction->tree, c->rank));
  }
  step_start_get(c, &own);
}

/* Start to get the next operand when the child has the operand. */
static void start_next(struct coll *c, struct reduction *reduction) {
  struct step_transfer transfer = operand(c, reduction, reduction->next);
  step_await(c, child_of(c, reduction, reduction->next++));
  step_start_get(c, &transfer);
}

/* Combine operand INDEX into the own piece. */
static void combine(struct coll *c, struct reduction *reduction, size_t index) {
  struct step_transfer from = operand(c, reduction, index);
  struct step_transfer into = own_piece(c, index / reduction->nchildren);
  size_t all = reduction->npieces * reduction->nchildren;
  step_begin(c);
  if (reduction->next == index) {
    start_next(c, reduction);
  }
  step_finish(c, from.slot);
  step_acknowledge(c, child_of(c, reduction, index));
  if (reduction->next < all && step_is_notified(c, child_of(c, reduction, reduction->next))) {
    start_next(c, reduction);
  }
  step_finish(c, into.slot);
  step_combine(c, into.ls, from.ls, into.nbytes);
}

/* The combined piece INDEX is there. */
static void hand_over(struct coll *c, const struct reduction *reduction, size_t index) {
  struct step_transfer own = own_piece(c, index);
  if (reduction->nchildren == 0) {
    step_finish(c, own.slot);
  }
  if (c->rank == reduction->tree.root) {
    own.fenced = false;
    step_start_put(c, &own);
  } else {
    step_notify(c, tree_parent(reduction->tree, c->rank));
  }
}

void memory_tree_reduce(struct coll *c, struct tree tree) {
  struct reduction reduction = {.tree = tree,
                                .nchildren = tree_nchildren(tree, c->rank),
                                .npieces = (c->nbytes + HALF_BYTES - 1) / HALF_BYTES};
  start_own(c, &reduction, 0);
  for (size_t i = 0; i < reduction.npieces; i++) {
    start_own(c, &reduction, i + 1);
    for (size_t k = 0; k < reduction.nchildren; k++) {
      combine(c, &reduction, i * reduction.nchildren + k);
    }
    hand_over(c, &reduction, i);
  }
  for (size_t i = 0; i < 2 && i < reduction.npieces; i++) {
    if (c->rank == tree.root) {
      step_finish(c, own_piece(c, i).slot);
    } else {
      step_await_taken(c, tree_parent(tree, c->rank));
    }
  }
}
