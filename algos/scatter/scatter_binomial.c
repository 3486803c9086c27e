/* SPDX-License-Identifier: BSD-3-Clause
 * Scatter down the binomial tree for k ports: a rank puts the blocks of their subtrees to k children at once.
 *
 *   k = 1, step 1   0 > 4                               k = 2, step 1   0 > 3 6
 *          step 2   0 > 2   4 > 6                              step 2   0 > 1 2   3 > 4 5   6 > 7 8
 *          step 3   0 > 1   2 > 3   4 > 5   6 > 7
 *
 * rounds: ceil(log n / log (k + 1)) for n ranks; the root sends n - 1 blocks through k ports.
 * published (other machine): T = ts log_(k+1) n + (n - 1) / k m tau with startup ts, block m, time per byte
 * tau.
 * source: Qian, Afsahi 2006, section 5.1, equation 1. */
#include "algos/phase/kport_tree.h"

static void run(struct coll *c) {
  struct tree tree = kport_tree(c);
  unsigned weight = tree_weight(tree, c->rank);
  if (c->rank != c->root) {
    step_begin(c);
    step_post(c, tree_parent(tree, c->rank), c->buffer);
    step_await(c, tree_parent(tree, c->rank));
  }
  while (weight > 1) {
    weight /= tree.degree;
    kport_serve(c, tree, weight, step_start_put);
  }
}

const struct algo scatter_binomial = {
  .collective = COLL_SCATTER,
  .name = "binomial",
  .source = "ali2010",
  .idea = "down a tree whose ranks put to several children at once",
  .needs = NEED_MFC_PORTS,
  .params = {KPORT_PARAM},
  .run = run,
};
