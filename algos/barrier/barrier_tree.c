/* SPDX-License-Identifier: BSD-3-Clause
 * Tree barrier: signals go up a tree of degree d to rank 0 and down again.
 *
 *           0
 *        1     2        ready: up, by each rank after the signals of all its children
 *       3 4   5 6       go: down
 *       7
 *
 * rounds: 2 ceil(log_d p).
 * source: TTBar of Gaona, Fernandez, Acacio 2009, section 3.1, figure 2(c). */
#include "algos/phase/ready_go.h"

const struct algo barrier_tree = {
  .collective = COLL_BARRIER,
  .name = "tree",
  .source = "gaona2009",
  .idea = "signals up a d-ary tree and down it",
  .needs = NEED_SIGNAL_BITS,
  .params = {NEIGHBOURS_DEGREE},
  .neighbours = neighbours_tree,
  .run = ready_go,
};
