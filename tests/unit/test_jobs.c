/* SPDX-License-Identifier: BSD-3-Clause
 * Work on several processes: order, gaps, deaths. */
#include "sim/base/engine/des.h"
#include "sim/base/jobs/jobs.h"
#include "tests/asserts.h"
#include "tests/suite.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { NONE = -1, ITEMS = 200 };

/* A trial of a job, and the outcome. */
struct trial {
  long deadly, slow, refused; /* items; NONE */
  void (*die)(void);
  unsigned microseconds; /* duration of every item */
  double seconds;        /* maximum processor time of an item; 0: none */
  bool apart, told;
  size_t ndelivered, ndone;
  size_t interrupt_at; /* number of done items that interrupts the work, once; 0: none */
  size_t order[ITEMS];
};

static const struct trial harmless = {.deadly = NONE, .slow = NONE, .refused = NONE};
static struct err err;
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
  interrupted = 1;
}

/* Workers inherit the handler; the handler of Check would kill the test. */
static void start(void) {
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
}

static bool is_interrupted(void) {
  return interrupted;
}

static int work(void *context, size_t index, struct pack *result) {
  const struct trial *trial = context;
  if ((long)index == trial->deadly) {
    trial->die();
  }
  /* Later items are quicker, and so overtake earlier ones. */
  usleep(trial->microseconds + (unsigned)(index % 7 == 0) * 500);
  for (unsigned i = 0; (long)index == trial->slow && i < 30000 && !interrupted; i++) {
    usleep(10000);
  }
  if (interrupted && (long)index == trial->slow) {
    return -1;
  }
  for (size_t i = 0; i < index; i++) {
    pack_add_count(result, index * i);
  }
  pack_add_text(result, "end");
  return 0;
}

static int deliver(void *context, size_t index, struct pack *result) {
  struct trial *trial = context;
  for (size_t i = 0; i < index; i++) {
    ck_assert_uint_eq(pack_take_count(result), index * i);
  }
  ck_assert_str_eq(pack_take_text(result), "end");
  trial->order[trial->ndelivered++] = index;
  return (long)index == trial->refused;
}

static void describe(const void *context, size_t index, char *text, size_t size) {
  snprintf(text, size, "square %zu", index);
}

static void progress(void *context, size_t done) {
  struct trial *trial = context;
  ck_assert_uint_ge(done, trial->ndone);
  trial->ndone = done;
  if (trial->interrupt_at && done == trial->interrupt_at) {
    trial->interrupt_at = 0;
    raise(SIGINT);
  }
}

static int try(struct trial *trial, size_t count, unsigned nworkers) {
  struct jobs jobs = {.count = count,
                      .nworkers = nworkers,
                      .apart = trial->apart,
                      .seconds = trial->seconds,
                      .told = trial->told,
                      .context = trial,
                      .work = work,
                      .deliver = deliver,
                      .describe = describe,
                      .progress = progress,
                      .interrupted = is_interrupted};
  return jobs_run(&jobs, &err);
}

TESTS(jobs, .start = start);

TEST_EACH(results_come_in_order_for_any_number_of_items_and_workers, 0, 20) {
  static const unsigned workers[] = {0, 1, 2, 3, 16};
  static const size_t counts[] = {0, 1, 2, ITEMS};
  unsigned nworkers = workers[_i % 5];
  size_t count = counts[_i / 5];
  struct trial trial = harmless;
  ck_assert_int_eq(try(&trial, count, nworkers), 0);
  ck_assert_uint_eq(trial.ndelivered, count);
  ck_assert_uint_eq(trial.ndone, count);
  for (size_t i = 0; i < count; i++) {
    ck_assert_uint_eq(trial.order[i], i);
  }
}

static void leave(void) {
  exit(7);
}

/* With the exit code of a process without memory. */
static void leave_at_once(void) {
  _exit(XALLOC_EXIT);
}

static void be_killed(void) {
  kill(getpid(), SIGKILL);
}

static void find_no_memory(void) {
  xalloc_fail("a test");
}

TEST_EACH(a_worker_that_dies_is_named_and_ends_the_work, 0, 5) {
  static const struct {
    void (*die)(void);
    const char *how;
    enum jobs_loss loss;
  } deaths[] = {{leave, "exit code 7", JOBS_CRASHED},
                {leave_at_once, "exit code 5", JOBS_CRASHED},
                {be_killed, "signal 9", JOBS_LOST},
                {abort, "signal 6", JOBS_CRASHED},
                {find_no_memory, "no more memory", JOBS_LOST}};
  struct trial trial = {.deadly = 42, .slow = NONE, .refused = NONE, .die = deaths[_i].die};
  ck_assert_int_eq(try(&trial, ITEMS, 3), -1);
  ck_assert_msg(strstr(err.text, "item 43 of 200, square 42: ") && strstr(err.text, deaths[_i].how), "%s",
                err.text);
  ck_assert_uint_eq(trial.ndelivered, 42);
  ck_assert_int_eq(jobs_loss(), deaths[_i].loss);
}

/* Every seventh item crashes. */
static int work_or_crash(void *context, size_t index, struct pack *result) {
  if (index % 7 == 0) {
    abort();
  }
  pack_add_count(result, index);
  return 0;
}

static bool note_crash(void *context, size_t index, const char *how, struct pack *result) {
  ck_assert_uint_eq(index % 7, 0);
  ck_assert_msg(strstr(how, "signal 6") != NULL, "%s", how);
  pack_add_count(result, 1000 + index);
  return true;
}

static int deliver_number(void *context, size_t index, struct pack *result) {
  ck_assert_uint_eq(pack_take_count(result), index + (index % 7 == 0 ? 1000 : 0));
  ++*(size_t *)context;
  return 0;
}

/* The last item crashes as well. */
TEST_EACH(items_that_crash_have_a_result_and_the_others_go_on, 0, 4) {
  size_t ndelivered = 0;
  struct jobs jobs = {.count = _i == 0 ? 1 : 99,
                      .nworkers = (unsigned)_i,
                      .apart = true,
                      .context = &ndelivered,
                      .work = work_or_crash,
                      .deliver = deliver_number,
                      .describe = describe,
                      .crashed = note_crash};
  ck_assert_msg(jobs_run(&jobs, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(ndelivered, jobs.count);
  ck_assert_int_eq(jobs_loss(), JOBS_NONE);
}

static void loop(void) {
  for (;;) {
  }
}

/* The only item, and one of many. */
TEST_EACH(an_endless_loop_is_ended_and_named, 0, 3) {
  struct trial trial = {
    .deadly = 0, .slow = NONE, .refused = NONE, .die = loop, .seconds = 0.1, .apart = true};
  ck_assert_int_eq(try(&trial, _i ? ITEMS : 1, (unsigned)_i), -1);
  ck_assert_msg(strstr(err.text, "square 0: its worker was ended after 0.1 s of processor time") != NULL,
                "%s", err.text);
  ck_assert_uint_eq(trial.ndelivered, 0);
}

/* Compute for 0.4 s, longer than the limit and the time until the second signal. */
static void compute(void) {
  while (clock() < 4 * CLOCKS_PER_SEC / 10) {
    for (volatile unsigned i = 0; i < 1000000; i++) {
    }
  }
}

/* Here, and in a worker. */
TEST_EACH(a_long_item_is_told_and_goes_on, 0, 2) {
  struct trial trial = {
    .deadly = 0, .slow = NONE, .refused = NONE, .die = compute, .seconds = 0.1, .told = true};
  FILE *file = tmpfile();
  char line[256] = "";
  dup2(fileno(file), STDERR_FILENO);
  trial.apart = _i == 1;
  ck_assert_int_eq(try(&trial, 1, 1), 0);
  ck_assert_uint_eq(trial.ndelivered, 1);
  rewind(file);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  ck_assert_str_eq(
    line, "cellcoll: item 1 of 1, square 0: 0.1 s of processor time; computing or polling: no rank\n");
  ck_assert_ptr_null(fgets(line, sizeof line, file));
  fclose(file);
}

TEST_EACH(with_a_limit_all_others_are_delivered, 1, 3) {
  struct trial trial = harmless;
  trial.seconds = 1;
  trial.apart = true;
  ck_assert_int_eq(try(&trial, ITEMS, (unsigned)_i), 0);
  ck_assert_uint_eq(trial.ndelivered, ITEMS);
}

static void leave_late(void) {
  usleep(300000);
  exit(7);
}

/* The other worker is at item 43 then, for five minutes. */
TEST(a_death_is_told_at_once) {
  struct trial trial = {.deadly = 42, .slow = 43, .refused = NONE, .die = leave_late};
  time_t start = time(NULL);
  ck_assert_int_eq(try(&trial, ITEMS, 2), -1);
  ck_assert_int_lt(time(NULL) - start, 150);
  ck_assert_msg(strstr(err.text, "item 43 of 200, square 42: its worker ended with exit code 7") != NULL,
                "%s", err.text);
  ck_assert_uint_eq(trial.ndelivered, 42);
}

TEST_EACH(after_a_refusal_nothing_is_delivered, 1, 4) {
  struct trial trial = {.deadly = NONE, .slow = NONE, .refused = 30};
  ck_assert_int_eq(try(&trial, ITEMS, (unsigned)_i), -1);
  ck_assert_uint_eq(trial.ndelivered, 31);
  ck_assert_str_eq(err.text, "");
}

TEST(an_interruption_leaves_out_what_is_not_finished) {
  struct trial trial = {.deadly = NONE, .slow = 5, .refused = NONE, .interrupt_at = ITEMS - 1};
  ck_assert_int_eq(try(&trial, ITEMS, 2), 0);
  ck_assert(interrupted);
  ck_assert_uint_eq(trial.ndelivered, ITEMS - 1);
  for (size_t i = 0; i < trial.ndelivered; i++) {
    ck_assert_uint_eq(trial.order[i], i < 5 ? i : i + 1);
  }
}

TEST_EACH(nothing_starts_after_an_interruption, 1, 3) {
  struct trial trial = harmless;
  interrupted = 1;
  ck_assert_int_eq(try(&trial, ITEMS, (unsigned)_i), 0);
  ck_assert_uint_eq(trial.ndelivered, 0);
}

/* A program on the machine that takes the cycles of its argument. */
static void spend(void *argument) {
  des_charge(des_self(), *(const uint64_t *)argument);
}

static uint64_t simulate(uint64_t cycles) {
  struct des_job job = {.program = spend, .argument = &cycles, .name = "spender"};
  struct des_node *node = des_node_new();
  des_spawn(node, &job, 0);
  uint64_t end = des_run(node).cycles;
  des_node_free(node);
  return end;
}

static int simulate_item(void *context, size_t index, struct pack *result) {
  pack_add_count(result, simulate(index * index));
  return 0;
}

static int check_item(void *context, size_t index, struct pack *result) {
  ck_assert_uint_eq(pack_take_count(result), index * index);
  return 0;
}

TEST(the_event_core_goes_on_in_workers) {
  struct jobs jobs = {
    .count = 100, .nworkers = 4, .work = simulate_item, .deliver = check_item, .describe = describe};
  ck_assert_int_eq(des_init(NULL), 0);
  for (unsigned i = 0; i < 3; i++) {
    ck_assert_uint_eq(simulate(17), 17);

    ck_assert_msg(jobs_run(&jobs, &err) == 0, "%s", err.text);
  }
}
