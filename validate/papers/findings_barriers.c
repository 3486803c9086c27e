/* SPDX-License-Identifier: BSD-3-Clause
 * Deciders of findings about barriers; the inequality of each is in findings.def. The numbers of ranks are as
 * plotted in the sources: even numbers for Velamati et al., all numbers for Gaona et al. */
#include "validate/papers/findings_decide.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Time of ALGORITHM on RANKS ranks. */
static double barrier(struct decision *d, const char *algorithm, unsigned ranks) {
  return finding_time(d, algorithm, ranks, 0);
}

void finding_pairwise_beats_dissemination(struct decision *d) {
  for (unsigned p = 2; p <= 16; p += 2) {
    double pe = barrier(d, "barrier:recursive-doubling", p), dis = barrier(d, "barrier:bruck", p);
    finding_point(d, p > 8 ? FINDING_CLOSE * pe <= dis : FINDING_CLOSE * pe > dis, "%u: %.0f/%.0f", p, pe,
                  dis);
  }
}

void finding_dma_list_slows_one_to_all(struct decision *d) {
  for (unsigned p = 2; p <= 16; p += 2) {
    double put = barrier(d, "barrier:one-to-all", p), list = barrier(d, "barrier:one-to-all:fanout=putl", p);
    finding_point(d, p > 4 ? list > put : FINDING_EQUAL * list >= put, "%u: %.0f/%.0f", p, put, list);
  }
}

void finding_signal_gather_brings_no_gain(struct decision *d) {
  for (unsigned p = 2; p <= 16; p += 2) {
    double put = barrier(d, "barrier:one-to-all", p), sig = barrier(d, "barrier:all-to-one:release=put", p);
    finding_point(d, FINDING_EQUAL * sig >= put, "%u: %.0f/%.0f", p, put, sig);
  }
}

void finding_tree_of_degree_8_slower_than_4(struct decision *d) {
  for (unsigned p = 8; p <= 16; p += 2) {
    double four = barrier(d, "barrier:knomial:degree=4", p),
           eight = barrier(d, "barrier:knomial:degree=8", p);
    finding_point(d, eight > four, "%u: %.0f/%.0f", p, four, eight);
  }
}

void finding_exchanges_beat_gather_broadcast(struct decision *d) {
  for (unsigned p = 4; p <= 16; p += 2) {
    double slower = fmax(barrier(d, "barrier:recursive-doubling", p), barrier(d, "barrier:bruck", p));
    double rooted =
      fmin(fmin(barrier(d, "barrier:one-to-all", p), barrier(d, "barrier:all-to-one:release=put", p)),
           fmin(barrier(d, "barrier:knomial:degree=2", p), barrier(d, "barrier:knomial:degree=4", p)));
    finding_point(d, FINDING_CLOSE * slower <= rooted, "%u: %.0f/%.0f", p, slower, rooted);
  }
}

void finding_atomic_and_mailbox_not_competitive(struct decision *d) {
  for (unsigned p = 4; p <= 16; p *= 2) {
    double pe = barrier(d, "barrier:recursive-doubling", p), atomic = barrier(d, "barrier:atomic", p);
    double mailbox = barrier(d, "barrier:ppe-mailbox", p);
    finding_require(d, FINDING_CLOSE * pe <= fmin(atomic, mailbox));
    finding_point(d, p < 8 || (atomic >= 1000 && mailbox >= 10000 && mailbox < 100000), "%u: %.0f/%.0f/%.0f",
                  p, pe, atomic, mailbox);
  }
}

void finding_latency_jumps_from_8_to_10(struct decision *d) {
  static const char *const exchanges[] = {"barrier:recursive-doubling", "barrier:bruck"};
  for (size_t i = 0; i < COUNT(exchanges); i++) {
    double jump = barrier(d, exchanges[i], 10) - barrier(d, exchanges[i], 8), most = 0;
    for (unsigned p = 4; p <= 16; p += 2) {
      double step = barrier(d, exchanges[i], p) - barrier(d, exchanges[i], p - 2);
      most = p == 10 ? most : fmax(most, step);
    }
    finding_point(d, jump > 0 && jump >= FINDING_NEARLY_TWICE * most, "%s: +%.0f against at most +%.0f",
                  exchanges[i] + 8, jump, most);
  }
}

/* --- Gaona et al. --- */

static const char *const signalled[] = {"barrier:all-to-one", "barrier:tree:degree=2",
                                        "barrier:tree:degree=3", "barrier:recursive-doubling:sync=signal"};

/* Require that BEST is the fastest signalled barrier on RANKS ranks. */
static void require_best(struct decision *d, const char *best, unsigned ranks) {
  double own = barrier(d, best, ranks), other = INFINITY;
  for (size_t i = 0; i < COUNT(signalled); i++) {
    if (signalled[i] != best) {
      other = fmin(other, barrier(d, signalled[i], ranks));
    }
  }
  if (ranks > 8) { /* blade variants differ from the others above 8 ranks only */
    other = fmin(other, barrier(d, "barrier:all-to-one-blade", ranks));
    other = fmin(other, fmin(barrier(d, "barrier:tree-blade:degree=2", ranks),
                             barrier(d, "barrier:tree-blade:degree=3", ranks)));
  }
  finding_point(d, own <= FINDING_EQUAL * other, "%u: %.0f/%.0f", ranks, own, other);
}

void finding_all_to_one_best_off_powers_of_two(struct decision *d) {
  static const unsigned off[] = {3, 5, 6, 7}, powers[] = {2, 4, 8, 16};
  for (size_t i = 0; i < COUNT(off); i++) {
    require_best(d, signalled[0], off[i]);
  }
  for (size_t i = 0; i < COUNT(powers); i++) {
    require_best(d, signalled[3], powers[i]);
  }
}

void finding_blade_barriers_scale(struct decision *d) {
  double first = barrier(d, "barrier:all-to-one-blade", 10), least = barrier(d, "barrier:all-to-one", 9);
  finding_require(d, barrier(d, "barrier:all-to-one-blade", 16) <= FINDING_CLOSE * first);
  finding_require(d, barrier(d, "barrier:all-to-one", 16) > FINDING_CLOSE * least);
  for (unsigned p = 9; p <= 16; p++) {
    double tree = barrier(d, "barrier:tree:degree=2", p),
           blade = barrier(d, "barrier:tree-blade:degree=2", p);
    double tree3 = barrier(d, "barrier:tree:degree=3", p),
           blade3 = barrier(d, "barrier:tree-blade:degree=3", p);
    finding_point(d, blade < tree && blade3 < tree3, "%u: %.1f/%.1f/%.0f/%.0f/%.0f/%.0f", p,
                  barrier(d, "barrier:all-to-one-blade", p), barrier(d, "barrier:all-to-one", p), blade, tree,
                  blade3, tree3);
  }
}

void finding_blade_tree_approaches_all_to_one(struct decision *d) {
  static const char *const trees[] = {"barrier:tree-blade:degree=2", "barrier:tree-blade:degree=3",
                                      "barrier:tree-blade:degree=5", "barrier:tree-blade:degree=7"};
  for (unsigned p = 10; p <= 16; p += 2) {
    double limit = barrier(d, "barrier:all-to-one-blade", p), before = INFINITY;
    double distances[COUNT(trees)];
    for (size_t i = 0; i < COUNT(trees); i++) {
      distances[i] = barrier(d, trees[i], p) - limit;
      finding_require(d, distances[i] <= before && distances[i] >= 0);
      before = distances[i];
    }
    finding_point(d, limit + before <= FINDING_EQUAL * limit, "%u: +%.0f/+%.0f/+%.0f/+%.0f of %.0f", p,
                  distances[0], distances[1], distances[2], distances[3], limit);
  }
}

/* --- Ali et al. --- */

void finding_bruck_pays_a_crossing_in_every_round(struct decision *d) {
  double across = finding_value(d, .kind = FINDING_LATENCY);
  finding_say(d, "L2(1) %.0f", across);
  for (unsigned p = 9; p <= 16; p++) {
    double time = barrier(d, "barrier:bruck", p), rounds = ceil(log2(p));
    finding_point(d, FINDING_CLOSE * time >= rounds * across, "%u: %.0f/%.0f", p, time, rounds * across);
  }
}
