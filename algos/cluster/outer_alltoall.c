/* SPDX-License-Identifier: BSD-3-Clause
 * Exchanges of different blocks for each rank, one message from each node to each other one.
 *
 *   pairwise   in round i node v sends to v + i and receives from v - i; if the nodes are a power of two,
 *              partners are v xor i
 *   direct     each node sends to all others, the next one first; then each node receives from all others
 *
 * source: Qian, Afsahi 2006, sections 2.1 (pairwise) and 5.3 (direct). */
#include "algos/cluster/handover.h"
#include "algos/cluster/outer.h"
#include "algos/step/ranks.h"

/* Put the blocks for NODE, or receive the blocks of NODE. */
static void move(const struct coll_group *group, outer_exchange *act, unsigned node) {
  struct span blocks = handover_exchanged(group, node);
  act(group, node, blocks.offset, blocks.nbytes);
}

void outer_alltoall(const struct coll_group *group, unsigned way) {
  unsigned n = group->cluster->place.nodes, node = group->cluster->place.node;
  for (unsigned i = 1; i < n; i++) {
    bool swaps = way == OUTER_PAIRWISE && ranks_is_power(n);
    move(group, outer_put, swaps ? node ^ i : (node + i) % n);
    if (way == OUTER_PAIRWISE) {
      move(group, outer_receive, swaps ? node ^ i : (node + n - i) % n);
    }
  }
  for (unsigned i = 1; way == OUTER_DIRECT && i < n; i++) {
    move(group, outer_receive, (node + n - i) % n);
  }
}
