/* SPDX-License-Identifier: BSD-3-Clause
 * Deciders of findings about collectives with data in local stores; the inequality of each is in
 * findings.def. */
#include "validate/papers/findings_decide.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Return the least time of N algorithms. */
static double best_of(struct decision *d, const char *const *algorithms, size_t n, struct finding_run at) {
  double best = INFINITY;
  for (size_t i = 0; i < n; i++) {
    best = fmin(best, finding_time(d, algorithms[i], at.ranks, at.bytes));
  }
  return best;
}

/* Require that an opt-blade tree of degree 2 or 3 is the best broadcast of BYTES bytes on RANKS ranks. */
static void require_best_tree(struct decision *d, unsigned ranks, size_t bytes) {
  static const char *const trees[] = {"bcast:tree-opt-blade:degree=2", "bcast:tree-opt-blade:degree=3"};
  static const char *const stars[] = {"bcast:all-to-one", "bcast:all-to-one-opt-blade"};
  struct finding_run at = {.ranks = ranks, .bytes = bytes};
  double tree = best_of(d, trees, COUNT(trees), at), star = best_of(d, stars, COUNT(stars), at);
  finding_point(d, tree <= FINDING_EQUAL * star, "%u x %zu B: %.0f/%.0f", ranks, bytes, tree, star);
}

void finding_opt_blade_tree_best_broadcast(struct decision *d) {
  for (unsigned p = 7; p <= 16; p++) {
    double two = finding_time(d, "bcast:tree-opt-blade:degree=2", p, 128);
    double three = finding_time(d, "bcast:tree-opt-blade:degree=3", p, 128);
    require_best_tree(d, p, 128);
    finding_require(d, two <= FINDING_EQUAL * three);
  }
  for (unsigned p = 3; p <= 16; p++) {
    require_best_tree(d, p, 16384);
  }
}

void finding_opt_blade_tree_reduce_halves(struct decision *d) {
  d->type = TYPE_FLOAT32;
  double star = finding_time(d, "reduce:all-to-one-opt-blade", 16, 128);
  double tree = finding_time(d, "reduce:tree-opt-blade:degree=2", 16, 128);
  finding_point(d, star >= FINDING_NEARLY_TWICE * tree, "16: %.0f/%.0f; degrees 2/3", star, tree);
  for (unsigned p = 5; p <= 16; p++) {
    double two = finding_time(d, "reduce:tree-opt-blade:degree=2", p, 128);
    double three = finding_time(d, "reduce:tree-opt-blade:degree=3", p, 128);
    finding_point(d, FINDING_EQUAL * three >= two, "%u: %.0f/%.0f", p, two, three);
  }
}

void finding_all_to_one_reduce_best_below_6(struct decision *d) {
  static const char *const trees[] = {"reduce:tree-opt-blade:degree=2", "reduce:tree-opt-blade:degree=3"};
  d->type = TYPE_FLOAT32;
  for (unsigned p = 2; p < 6; p++) {
    double star = finding_time(d, "reduce:all-to-one-opt-blade", p, 128);
    double tree = best_of(d, trees, COUNT(trees), (struct finding_run){.ranks = p, .bytes = 128});
    finding_point(d, star <= FINDING_EQUAL * tree, "%u: %.0f/%.0f", p, star, tree);
  }
}

static double arrival(struct decision *d, const char *algorithm, size_t bytes) {
  return finding_value(d, FINDING_ARRIVAL, .algorithm = algorithm, .ranks = 8, .bytes = bytes);
}

void finding_simple_binomial_inverts_priorities(struct decision *d) {
  for (size_t bytes = 256; bytes <= 16384; bytes *= 4) {
    double simple = arrival(d, "bcast:binomial-simple", bytes), opt = arrival(d, "bcast:binomial-opt", bytes);
    finding_point(d, bytes < 4096 ? simple >= opt : simple > FINDING_CLOSE * opt,
                  "%zu B: %.0f/%.0f (in total %.0f/%.0f)", bytes, simple, opt,
                  finding_time(d, "bcast:binomial-simple", 8, bytes),
                  finding_time(d, "bcast:binomial-opt", 8, bytes));
  }
}

static double crossed(struct decision *d, const char *algorithm, size_t bytes) {
  return finding_value(d, FINDING_CROSSED, .algorithm = algorithm, .ranks = 16, .bytes = bytes);
}

void finding_segmented_binomial_hurt_by_crossings(struct decision *d) {
  static const char segmented[] = "bcast:segmented-binomial", hybrid[] = "bcast:hybrid-segmented-binomial";
  for (size_t bytes = 2048; bytes <= 32768; bytes *= 4) {
    double many = crossed(d, segmented, bytes), one = crossed(d, hybrid, bytes);
    double slow = finding_time(d, segmented, 16, bytes), fast = finding_time(d, hybrid, 16, bytes);
    finding_require(d, one < 2 * (double)bytes && many >= 7 * (double)bytes);
    finding_point(d, slow > FINDING_CLOSE * fast, "%zu B: %.0f/%.0f B cross; %.0f/%.0f ns", bytes, many, one,
                  slow, fast);
  }
}

void finding_below_64_bytes_costs_as_64(struct decision *d) {
  static const char *const algorithms[] = {"bcast:one-to-all", "bcast:binomial-opt", "bcast:binomial-simple",
                                           "reduce:binomial", "allreduce:recursive-doubling"};
  for (size_t i = 0; i < COUNT(algorithms); i++) {
    for (unsigned p = 8; p <= 16; p += 8) {
      double least = finding_time(d, algorithms[i], p, 16), full = finding_time(d, algorithms[i], p, 64);
      finding_point(d, least <= full && full <= FINDING_CLOSE * least, "%s on %u: %.0f/%.0f",
                    strchr(algorithms[i], ':') + 1, p, least, full);
    }
  }
}
