/* SPDX-License-Identifier: BSD-3-Clause
 * The model machine with made-up values, against times worked out by hand: how flows share what they cross, and what
 * notifications, transfers and software add up to. */
#include "algos/catalogue.h"
#include "algos/cost/model_flow.h"
#include "algos/cost/model_machine.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "tests/bed.h"

#include <check.h>
#include <math.h>

Suite *model_machine_suite(void);

/* --- flows --- */

enum { FLOWS = 2 };

/* Two flows through one resource. */
struct sharing {
  struct event start;
  struct model_flows flows;
  struct model_resource resource;
  struct model_use uses[FLOWS];
  struct model_flow of[FLOWS];
  double cycles[FLOWS]; /* per request */
  uint64_t ended[FLOWS];
};

static struct sharing sharing;

static void
ended(struct model_flow *flow)
{
  sharing.ended[flow - sharing.of] = des_now();
}

static void
burst_ended(struct model_flow *flow)
{
  (void)flow;
}

static void
begin_all(struct event *event)
{
  (void)event;
  model_flows_init(&sharing.flows);
  for (unsigned i = 0; i < FLOWS; i++) {
    sharing.of[i] = (struct model_flow){.burst = 1000,
                                        .burst_pace = 10,
                                        .uses = &sharing.uses[i],
                                        .ended = ended,
                                        .burst_ended = burst_ended,
                                        .order = i,
                                        .flows = &sharing.flows};
    model_flow_add_use(&sharing.of[i], &sharing.resource, sharing.cycles[i]);
    model_flow_begin(&sharing.of[i]);
  }
}

/* Let two flows of 1000 requests, each of which takes 10 cycles alone, keep a resource busy for A and B cycles per request. */
static void
share(double a, double b)
{
  struct des_node *node = des_node_new();
  sharing = (struct sharing){.start = {.run = begin_all}, .cycles = {a, b}};
  des_schedule_on(node, &sharing.start, 0, des_order(DES_PROGRAM, 0));
  des_run(node);
  des_node_free(node);
}

/* The resource has time for both: each takes what it takes alone. */
START_TEST(flows_with_room_take_what_they_take_alone)
{
  share(4, 6);
  ck_assert_uint_eq(sharing.ended[0], 10000);
  ck_assert_uint_eq(sharing.ended[1], 10000);
}
END_TEST

START_TEST(equal_flows_share_equally)
{
  share(10, 10);
  ck_assert_double_eq_tol((double)sharing.ended[0], 20000, 20);
  ck_assert_double_eq_tol((double)sharing.ended[1], 20000, 20);
}
END_TEST

/* 5 / (10 + 5 q) + 10 / (10 + 10 q) = 1 is q^2 + q - 1 = 0, that is q = 0.618: intervals 13.09 and 16.18. When the first one has
 * ended after 13090 cycles the other one has 1000 - 13090 / 16.18 = 191 requests left, alone. */
START_TEST(who_uses_more_waits_longer)
{
  share(5, 10);
  ck_assert_double_eq_tol((double)sharing.ended[0], 13090, 25);
  ck_assert_double_eq_tol((double)sharing.ended[1], 13090 + 1910, 25);
}
END_TEST

/* --- calls --- */

enum { ISSUE = 10, STATUS = 1, FLAG = 200, FLAG_DONE = 260, GET_LINE = 300, PER_LINE = 20, FAR = 700 };
enum { SEND = 5, RECEIVE = 3, DMA = 7, TAG = 2 };

/* Run the call NAME of RANKS ranks with NBYTES on chips of SPES SPEs. */
static double
run_call(const char *name, unsigned ranks, unsigned spes, size_t nbytes)
{
  static double values[MODEL_VALUES][2];
  static const unsigned links[] = {0, 1, 1, 0}, neighbour[] = {0, 1, 0, 1}, data_chip[] = {0, 0};
  struct model_shape shape = {.nspes = 4,
                              .spes_per_chip = spes,
                              .nchips = 2,
                              .links_max = 1,
                              .links = links,
                              .neighbour = neighbour,
                              .data_chip = data_chip,
                              .queue = 16,
                              .command = 2,
                              .burst = 16};
  struct model_values table = {.shape = &shape};
  unsigned spe_of[] = {0, 1, 2, 3}, chip_of[] = {0, 1 / spes, 2 / spes, 3 / spes};
  struct coll_group group = {.nranks = ranks,
                             .nbytes = nbytes,
                             .type = TYPE_INT32,
                             .nrepeats = 1,
                             .ls_bytes = 262144,
                             .spe_of = spe_of,
                             .chip_of = chip_of,
                             .nchips = ranks > spes ? 2 : 1,
                             .costs = {.send = SEND, .receive = RECEIVE, .dma = DMA, .tag = TAG}};
  struct err err = {""};
  for (unsigned value = 0; value < MODEL_VALUES; value++) {
    table.of[value] = values[value];
  }
  for (unsigned far = 0; far < 2; far++) {
    values[MODEL_FLAG][far] = FLAG + far * FAR;
    values[MODEL_FLAG_DONE][far] = FLAG_DONE + far * FAR;
    values[MODEL_GET_LINE][far] = GET_LINE + far * FAR;
    values[MODEL_GET_BURST][far] = GET_LINE + far * FAR + 15 * PER_LINE;
    values[MODEL_GET_DMA][far] = GET_LINE + far * FAR + 127 * PER_LINE;
  }
  values[MODEL_ISSUE][0] = ISSUE;
  values[MODEL_STATUS][0] = STATUS;
  values[MODEL_OUT][0] = values[MODEL_IN][0] = PER_LINE;
  ck_assert_msg(catalogue_find(name, &group.call, &err) == 0, "%s", err.text);
  struct model_machine *machine = model_machine_new(&table);
  double cycles = model_machine_run(machine, &group, NULL);
  model_machine_free(machine);
  return cycles;
}

/* Each rank prepares its flag, waits until it has left, and acts on the other one's, which is there by then. On four ranks the second
 * round crosses. */
START_TEST(a_barrier_is_its_flags)
{
  double round = SEND + FLAG_DONE + TAG + RECEIVE;
  ck_assert_double_eq(run_call("barrier:recursive-doubling", 2, 2, 0), round);
  ck_assert_double_eq(run_call("barrier:recursive-doubling", 4, 2, 0), 2 * round + FAR);
}
END_TEST

/* The address goes there; the get takes its lines; the acknowledgement goes back, and its sender waits until it has left. */
START_TEST(a_broadcast_is_an_address_a_get_and_an_acknowledgement)
{
  static const size_t sizes[] = {16, 128, 2048, 16384};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    double lines = ceil((double)sizes[i] / 128), get = GET_LINE + (lines - 1) * PER_LINE;
    double there = SEND + FLAG + RECEIVE + DMA + get + TAG;
    double expected = there + fmax(SEND + FLAG + RECEIVE, SEND + FLAG_DONE + TAG);
    ck_assert_double_eq_tol(run_call("bcast:binomial-opt", 2, 2, sizes[i]), expected, 1);
  }
}
END_TEST

/* The root posts to one rank after the other; both get 16 KiB from it, and share its ramp: twice 128 lines from when the first one
 * begins, and the latency of one. */
START_TEST(two_gets_from_one_rank_share_its_ramp)
{
  double one = run_call("bcast:one-to-all", 2, 4, 16384), both = run_call("bcast:one-to-all", 3, 4, 16384);
  ck_assert_double_ge(both, one + 127 * PER_LINE);
  ck_assert_double_le(both, one + 128 * PER_LINE + GET_LINE);
}
END_TEST

Suite *
model_machine_suite(void)
{
  Suite *suite = suite_create("model_machine");
  TCase *tests = tcase_create("model_machine");
  tcase_add_checked_fixture(tests, bed_start_engine, NULL);
  tcase_add_test(tests, flows_with_room_take_what_they_take_alone);
  tcase_add_test(tests, equal_flows_share_equally);
  tcase_add_test(tests, who_uses_more_waits_longer);
  tcase_add_test(tests, a_barrier_is_its_flags);
  tcase_add_test(tests, a_broadcast_is_an_address_a_get_and_an_acknowledgement);
  tcase_add_test(tests, two_gets_from_one_rank_share_its_ramp);
  suite_add_tcase(suite, tests);
  return suite;
}
