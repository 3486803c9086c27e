/* SPDX-License-Identifier: BSD-3-Clause
 * See cluster_cost.h. */
#include "algos/cluster/cluster_cost.h"

#include "algos/cost/cost.h"
#include "algos/step/algo.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

static double
parameter(const struct cost *c, enum cost_parameter which, size_t m)
{
  return c->parameter(c, which, m, 0);
}

/* Return how many hosts the nodes of C are behind; without hosts the nodes. */
static unsigned
hosts_of(const struct cost *c)
{
  return c->blades_per_host ? (c->nodes + c->blades_per_host - 1) / c->blades_per_host : c->nodes;
}

/* Return parameter WHICH of messages between the hosts of C. */
static double
between_hosts(const struct cost *c, enum cost_parameter which, size_t m)
{
  return c->parameter(c, which, m, hosts_of(c));
}

double
cluster_cost_part(const struct cost *c, const struct algo_call *part)
{
  struct cost inside = *c;
  inside.values = part->values;
  inside.nodes = 0;
  if (c->p < 2) {
    return 0;
  }
  return part->algo->cost ? part->algo->cost(&inside) : NAN;
}

/* --- the barrier --- */

double
cluster_cost_barrier(const struct cost *c, const struct algo_call *inner)
{
  double own = cluster_cost_part(c, inner), tell = parameter(c, COST_L_SPE_PPE, COST_ACK);
  double gap = c->p > 1 ? parameter(c, COST_G_SPE_PPE, COST_ACK) : 0;
  double release = parameter(c, COST_L_PPE_SPE, COST_ACK);
  release += c->p > 1 ? cost_acks(c, ranks_ceil_log2(c->p)) : 0;
  unsigned rounds = ranks_ceil_log2(hosts_of(c));
  if (c->blades_per_host) {
    double link = parameter(c, COST_L3, COST_ACK), back = link + parameter(c, COST_G3, COST_ACK);
    double between = rounds ? rounds * between_hosts(c, COST_L4, COST_ACK) : 0;
    return fmax(own, tell + (c->p - 1) * gap) + link + between + back + release;
  }
  double message = parameter(c, COST_L_NODE, COST_ACK) + parameter(c, COST_G_NODE, COST_ACK);
  return fmax(fmax(own, tell + gap), rounds * message) + release;
}

/* --- collectives with data --- */

double
cluster_cost_up(const struct cost *c)
{
  return parameter(c, COST_L_SPE_PPE, c->m);
}

double
cluster_cost_down(const struct cost *c)
{
  return parameter(c, COST_L_PPE_SPE, c->m);
}

/* Return the gap of messages of M bytes. */
static double
gap(const struct cost *c, size_t m)
{
  if (!c->blades_per_host) {
    return parameter(c, COST_G_NODE, m);
  }
  double link = parameter(c, COST_G3, m);
  return hosts_of(c) > 1 ? fmax(link, between_hosts(c, COST_G4, m)) : link;
}

/* Return by how much later messages of M bytes of two nodes arrive at one than a single one does. */
static double
gap_into(const struct cost *c, size_t m)
{
  return c->blades_per_host ? gap(c, m) : parameter(c, COST_G_NODE_IN, m);
}

/* Return how long a message of M bytes from node FROM to node TO takes. */
static double
message(const struct cost *c, unsigned from, unsigned to, size_t m)
{
  if (!c->blades_per_host) {
    return parameter(c, COST_L_NODE, m) + parameter(c, COST_G_NODE, m);
  }
  double links = 2 * (parameter(c, COST_L3, m) + parameter(c, COST_G3, m));
  bool near = from / c->blades_per_host == to / c->blades_per_host;
  return near ? links : links + between_hosts(c, COST_L4, m) + between_hosts(c, COST_G4, m);
}

double
cluster_cost_tree_down(const struct cost *c)
{
  double *there = xcalloc(c->nodes, sizeof *there), *leaves = xcalloc(c->nodes, sizeof *leaves), last = 0;
  double between = gap(c, c->m);
  for (unsigned distance = 1; distance < c->nodes; distance *= 2) {
    for (unsigned from = 0; from < distance && from + distance < c->nodes; from++) {
      unsigned to = from + distance;
      double start = fmax(there[from], leaves[from]);
      leaves[from] = start + between;
      there[to] = start + message(c, from, to, c->m);
      last = fmax(last, there[to]);
    }
  }
  free(there);
  free(leaves);
  return last;
}

double
cluster_cost_chain(const struct cost *c, unsigned long piece)
{
  size_t m = c->m < piece ? c->m : piece;
  if (c->m % m != 0) {
    return NAN;
  }
  double sum = (double)(c->m / m - 1) * gap(c, m);
  for (unsigned to = 1; to < c->nodes; to++) {
    sum += message(c, to - 1, to, m);
  }
  return sum;
}

double
cluster_cost_tree_up(const struct cost *c)
{
  double *done = xcalloc(c->nodes, sizeof *done), *arrived = xcalloc(c->nodes, sizeof *arrived);
  double combine = parameter(c, COST_GAMMA_PPE, c->m), into = c->nodes > 2 ? gap_into(c, c->m) : 0;
  for (unsigned distance = 1; distance < c->nodes; distance *= 2) {
    for (unsigned to = 0; to + distance < c->nodes; to += 2 * distance) {
      double arrival = done[to + distance] + message(c, to + distance, to, c->m);
      arrived[to] = fmax(arrival, arrived[to] > 0 ? arrived[to] + into : 0);
      done[to] = fmax(done[to], arrived[to]) + combine;
    }
  }
  double whole = done[0];
  free(done);
  free(arrived);
  return whole;
}

double
cluster_cost_doubling(const struct cost *c)
{
  unsigned core = ranks_floor_power(c->nodes);
  double combine = parameter(c, COST_GAMMA_PPE, c->m), sum = 0;
  for (unsigned distance = 1; distance < core; distance *= 2) {
    sum += message(c, 0, distance, c->m) + combine;
  }
  if (core < c->nodes) {
    sum += message(c, core, 0, c->m) + combine + gap_into(c, c->m) + gap(c, c->m);
  }
  return sum;
}
