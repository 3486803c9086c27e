/* SPDX-License-Identifier: BSD-3-Clause
 * The gather of Quadrics' library, as far as published: up a binomial tree, store and forward, over one rail.
 * A rank collects the blocks of one child after the other, copies the blocks and hands on all its blocks.
 *
 *   a child on the same host     raises a flag in shared memory and stays until its parent has copied its
 *                                blocks
 *   a child on another host      puts its blocks into a buffer of the parent's library; from the second call
 *                                on only after the parent has said that the buffer is free again
 *
 * Each block is copied once on each way, at host.copy, which stands for the copy into the buffer and the copy
 * out of the buffer. The paper has puts chained by events so that processors have little to do; these copies
 * are the reading that explains the published gain of the multi-port gather (docs/trust-networks.md).
 * rounds: ceil(log2 n) for n ranks.
 * source: Qian, Afsahi 2006, sections 2.1 and 4.4 (tree; one rail; shared memory inside a node); the rest is
 * an assumption. */
#include "algos/shape/tree.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"

static size_t scratch(const struct coll_group *group) {
  return group->nranks * layout_stride(group);
}

/* Get the blocks of BELOW, the subtree of child RANK: copy the blocks from the buffer of the child on the
 * same host, or of the library. */
static void collect(struct coll *c, unsigned rank, struct subtree below) {
  step_begin(c);
  step_await(c, rank);
  bool near = step_is_near(c, rank);
  for (unsigned r = 0, count; (count = subtree_run(below, &r)); r += count) {
    struct span run = layout_blocks(c->group, r, count);
    const uint8_t *from = (near ? c->buffer : c->scratch) + run.offset;
    step_copy(c, c->buffer + run.offset, near ? rank : c->rank, from, run.nbytes);
  }
  if (near) {
    step_notify_near(c, rank);
  }
}

static void hand_on(struct coll *c, struct subtree own) {
  unsigned parent = tree_parent(own.tree, c->rank);
  step_begin(c);
  if (step_is_near(c, parent)) {
    step_notify_near(c, parent);
    step_await(c, parent);
    return;
  }
  if (coll_own_calls(c) > 0) {
    step_await(c, parent);
  }
  for (unsigned r = 0, count; (count = subtree_run(own, &r)); r += count) {
    struct span run = layout_blocks(c->group, r, count);
    step_start_put(c, &(struct step_transfer){.ls = c->buffer + run.offset,
                                              .ea = step_peer_ea(c, parent, c->scratch + run.offset),
                                              .nbytes = run.nbytes});
  }
  step_notify(c, parent);
  step_finish(c, 0);
}

static void run(struct coll *c) {
  struct tree tree = tree_binomial(c->nranks, c->root);
  step_use_one_rail(c, true);
  TREE_EACH_UP(child, tree, c->rank) {
    if (coll_own_calls(c) > 0 && !step_is_near(c, child)) {
      step_notify(c, child);
    }
  }
  TREE_EACH_UP(child, tree, c->rank) {
    collect(c, child, subtree_of(tree, child));
  }
  if (c->rank != c->root) {
    hand_on(c, subtree_of(tree, c->rank));
  }
}

const struct algo gather_elan = {
  .collective = COLL_GATHER,
  .name = "elan",
  .source = "ali2010",
  .idea = "the library of QsNetII: up a tree with copies on one rail",
  .needs = NEED_HOSTS,
  .scratch = scratch,
  .run = run,
};
