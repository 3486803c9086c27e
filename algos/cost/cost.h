/* SPDX-License-Identifier: BSD-3-Clause
 * The vocabulary of the published cost formulas: the parameters of the extended PLogP model, in SPU cycles.
 * source: Ali, Midkiff, Pai 2010, section 3. */
#pragma once

#include "algos/step/ranks.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A measured parameter; the parameters are described in cost.def. */
enum cost_parameter {
#define COST_PARAMETER(id, ...) COST_##id,
#include "algos/cost/cost.def"
  COST_PARAMETERS,
};

/* The "1" of L(1): a notification without data. */
#define COST_ACK SIZE_MAX

/* A call to be predicted, and the source of parameters. */
struct cost {
  unsigned p;               /* ranks */
  size_t m;                 /* bytes */
  unsigned spes_per_chip;   /* ranks on each chip but perhaps the last one */
  bool two_chips;           /* ranks on both chips of a blade */
  unsigned nodes;           /* nodes of a call on several nodes, with p the ranks of the fullest; else 0 */
  unsigned blades_per_host; /* blades behind each host; 0: the nodes are on the network without hosts */
  const unsigned *values;   /* values of the algorithm's parameters */
  double gap_share;         /* 0..1: share of the gaps X, for which the paper gives a range */
  double (*parameter)(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n);
  void *source; /* context of `parameter` */
};

/* Return PARAMETER for M bytes. */
static inline double cost_value(const struct cost *c, enum cost_parameter parameter, size_t m) {
  return c->parameter(c, parameter, m, 0);
}

/* One data step, and one notification, on a chip; the equations write L(m) on one chip and L1(m) on a
 * blade. */
static inline double cost_step(const struct cost *c, size_t m) {
  return cost_value(c, c->two_chips ? COST_L1 : COST_L, m);
}

static inline double cost_ack(const struct cost *c) {
  return cost_step(c, COST_ACK);
}

/* The same across the BIF. */
static inline double cost_step_across(const struct cost *c, size_t m) {
  return cost_value(c, COST_L2, m);
}

static inline double cost_ack_across(const struct cost *c) {
  return cost_step_across(c, COST_ACK);
}

/* A data step and the acknowledgement. */
static inline double cost_round(const struct cost *c, size_t m) {
  return cost_step(c, m) + cost_ack(c);
}

static inline double cost_round_across(const struct cost *c, size_t m) {
  return cost_step_across(c, m) + cost_ack_across(c);
}

/* A gap parameter. */
static inline double cost_gap(const struct cost *c, enum cost_parameter gap, size_t m) {
  return cost_value(c, gap, m);
}

/* The gaps X of acknowledgements; the paper gives only 0 <= X <= MOST. */
static inline double cost_between(const struct cost *c, double most) {
  return c->gap_share * most;
}

/* Congestion of N messages of M bytes; the paper counts it only above 256 bytes and above two messages. */
static inline double cost_congestion(const struct cost *c, size_t m, unsigned n) {
  return n > 2 && m > 256 ? c->parameter(c, COST_C, m, n) : 0;
}

/* The work of combining M bytes. */
static inline double cost_combine(const struct cost *c, size_t m) {
  return cost_value(c, COST_GAMMA, m);
}

/* M bytes from one rank to all others, or notifications from all to one and back: a message, and one more for
 * the gap of each further rank. */
static inline double cost_fan_out(const struct cost *c, size_t m) {
  if (!c->two_chips) {
    unsigned q = c->p - 2;
    return q * cost_gap(c, COST_G, m) + cost_round(c, m) +
           cost_between(c, q * cost_gap(c, COST_G_ACK, COST_ACK));
  }
  /* Ranks after the first (in the latency): on the root's chip, and across. On chips of 8: 6 and p - 9. */
  double q1 = fmax(0, c->spes_per_chip - 2.0), q2 = c->p - c->spes_per_chip - 1;
  return cost_round(c, m) + q1 * cost_gap(c, COST_G1, m) + cost_round_across(c, m) +
         q2 * cost_gap(c, COST_G2, m) +
         cost_between(c, q1 * cost_gap(c, COST_G1_ACK, COST_ACK) + q2 * cost_gap(c, COST_G2_ACK, COST_ACK));
}

/* ROUNDS of M bytes each; the last round crosses if there are two chips. */
static inline double cost_rounds(const struct cost *c, unsigned rounds, size_t m) {
  return c->two_chips ? (rounds - 1) * cost_round(c, m) + cost_round_across(c, m) : rounds * cost_round(c, m);
}

/* ROUNDS of notifications; the last round crosses if there are two chips. */
static inline double cost_acks(const struct cost *c, unsigned rounds) {
  return c->two_chips ? (rounds - 1) * cost_ack(c) + cost_ack_across(c) : rounds * cost_ack(c);
}

/* The m of equations where m is the final piece of a vector on each rank. The equations hold for equal
 * pieces; else the result is 0, a size without parameters. */
static inline size_t cost_piece(const struct cost *c) {
  return c->m % (16 * (size_t)c->p) == 0 ? c->m / c->p : 0;
}

/* Rounds of M, 2 M, 4 M, ... p M / 2 bytes; the last round crosses if there are two chips. */
static inline double cost_doubling(const struct cost *c, size_t m) {
  double sum = 0;
  for (unsigned n = 1; n < c->p; n *= 2) {
    sum += c->two_chips && 2 * n == c->p ? cost_round_across(c, n * m) : cost_round(c, n * m);
  }
  return sum;
}

/* The congestion of the last round of cost_doubling with all ranks taking part. */
static inline double cost_doubling_congestion(const struct cost *c, size_t m) {
  return c->two_chips ? cost_congestion(c, c->p / 2 * m, c->p) : 0;
}

/* Reduce-scatter with a result of M bytes on each rank. */
static inline double cost_reduce_scatter(const struct cost *c, size_t m) {
  double sum = cost_doubling(c, m) + cost_doubling_congestion(c, m);
  for (unsigned n = 1; n < c->p; n *= 2) {
    sum += cost_combine(c, n * m);
  }
  return sum;
}

/* Round K, counted from 1, of recursive doubling with M bytes in a hybrid on two chips of 8 SPEs: the fourth
 * crosses. */
static inline double cost_hybrid_round(const struct cost *c, unsigned k, size_t m) {
  unsigned crossing = c->p >> (c->values[0] - 1);
  return k > 3 ? cost_round_across(c, m) + cost_congestion(c, m, crossing) : cost_round(c, m);
}

/* All-gather of M bytes of each rank by the hybrid; the first parameter of the hybrid is the round of the
 * switch. The paper has no equation for one chip. */
static inline double cost_hybrid_allgather(const struct cost *c, size_t m) {
  unsigned rounds = ranks_floor_log2(c->p), before = c->values[0] - 1;
  if (!c->two_chips) {
    return NAN;
  }
  double sum = before * cost_round(c, c->p * m);
  for (unsigned k = 1; k <= rounds; k++) {
    size_t nbytes = m << (k - 1);
    sum += k <= before ? cost_round(c, nbytes) : cost_hybrid_round(c, k, nbytes);
  }
  return sum;
}
