/* SPDX-License-Identifier: BSD-3-Clause
 * Ways of data along trees, and moving parts of buffers. */
#pragma once

#include "algos/shape/tree.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"

/* --- parts of a rank's buffer --- */

/* Part of a rank's buffer. */
struct part {
  uint8_t *bytes;
  size_t nbytes;
};

/* Return the whole buffer of C. */
static inline struct part parts_all(const struct coll *c) {
  return (struct part){.bytes = c->buffer, .nbytes = layout_buffer_bytes(c->group)};
}

/* Return COUNT of the p parts of the buffer of C from FIRST on, one part for each rank: the blocks of the
 * ranks, or equal pieces of the vector in collectives without blocks. */
static inline struct part parts_range(const struct coll *c, unsigned first, unsigned count) {
  const struct coll_group *group = c->group;
  struct span span = collective_has_blocks(group->call.algo->collective)
                       ? layout_blocks(group, first, count)
                       : layout_pieces(group, first, first + count, group->nranks);
  return (struct part){.bytes = c->buffer + span.offset, .nbytes = span.nbytes};
}

/* --- down from a root, by ordered transfers: optimised broadcasts --- */

/* Give PART to rank TO and wait for the acknowledgement. */
void tree_send_part(struct coll *c, unsigned to, struct part part);

/* Take PART from rank FROM, in a step of its own as well. */
void tree_receive_part(struct coll *c, unsigned from, struct part part);

/* Take PART from the parent in TREE (unless this rank is the root), then give PART to the children one after
 * the other, heaviest first. */
void tree_send_binomial(struct coll *c, struct tree tree, struct part part);

/* Broadcast the buffer of the root of WHOLE to all its ranks, a power of two, in two halves.
 *
 *   step 1       the root gives the right half of the data to its counterpart in the other half of the ranks
 *   steps 2..    both halves of the data go down binomial trees, each in its half of the ranks
 *   last step    counterparts exchange their missing halves; the root misses nothing
 *
 * blocks: the left half of the data is a multiple of 16 bytes.
 * source: Ali, Midkiff, Pai 2010, section 5.2, figure 5. */
void tree_send_segmented(struct coll *c, struct tree whole);

/* --- up to a root: reductions and gathers --- */

/* The scratch of tree_collect_combine: the vector of another rank. */
size_t tree_collect_scratch(const struct coll_group *group);

/* Take the whole vector of rank FROM and combine the vector into the own vector. */
void tree_collect_combine(struct coll *c, unsigned from);

/* Combine the vectors of all ranks of TREE, binomial, into the vector of its root: the lightest child first,
 * since the lightest child reports first. The vector of each other rank then holds the combination of its
 * subtree. */
void tree_collect_reduce(struct coll *c, struct tree tree);

/* Gather the parts of all ranks whose numbers differ from ROOT only below SPAN, a power of two, at ROOT. Part
 * v is the part of rank v xor ROOT.
 *
 *   step 1   0 < 1   2 < 3   4 < 5   6 < 7      one part each
 *   step 2   0 < 2           4 < 6              two
 *   step 3   0 < 4                              four */
void tree_collect_gather(struct coll *c, unsigned root, unsigned span);

/* --- to all children at once, the heaviest first --- */

/* Send EA to all children in TREE. */
static inline void tree_post_children(struct coll *c, struct tree tree, uint64_t ea) {
  TREE_EACH(child, tree, c->rank) {
    step_post_ea_more(c, tree_child_rank(child), ea);
  }
  step_settle_all(c);
}

/* Raise the flag of this rank at all children in TREE. */
static inline void tree_notify_children(struct coll *c, struct tree tree) {
  TREE_EACH(child, tree, c->rank) {
    step_notify_more(c, tree_child_rank(child));
  }
  step_settle_all(c);
}

/* Wait until all children in TREE have acknowledged. */
static inline void tree_await_children(struct coll *c, struct tree tree) {
  TREE_EACH(child, tree, c->rank) {
    step_await_taken(c, tree_child_rank(child));
  }
}

/* --- k-nomial trees of Velamati et al. 2007, sections 5.1 and 6.1 (TREE, TREEMM) --- */

/* The first parameter of algorithms with these trees, with the initial degree and the compared degrees. */
#define KNOMIAL_DEGREE(...) \
  { .name = "degree", .least = 1, .most = 16, .of_ranks = true, __VA_ARGS__ }

/* Return the tree of all ranks from ROOT on; parameter 0 of the algorithm is the degree. */
static inline struct tree knomial_tree(const struct coll *c, unsigned root) {
  return (struct tree){.team = team_of_all(c->nranks), .root = root, .degree = coll_value(c, 0)};
}
