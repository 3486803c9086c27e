/* SPDX-License-Identifier: BSD-3-Clause
 * The model machine with made-up values, against times worked out by hand: what bus requests wait for, and
 * what notifications, transfers and software add up to. */
#include "algos/catalogue.h"
#include "algos/cost/model_machine.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "tests/bed.h"
#include "tests/suite.h"

#include <math.h>

enum { ISSUE = 10, FLAG = 200, PUT_LINE = 260, GET_LINE = 300, PER_LINE = 20, FAR = 700 };
enum {
  SEND = 5,
  RECEIVE = 3,
  DMA = 7,
  TAG = 2,
  WINDOW = 16,
  COMMAND = 2,
  HOLD = WINDOW * PER_LINE,
  LINK = 50,
  PAIRS = 4 * 4 /* of SPEs of a chip, at most */
};

/* How many bus requests a window holds; how long a get keeps its window entry; how long a bus request keeps a
 * link busy; how far the first two of four SPEs of a chip are apart, all others being as close as can be. */
static unsigned window;
static double hold, link_use, way;

static void set_up(void) {
  bed_start_engine();
  window = WINDOW;
  hold = HOLD;
  link_use = way = 0;
}

/* Run the call NAME of RANKS ranks with NBYTES on chips of SPES SPEs. */
static double run_call(const char *name, unsigned ranks, unsigned spes, size_t nbytes) {
  static double values[MODEL_VALUES][PAIRS];
  static const unsigned links[] = {0, 1, 1, 0}, neighbour[] = {0, 1, 0, 1}, data_chip[] = {0, 0};
  struct model_shape shape = {.nspes = 2 * spes,
                              .spes_per_chip = spes,
                              .nchips = 2,
                              .links_max = 1,
                              .links = links,
                              .neighbour = neighbour,
                              .data_chip = data_chip,
                              .queue = 16,
                              .command = COMMAND,
                              .window = window,
                              .windows = 2};
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
    values[MODEL_PUT_LINE][far] = PUT_LINE + far * FAR;
    values[MODEL_GET_LINE][far] = GET_LINE + far * FAR;
    values[MODEL_GET_HOLD][far] = hold;
  }
  values[MODEL_ISSUE][0] = ISSUE;
  values[MODEL_LINK][0] = values[MODEL_LINK_FLAG][0] = link_use;
  values[MODEL_BETWEEN][1] = values[MODEL_BETWEEN][4] = way;
  values[MODEL_OUT][0] = values[MODEL_IN][0] = PER_LINE;
  ck_assert_msg(catalogue_find(name, &group.call, &err) == 0, "%s", err.text);
  struct model_machine *machine = model_machine_new(&table);
  double cycles = model_machine_run(machine, &group, NULL);
  model_machine_free(machine);
  return cycles;
}

TESTS(model_machine, .start = set_up);

/* Each rank prepares its flag, waits until it has left, and acts on the other one's, which is there by then;
 * the command bus accepts one flag after the other, so that one of two ranks on a chip is later. On four
 * ranks the second round crosses, and the later flag follows the other one over the ramp that leads to the
 * other chip. */
TEST(a_barrier_is_its_flags) {
  double round = SEND + PUT_LINE + TAG + RECEIVE;
  ck_assert_double_eq(run_call("barrier:recursive-doubling", 2, 2, 0), round + COMMAND);
  ck_assert_double_eq(run_call("barrier:recursive-doubling", 4, 2, 0), 2 * round + FAR + PER_LINE);
}

/* The address goes there; the get takes its lines; the acknowledgement goes back, and its sender waits until
 * it has left. */
TEST(a_broadcast_is_an_address_a_get_and_an_acknowledgement) {
  static const size_t sizes[] = {16, 128, 2048, 16384};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    double lines = ceil((double)sizes[i] / 128), get = GET_LINE + (lines - 1) * PER_LINE;
    double there = SEND + FLAG + RECEIVE + DMA + get + TAG;
    double expected = there + fmax(SEND + FLAG + RECEIVE, SEND + PUT_LINE + TAG);
    ck_assert_double_eq_tol(run_call("bcast:binomial-opt", 2, 2, sizes[i]), expected, 1);
  }
}

/* The root posts to one rank after the other; both get 16 KiB from it, and share its ramp: twice 128 lines
 * from when the first one begins, and the latency of one. */
TEST(two_gets_from_one_rank_share_its_ramp) {
  double one = run_call("bcast:one-to-all", 2, 4, 16384), both = run_call("bcast:one-to-all", 3, 4, 16384);
  ck_assert_double_ge(both, one + 127 * PER_LINE);
  ck_assert_double_le(both, one + 128 * PER_LINE + GET_LINE);
}

/* A get of one line more than the window has entries waits until the first one is free again. */
TEST(a_full_window_holds_up_a_get) {
  enum { LONG = 2 * HOLD };
  double full = run_call("bcast:binomial-opt", 2, 2, WINDOW * 128);
  ck_assert_double_eq(run_call("bcast:binomial-opt", 2, 2, (WINDOW + 1) * 128), full + PER_LINE);
  hold = LONG;
  ck_assert_double_eq(run_call("bcast:binomial-opt", 2, 2, WINDOW * 128), full);
  ck_assert_double_eq(run_call("bcast:binomial-opt", 2, 2, (WINDOW + 1) * 128),
                      full + LONG - (WINDOW - 1) * PER_LINE);
}

/* Whatever their number, the entries of a window go round: each takes the next line a long time after the one
 * that it has held. */
TEST(a_window_goes_round) {
  enum { LONG = 2 * HOLD };
  hold = LONG;
  double one_line = run_call("bcast:binomial-opt", 2, 2, 128);
  for (window = 1; window <= WINDOW; window++) {
    for (unsigned later = 0; later < 4 * window;
         later += 1 + later / 3) { /* how many lines come before the last one */
      ck_assert_double_eq(run_call("bcast:binomial-opt", 2, 2, (later + 1) * 128),
                          one_line + later / window * LONG + later % window * PER_LINE);
    }
  }
}

/* 1000 bytes are two commands, since no DMA of an MFC has 1000: 992 and 8 bytes, in eight bus requests and
 * one. */
TEST(commands_of_one_mfc_share_its_window) {
  double eight = run_call("bcast:binomial-opt", 2, 2, 1024),
         both = run_call("bcast:binomial-opt", 2, 2, 1000);
  ck_assert_double_eq(both, eight + PER_LINE);
}

/* What was measured is a mean over the SPEs of a chip: with four of them, of which two are farther apart,
 * each of the three steps of a broadcast between these takes as much longer than the mean. */
TEST(a_way_is_that_of_its_pair) {
  enum { WAY = 30, MEAN = WAY / 3 };
  double close = run_call("bcast:binomial-opt", 2, 4, 128);
  way = WAY;
  ck_assert_double_eq(run_call("bcast:binomial-opt", 2, 4, 128), close + 3 * (WAY - MEAN));
}

/* All requests of a get pass the link, one after the other; the flags of the call come when nothing else
 * does. */
TEST(a_link_takes_one_request_after_the_other) {
  enum { LINES = 12 };
  double ramps = run_call("bcast:binomial-opt", 2, 1, LINES * 128);
  link_use = LINK;
  ck_assert_double_eq(run_call("bcast:binomial-opt", 2, 1, LINES * 128),
                      ramps + (LINES - 1) * (LINK - PER_LINE));
}
