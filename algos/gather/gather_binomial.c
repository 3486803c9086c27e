/* SPDX-License-Identifier: BSD-3-Clause
 * Gather up the binomial tree for k ports: a rank gets the blocks of k children at once, then hands on all
 * its blocks.
 *
 *   k = 1, step 1   1 > 0   3 > 2   5 > 4   7 > 6      k = 2, step 1   1 2 > 0   4 5 > 3   7 8 > 6
 *          step 2   2 > 0   6 > 4                             step 2   3 6 > 0
 *          step 3   4 > 0
 *
 * rounds: ceil(log n / log (k + 1)) for n ranks. A child hands on (k + 1)^(i - 1) blocks in round i, fewer
 * where ranks are missing, so the root receives n - 1 blocks through k ports. published (other machine): T =
 * ts log_(k+1) n + (n - 1) / k m tau with startup ts, block m, time per byte tau. The paper lets children
 * write to their parents; here parents read, since the DMAs of one MFC are the ports.
 * source: Qian, Afsahi 2006, section 5.2. */
#include "algos/phase/kport_tree.h"
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  struct tree tree = kport_tree(c);
  unsigned above = tree_weight(tree, c->rank);
  for (unsigned weight = 1; weight < above; weight *= tree.degree) {
    kport_serve(c, tree, weight, step_start_get);
  }
  if (c->rank != c->root) {
    tree_send_part(c, tree_parent(tree, c->rank), parts_all(c));
  }
}

const struct algo gather_binomial = {
  .collective = COLL_GATHER,
  .name = "binomial",
  .source = "ali2010",
  .idea = "up a tree whose ranks get from several children at once",
  .needs = NEED_MFC_PORTS,
  .params = {KPORT_PARAM},
  .run = run,
};
