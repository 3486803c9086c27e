/* SPDX-License-Identifier: BSD-3-Clause
 * Tree barrier for blades: signals go up a tree of degree d on every chip, the leaders of the chips signal
 * one another, and the release goes down these trees.
 *
 *   ready      up 0..7    up 8..15
 *   between chips     0 = 8             chips beyond two: every leader signals every other one
 *   go       down 0..7  down 8..15
 *
 * rounds: 2 ceil(log_d p/2) + 1; on one chip the tree barrier.
 * source: TTBarB of Gaona, Fernandez, Acacio 2009, section 3.1, figure 2(d); chips beyond two are ours. */
#include "algos/phase/ready_go.h"

const struct algo barrier_tree_blade = {
  .collective = COLL_BARRIER,
  .name = "tree-blade",
  .source = "gaona2009",
  .idea = "a d-ary tree on every chip and one exchange of signals between the chips",
  .needs = NEED_SIGNAL_BITS,
  .params = {NEIGHBOURS_DEGREE},
  .neighbours = neighbours_tree_on_chip,
  .run = ready_go_on_chips,
};
