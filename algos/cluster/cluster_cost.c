/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/cluster/cluster_cost.h"

#include "algos/catalogue.h"
#include "algos/cost/cost.h"
#include "algos/step/algo.h"
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"

#include <string.h>

unsigned cluster_cost_hosts(const struct cost *c) {
  return c->blades_per_host ? (c->nodes + c->blades_per_host - 1) / c->blades_per_host : c->nodes;
}

/* Return parameter WHICH for messages between the hosts of C. */
static double between_hosts(const struct cost *c, enum cost_parameter which, size_t m) {
  return c->parameter(c, which, m, cluster_cost_hosts(c));
}

double cluster_cost_part(const struct cost *c, const struct algo *algo, unsigned index) {
  struct algorithm whole = {.algo = algo};
  memcpy(whole.values, c->values, sizeof whole.values);
  struct algorithm part = catalogue_inner(&whole, index);
  struct cost inside = *c;
  inside.values = part.values;
  inside.nodes = 0;
  if (c->p < 2) {
    return 0;
  }
  return part.algo->cost ? part.algo->cost(&inside) : NAN;
}

/* Return the time of m bytes on the link between a blade and its host; 0 if the blades of C have no hosts. */
static double host_link(const struct cost *c) {
  return c->blades_per_host && c->nodes > 1 ? cost_value(c, COST_L3, c->m) + cost_value(c, COST_G3, c->m) : 0;
}

double cluster_cost_up(const struct cost *c) {
  return cost_value(c, COST_L_SPE_PPE, c->m) + host_link(c);
}

double cluster_cost_down(const struct cost *c) {
  return host_link(c) + cost_value(c, COST_L_PPE_SPE, c->m);
}

/* Return the gap of messages of M bytes. */
static double gap(const struct cost *c, size_t m) {
  return c->blades_per_host ? fmax(between_hosts(c, COST_G4, m), cost_value(c, COST_O4, COST_ACK))
                            : cost_value(c, COST_G_NODE, m);
}

/* Return the delay of the second of two messages of M bytes from different nodes to one receiver. */
static double gap_into(const struct cost *c, size_t m) {
  return c->blades_per_host ? between_hosts(c, COST_G4_IN, m) : cost_value(c, COST_G_NODE_IN, m);
}

/* Return how long a message of M bytes takes. */
static double message(const struct cost *c, size_t m) {
  return c->blades_per_host ? between_hosts(c, COST_L4, m) + between_hosts(c, COST_G4, m)
                            : cost_value(c, COST_L_NODE, m) + cost_value(c, COST_G_NODE, m);
}

/* Return the time in which a PPE, or a host if there are hosts, combines a vector. */
static double combining(const struct cost *c) {
  return cost_value(c, c->blades_per_host ? COST_GAMMA_HOST : COST_GAMMA_PPE, c->m);
}

/* Return the time in which a host combines the vectors of its blades. */
static double combining_of_blades(const struct cost *c) {
  unsigned blades = MIN(c->blades_per_host, c->nodes);
  return blades > 1 ? (blades - 1) * combining(c) : 0;
}

double cluster_cost_tree_down(const struct cost *c) {
  unsigned n = cluster_cost_hosts(c);
  SCOPED double *there = xcalloc(n, sizeof *there), *leaves = xcalloc(n, sizeof *leaves);
  double last = 0;
  double between = n > 1 ? gap(c, c->m) : 0, one = n > 1 ? message(c, c->m) : 0;
  for (unsigned distance = 1; distance < n; distance *= 2) {
    for (unsigned from = 0; from < distance && from + distance < n; from++) {
      double start = fmax(there[from], leaves[from]);
      leaves[from] = start + between;
      there[from + distance] = start + one;
      last = fmax(last, start + one);
    }
  }
  return last;
}

double cluster_cost_chain(const struct cost *c, unsigned long piece) {
  unsigned n = cluster_cost_hosts(c);
  size_t m = MIN(c->m, piece);
  if (c->m % m != 0) {
    return NAN;
  }
  return n > 1 ? (double)(c->m / m - 1) * gap(c, m) + (n - 1) * message(c, m) : 0;
}

double cluster_cost_tree_up(const struct cost *c) {
  unsigned n = cluster_cost_hosts(c);
  SCOPED double *done = xcalloc(n, sizeof *done), *arrived = xcalloc(n, sizeof *arrived);
  double combine = combining(c), into = n > 2 ? gap_into(c, c->m) : 0, one = n > 1 ? message(c, c->m) : 0;
  for (unsigned i = 0; i < n; i++) {
    done[i] = combining_of_blades(c);
    arrived[i] = -INFINITY;
  }
  for (unsigned distance = 1; distance < n; distance *= 2) {
    for (unsigned to = 0; to + distance < n; to += 2 * distance) {
      double arrival = done[to + distance] + one;
      arrived[to] = fmax(arrival, arrived[to] + into);
      done[to] = fmax(done[to], arrived[to]) + combine;
    }
  }
  return done[0];
}

double cluster_cost_doubling(const struct cost *c) {
  unsigned n = cluster_cost_hosts(c), core = ranks_floor_power(n);
  double combine = combining(c), sum = combining_of_blades(c);
  for (unsigned distance = 1; distance < core; distance *= 2) {
    sum += message(c, c->m) + combine;
  }
  if (core < n) {
    sum += message(c, c->m) + combine + gap_into(c, c->m) + gap(c, c->m);
  }
  return sum;
}
