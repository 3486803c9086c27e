/* SPDX-License-Identifier: BSD-3-Clause
 * Tree reduce for blades, optimised: a tree of degree d on every chip; the leader of each other chip is one
 * more child of the root. The get from each child starts at the child's signal; then, in the order of the
 * signals, other chips first, each operand is combined and its rank released at once.
 *
 *   7 > 3             15 > 11
 *   3 4 > 1, 5 6 > 2  11 12 > 9, 13 14 > 10
 *   1 2 > 0           9 10 > 8               and 8 > 0 as soon as 8 is ready
 *
 * rounds: ceil(log_d p/2), one more from the other chip.
 * source: TTRedB_Opt of Gaona, Fernandez, Acacio 2009, section 3.3; chips beyond two are ours. */
#include "algos/phase/ready_go.h"

const struct algo reduce_tree_opt_blade = {
  .collective = COLL_REDUCE,
  .name = "tree-opt-blade",
  .source = "gaona2009",
  .idea = "a d-ary tree on every chip in which each operand is fetched as its rank signals",
  .needs = NEED_SIGNAL_BITS | NEED_2048_ELEMENTS,
  .params = {NEIGHBOURS_DEGREE},
  .scratch = child_transfers_scratch,
  .neighbours = neighbours_tree_of_blade,
  .run = child_transfers_up_as_ready,
};
