/* SPDX-License-Identifier: BSD-3-Clause
 * See outer.h: barriers of the nodes, by messages of no bytes.
 *
 *   bruck                node i to i + 2^k, for k = 0, 1, ...; ceil(log2 N) rounds
 *   recursive doubling   partners at distance 1, 2, 4, ... exchange messages; log2 N rounds, and two more if N is no power of two:
 *                        the nodes beyond it give theirs to a partner before and get it back afterwards
 *
 * source: MPICH2 (bruck), as Ali, Midkiff, Pai 2010, section 6.1, have it. */
#include "algos/cluster/outer.h"
#include "algos/step/ranks.h"

static void
bruck(const struct coll_group *group)
{
  unsigned n = group->cluster->place.nodes, node = group->cluster->place.node;
  for (unsigned distance = 1; distance < n; distance *= 2) {
    outer_put(group, (node + distance) % n, 0, 0);
    outer_wait(group, (node + n - distance) % n, 0, 0);
  }
}

static void
doubling(const struct coll_group *group)
{
  unsigned n = group->cluster->place.nodes, node = group->cluster->place.node, core = ranks_floor_power(n);
  if (node >= core) {
    outer_put(group, node - core, 0, 0);
    outer_wait(group, node - core, 0, 0);
    return;
  }
  if (node + core < n) {
    outer_wait(group, node + core, 0, 0);
  }
  for (unsigned distance = 1; distance < core; distance *= 2) {
    outer_put(group, node ^ distance, 0, 0);
    outer_wait(group, node ^ distance, 0, 0);
  }
  if (node + core < n) {
    outer_put(group, node + core, 0, 0);
  }
}

void
outer_barrier(const struct coll_group *group, unsigned way)
{
  (way == OUTER_BRUCK ? bruck : doubling)(group);
}
