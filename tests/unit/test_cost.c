/* SPDX-License-Identifier: BSD-3-Clause
 * The equations of reduce, all-reduce and all-gather, against tables 3 to 5 of Ali, Midkiff, Pai 2010 written
 * out by hand for 8 ranks on one chip and 16 on two. Every parameter has a different value for every size. */
#include "algos/cost/cost.h"
#include "tests/call_bed.h"

static double value(enum cost_parameter parameter, size_t m, unsigned n) {
  static const double weights[COST_PARAMETERS] = {
    [COST_L] = 1.13, [COST_L1] = 2.71, [COST_L2] = 7.77, [COST_C] = 31.9, [COST_GAMMA] = 0.37};
  return weights[parameter] * (m == COST_ACK ? 5.3 : 100 + sqrt((double)m)) * (1 + n / 7.0);
}

static double parameter(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n) {
  return value(parameter, m, n);
}

/* A data step with an acknowledgement on one chip, on a chip of two, across; congestion; combining. */
static double one(size_t m) {
  return value(COST_L, m, 0) + value(COST_L, COST_ACK, 0);
}

static double on(size_t m) {
  return value(COST_L1, m, 0) + value(COST_L1, COST_ACK, 0);
}

static double across(size_t m) {
  return value(COST_L2, m, 0) + value(COST_L2, COST_ACK, 0);
}

static double crowd(size_t m, unsigned n) {
  return value(COST_C, m, n);
}

static double gamma_m(size_t m) {
  return value(COST_GAMMA, m, 0);
}

/* Return the published cost of the call NAME on NRANKS ranks with NBYTES. */
static double cost_of(const char *name, unsigned nranks, size_t nbytes) {
  struct algorithm algorithm = call_bed_find(name);
  struct cost cost = {
    .p = nranks, .m = nbytes, .two_chips = nranks > 8, .values = algorithm.values, .parameter = parameter};
  return algorithm.algo->cost(&cost);
}

#define EXPECT(name, nranks, nbytes, expected) \
  ck_assert_double_eq_tol(cost_of(name, nranks, nbytes), expected, 1e-6)

TESTS(cost);

TEST(all_gathers_cost_what_table_3_says) {
  EXPECT("allgather:recursive-doubling", 8, 1024, one(1024) + one(2048) + one(4096));
  EXPECT("allgather:recursive-doubling", 16, 1024,
         on(1024) + on(2048) + on(4096) + across(8192) + crowd(8192, 16));
  EXPECT("allgather:recursive-doubling", 16, 32, on(32) + on(64) + on(128) + across(256));
  EXPECT("allgather:hybrid:switch=2", 16, 1024,
         on(1024) + on(2048) + on(4096) + across(8192) + crowd(8192, 8) + on(16384));
  EXPECT("allgather:hybrid:switch=3", 16, 1024,
         on(1024) + on(2048) + on(4096) + across(8192) + crowd(8192, 4) + 2 * on(16384));
  EXPECT("allgather:hybrid:switch=4", 16, 1024,
         on(1024) + on(2048) + on(4096) + across(8192) + 3 * on(16384));
  ck_assert(isnan(cost_of("allgather:hybrid", 8, 1024)));
}

TEST(reductions_cost_what_table_4_says) {
  double scatter_8 = one(1024) + one(2048) + one(4096) + gamma_m(1024) + gamma_m(2048) + gamma_m(4096);
  double scatter_16 = on(1024) + on(2048) + on(4096) + across(8192) + crowd(8192, 16) + gamma_m(1024) +
                      gamma_m(2048) + gamma_m(4096) + gamma_m(8192);
  EXPECT("reduce:binomial", 8, 1024, 3 * (one(1024) + gamma_m(1024)));
  EXPECT("reduce:binomial", 16, 1024, 3 * (on(1024) + gamma_m(1024)) + across(1024) + gamma_m(1024));
  EXPECT("reduce:scatter-gather", 8, 8192, scatter_8 + one(1024) + one(2048) + one(4096));
  EXPECT("reduce:scatter-gather", 16, 16384, scatter_16 + on(1024) + on(2048) + on(4096) + across(8192));
}

/* Without rounds in a table for numbers of ranks other than powers of two there is no prediction; table 4 has
 * such rounds. */
TEST(binomial_trees_cost_what_the_tables_say) {
  EXPECT("reduce:binomial", 5, 1024, 2 * (one(1024) + gamma_m(1024)));
  ck_assert(isnan(cost_of("bcast:binomial-opt", 5, 1024)));
}

TEST(all_reductions_cost_what_table_5_says) {
  double gather_16 = on(1024) + on(2048) + on(4096) + across(8192);
  double scatter_16 =
    gather_16 + crowd(8192, 16) + gamma_m(1024) + gamma_m(2048) + gamma_m(4096) + gamma_m(8192);
  double ack_1 = value(COST_L1, COST_ACK, 0), ack_2 = value(COST_L2, COST_ACK, 0);
  EXPECT("allreduce:recursive-doubling", 8, 1024,
         3 * (one(1024) + value(COST_L, COST_ACK, 0) + gamma_m(1024)));
  EXPECT("allreduce:recursive-doubling", 16, 1024,
         3 * (on(1024) + ack_1 + gamma_m(1024)) + across(1024) + ack_2 + gamma_m(1024) + crowd(1024, 16));
  EXPECT("allreduce:scatter-allgather", 16, 16384, scatter_16 + gather_16 + crowd(8192, 16));
  EXPECT("allreduce:scatter-gather-bcast", 16, 16384, scatter_16 + gather_16 + 3 * on(16384) + across(16384));
  EXPECT("allreduce:hybrid-a", 16, 1024,
         4 * on(1024) + on(1024) + across(1024) + crowd(1024, 4) + 4 * gamma_m(1024));
  EXPECT("allreduce:hybrid-a:switch=4", 16, 1024, 6 * on(1024) + across(1024) + 4 * gamma_m(1024));
  EXPECT("allreduce:hybrid-b", 16, 16384, scatter_16 + gather_16 + crowd(8192, 4) + 2 * on(16384));
  ck_assert(isnan(cost_of("allreduce:recursive-doubling", 7, 1024)));
  ck_assert(isnan(cost_of("allreduce:hybrid-a", 8, 1024)));
  ck_assert(isnan(cost_of("allreduce:hybrid-a", 12, 1024)));
}

/* Return parameter WHICH of messages without data. */
static double of_nodes(enum cost_parameter which) {
  return 1000 + 17 * (double)which;
}

static double parameter_of_nodes(const struct cost *cost, enum cost_parameter parameter, size_t m,
                                 unsigned n) {
  bool hosts = parameter == COST_L4 || parameter == COST_G4;
  ck_assert_uint_eq(m, COST_ACK);
  ck_assert_uint_eq(n, hosts ? 3 : 0);
  return of_nodes(parameter);
}

/* Sections 6.1 and 6.2, written out for three nodes of 16 SPEs, or six blades behind three hosts: two
 * rounds. */
TEST(barriers_of_nodes_cost_what_section_6_says) {
  struct algorithm algorithm = call_bed_find("barrier:hierarchical");
  struct cost cost = {.p = 16,
                      .spes_per_chip = 8,
                      .two_chips = true,
                      .nodes = 3,
                      .values = algorithm.values,
                      .parameter = parameter_of_nodes};
  double inside = 3 * of_nodes(COST_L1) + of_nodes(COST_L2), release = of_nodes(COST_L_PPE_SPE) + inside;
  double acks = of_nodes(COST_L_SPE_PPE) + of_nodes(COST_G_SPE_PPE);
  double bruck = 2 * (of_nodes(COST_L_NODE) + of_nodes(COST_G_NODE));
  ck_assert_double_eq_tol(algorithm.algo->cost(&cost), fmax(fmax(inside, acks), bruck) + release, 1e-6);
  cost.nodes = 6;
  cost.blades_per_host = 2;
  acks = of_nodes(COST_L_SPE_PPE) + 15 * of_nodes(COST_G_SPE_PPE);
  ck_assert_double_eq_tol(algorithm.algo->cost(&cost),
                          fmax(inside, acks) + of_nodes(COST_L3) + 2 * of_nodes(COST_L4) + of_nodes(COST_L3) +
                            of_nodes(COST_G3) + release,
                          1e-6);
  algorithm = call_bed_find("barrier:hierarchical:ack=after");
  ck_assert(isnan(algorithm.algo->cost(&cost)));
  algorithm = call_bed_find("barrier:hierarchical:release=one-to-all");
  ck_assert(isnan(algorithm.algo->cost(&cost)));
}

/* Parameters without a 0. */
static double some_parameter(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n) {
  return 1000 + 10 * (double)parameter + (m == COST_ACK ? 0 : (double)m) + 100 * (n & 0xff);
}

/* Return the largest minus the smallest value of EQUATION for a call of 1 KiB. */
static double range_of(double (*equation)(const struct cost *), const struct algorithm *algorithm) {
  struct cost cost = {.p = 16,
                      .m = 1024,
                      .spes_per_chip = 8,
                      .two_chips = true,
                      .values = algorithm->values,
                      .parameter = some_parameter};
  double least = equation(&cost);
  cost.gap_share = 1;
  return equation(&cost) - least;
}

TEST(some_equations_have_ranges) {
  unsigned ranges = 0, exact = 0;
  for (size_t i = 0; i < catalogue_size; i++) {
    struct algorithm algorithm = catalogue_call(catalogue[i]);
    ranges += algorithm.algo->cost && range_of(algorithm.algo->cost, &algorithm) > 0;
    exact += algorithm.algo->cost && range_of(algorithm.algo->cost, &algorithm) == 0;
  }
  ck_assert_uint_gt(ranges, 0);
  ck_assert_uint_gt(exact, 0);
}
