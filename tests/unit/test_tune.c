/* SPDX-License-Identifier: BSD-3-Clause
 * Choices: winners by simulation and by model, losses, candidates. */
#include "algos/catalogue.h"
#include "tests/bed.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/tune.h"

/* A decision among COUNT candidates C. */
#define OF(c, count) (&(const struct tune_decision){.candidates = (c), .n = (count)})

/* Return a candidate with a time in the simulation and under the refined model. */
static struct tune_candidate candidate(double simulated, double predicted) {
  return (struct tune_candidate){.simulated = simulated,
                                 .predicted = {[MODEL_PUBLISHED] = NAN,
                                               [MODEL_REFINED] = predicted,
                                               [MODEL_NAIVE_GAP] = NAN,
                                               [MODEL_NAIVE_CONTENTION] = NAN}};
}

TESTS(tune, .start = bed_start, .stop = bed_end);

TEST(a_model_that_errs_loses) {
  struct tune_candidate c[] = {candidate(150, 90), candidate(120, 100), candidate(180, 200)};
  struct tune_choice choice = tune_choose(OF(c, 3), MODEL_REFINED);
  ck_assert_uint_eq(choice.n, 3);
  ck_assert_ptr_eq(choice.fastest, &c[1]);
  ck_assert_ptr_eq(choice.chosen, &c[0]);
  ck_assert_double_eq_tol(choice.loss, 25, 1e-9);
  ck_assert_double_eq_tol(choice.spread, 50, 1e-9);
}

/* The first candidate wins; the loss is 0 when candidates with equal predictions are equally fast. */
TEST(ties_go_to_the_first) {
  struct tune_candidate c[] = {candidate(100, 90), candidate(100, 80), candidate(100, 80)};
  struct tune_choice choice = tune_choose(OF(c, 3), MODEL_REFINED);
  ck_assert_ptr_eq(choice.fastest, &c[0]);
  ck_assert_ptr_eq(choice.chosen, &c[1]);
  ck_assert(choice.loss == 0);
  ck_assert_ptr_eq(tune_fastest(OF(c, 3)), &c[0]);
}

/* A runner-up is another algorithm, not the winner with other parameters; the two may tie. */
TEST(the_runner_up_is_another_algorithm) {
  struct tune_candidate c[] = {candidate(120, 1), candidate(100, 1), candidate(110, 1), candidate(100, 1)};
  bool is_tie = true;
  c[0].algorithm.algo = c[3].algorithm.algo = catalogue[0];
  c[1].algorithm.algo = c[2].algorithm.algo = catalogue[1];
  ck_assert_ptr_eq(tune_runner_up(OF(c, 3), &is_tie), &c[0]);
  ck_assert(!is_tie);
  ck_assert_ptr_null(tune_runner_up(OF(&c[1], 2), &is_tie)); /* of one algorithm */
  ck_assert(!is_tie);
  ck_assert_ptr_eq(tune_runner_up(OF(c, 4), &is_tie), &c[3]);
  ck_assert(is_tie);
  ck_assert(!tune_wins(OF(c, 4), 0) && tune_wins(OF(c, 4), 1) && !tune_wins(OF(c, 4), 2) &&
            tune_wins(OF(c, 4), 3));
}

/* Three algorithms under two profiles. An algorithm that ties for the win counts; an algorithm that failed
 * there does not. Two variants of one algorithm are one. */
TEST(a_choice_is_robust_if_one_wins_under_all_profiles) {
  static const struct {
    double under[3][2];
    bool robust;
  } cases[] = {{{{1, 5}, {2, 6}, {3, 7}}, true},    {{{1, 6}, {2, 5}, {3, 7}}, false},
               {{{1, 6}, {1, 5}, {3, 7}}, true},    {{{1, 6}, {1, 7}, {2, 5}}, false},
               {{{1, NAN}, {2, 6}, {3, 7}}, false}, {{{2, 6}, {1, NAN}, {2, 6}}, false}};
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
    struct tune_candidate c[3] = {candidate(1, 1), candidate(1, 1), candidate(1, 1)};
    double under[3][2];
    memcpy(under, cases[k].under, sizeof under);
    for (unsigned i = 0; i < 3; i++) {
      c[i].under = under[i];
      c[i].algorithm.algo = catalogue[i];
    }
    struct tune_decision decision = {.candidates = c, .n = 3, .nprofiles = 2};
    ck_assert_msg(tune_is_robust(&decision) == cases[k].robust, "case %u", k);
    c[0].simulated = c[1].simulated = 2; /* with each one's own costs the two do not win */
    ck_assert_msg(!tune_is_robust(&decision), "case %u", k);
  }
  double turns[2][2] = {{1, 6}, {2, 5}};
  struct tune_candidate variants[] = {candidate(1, 1), candidate(2, 1)};
  for (unsigned i = 0; i < 2; i++) {
    variants[i].under = turns[i];
    variants[i].algorithm = (struct algorithm){.algo = catalogue[0], .values = {i}};
  }
  ck_assert(tune_is_robust(&(struct tune_decision){.candidates = variants, .n = 2, .nprofiles = 2}));
}

/* Of one rank most calls take no time. */
TEST(what_takes_no_time_loses_nothing) {
  struct tune_candidate c[] = {candidate(0, 0), candidate(0, 0), candidate(7, 7)};
  struct tune_choice choice = tune_choose(OF(c, 2), MODEL_REFINED);
  ck_assert(choice.loss == 0 && choice.spread == 0);
  choice = tune_choose(OF(c, 3), MODEL_REFINED);
  ck_assert(choice.loss == 0 && isinf(choice.spread));
}

TEST(candidates_without_a_prediction_do_not_compete_with_the_others) {
  struct tune_candidate c[] = {candidate(50, NAN), candidate(120, 100), candidate(100, 110),
                               candidate(500, NAN)};
  struct tune_choice choice = tune_choose(OF(c, 4), MODEL_REFINED);
  ck_assert_uint_eq(choice.n, 2);
  ck_assert_ptr_eq(choice.fastest, &c[2]);
  ck_assert_ptr_eq(choice.chosen, &c[1]);
  ck_assert_double_eq_tol(choice.loss, 20, 1e-9);
  ck_assert_double_eq_tol(choice.spread, 20, 1e-9);
  ck_assert_ptr_eq(tune_fastest(OF(c, 4)), &c[0]);
}

TEST(without_candidates_there_is_no_choice) {
  struct tune_candidate c[] = {candidate(50, 10), candidate(60, 20)};
  struct tune_choice choices[] = {tune_choose(OF(c, 2), MODEL_PUBLISHED),
                                  tune_choose(OF(c, 0), MODEL_REFINED)};
  for (unsigned i = 0; i < 2; i++) {
    ck_assert_uint_eq(choices[i].n, 0);
    ck_assert_ptr_null(choices[i].fastest);
    ck_assert_ptr_null(choices[i].chosen);
    ck_assert(isnan(choices[i].loss) && isnan(choices[i].spread));
  }
}

/* Losses of 0, 10, 40 and 0 %; the last decision has only one candidate under the model. */
TEST(choices_are_summed_up) {
  struct tune_candidate c[][2] = {{candidate(100, 1), candidate(200, 2)},
                                  {candidate(100, 2), candidate(110, 1)},
                                  {candidate(140, 1), candidate(100, 2)},
                                  {candidate(100, 1), candidate(104, 2)},
                                  {candidate(100, NAN), candidate(900, 1)}};
  struct tune_decision decisions[5];
  for (unsigned i = 0; i < 5; i++) {
    decisions[i] = (struct tune_decision){.candidates = c[i], .n = 2};
  }
  struct tuning tuning = {.decisions = decisions, .n = 5};
  struct tune_summary summary = tune_summarize(&tuning, MODEL_REFINED);
  ck_assert_uint_eq(summary.n, 4);
  ck_assert_uint_eq(summary.best, 2);
  ck_assert_double_eq_tol(summary.median, 5, 1e-9);
  ck_assert_double_eq_tol(summary.mean, 12.5, 1e-9);
  ck_assert_double_eq_tol(summary.most, 40, 1e-9);
  ck_assert_double_eq_tol(summary.spread, 25, 1e-9);
  ck_assert_ptr_eq(summary.worst, &decisions[2]);
  ck_assert_uint_eq(tune_summarize(&tuning, MODEL_PUBLISHED).n, 0);
}

/* Two drawn machines: on the first one the winner takes 90 ns and wins, on the second one 130 and loses. */
TEST(samples_count_wins_and_widen_times) {
  struct tune_candidate today[] = {candidate(100, NAN), candidate(110, NAN)};
  struct tune_decision decision = {.candidates = today, .n = 2, .ranks = 8};
  struct tuning tuning = {.decisions = &decision, .n = 1};
  static const double times[2][2] = {{90, 115}, {130, 120}};
  for (unsigned i = 0; i < 2; i++) {
    today[i].least = today[i].most = NAN;
    today[i].algorithm.algo = catalogue[i];
  }
  for (unsigned draw = 0; draw < 2; draw++) {
    struct tune_candidate now[] = {candidate(times[draw][0], NAN), candidate(times[draw][1], NAN)};
    now[0].algorithm.algo = catalogue[0];
    now[1].algorithm.algo = catalogue[1];
    struct tune_decision drawn[] = {{.candidates = now, .n = 2, .ranks = 16},
                                    {.candidates = now, .n = 2, .ranks = 8}};
    tune_count_sample(&tuning, &(struct tuning){.decisions = drawn, .n = 2});
  }
  ck_assert_uint_eq(decision.nsamples, 2);
  ck_assert_double_eq(tune_samples_kept(&decision), 50);
  ck_assert(!tune_is_robust(&decision));
  ck_assert(today[0].least == 90 && today[0].most == 130);
  ck_assert(today[1].least == 115 && today[1].most == 120);
}

TEST(problems_are_found_by_name) {
  struct tune_problem problem;
  char name[TUNE_NAME_SIZE];
  SUCCEEDS(tune_problem_find("bcast-mm", &problem, &failure));
  ck_assert(problem.collective == COLL_BCAST && problem.in_memory);
  tune_problem_format(problem, name);
  ck_assert_str_eq(name, "bcast-mm");
  SUCCEEDS(tune_problem_find("allreduce", &problem, &failure));
  ck_assert(problem.collective == COLL_ALLREDUCE && !problem.in_memory);
  FAILS(tune_problem_find("bcast-m", &problem, &failure),
        "unknown collective 'bcast-m'; did you mean 'bcast-mm'?");
  ck_assert_int_ne(tune_problem_find("barrier-mm", &problem, &failure), 0);
}

/* Decide on PROBLEM with NRANKS and NBYTES on PLATFORM. */
static struct tuning decide_on(const char *platform, struct tune_problem problem, uint64_t nranks,
                               uint64_t nbytes) {
  bed_use(platform, "");
  struct tuning tuning = {0};
  struct ledger ledger = {.njobs = 1};
  struct tune_grid grid = {.problems = &problem,
                           .nproblems = 1,
                           .ranks = {.values = &nranks, .n = 1},
                           .bytes = {.values = &nbytes, .n = 1},
                           .seed = 1,
                           .ledger = &ledger};
  SUCCEEDS(tune_run(&tuning, bed.machine, &grid, &failure));
  ledger_fini(&ledger);
  return tuning;
}

static struct tuning decide(struct tune_problem problem, uint64_t nranks, uint64_t nbytes) {
  return decide_on("qs20", problem, nranks, nbytes);
}

/* Data in local store and in main memory are different problems; switch=4 is to be compared but exists on 16
 * ranks only. */
TEST(what_applies_competes) {
  for (unsigned in_memory = 0; in_memory < 2; in_memory++) {
    for (unsigned nranks = 8; nranks <= 16; nranks *= 2) {
      struct tuning tuning =
        decide((struct tune_problem){.collective = COLL_ALLREDUCE, .in_memory = in_memory}, nranks, 1024);
      bool last_switch = false;
      ck_assert_uint_eq(tuning.n, 1);
      for (size_t i = 0; i < tuning.decisions[0].n; i++) {
        const struct tune_candidate *c = &tuning.decisions[0].candidates[i];
        char name[128];
        catalogue_format(&c->algorithm, name, sizeof name);
        last_switch |= strcmp(name, "allreduce:hybrid-a:switch=4") == 0;
        ck_assert_int_eq(c->algorithm.algo->in_memory, in_memory);
        ck_assert_double_gt(c->simulated, 0);
      }
      ck_assert_int_eq(last_switch, !in_memory && nranks == 16);
      tuning_fini(&tuning);
    }
  }
}

/* On several nodes all words compete with one another, and each algorithm of the inner phase and of the
 * release with the defaults; none twice. */
TEST(inner_phases_and_releases_compete_on_several_nodes) {
  static const char *const wanted[] = {
    "barrier:hierarchical", "barrier:hierarchical:outer=recursive-doubling:ack=after",
    "barrier:hierarchical:inner=one-to-all", "barrier:hierarchical:inner=knomial",
    "barrier:hierarchical:release=one-to-all"};
  enum { WANTED = sizeof wanted / sizeof *wanted };
  unsigned found[WANTED] = {0};
  struct tuning tuning = decide_on("blades", (struct tune_problem){.collective = COLL_BARRIER}, 32, 0);
  ck_assert_uint_eq(tuning.n, 1);
  for (size_t i = 0; i < tuning.decisions[0].n; i++) {
    char name[128];
    catalogue_format(&tuning.decisions[0].candidates[i].algorithm, name, sizeof name);
    ck_assert_msg(!strstr(name, "inner=") || !strstr(name, "release="), "%s", name);
    for (unsigned w = 0; w < WANTED; w++) {
      found[w] += strcmp(name, wanted[w]) == 0;
    }
  }
  for (unsigned w = 0; w < WANTED; w++) {
    ck_assert_msg(found[w] == 1, "%s: %u times", wanted[w], found[w]);
  }
  tuning_fini(&tuning);
}

/* 301 bytes are no whole number of elements, so that no reduction applies. */
TEST(where_nothing_applies_nothing_is_decided) {
  struct tuning tuning = decide((struct tune_problem){.collective = COLL_REDUCE}, 4, 301);
  ck_assert_uint_eq(tuning.n, 0);
  ck_assert_uint_eq(tuning.unserved, 1);
  ck_assert_str_eq(tuning.refused, "reduce:binomial: 301 bytes, expected a multiple of the 4 of type int32");
  tuning_fini(&tuning);
}

/* Recursive doubling alone does an all-reduce in local stores on three ranks: each other algorithm needs a
 * power of two or a whole machine. */
TEST(a_single_algorithm_is_a_choice_without_a_rival) {
  struct tuning tuning =
    decide((struct tune_problem){.collective = COLL_ALLTOALL, .in_memory = true}, 3, 1024);
  ck_assert_uint_eq(tuning.n, 1);
  ck_assert_uint_eq(tuning.unserved, 0);
  ck_assert_int_eq(tune_certainty(&tuning.decisions[0]), TUNE_ONLY);
  tuning_fini(&tuning);
}

/* Candidates are alike with the same algorithm, calls and cycles, not with two of the three: a tie is no
 * proof of the same program. */
TEST(candidates_are_alike_only_with_the_same_calls) {
  struct algorithm one = {.algo = catalogue[0]}, other = {.algo = catalogue[1]};
  struct tune_candidate candidates[] = {{.algorithm = one, .simulated = 5, .calls = 7},
                                        {.algorithm = one, .simulated = 5, .calls = 8},
                                        {.algorithm = one, .simulated = 6, .calls = 7},
                                        {.algorithm = other, .simulated = 5, .calls = 7},
                                        {.algorithm = one, .simulated = 5, .calls = 7}};
  struct tune_decision decision = {.candidates = candidates, .n = 5};
  static const size_t expected[] = {0, 1, 2, 3, 0};
  for (size_t i = 0; i < decision.n; i++) {
    ck_assert_ptr_eq(tune_alike(&decision, i), &candidates[expected[i]]);
  }
}
