/* SPDX-License-Identifier: BSD-3-Clause
 * The ledger: every field of a key matters, known results are not run again, each question gets the same
 * answer for any number of processes. */
#include "tests/call_bed.h"
#include "traces/utilisation.h"
#include "validate/lab/ledger/ledger_call.h"

#include <math.h>
#include <signal.h>
#include <unistd.h>

static struct bed other_bed;

static void start(void) {
  bed_begin_unwatched();
  other_bed = bed_new_with("qs20", "eib.hop=2");
}

static void stop(void) {
  bed_end();
  bed_fini(&other_bed);
}

/* --- keys --- */

static void run_double(const struct experiment *experiment, struct pack *rows, struct err *why) {
  (void)why;
  result_add_value(rows, "double", 2 * (double)experiment->numbers[0], "1");
}

static const struct experiment_kind doubling = {.name = "doubling", .run = run_double};
static const struct experiment_kind other_kind = {.name = "other", .run = run_double};

static struct experiment plain(void) {
  return (struct experiment){.kind = &doubling,
                             .machine = bed.machine,
                             .call = {.algorithm = call_bed_find("bcast:tree"),
                                      .nranks = 8,
                                      .nbytes = 64,
                                      .repeat = 1,
                                      .seed = 1,
                                      .profile = platform_profile(bed.platform, "ali2010")}};
}

/* Change field INDEX of CALL; beyond the last one: nothing. */
static bool alter_call(struct call *call, int index) {
  static uint64_t spes[] = {0, 1, 2, 3, 4, 5, 6, 7}, others[] = {0, 1, 2, 3, 4, 5, 7, 6};
  struct call changed[] = {*call, *call, *call, *call, *call, *call, *call, *call, *call, *call, *call};
  enum { N = sizeof changed / sizeof *changed };
  changed[0].algorithm = call_bed_find("bcast:binomial-opt");
  changed[1].algorithm = call_bed_find("bcast:tree:degree=3");
  changed[2].nranks = 9;
  changed[3].nbytes = 65;
  changed[4].root = 1;
  changed[5].placement.kind = PLACEMENT_ROUND_ROBIN;
  changed[6].placement = (struct placement){PLACEMENT_LIST, {.values = spes, .n = 8}};
  changed[7].placement = (struct placement){PLACEMENT_LIST, {.values = others, .n = 8}};
  changed[8].seed = 2;
  changed[9].profile = platform_profile(bed.platform, "gaona2009");
  changed[10].root_step = 1;
  if (index < N) {
    *call = changed[index];
  }
  return index < N;
}

/* Change field INDEX of EXPERIMENT; beyond the last one: nothing. */
static bool alter(struct experiment *experiment, int index) {
  switch (index) {
  case 0:
    experiment->kind = &other_kind;
    return true;
  case 1:
    experiment->machine = other_bed.machine;
    return true;
  case 2:
    experiment->observers = CALL_HAZARDS;
    return true;
  case 3:
    experiment->subject = "something";
    return true;
  case 4:
  case 5:
  case 6:
    experiment->numbers[index - 4] = 1;
    return true;
  default:
    return alter_call(&experiment->call, index - 7);
  }
}

TESTS(ledger, .start = start, .stop = stop);

/* Also no two changes give the same key. */
TEST(every_field_changes_the_key) {
  struct pack keys[32] = {{0}};
  int n = 0;
  for (bool changed = true; changed; n++) {
    struct experiment experiment = plain();
    ck_assert_int_lt(n, 32);
    changed = alter(&experiment, n);
    ledger_key(&experiment, &keys[n]);
  }
  struct experiment again = plain();
  struct pack key = {0};
  ledger_key(&again, &key);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      bool same =
        keys[i].nbytes == keys[j].nbytes && memcmp(keys[i].bytes, keys[j].bytes, keys[i].nbytes) == 0;
      ck_assert_msg(!same, "changes %d and %d", i, j);
    }
  }
  ck_assert_uint_eq(key.nbytes, keys[n - 1].nbytes);
  ck_assert_mem_eq(key.bytes, keys[n - 1].bytes, key.nbytes);
  for (int i = 0; i < n; i++) {
    pack_fini(&keys[i]);
  }
  pack_fini(&key);
}

/* Texts move neither from one field to the next nor beyond the end. */
TEST(keys_are_split_into_their_fields) {
  struct experiment experiment = plain();
  const char *texts[KEY_FIELDS];
  struct pack key = {0};
  ledger_key(&experiment, &key);
  ck_assert(ledger_key_split((const char *)key.bytes, key.nbytes, texts));
  ck_assert_str_eq(texts[KEY_experiment], "doubling");
  ck_assert_str_eq(texts[KEY_platform], "qs20");
  ck_assert_str_eq(texts[KEY_algorithm], "bcast:tree");
  ck_assert_str_eq(texts[KEY_plugin], "");
  ck_assert_str_eq(texts[KEY_ranks], "8");
  ck_assert_str_eq(texts[KEY_placement], "packed");
  ck_assert_str_eq(texts[KEY_arguments], "0 0 0");
  char *description = ledger_key_describe(texts);
  ck_assert_ptr_nonnull(strstr(description, "experiment doubling, platform qs20, checksum "));
  ck_assert_ptr_nonnull(strstr(description, ", skew_seed 0, "));
  free(description);
  ck_assert(!ledger_key_split((const char *)key.bytes, key.nbytes - 1, texts));
  pack_add_bytes(&key, "x", 2);
  ck_assert(!ledger_key_split((const char *)key.bytes, key.nbytes, texts));
  pack_fini(&key);
}

/* --- asking --- */

/* Asks for `n` experiments, and adds up the results. */
struct asker {
  struct ledger *ledger;
  unsigned n, chain; /* chain: each number is asked for only after the result before */
  unsigned calls;
  uint64_t sum;
};

static void ask(void *context) {
  struct asker *asker = context;
  asker->calls++;
  asker->sum = 0;
  for (unsigned i = 0; i < asker->n; i++) {
    struct experiment experiment = plain();
    struct result result;
    experiment.numbers[0] = i;
    if (ledger_ask(asker->ledger, &experiment, &result)) {
      asker->sum += (uint64_t)result.number;
    } else if (asker->chain) {
      return;
    }
  }
}

static void settle(struct asker *asker) {
  SUCCEEDS(ledger_settle(asker->ledger, ask, asker, &failure));
}

TEST_EACH(what_is_known_is_not_run_again, 0, 3) {
  struct ledger ledger = {.njobs = 1 + (unsigned)_i};
  struct asker asker = {.ledger = &ledger, .n = 100};
  settle(&asker);
  ck_assert_uint_eq(asker.sum, 99 * 100);
  ck_assert_uint_eq(asker.calls, 2);
  ck_assert_uint_eq(ledger.nrun, 100);
  asker.n = 120;
  settle(&asker);
  ck_assert_uint_eq(asker.sum, 119 * 120);
  ck_assert_uint_eq(ledger.nrun, 120);
  ledger_fini(&ledger);
}

/* Let the second one settle within the round of the first one. */
static void ask_both(void *context) {
  struct asker *askers = context;
  ask(&askers[0]);
  settle(&askers[1]);
}

TEST(who_asks_twice_in_a_round_is_run_once) {
  struct ledger ledger = {.njobs = 1};
  struct asker askers[] = {{.ledger = &ledger, .n = 10}, {.ledger = &ledger, .n = 10}};
  struct result result;
  struct experiment experiment = plain();
  size_t mark = ledger_mark(&ledger);
  ck_assert(ledger_complete(&ledger, mark));
  ck_assert(!ledger_ask(&ledger, &experiment, &result)); /* nothing is noted now */
  ck_assert(!ledger_complete(&ledger, mark));
  SUCCEEDS(ledger_settle(&ledger, ask_both, askers, &failure));
  ck_assert_uint_eq(ledger.nrun, 10);
  ck_assert_uint_eq(askers[0].sum, 90);
  ck_assert_uint_eq(askers[1].sum, 90);
  ck_assert_uint_eq(askers[1].calls, 2);
  ledger_fini(&ledger);
}

TEST(questions_may_depend_on_answers) {
  struct ledger ledger = {.njobs = 1};
  struct asker asker = {.ledger = &ledger, .n = 5, .chain = true};
  size_t mark = ledger_mark(&ledger);
  settle(&asker);
  ck_assert_uint_eq(asker.sum, 20);
  ck_assert_uint_eq(asker.calls, 6);
  ck_assert_uint_eq(ledger.nrun, 5);
  ck_assert(ledger_complete(&ledger, mark)); /* the last round had all answers */
  ledger_fini(&ledger);
}

/* Rows come back as added, but for the sign of zero; the first value is the number of the result. */
TEST(rows_come_back_in_order) {
  static const struct result_row rows[] = {
    {"a", 2, 64, -1.5, "ns", "chip 0"}, {"", 0, SIZE_MAX, -0.0, "", ""}, {"c d", 0, 0, NAN, "GB/s", ""}};
  struct pack pack = {0}, none = {0};
  for (size_t i = 0; i < 3; i++) {
    result_add(&pack, &rows[i]);
  }
  result_add_value(&pack, "nothing", NAN, "1");
  result_end(&pack, "why not");
  pack_add_count(&pack, 7);
  struct result result = result_of(pack);
  ck_assert_double_eq(result.number, -1.5);
  ck_assert_str_eq(result.why, "why not");
  ck_assert_uint_eq(pack_take_count(&result.observed), 7);
  struct result_row row;
  for (size_t i = 0; i < 3; i++) {
    ck_assert(result_take(&result.rows, &row));
    ck_assert_str_eq(row.parameter, rows[i].parameter);
    ck_assert_str_eq(row.unit, rows[i].unit);
    ck_assert_str_eq(row.part, rows[i].part);
    ck_assert(row.ranks == rows[i].ranks && row.bytes == rows[i].bytes);
    ck_assert(row.value == rows[i].value || (isnan(row.value) && i == 2));
  }
  ck_assert(!result_take(&result.rows, &row));
  result_end(&none, "");
  ck_assert(isnan(result_of(none).number));
  pack_fini(&pack);
  pack_fini(&none);
}

/* --- a worker that dies, results that last --- */

static void run_or_die(const struct experiment *experiment, struct pack *rows, struct err *why) {
  if (experiment->numbers[0] == 3) {
    raise(SIGKILL);
  }
  run_double(experiment, rows, why);
}

static const struct experiment_kind deadly = {.name = "deadly", .run = run_or_die};

static void ask_deadly(void *context) {
  struct asker *asker = context;
  asker->sum = 0;
  for (unsigned i = 0; i < asker->n; i++) {
    struct experiment experiment = {
      .kind = &deadly, .machine = bed.machine, .numbers = {i}, .subject = "thing"};
    struct result result;
    asker->sum += ledger_ask(asker->ledger, &experiment, &result);
  }
}

TEST(what_was_finished_before_a_worker_died_is_known) {
  struct ledger ledger = {.njobs = 1, .apart = true};
  struct asker asker = {.ledger = &ledger, .n = 5};
  FAILS(ledger_settle(&ledger, ask_deadly, &asker, &failure),
        "item 4 of 5, deadly thing: its worker was killed by signal 9 (Killed)");
  ck_assert(!ledger.store_failed);
  ask_deadly(&asker);
  ck_assert_uint_eq(asker.sum, 3);
  ledger_fini(&ledger);
}

TEST_EACH(results_last_in_a_store, 0, 2) {
  static const size_t found[] = {0, 50, 60}, run[] = {50, 10, 0};
  char path[] = "/tmp/cellcoll-ledger-XXXXXX";
  close(mkstemp(path));
  for (unsigned round = 0; round < 3; round++) {
    struct ledger ledger = {.njobs = 1 + (unsigned)_i, .store = path};
    struct asker asker = {.ledger = &ledger, .n = 50 + 10 * (round > 0)};
    SUCCEEDS(ledger_open(&ledger, &failure));
    settle(&asker);
    ck_assert_uint_eq(asker.sum, (asker.n - 1) * asker.n);
    ck_assert_uint_eq(ledger.nfound, found[round]);
    ck_assert_uint_eq(ledger.nrun, run[round]);
    ledger_fini(&ledger);
  }
  unlink(path);
}

TEST(a_store_that_is_gone_is_told_apart_from_a_worker) {
  struct ledger ledger = {.njobs = 1, .store = "/nowhere/store"};
  struct asker asker = {.ledger = &ledger, .n = 5};
  struct err err = {""};
  ck_assert_int_eq(ledger_open(&ledger, &err), -1);
  ck_assert(ledger.store_failed);
  ledger.store_failed = false;
  ck_assert_int_eq(ledger_settle(&ledger, ask, &asker, &err), -1);
  ck_assert(ledger.store_failed);
  ck_assert_str_eq(err.text, "/nowhere/store: cannot be opened: No such file or directory");
  ledger_fini(&ledger);
}

/* --- calls --- */

static void ask_call(void *context) {
  struct call_result result;
  ledger_call(context, &(struct point){bed.machine, plain().call, CALL_HAZARDS | CALL_UTILISATION, 0},
              &result);
}

/* The words stand in the order of call_observers.def. */
TEST(a_key_names_all_observers) {
  struct pack key = {0};
  const char *texts[KEY_FIELDS];
  call_key(&(struct point){bed.machine, plain().call, CALL_CHAIN | CALL_PATH | CALL_HAZARDS, 0}, &key);
  ck_assert(ledger_key_split((const char *)key.bytes, key.nbytes, texts));
  ck_assert_str_eq(texts[KEY_observers], "hazards path chain");
  pack_fini(&key);
}

TEST(no_call_has_the_critical_path_and_counters) {
  struct call_made made;
  ck_assert_int_eq(
    call_make(&(struct point){bed.machine, plain().call, CALL_PATH | CALL_UTILISATION, 0}, &made), 0);
  ck_assert_str_eq(made.result.refused,
                   "the critical path and the counters of a call, expected one of the two");
  call_made_fini(&made);
}

TEST(a_call_tells_what_the_runner_and_the_observers_saw) {
  struct ledger ledger = {.njobs = 1};
  struct outcome outcome;
  struct call_result result;
  unsigned nrows = 0;
  SUCCEEDS(ledger_settle(&ledger, ask_call, &ledger, &failure));
  struct point point = {bed.machine, plain().call, CALL_HAZARDS | CALL_UTILISATION, 0};
  ck_assert(ledger_call(&ledger, &point, &result));
  SUCCEEDS(call_run(bed.machine, &point.call, &outcome, &failure));
  ck_assert(result.end == CALL_OK && !*result.refused && !*result.wrong);
  ck_assert_double_eq(result.cycles, outcome.cycles);
  ck_assert_uint_eq(result.bus_requests, outcome.bus_requests);
  ck_assert_double_eq(result.ghz, 3.2);
  double cycles = NAN;
  for (struct utilisation_row row; call_take_counter(&result.utilisation, &row, &cycles); nrows++) {
    ck_assert(*row.where && *row.counter);
  }
  ck_assert_double_ge(cycles, outcome.cycles);
  ck_assert_uint_gt(nrows, 10);
  ck_assert_uint_eq(result.nhazards, 0);
  ck_assert(ledger_call(&ledger, &point, &result)); /* by the entry */
  ck_assert_uint_ne(point.entry, 0);
  ck_assert_double_eq(result.cycles, outcome.cycles);
  struct point alone = {.machine = bed.machine, .call = plain().call};
  ck_assert(!ledger_call(&ledger, &alone, &result));
  outcome_fini(&outcome);
  ledger_fini(&ledger);
}
