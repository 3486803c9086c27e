/* SPDX-License-Identifier: BSD-3-Clause
 * Tree reduce in phases that do not overlap: each rank of a tree of degree d waits for the signals of all its
 * children, gets their operands at once, combines these operands with its own operand and signals its parent;
 * when the root has the result, the release goes down the tree.
 *
 *           0
 *        1     2        up: ready, then data, level by level
 *       3 4   5 6       down: go
 *       7
 *
 * rounds: 2 ceil(log_d p), half of the rounds with data.
 * source: TTRed of Gaona, Fernandez, Acacio 2009, section 3.3. */
#include "algos/phase/ready_go.h"

const struct algo reduce_tree = {
  .collective = COLL_REDUCE,
  .name = "tree",
  .source = "gaona2009",
  .idea = "operands up a d-ary tree and signals down it",
  .needs = NEED_SIGNAL_BITS | NEED_2048_ELEMENTS,
  .params = {NEIGHBOURS_DEGREE},
  .scratch = child_transfers_scratch,
  .neighbours = neighbours_tree,
  .run = child_transfers_up_in_phases,
};
