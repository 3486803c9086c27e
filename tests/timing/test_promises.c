/* SPDX-License-Identifier: BSD-3-Clause
 * The figures promised by the project, with tolerances.
 * source: Gaona et al. 2009 (signals, barrier); Velamati et al. 2007 (atomics, mailboxes); Kistler et al.
 * 2006 (one DMA); cellmark, public measurements on a PS3, 2026 (bandwidth on a chip, bounce); Ali et al. 2010
 * (congestion, models). */
#include "algos/step/ranks.h"
#include "tests/call_bed.h"
#include "validate/bench/bench.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/compare.h"
#include "validate/model/measured/plogp.h"
#include "validate/model/tune.h"
#include "validate/papers/findings.h"

static struct ledger ledger;
static struct comparison comparison; /* of the test */

static void stop(void) {
  comparison_fini(&comparison);
  ledger_fini(&ledger);
  bed_end();
}

/* The smallest and the largest value among the matching rows of a benchmark. */
struct pick {
  const char *parameter;
  unsigned ranks;
  size_t bytes; /* 0: any */
  double least, most;
};

static void look(struct pick *pick, const struct result_row *row) {
  bool fits = strcmp(row->parameter, pick->parameter) == 0 && (!pick->ranks || row->ranks == pick->ranks) &&
              (!pick->bytes || row->bytes == pick->bytes);
  if (fits) {
    pick->least = fmin(pick->least, row->value);
    pick->most = fmax(pick->most, row->value);
  }
}

/* Rows of a benchmark, and the bounds of all values of these rows. */
static const struct {
  const char *bench;
  struct pick pick;
  double least, most;
} promised[] = {
  {"signal", {.parameter = "round-trip-same-chip"}, 160.1 * 0.97, 160.1 * 1.03},
  {"signal", {.parameter = "round-trip-across"}, 619.4 * 0.97, 619.4 * 1.03},
  {"atomic", {.parameter = "bounce-same-chip"}, 150 * 0.85, 150 * 1.15},
  /* Velamati et al. 2007, section 5.3: an increment well under a microsecond alone, of the order of
   * microseconds when several contend; a barrier through mailboxes tens of microseconds. */
  {"atomic", {.parameter = "increment", .ranks = 1}, 0, 300},
  {"atomic", {.parameter = "increment", .ranks = 8}, 500, 5000},
  {"mailbox", {.parameter = "barrier-ppe"}, 10000, 99000},
  {"dma-latency", {.parameter = "put-same-chip", .bytes = 128}, 280 * 0.95, 280 * 1.05},
  {"dma-latency", {.parameter = "get-same-chip", .bytes = 128}, 280 * 0.95, 280 * 1.05},
  /* Velamati et al. 2007, section 2: around 25 GB/s on a chip. */
  {"dma-bandwidth", {.parameter = "get-same-chip", .bytes = 16384}, 24.5, 25.5},
  {"dma-bandwidth", {.parameter = "put-same-chip", .bytes = 16384}, 24.5, 25.5},
  /* 10 requests of 128 bytes in a round trip: command phases 100 + 390, read 20, rings twice 16 and up to 6
   * hops of 2, link 321, retire 86: 949 to 973 cycles, 4.32 to 4.21 GB/s. */
  {"dma-bandwidth", {.parameter = "get-across", .bytes = 16384}, 4.21, 4.32},
  {"dma-bandwidth", {.parameter = "put-across", .bytes = 16384}, 4.21, 4.32},
  {"dma-bandwidth", {.parameter = "get-same-chip-readers", .bytes = 16384}, 24.5, 25.5},
  /* The equations of Qian and Afsahi give each of k ports the bandwidth of one; an MFC has one bandwidth for
   * all. For large blocks the equations are too low by 1 - 1 / k, and right with shared bandwidth. With one
   * port there is no difference. */
  {"ports",
   {.parameter = "scatter:sequential:ports=7 error", .ranks = 8, .bytes = 16384},
   -100 * (1 - 1 / 7.) - 5,
   -100 * (1 - 1 / 7.) + 5},
  {"ports", {.parameter = "scatter:sequential:ports=7 shared-error", .ranks = 8, .bytes = 16384}, -10, 0},
  {"ports", {.parameter = "scatter:sequential:ports=1 error", .ranks = 8, .bytes = 16384}, -10, 10},
  /* Jimenez-Gonzalez et al. 2007: from 1024 bytes on. With mfc.command-interval (84) commands of 512 bytes
   * take the ramp for 66.6 of 84 cycles, commands of 1024 bytes for 133. */
  {"dma-bandwidth", {.parameter = "peak-from"}, 1024, 1024},
  /* congestion across chips */
  {"bif-congestion", {.parameter = "increase", .ranks = 2}, 0, 0},
  {"bif-congestion", {.parameter = "increase", .ranks = 16, .bytes = 128}, 0, 12},
  {"bif-congestion", {.parameter = "increase", .ranks = 16, .bytes = 32768}, 180, 240},
};

TESTS(promises, .start = bed_begin_unwatched, .stop = stop);

/* A ledger outside of a round knows nothing and notes nothing. */
TEST_EACH(a_benchmark_in_parts_is_unknown_before_all_parts_are_known, 0, 2) {
  const struct bench *bench = bench_find(_i ? "ports" : "signature", &failure);
  struct ledger unknown = {0};
  struct bench_run run = {.machine = bed.machine, .profile = bed_profile(), .err = &failure};
  int status;
  ck_assert(!bench_ask(&unknown, bench, &run, &status));
  pack_fini(&run.rows);
  ledger_fini(&unknown);
}

TEST_EACH(a_benchmark_has_the_promised_rows, 0, sizeof promised / sizeof *promised) {
  struct err err = {""};
  struct pick pick = promised[_i].pick;
  const struct bench *bench = bench_find(promised[_i].bench, &err);
  ck_assert_msg(bench != NULL, "%s", err.text);
  struct bench_run run = {
    .machine = bed.machine, .profile = rig_profile(bed.platform, NULL, bench->source, &err), .err = &err};
  pick.least = INFINITY;
  pick.most = -INFINITY;
  ck_assert_msg(run.profile && bench_run(bench, &run) == 0, "%s", err.text);
  for (struct result_row row; result_take(&run.rows, &row);) {
    look(&pick, &row);
  }
  pack_fini(&run.rows);
  ck_assert_msg(pick.least <= pick.most, "%s has no row %s", bench->name, pick.parameter);
  ck_assert_msg(pick.least >= promised[_i].least && pick.most <= promised[_i].most,
                "%s %s: %g to %g, expected %g to %g", bench->name, pick.parameter, pick.least, pick.most,
                promised[_i].least, promised[_i].most);
}

TEST(the_signal_barrier_of_16_is_within_8_percent) {
  struct call call = {
    .nranks = 16, .repeat = 101, .profile = rig_profile(bed.platform, NULL, "gaona2009", &failure)};
  call.algorithm = call_bed_find("barrier:recursive-doubling:sync=signal");
  ck_assert_double_eq_tol(call_bed_cycles(&call) / bed.platform->clock.spu, 637, 637 * 0.08);
}

/* Add the points of GRID to `comparison`.
 * returns: the summary of the refined model. */
static struct compare_summary compare(struct compare_grid grid) {
  grid.ledger = &ledger;
  SUCCEEDS(compare_run(&comparison, bed.machine, &grid, &failure));
  return compare_summarize(&comparison, MODEL_REFINED, false);
}

static void add_points(enum collective collective, struct units_list ranks) {
  struct algorithm calls[32];
  size_t ncalls = 0;
  for (size_t i = 0; i < catalogue_size; i++) {
    if (catalogue[i]->collective == collective) {
      calls[ncalls++] = catalogue_call(catalogue[i]);
    }
  }
  compare((struct compare_grid){.calls = calls, .ncalls = ncalls, .ranks = ranks});
}

/* Check that COUNTED points are at least SHARE percent of the points of SUMMARY. */
static void expect_share(const struct compare_summary *summary, size_t counted, double share) {
  ck_assert_msg(100 * (double)counted >= share * (double)summary->npoints,
                "%zu of %zu points, expected %.1f %%", counted, summary->npoints, share);
}

/* Return the mean of the absolute errors of MODEL, in percent. */
static double mean_error(enum model model) {
  struct comparison own = compare_of_model(&comparison, model);
  double sum = 0;
  for (size_t i = 0; i < own.npoints; i++) {
    sum += fabs(own.points[i].error);
  }
  return sum / (double)own.npoints;
}

/* Check that the points beyond 15 %, and no others, have a cause. */
static void expect_causes(void) {
  size_t n = 0;
  for (size_t i = 0; i < comparison.npoints; i++) {
    const struct compare_point *point = &comparison.points[i];
    ck_assert_int_eq(fabs(point->error) > 15, point->cause[0] != '\0');
    n += point->cause[0] != '\0';
  }
  ck_assert_uint_gt(n, 0);
}

/* Check that the refined model has predicted the call NAME on 4 rank counts with 10 sizes. */
static void expect_predictions(const char *name) {
  struct comparison refined = compare_of_model(&comparison, MODEL_REFINED);
  size_t n = 0;
  for (size_t i = 0; i < refined.npoints; i++) {
    char own[128];
    catalogue_format(&refined.points[i].algorithm, own, sizeof own);
    n += strcmp(own, name) == 0;
  }
  ck_assert_msg(n == 40, "%zu predictions for %s", n, name);
}

/* The ground of the paper: 425 points there, of which 93.6 % lie within 10 % and all within 15 %; ours has
 * also rank counts that are no powers of two. The naive variants fail by more than 100 % and more than 50 %
 * as in its section 7.2. With the congestion of messages that start in one cycle we have that share; with
 * that of loops, as measured in the paper, ten points more are beyond 10 %, messages across of 0.5 to 4 KiB
 * (docs/trust.md). Nearly all points beyond 15 % on powers of two are those with gaps of two chips: the
 * one-to-all barrier on 16 ranks, and the one-to-all and simple binomial broadcasts. Of the refined model
 * six points are beyond 10 %, all-to-alls of 16 and 32 KiB on 2 ranks, and an all-gather of 32 KiB on 4
 * ranks whose MFCs put to three ranks at once, 25.2 % (docs/trust.md);
 * tests/timing/refined has the other platforms. */
TEST(models_agree_over_the_ground_of_the_paper) {
  struct compare_summary refined = compare((struct compare_grid){0});
  struct compare_summary powers = compare_summarize(&comparison, MODEL_PUBLISHED, true);
  struct compare_summary burst = compare_summarize(&comparison, MODEL_NAIVE_BURST, true);
  struct compare_summary all = compare_summarize(&comparison, MODEL_PUBLISHED, false);
  ck_assert_uint_ge(all.npoints, 500);
  expect_share(&burst, burst.within_10, 93.6);
  expect_share(&powers, powers.within_10, 91);
  expect_share(&powers, powers.within_15, 95);
  expect_share(&all, all.within_10, 88);
  expect_share(&all, all.within_15, 92);
  ck_assert_uint_ge(refined.npoints, all.npoints + 1300);
  expect_predictions("bcast:mm-ppe");
  expect_predictions("alltoall:mm");
  expect_predictions("scan:mm");
  expect_predictions("scan:mm:algorithm=doubling");
  expect_share(&refined, refined.within_5, 99);
  expect_share(&refined, refined.within_10, 99.5);
  ck_assert_double_le(refined.most, 25.5);
  ck_assert_double_le(mean_error(MODEL_REFINED), 0.42);
  ck_assert_uint_le(all.unexplained, 1); /* bcast:one-to-all on 16 ranks with 2 KiB: three terms */
  expect_causes();
  ck_assert_double_gt(compare_summarize(&comparison, MODEL_NAIVE_GAP, false).most, 100);
  ck_assert_double_gt(compare_summarize(&comparison, MODEL_NAIVE_CONTENTION, true).most, 50);
}

/* The refined model was derived on qs20; loop test over other machines, and the code base with the most
 * bookkeeping for all algorithms. */
TEST_EACH(the_refined_model_holds_on_other_machines, 0, 8) {
  static const char *const machines[][2] = {{"qs20", "bif.bandwidth=10"},
                                            {"qs20", "bif.bandwidth=40"},
                                            {"ps3", ""},
                                            {"qs20", "blade.chips=1"},
                                            {"qs20", "mfc.window=8"},
                                            {"qs20", "software.profile=gaona2009"},
                                            {"qs20", "memory.latency=1500"},
                                            {"qs20", "memory.read-interval=36 memory.write-interval=36"}};
  uint64_t bytes[] = {64, 512, 4096, 16384}; /* in check-full all sizes of the paper */
  struct compare_grid grid = {
    .bytes = {.values = bytes, .n = getenv("CELLCOLL_FULL") ? 0 : sizeof bytes / sizeof *bytes}};
  bed_use(machines[_i][0], machines[_i][1]);
  struct compare_summary refined = compare(grid);
  ck_assert_uint_ge(refined.npoints, 100);
  expect_share(&refined, refined.within_10, 95);
}

/* Velamati et al. 2007 measure collectives in main memory with up to 1 MiB; longer data goes in more pieces
 * of the same size. */
TEST(the_refined_model_holds_up_to_1_mib_in_memory) {
  static const char *const names[] = {
    "bcast:mm-tree",
    "bcast:mm-ls-tree",
    "bcast:mm-ls-tree:degree=1",
    "bcast:mm-allgather",
    "bcast:mm-one-to-all",
    "bcast:mm-root-copies",
    "bcast:mm-ppe",
    "reduce:mm-tree",
    "reduce:mm-allgather",
    "reduce:mm-ls-tree",
    "reduce:mm-ls-tree:degree=1",
    "reduce:mm-ls-tree:degree=2",
    "allreduce:mm-reduce-bcast",
  };
  enum { NAMES = sizeof names / sizeof *names };
  uint64_t ranks[] = {8, 16}, bytes[] = {100000, 1 << 20};
  struct algorithm calls[NAMES];
  for (size_t i = 0; i < NAMES; i++) {
    calls[i] = call_bed_find(names[i]);
  }
  struct compare_grid grid = {
    .calls = calls, .ncalls = NAMES, .ranks = {.values = ranks, .n = 2}, .bytes = {.values = bytes, .n = 2}};
  struct compare_summary refined = compare(grid);
  ck_assert_uint_eq(refined.npoints, NAMES * 2 * 2);
  expect_share(&refined, refined.within_10, 95);
  ck_assert_double_le(refined.most, 15);
}

/* The collectives by signals outside the grid used for their model: other degrees, other numbers of ranks. */
TEST(the_refined_model_holds_for_other_trees) {
  static const char *const names[] = {
    "barrier:tree",    "barrier:tree-blade",    "barrier:knomial",
    "bcast:tree",      "bcast:tree-opt-blade",  "bcast:all-to-one-opt-blade",
    "reduce:tree",     "reduce:tree-opt-blade", "reduce:all-to-one-opt-blade",
    "bcast:all-to-one"};
  static const unsigned degrees[] = {4, 5, 7};
  uint64_t ranks[] = {3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15}, bytes[] = {48, 128, 1000, 2048, 8192};
  struct algorithm calls[3 * sizeof names / sizeof *names];
  size_t ncalls = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    for (size_t j = 0; j < sizeof degrees / sizeof *degrees; j++) {
      calls[ncalls] = call_bed_find(names[i]);
      if (j == 0 || calls[ncalls].algo->params[0].name) {
        calls[ncalls++].values[0] = degrees[j];
      }
    }
  }
  struct compare_grid grid = {.calls = calls,
                              .ncalls = ncalls,
                              .ranks = {.values = ranks, .n = sizeof ranks / sizeof *ranks},
                              .bytes = {.values = bytes, .n = sizeof bytes / sizeof *bytes}};
  struct compare_summary refined = compare(grid);
  ck_assert_uint_ge(refined.npoints, 800);
  expect_share(&refined, refined.within_5, 95);
  expect_share(&refined, refined.within_10, 99);
  ck_assert_double_le(refined.most, 15);
}

/* The machines of choices by the refined model, which lose at most 3 %. */
static const char *const chosen_on[] = {"qs20", "quad-mesh", "quad-ring", "octo-star",
                                        "tests/platforms/valid/mesh-4x12.xml"};

/* The choices that lose more, in percent at most, for reasons that docs/trust.md has: long blocks of
 * all-to-alls are predicted too fast on 2 ranks; on mesh-4x12 the bus of rates has no rings, and the
 * requests of an MFC that wait for a link take other turns. */
static const struct {
  const char *machine; /* NULL: all */
  const char *problem;
  unsigned ranks; /* 0: all */
  size_t bytes;   /* 0: all */
  double loss;
} losses[] = {{NULL, "alltoall", 0, 0, 15},
              {"tests/platforms/valid/mesh-4x12.xml", "allgather", 8, 4096, 5.8},
              {"tests/platforms/valid/mesh-4x12.xml", "scatter", 32, 1024, 10.5}};

/* Return the most that the choice of DECISION may lose on MACHINE. */
static double loss_allowed(const char *machine, const struct tune_decision *decision, const char *problem) {
  double loss = 3;
  for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
    if ((!losses[i].machine || strcmp(losses[i].machine, machine) == 0) &&
        strncmp(problem, losses[i].problem, strlen(losses[i].problem)) == 0 &&
        (losses[i].ranks == 0 || losses[i].ranks == decision->ranks) &&
        (losses[i].bytes == 0 || losses[i].bytes == decision->bytes)) {
      loss = losses[i].loss;
    }
  }
  return loss;
}

TEST_EACH(choices_by_the_refined_model_lose_little, 0,
          getenv("CELLCOLL_FULL") ? sizeof chosen_on / sizeof *chosen_on : 1) {
  bed_use(chosen_on[_i], "");
  struct tuning tuning = {0};
  SUCCEEDS(tune_run(&tuning, bed.machine, &(struct tune_grid){.ledger = &ledger}, &failure));
  ck_assert_uint_ge(tuning.n, 400);
  for (size_t i = 0; i < tuning.n; i++) {
    const struct tune_decision *decision = &tuning.decisions[i];
    struct tune_choice choice = tune_choose(decision, MODEL_REFINED);
    char name[TUNE_NAME_SIZE];
    tune_problem_format(decision->problem, name);
    ck_assert_msg(choice.loss <= loss_allowed(chosen_on[_i], decision, name),
                  "%s on %u ranks with %zu bytes loses %g %%", name, decision->ranks, decision->bytes,
                  choice.loss);
  }
  tuning_fini(&tuning);
}

/* Ali et al. found Bruck's barrier slightly better than its equation, and no barrier far from its equation.
 * On powers of two only the one-to-all barrier on 16 ranks is beyond 15 %: its equation adds the gaps and
 * latencies of both chips. */
TEST(barriers_wait_as_their_equations_do) {
  size_t n = 0, nbeyond = 0;
  add_points(COLL_BARRIER, (struct units_list){0});
  for (size_t i = 0; i < comparison.npoints; i++) {
    const struct compare_point *point = &comparison.points[i];
    const char *name = point->algorithm.algo->name;
    bool is_bruck = strcmp(name, "bruck") == 0, is_far = fabs(point->error) > 15;
    if (point->model == MODEL_PUBLISHED && (is_bruck || ranks_is_power(point->ranks))) {
      n++;
      nbeyond += is_far;
      ck_assert_msg(!is_far || (strcmp(name, "one-to-all") == 0 && point->ranks == 16),
                    "%s on %u ranks: %g %%", name, point->ranks, point->error);
    }
  }
  ck_assert_uint_ge(n, 4 * 4 + 11); /* another barrier has further points */
  ck_assert_uint_eq(nbeyond, 1);
}

/* The gap on a chip of a blade is larger than the gap of one chip alone, since more SPEs ask. Small messages
 * do not queue, so that both gaps are the same. source: Ali, Midkiff, Pai 2010, section 7.1. */
TEST(gaps_are_larger_when_more_spes_ask) {
  struct plogp plogp;
  plogp_init(&plogp, bed.machine, rig_profile(bed.platform, NULL, "ali2010", &failure));
  for (size_t m = 16; m <= 32768; m *= 2) {
    double chip = plogp_get(&plogp, COST_G, m, 0), blade = plogp_get(&plogp, COST_G1, m, 0);
    ck_assert_msg(blade >= (m < 16384 ? 1 : 1.5) * chip, "%zu bytes: g1 %g, g %g", m, blade, chip);
    ck_assert_double_gt(plogp_get(&plogp, COST_G2, m, 0), blade);
  }
  plogp_fini(&plogp);
}

/* Barriers on 2 4 8 16 ranks; broadcasts on 8 and 16 ranks with 64 bytes to 32 KiB. Beyond are those with
 * gaps and two of the segmented broadcast, see above. */
TEST(models_agree_with_seven_tenths_of_barriers_and_broadcasts) {
  uint64_t ranks[] = {2, 4, 8, 16};
  add_points(COLL_BARRIER, (struct units_list){.values = ranks, .n = 4});
  size_t nbarriers = compare_summarize(&comparison, MODEL_PUBLISHED, false).npoints;
  add_points(COLL_BCAST, (struct units_list){.values = ranks + 2, .n = 2});
  struct compare_summary summary = compare_summarize(&comparison, MODEL_PUBLISHED, false);
  ck_assert_uint_ge(nbarriers, 3 * 4);
  ck_assert_uint_ge(summary.npoints - nbarriers, 4 * 2 * 10);
  ck_assert_msg((double)summary.within_10 >= 0.7 * (double)summary.npoints, "%zu of %zu points within 10 %%",
                summary.within_10, summary.npoints);
}

/* Ask for the finding of a turned verdict. */
struct turn {
  size_t index;
  struct finding_row row;
};

static void ask_for_turn(void *context) {
  struct turn *turn = context;
  findings_ask(bed.machine, &ledger, turn->index, &turn->row);
}

/* Decide finding ID on a qs20 with SETTING. */
static enum finding_verdict verdict_with(unsigned id, const char *setting) {
  struct turn turn = {.index = id - 1};
  bed_use("qs20", setting);
  SUCCEEDS(ledger_settle(&ledger, ask_for_turn, &turn, &failure));
  ck_assert_uint_eq(turn.row.finding->id, id);
  ck_assert(turn.row.complete);
  return turn.row.verdict;
}

/* Each value that is said to turn a verdict does so, and lies within the bounds of the platform file. */
TEST(uncertain_values_turn_their_verdicts) {
  static const struct {
    unsigned id;
    const char *setting;
  } uncertain[] = {
#define UNCERTAIN(id, setting) {id, setting},
#define READ_AGAIN(id)
#define FINDING(...)
#include "validate/papers/findings.def"
  };
  for (size_t i = 0; i < sizeof uncertain / sizeof *uncertain; i++) {
    enum finding_verdict as_is = verdict_with(uncertain[i].id, "");
    enum finding_verdict turned = verdict_with(uncertain[i].id, uncertain[i].setting);
    ck_assert_msg(as_is != turned && turned != FINDING_ELSEWHERE, "%u: %s with %s, too", uncertain[i].id,
                  findings_verdict_name(as_is), uncertain[i].setting);
  }
}

/* Of 41 published findings two need a cluster; docs/trust.md says of those that fail why. */
TEST(findings_are_decided_as_the_readme_says) {
  static const unsigned known_to_fail[] = {3, 4, 5, 11, 21, 25, 29, 30, 31, 32, 33, 34, 35, 37, 39, 40, 41};
  struct finding_row *rows = xcalloc(findings_count(), sizeof *rows);
  ck_assert_uint_eq(findings_count(), 41);
  SUCCEEDS(findings_decide_all(bed.machine, &ledger, rows, &failure));
  for (size_t i = 0, next = 0; i < findings_count(); i++) {
    const struct finding_row *row = &rows[i];
    bool may_fail =
      next < sizeof known_to_fail / sizeof *known_to_fail && known_to_fail[next] == row->finding->id;
    bool on_hosts = row->finding->id == 27 || row->finding->id == 28;
    enum finding_verdict expected = on_hosts ? FINDING_ELSEWHERE : may_fail ? FINDING_FAILS : FINDING_HOLDS;
    next += may_fail;
    ck_assert_uint_eq(row->finding->id, i + 1);
    ck_assert(row->complete);
    ck_assert_msg(row->verdict == expected, "%u %s %s: %s", row->finding->id, row->finding->name,
                  findings_verdict_name(row->verdict), row->evidence);
    ck_assert_msg(strlen(row->evidence) < sizeof row->evidence - 1, "%u: evidence is cut", row->finding->id);
    ck_assert_msg(row->verdict == FINDING_HOLDS || *row->finding->note, "%u: without a reason",
                  row->finding->id);
    ck_assert_str_eq(row->finding->note_on, on_hosts ? "qsnet2" : "qs20");
  }
  free(rows);
}
