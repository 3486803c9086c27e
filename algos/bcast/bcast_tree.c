/* SPDX-License-Identifier: BSD-3-Clause
 * Tree broadcast in phases that do not overlap: signals go up a tree of degree d; then each released rank
 * puts the data to all its children at once, waits until all data has arrived, and releases its children.
 *
 *           0
 *        1     2        up: ready
 *       3 4   5 6       down: data, then go, level by level
 *       7
 *
 * rounds: 2 ceil(log_d p), half of the rounds with data.
 * source: TTBcast of Gaona, Fernandez, Acacio 2009, section 3.2, figure 3(c). */
#include "algos/phase/ready_go.h"

const struct algo bcast_tree = {
  .collective = COLL_BCAST,
  .name = "tree",
  .source = "gaona2009",
  .idea = "signals up a d-ary tree and then data and signals down it",
  .needs = NEED_SIGNAL_BITS | NEED_ONE_DMA,
  .params = {NEIGHBOURS_DEGREE},
  .neighbours = neighbours_tree,
  .run = child_transfers_down_in_phases,
};
