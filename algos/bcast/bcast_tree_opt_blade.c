/* SPDX-License-Identifier: BSD-3-Clause
 * Tree broadcast for blades, optimised: a tree of degree d on every chip; the leader of each other chip is
 * one more child of the root. A rank signals its parent at entry. A released rank starts the put to each
 * child that has signalled, in the order of the signals, and then finishes the puts in this order, other
 * chips first.
 *
 *            0 ------- 8
 *         1     2    9   10
 *        3 4   5 6   ...
 *        7
 *
 * rounds: ceil(log_d p/2), one more on the other chip.
 * source: TTBcastB_Opt of Gaona, Fernandez, Acacio 2009, section 3.2, figure 3(d); chips beyond two are
 * ours. */
#include "algos/phase/ready_go.h"

const struct algo bcast_tree_opt_blade = {
  .collective = COLL_BCAST,
  .name = "tree-opt-blade",
  .source = "gaona2009",
  .idea = "a d-ary tree on every chip in which each rank is served as it signals",
  .needs = NEED_SIGNAL_BITS | NEED_ONE_DMA,
  .params = {NEIGHBOURS_DEGREE},
  .neighbours = neighbours_tree_of_blade,
  .run = child_transfers_down_as_ready,
};
