/* SPDX-License-Identifier: BSD-3-Clause
 * See outer.h: barriers of the nodes, by messages of no bytes.
 *
 *   bruck                node i to i + 2^k, for k = 0, 1, ...; ceil(log2 N) rounds
 *   recursive doubling   partners at distance 1, 2, 4, ... exchange messages; log2 N rounds, and two more if
 *                        N is no power of two: each node beyond the power of two sends a message to a partner
 *                        before the rounds and receives one afterwards
 *
 * source: MPICH2 (bruck), as Ali, Midkiff, Pai 2010, section 6.1, have it. */
#include "algos/cluster/outer.h"

void outer_barrier(const struct coll_group *group, unsigned way) {
  unsigned n = group->cluster->place.nodes, node = group->cluster->place.node;
  if (way == OUTER_DOUBLING) {
    outer_allreduce(group, OUTER_ALL_DOUBLING); /* without data */
    return;
  }
  for (unsigned distance = 1; distance < n; distance *= 2) {
    outer_put(group, (node + distance) % n, 0, 0);
    outer_wait(group, (node + n - distance) % n, 0, 0);
  }
}
