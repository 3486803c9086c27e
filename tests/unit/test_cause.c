/* SPDX-License-Identifier: BSD-3-Clause
 * Causes: the terms of a prediction, and the choice of the named term. */
#include "tests/call_bed.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/compare.h"

/* Three replacements; the prediction is too high by 100. */
static const char *choose(double a, double b, double c) {
  struct cause_change changes[] = {{"a", a}, {"b", b}, {"c", c}};
  return cause_choose(300, 200, changes, 3);
}

TESTS(cause, .start = bed_begin_unwatched, .stop = bed_end);

TEST(the_change_that_comes_closest_is_the_cause) {
  ck_assert_str_eq(choose(-60, -90, 10), "b");
  ck_assert_str_eq(choose(-60, -130, 10), "b");
  ck_assert_str_eq(choose(-100, -100, 0), "a");
}

/* An error of 100: a change must leave 50 at most. */
TEST(half_of_the_error_must_go) {
  ck_assert_str_eq(choose(-50, 0, 0), "a");
  ck_assert_str_eq(choose(0, -150, 0), "b");
  ck_assert_str_eq(choose(-49, 0, 0), "unexplained");
  ck_assert_str_eq(choose(-151, 0, 0), "unexplained");
  ck_assert_str_eq(choose(100, 200, 300), "unexplained");
}

/* -40 and -45 leave 60 and 55, both together 15. */
TEST(two_changes_are_the_cause_if_one_is_not_enough) {
  ck_assert_str_eq(choose(-40, 5, -45), "a;c");
  ck_assert_str_eq(choose(-240, 190, 0), "a;b");
  ck_assert_str_eq(choose(-40, -55, -10), "b");
  ck_assert_str_eq(choose(-20, -20, -20), "unexplained");
}

TEST(without_changes_there_is_no_cause) {
  ck_assert_str_eq(cause_choose(300, 200, NULL, 0), "unexplained");
}

/* Split the prediction of MODEL for NAME on NRANKS ranks with NBYTES, on measured parameters.
 * returns: whether there is one; the parameters are in PLOGP. */
static bool split(struct plogp *plogp, enum model model, struct call call, double terms[CAUSE_TERMS]) {
  call.profile = platform_profile(bed.platform, "ali2010");
  plogp_init(plogp, bed.machine, call.profile);
  call.repeat = 1;
  return cause_split(plogp, model, &call, terms);
}

/* Check that the barrier NAME on NRANKS ranks is counts[0] notifications, counts[1] of them across, and
 * nothing else. */
static void expect_barrier(enum model model, const char *name, unsigned nranks, const double counts[2]) {
  struct plogp plogp;
  double terms[CAUSE_TERMS];
  ck_assert(split(&plogp, model, (struct call){.algorithm = call_bed_find(name), .nranks = nranks}, terms));
  double near = plogp_get(&plogp, COST_L1, COST_ACK, 0), far = plogp_get(&plogp, COST_L2, COST_ACK, 0);
  ck_assert_double_gt(far, near);
  ck_assert_double_eq_tol(terms[CAUSE_STEPS], counts[0] * near, counts[0]); /* whole cycles a step */
  ck_assert_double_eq_tol(terms[CAUSE_CROSSINGS], counts[1] * (far - near), counts[1]);
  for (enum cause_term term = CAUSE_CROSSINGS + 1; term < CAUSE_TERMS; term++) {
    ck_assert_double_eq_tol(terms[term], 0, 0.01);
  }
  plogp_fini(&plogp);
}

/* Bruck on 16 ranks has 4 rounds, all across in the equation. Up and down a binomial tree of 16 ranks the
 * longest chains have 4 flags each, one of them across. Recursive doubling on 11 ranks: 3 rounds and folding
 * there and back, one of these steps across in the equation. In the refined model ranks also wait for their
 * own flags to leave; this wait is software. */
TEST(terms_are_counts_of_parameters) {
  expect_barrier(MODEL_PUBLISHED, "barrier:bruck", 16, (double[]){4, 4});
  expect_barrier(MODEL_PUBLISHED, "barrier:gather-broadcast", 16, (double[]){8, 2});
  expect_barrier(MODEL_PUBLISHED, "barrier:recursive-doubling", 11, (double[]){5, 1});
}

TEST(terms_add_up_to_the_prediction) {
  static const char *const names[] = {"barrier:recursive-doubling:sync=signal",
                                      "barrier:gather-broadcast",
                                      "bcast:tree",
                                      "reduce:tree-opt-blade",
                                      "bcast:binomial-simple",
                                      "bcast:one-to-all",
                                      "bcast:segmented-binomial",
                                      "reduce:scatter-gather",
                                      "allreduce:hybrid-b",
                                      "allgather:recursive-doubling"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct call call = {.algorithm = call_bed_find(names[i]), .nranks = 16, .nbytes = i < 2 ? 0 : 1024};
    for (enum model model = 0; model < MODEL_COUNT; model++) {
      struct plogp plogp;
      double terms[CAUSE_TERMS], sum = 0;
      bool predicted = split(&plogp, model, call, terms);
      ck_assert(predicted || model != MODEL_REFINED);
      for (enum cause_term term = 0; predicted && term < CAUSE_TERMS; term++) {
        sum += terms[term];
      }
      double whole = predict_by_model(&plogp, model, &call).middle;
      ck_assert_int_eq(predicted, !isnan(whole));
      double slack =
        model == MODEL_REFINED ? 0.1 : 0.0001; /* a change of the order of transfers ends a term's growth */
      ck_assert_msg(!predicted || fabs(sum / whole - 1) < slack, "%s under %s: %g of %g", names[i],
                    predict_model_name(model), sum, whole);
      plogp_fini(&plogp);
    }
  }
}

/* The machine of the terms counts in parts of a cycle, and takes as long as the machine itself, but for parts
 * of a cycle that no whole cycle counts. */
TEST(parts_of_a_cycle_change_no_time) {
  static const char *const names[] = {"bcast:tree", "bcast:binomial-simple", "bcast:one-to-all",
                                      "allgather:recursive-doubling"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct call call = {.algorithm = call_bed_find(names[i]), .nranks = 16, .nbytes = 8192};
    struct plogp plogp;
    double terms[CAUSE_TERMS];
    ck_assert(split(&plogp, MODEL_REFINED, call, terms));
    struct machine *unchanged = plogp.changed[PLOGP_CHANGED - 1];
    const struct platform *platform = machine_platform(unchanged);
    double parts = predict_call(&plogp, unchanged, platform_profile(platform, "ali2010"), &call).middle;
    double cycles = predict_by_model(&plogp, MODEL_REFINED, &call).middle;
    double longer = platform->clock.spu / bed.platform->clock.spu;
    ck_assert_msg(fabs(parts / longer / cycles - 1) < 0.0025, "%s: %g parts of a cycle, %g cycles", names[i],
                  parts, cycles);
    plogp_fini(&plogp);
  }
}

/* A request for collecting: the parameters and the call. */
struct collecting {
  struct plogp plogp;
  struct call call;
};

/* Ask for the terms of both models, as an evaluation does after its predictions. */
static void explain(void *context) {
  struct collecting *collecting = context;
  double terms[CAUSE_TERMS];
  cause_split(&collecting->plogp, MODEL_PUBLISHED, &collecting->call, terms);
  cause_split(&collecting->plogp, MODEL_REFINED, &collecting->call, terms);
}

/* The terms of both models are known after a request, in as many rounds as the ledger makes. */
TEST(causes_ask_for_nothing_after_a_request) {
  static const char *const names[] = {"barrier:bruck",      "bcast:binomial-simple",
                                      "bcast:one-to-all",   "reduce:scatter-gather",
                                      "allreduce:hybrid-b", "allgather:recursive-doubling"};
  struct ledger ledger = {.njobs = 1};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct collecting collecting = {
      .call = {.algorithm = call_bed_find(names[i]), .nranks = 16, .nbytes = i == 0 ? 0 : 1024, .repeat = 1}};
    double terms[CAUSE_TERMS];
    collecting.call.profile = platform_profile(bed.platform, "ali2010");
    plogp_init(&collecting.plogp, bed.machine, collecting.call.profile);
    collecting.plogp.ledger = &ledger;
    ck_assert(!cause_split(&collecting.plogp, MODEL_REFINED, &collecting.call, terms));
    SUCCEEDS(ledger_settle(&ledger, explain, &collecting, &failure));
    size_t mark = ledger_mark(&ledger);
    ck_assert(cause_split(&collecting.plogp, MODEL_PUBLISHED, &collecting.call, terms));
    ck_assert(cause_split(&collecting.plogp, MODEL_REFINED, &collecting.call, terms));
    ck_assert(ledger_complete(&ledger, mark));
    plogp_fini(&collecting.plogp);
  }
  ledger_fini(&ledger);
}

TEST(what_has_no_prediction_has_no_terms) {
  struct plogp plogp;
  double terms[CAUSE_TERMS];
  struct call call = {.algorithm = call_bed_find("barrier:atomic"), .nranks = 4};
  ck_assert(!split(&plogp, MODEL_PUBLISHED, call, terms));
  plogp_fini(&plogp);
}
