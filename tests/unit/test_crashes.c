/* SPDX-License-Identifier: BSD-3-Clause
 * Experiments that crash their process are marked, and all others have results. Here every call on 16 ranks
 * crashes. */
#include "algos/step/coll.h"
#include "tests/call_bed.h"
#include "validate/bench/bench.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/compare.h"
#include "validate/papers/published.h"

static struct ledger ledger;

/* Crash when rank 15 enters a call. */
static void crash_on_16_ranks(struct probe *probe, const struct probe_event *event) {
  if (event->kind == PROBE_ENTER && event->call.rank == 15) {
    abort();
  }
}

/* Crash when a bus request goes out. */
static void crash_on_the_bus(struct probe *probe, const struct probe_event *event) {
  if (event->kind == PROBE_ISSUE) {
    abort();
  }
}

/* Crash when data goes to another chip. */
static void crash_on_the_link(struct probe *probe, const struct probe_event *event) {
  if (event->kind == PROBE_CROSS) {
    abort();
  }
}

static struct probe calls = {.see = crash_on_16_ranks, .details = true}, bus = {.see = crash_on_the_bus},
                    links = {.see = crash_on_the_link};

static void start(void) {
  bed_begin_unwatched();
  ledger = (struct ledger){.njobs = 2, .apart = true};
}

static void finish(void) {
  ledger_fini(&ledger);
  bed_end();
}

/* --- models --- */

TESTS(crashes, .start = start, .stop = finish);

TEST(a_comparison_marks_points_and_sums_up_the_others) {
  uint64_t ranks[] = {8, 16};
  struct comparison comparison = {0};
  struct algorithm algorithm = call_bed_find("barrier:bruck");
  struct compare_grid grid = {
    .ledger = &ledger, .calls = &algorithm, .ncalls = 1, .ranks = {.values = ranks, .n = 2}, .seed = 1};
  blade_attach(bed.blade, &calls);
  SUCCEEDS(compare_run(&comparison, bed.machine, &grid, &failure));
  blade_detach(bed.blade, &calls);
  ck_assert_uint_eq(comparison.npoints, 2 * (MODEL_COUNT - 1)); /* analogies are for several nodes */
  for (size_t i = 0; i < comparison.npoints; i++) {
    const struct compare_point *point = &comparison.points[i];
    ck_assert_int_eq(point->end, point->ranks == 16 ? CALL_CRASH : CALL_OK);
    ck_assert_int_eq(isnan(point->simulated), point->ranks == 16);
    ck_assert_int_eq(isnan(point->error), point->ranks == 16);
    ck_assert(!isnan(point->predicted.middle));
  }
  ck_assert_uint_eq(compare_summarize(&comparison, MODEL_REFINED, false).npoints, 1);
  ck_assert_uint_gt(ledger.nstopped, 0);
  comparison_fini(&comparison);
}

static unsigned ncomplaints_of_model;

static void complain_of_model(const char *why) {
  ncomplaints_of_model++;
  if (!strstr(why, "crash: its worker was killed by signal 6")) {
    ck_abort_msg("%s", why);
  }
}

/* On 16 ranks the simulation and the parameters of the equations cross the link; the refined model runs on
 * its own machine, without an observer of the link. */
TEST_EACH(a_comparison_marks_points_whose_parameters_crash, 0, BED_SANITIZED ? 0 : 1) {
  uint64_t ranks[] = {8, 16}, bytes[] = {64};
  struct comparison comparison = {0};
  struct algorithm algorithm = call_bed_find("bcast:one-to-all");
  struct compare_grid grid = {.ledger = &ledger,
                              .calls = &algorithm,
                              .ncalls = 1,
                              .ranks = {.values = ranks, .n = 2},
                              .bytes = {.values = bytes, .n = 1},
                              .seed = 1,
                              .wrong = complain_of_model};
  blade_attach(bed.blade, &links);
  SUCCEEDS(compare_run(&comparison, bed.machine, &grid, &failure));
  blade_detach(bed.blade, &links);
  ck_assert_uint_eq(comparison.npoints, 2 * (MODEL_COUNT - 1)); /* analogies are for several nodes */
  for (size_t i = 0; i < comparison.npoints; i++) {
    const struct compare_point *point = &comparison.points[i];
    bool refined = point->model == MODEL_REFINED, crosses = point->ranks == 16;
    ck_assert_int_eq(point->end, crosses ? CALL_CRASH : CALL_OK);
    ck_assert_int_eq(isnan(point->simulated), crosses);
    ck_assert_int_eq(isnan(point->predicted.middle), crosses && !refined);
  }
  ck_assert_uint_gt(ncomplaints_of_model, 1); /* of parameters, and of the call on 16 ranks */
  ck_assert_uint_gt(ledger.nstopped, 0);
  comparison_fini(&comparison);
}

static void misalign(struct rig_rank *rank) {
  mfc_get(rank->c->buffer + 1, spu_ls_ea(0, 0), 16, 0, 0, 0);
}

static void wait_for_ever(struct rig_rank *rank) {
  spu_read_in_mbox();
}

/* Measure a program with a fault, a program with a wait for ever, or a sound program. */
static void measure(const struct experiment *experiment, struct pack *rows, struct err *why) {
  static rig_program *const programs[] = {misalign, wait_for_ever, NULL};
  struct rig_pair pair = {
    .spe = 1, .programs = {programs[experiment->numbers[0]], NULL}, .profile = experiment->call.profile};
  (void)why;
  result_add_value(rows, "cycles", rig_measure_pair(experiment->machine, &pair), "cycles");
}

static unsigned nasked;

static void ask_measurements(void *context) {
  static const struct experiment_kind kind = {.name = "test", .run = measure};
  static const char *const expected[] = {"test a: fault: ", "test a: deadlock: "};
  for (unsigned i = 0; i < 3; i++) {
    struct experiment experiment = {.kind = &kind,
                                    .machine = bed.machine,
                                    .subject = "a",
                                    .call = {.profile = bed_profile()},
                                    .numbers = {i}};
    struct result value;
    if (ledger_ask(&ledger, &experiment, &value)) {
      nasked++;
      ck_assert_int_eq(isnan(value.number), i < 2);
      ck_assert_int_eq(value.stopped, i < 2);
      ck_assert_msg(i == 2 || strncmp(value.why, expected[i], strlen(expected[i])) == 0, "%s", value.why);
    }
  }
}

/* In this process as well as in others: the next measurement is not blamed. */
TEST_EACH(measurements_that_stop_have_a_reason, 0, 2) {
  ledger.njobs = _i ? 2 : 1;
  ledger.apart = _i;
  SUCCEEDS(ledger_settle(&ledger, ask_measurements, NULL, &failure));
  ck_assert_uint_eq(nasked, 3);
  ck_assert_uint_eq(ledger.nstopped, 2);
  ck_assert_ptr_null(rig_take_stop());
}

/* --- papers --- */

static size_t nok, nstopped, ncomplaints;

static void take(void *context, const struct published_row *row) {
  bool is_of_16 =
    strstr(row->id, "-16") && strcmp(figure_timing(row->figure.kind), "mean of calls back to back") == 0;
  bool is_of_compare = strcmp(row->id, "ali-correlation") == 0; /* which has calls on 16 ranks */
  ck_assert_int_eq(row->stopped, is_of_16 || is_of_compare);
  ck_assert_int_eq(isnan(row->simulated), row->stopped);
  nok += !row->stopped;
  nstopped += row->stopped;
}

static void refuse(const char *why) {
  ck_abort_msg("%s", why);
}

static void complain(const char *why) {
  ck_assert_msg(strstr(why, "crash: its worker was killed by signal 6") ||
                  strstr(why, "calls of compare have stopped"),
                "%s", why);
  ncomplaints++;
}

TEST_EACH(published_measurements_mark_rows, 0, BED_SANITIZED ? 0 : 1) {
  struct published_walk walk = {.ledger = &ledger, .take = take, .skip = refuse, .complain = complain};
  blade_attach(bed.blade, &calls);
  SUCCEEDS(published_run(bed.machine, &walk, &failure));
  blade_detach(bed.blade, &calls);
  ck_assert_uint_gt(nok, 0);
  ck_assert_uint_gt(nstopped, 0);
  ck_assert_uint_eq(ncomplaints, nstopped);
  ck_assert_uint_eq(nok + nstopped, published_count_on("qs20"));
}

/* A requested figure, or the reason why there is none. */
struct asked {
  struct figure figure;
  struct figure_asked answer;
};

static void ask(void *context) {
  struct asked *asked = context;
  figure_ask(&asked->answer, &asked->figure, &ledger, bed.machine);
}

static void expect_no_value(struct figure figure, struct probe *probe, const char *why) {
  struct asked asked = {.figure = figure};
  struct err err = {""};
  blade_attach(bed.blade, probe);
  ck_assert_msg(ledger_settle(&ledger, ask, &asked, &err) == 0, "%s", err.text);
  blade_detach(bed.blade, probe);
  ck_assert(isnan(asked.answer.value));
  ck_assert_msg(strstr(asked.answer.why.text, why) != NULL, "%s", asked.answer.why.text);
}

/* With NaN and a reason a finding is undecidable: see test_findings.c. */
TEST(figures_of_findings_have_a_reason) {
  static const char crash[] = "crash: its worker was killed by signal 6";
  expect_no_value(
    (struct figure){.kind = FIGURE_CALL, .subject = "barrier:bruck", .profile = "ali2010", .ranks = 16},
    &calls, crash);
  expect_no_value(
    (struct figure){.kind = FIGURE_PIECES, .profile = "ali2010", .ranks = 2, .bytes = 1024, .count = 1}, &bus,
    crash);
  expect_no_value(
    (struct figure){.kind = FIGURE_CROSSING, .profile = "ali2010", .bytes = 1 << 20, .count = 2}, &links,
    "1048576 bytes in a local store with room for ");
}

/* --- benchmarks --- */

static void ask_bench(void *context) {
  int status = 0;
  struct bench_run *run = context;
  struct err none = {""};
  if (bench_ask(&ledger, bench_find("dma-latency", &none), run, &status)) {
    ck_assert_int_eq(status, -1);
  }
}

TEST(a_benchmark_has_a_reason) {
  struct err err = {""}, why = {""};
  struct bench_run run = {.machine = bed.machine, .profile = bed_profile(), .err = &why};
  blade_attach(bed.blade, &bus);
  ck_assert_msg(ledger_settle(&ledger, ask_bench, &run, &err) == 0, "%s", err.text);
  blade_detach(bed.blade, &bus);
  pack_fini(&run.rows);
  ck_assert_msg(strstr(why.text, "benchmark dma-latency: crash: its worker was killed by signal 6 (Aborted)"),
                "%s", why.text);
}
