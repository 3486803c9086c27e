/* SPDX-License-Identifier: BSD-3-Clause
 * Every algorithm of the catalogue with every choice of its parameters: does the algorithm compute the right
 * bytes, for awkward numbers of ranks, sizes and roots, and in the same time at every call?
 *
 * A call is refused exactly when the algorithm's needs require a refusal; the test works this out anew from
 * the names of needs. */
#include "tests/call_bed.h"

#include <math.h>

/* Calls of the catalogue, numbered: every algorithm with its defaults; if CELLCOLL_FULL is set, as in `make
 * check-full`, with all values of catalogue_next. `cellcoll check` covers the values left out by default
 * (tests/check/run). */
enum { MUCH_BYTES = 1024 };
static struct algorithm *calls;
static bool full;

static int list_calls(void) {
  int n = 0;
  full = getenv("CELLCOLL_FULL") != NULL;
  for (size_t i = 0; i < catalogue_size; i++) {
    struct algorithm algorithm = catalogue_call(catalogue[i]);
    for (bool more = true; more; n++) {
      calls = xrealloc(calls, (size_t)n + 1, sizeof *calls);
      calls[n] = algorithm;
      more = full && catalogue_next(&algorithm);
    }
  }
  return n;
}

static unsigned needs_of(const struct algorithm *algorithm) {
  unsigned needs = algorithm->algo->needs;
  for (unsigned p = 0; p < COLL_PARAMS_MAX && algorithm->algo->params[p].name; p++) {
    const struct coll_param *param = &algorithm->algo->params[p];
    needs |= param->choices[0].word ? param->choices[algorithm->values[p]].needs : 0;
  }
  return needs;
}

static bool is_power(unsigned n) {
  return n == 1 || (n % 2 == 0 && is_power(n / 2));
}

/* Return a word of the reason why a machine with CHIP SPEs to a chip cannot serve CALL; NULL if CALL can be
 * served, or at most lacks room. */
static const char *reason(const struct call *call, unsigned chip) {
  const unsigned needs = needs_of(&call->algorithm), nranks = call->nranks;
  const size_t nbytes = call->nbytes;
  const bool combines = collective_combines(call->algorithm.algo->collective);
  const struct {
    bool refused;
    const char *reason;
  } rules[] = {
    {call->algorithm.algo->spans_nodes, "one node"},
    {needs & NEED_HOSTS, "hosts"},
    {(needs & NEED_POWER_OF_TWO_RANKS) && !is_power(nranks), "power of two"},
    {(needs & NEED_SEVERAL_CHIPS) && nranks <= chip, "several chips"},
    {(needs & NEED_EVEN_CHIPS) && (nranks % chip != 0 || !is_power(chip)), "the same power of two"},
    {(needs & NEED_EQUAL_RANKS_PER_CHIP) && nranks > chip && nranks % chip != 0, "as many of them"},
    {(needs & NEED_SIGNAL_BITS) && nranks > 16, "half a signal register"},
    {(needs & NEED_SWITCH_ROUND) && 1U << call->algorithm.values[0] > nranks, "log2 of the ranks"},
    {(needs & NEED_ONE_DMA) && nbytes > 16384, "one DMA"},
    {(needs & NEED_512_ELEMENTS) && nbytes > 2048, "elements"},
    {(needs & NEED_2048_ELEMENTS) && nbytes > 8192, "elements"},
    {combines && nbytes % 4 != 0, "multiple of the 4"},
  };
  size_t i = 0;
  while (i < sizeof rules / sizeof *rules && !rules[i].refused) {
    i++;
  }
  return i < sizeof rules / sizeof *rules ? rules[i].reason : NULL;
}

/* Run CALL and check the outcome.
 * returns: the cycles; 0 if CALL was refused, as expected. */
static double run(const struct call *call) {
  struct outcome outcome;
  struct err err = {""};
  char name[128];
  const char *expected = reason(call, blade_spes_per_chip(bed.blade));
  catalogue_format(&call->algorithm, name, sizeof name);
  int status = call_run(bed.machine, call, &outcome, &err);
  if (expected) {
    ck_assert_msg(status == -1, "%s on %u ranks was not refused", name, call->nranks);
    ck_assert_msg(strstr(err.text, expected) && strstr(err.text, name), "%s", err.text);
    return 0;
  }
  if (status != 0 && call->nbytes >= 4096 && strstr(err.text, "room for")) {
    return 0;
  }
  ck_assert_msg(status == 0, "%s", err.text);
  ck_assert_msg(outcome.end == CALL_OK, "%s on %u ranks, root %u, %zu bytes, %u calls: %s", name,
                call->nranks, call->root, call->nbytes, call->repeat, outcome.detail);
  double cycles = outcome.cycles;
  outcome_fini(&outcome);
  return cycles;
}

/* Run CALL, which takes CYCLES, with limits: the call is cut exactly if the limit is smaller, and what was
 * under way at a cut changes nothing in the next call. */
static void check_limits(struct call call, double cycles) {
  for (unsigned part = 1; part <= 4 && cycles >= 4; part++) {
    call.limit = part == 4 ? (uint64_t)cycles : (uint64_t)cycles * part / 3 - 1;
    ck_assert(run(&call) == (part == 4 ? cycles : INFINITY));
  }
}

/* Run CALL, then another call, then CALL once more: the times must be equal. Then three calls back to back,
 * once more with ranks that enter late. With many bytes only the last run by default. */
static void run_often(struct call call) {
  struct algorithm other;
  SUCCEEDS(catalogue_find("barrier:bruck", &other, &failure));
  if (call.nbytes > MUCH_BYTES && !full) {
    call.repeat = 2;
    call.skew = 50000;
    run(&call);
    return;
  }
  double first = run(&call), again = run(&call);
  run(&(struct call){.algorithm = other, .nranks = 3, .repeat = 2, .profile = call.profile});
  check_limits(call, first);
  double after = run(&call);
  ck_assert_double_eq(first, again);
  ck_assert_double_eq(first, after);
  call.repeat = 3;
  call.seed++;
  run(&call);
  call.skew = 50000;
  call.skew_seed = call.seed;
  run(&call);
}

static const size_t sizes[] = {0,  1,     20,  4,     4096,
                               16, 16400, 128, 65536, 16384}; /* by default every second one */

/* Run ALGORITHM on NRANKS ranks with all sizes and the first, second, middle and last root. */
static void run_all_sizes(const struct algorithm *algorithm, unsigned nranks) {
  bool barrier = algorithm->algo->collective == COLL_BARRIER;
  unsigned roots[] = {0, nranks - 1, 1, nranks / 2};
  bool any_root = collective_has_root(algorithm->algo->collective);
  for (unsigned i = 0; i < (any_root ? full ? 4 : 2 : 1); i++) {
    if (roots[i] >= nranks) {
      continue;
    }
    for (unsigned j = 0; j < (barrier ? 1 : sizeof sizes / sizeof *sizes); j += full            ? 1
                                                                                : BED_SANITIZED ? 4
                                                                                                : 2) {
      run_often((struct call){.algorithm = *algorithm,
                              .nranks = nranks,
                              .root = roots[i],
                              .nbytes = sizes[j],
                              .repeat = 1,
                              .seed = 100 * nranks + j,
                              .profile = bed_profile()});
    }
  }
}

TESTS(algorithms, .start = bed_begin_unwatched, .stop = bed_end);

/* Loop tests: the index is the call. */
TEST_EACH(bytes_are_right_on_a_blade, 0, list_calls()) {
  static const unsigned ranks[] = {1, 3, 9, 2, 8, 16, 5, 7, 12};
  list_calls();
  bed_watch();
  for (unsigned i = 0; i < (full ? 9 : BED_SANITIZED ? 2 : 6); i++) {
    run_all_sizes(&calls[_i], ranks[i]);
  }
}

/* Run ALGORITHM on all numbers of ranks with a few sizes and roots on the platform NAME with SETTINGS. */
static void run_on(const struct algorithm *algorithm, const char *name, const char *settings) {
  bed_use(name, settings);
  bed_watch();
  bool barrier = algorithm->algo->collective == COLL_BARRIER;
  unsigned most = blade_nspes(bed.blade);
  for (unsigned nranks = 1; nranks <= most; nranks += nranks < 4 ? 1 : full ? 3 : 9) {
    for (size_t nbytes = 1; nbytes <= (barrier ? 1 : 5000); nbytes *= 70) {
      run(&(struct call){.algorithm = *algorithm,
                         .nranks = nranks,
                         .root = barrier ? 0 : (unsigned)(nbytes * 5 % nranks),
                         .nbytes = barrier ? 0 : nbytes,
                         .repeat = 1 + nranks % 2,
                         .seed = nranks,
                         .profile = bed_profile()});
    }
  }
}

TEST_EACH(bytes_are_right_on_one_chip, 0, list_calls()) {
  list_calls();
  run_on(&calls[_i], "qs20", "blade.chips=1");
}

TEST_EACH(bytes_are_right_on_hypothetical_machines, 0, list_calls()) {
  static const char *const machines[][2] = {
    {"tests/platforms/valid/quad_ring.xml", ""},
    {"tests/platforms/valid/three_in_line.xml", ""},
    {"qs20", "blade.chips=4 blade.topology=star"},
    {"qs20", "blade.chips=4 blade.topology=mesh mfc.queue=1 mfc.window=1"},
  };
  list_calls();
  for (unsigned i = 0; i < 4; i++) {
    if (full || i % (BED_SANITIZED ? 4 : 2) == (unsigned)_i % (BED_SANITIZED ? 4 : 2)) {
      run_on(&calls[_i], machines[i][0], machines[i][1]);
    }
  }
}

/* 32 ranks on 4 chips of 8, and 16 on 4 of 4. */
TEST_EACH(full_machines_of_four_chips_are_served, 0, list_calls()) {
  static const char *const settings[] = {"", "eib.rings-clockwise=1 eib.rings-counterclockwise=1"};
  list_calls();
  for (unsigned i = 0; i < 2 && full; i++) {
    bed_use("tests/platforms/valid/quad_ring.xml", settings[i]);
    bed_watch();
    run_all_sizes(&calls[_i], blade_nspes(bed.blade));
  }
  bed_use("qs20", "blade.chips=4 blade.topology=ring");
  bed_watch();
  bool barrier = calls[_i].algo->collective == COLL_BARRIER;
  run(&(struct call){.algorithm = calls[_i],
                     .nranks = blade_nspes(bed.blade),
                     .nbytes = barrier ? 0 : 1000,
                     .root = barrier ? 0 : 13,
                     .repeat = 2,
                     .profile = bed_profile()});
}

/* The software-cost profile must not change the bytes, only the times. */
TEST_EACH(bytes_are_right_whatever_software_costs, 0, BED_SANITIZED ? 0 : list_calls()) {
  static const char *const settings[] = {
    "profile.ali2010.send=0 profile.ali2010.receive=0 profile.ali2010.dma=0 profile.ali2010.tag=0",
    "profile.ali2010.send=3000 profile.ali2010.receive=1 profile.ali2010.dma=7 profile.ali2010.tag=500"};
  list_calls();
  for (unsigned i = 0; i < 2; i++) {
    if (full || i == (unsigned)_i % 2) {
      run_on(&calls[_i], "qs20", settings[i]);
    }
  }
}

/* Run CALL if its needs are met; the needs depend on the places of the ranks. */
static void run_if_served(const struct call *call) {
  if (rig_check(bed.platform, call, &failure) == 0) {
    call_bed_run(call);
  }
}

/* Ranks may sit on any SPEs and enter calls at different times. */
TEST_EACH(bytes_are_right_wherever_ranks_sit_and_whenever_they_come, 0, list_calls()) {
  static const unsigned ranks[] = {2, 5, 8, 13, 16};
  static const char *const placements[] = {"packed", "round-robin", "3,8,9,0,15,1,14,10,2,4,12,5,11,6,13,7"};
  list_calls();
  bed_watch();
  for (unsigned i = 0; i < 3 * sizeof ranks / sizeof *ranks; i += BED_SANITIZED ? 7 : 1) {
    bool barrier = calls[_i].algo->collective == COLL_BARRIER;
    struct call call = {.algorithm = calls[_i],
                        .nranks = ranks[i / 3],
                        .root = barrier ? 0 : ranks[i / 3] / 2,
                        .nbytes = barrier ? 0 : 1044,
                        .repeat = 4,
                        .skew = i % 2 ? 300 : 30000,
                        .skew_seed = i,
                        .seed = i,
                        .profile = bed_profile()};
    SUCCEEDS(placement_parse(placements[i % 3], &call.placement, &failure));
    run_if_served(&call);
    units_list_fini(&call.placement.list);
  }
}

/* Return the cycles from the first entry into a broadcast on 16 ranks, with SKEW, to the last exit; rank i
 * enters LATE[i] cycles late. */
static double broadcast(const char *name, uint64_t skew, const unsigned late[16]) {
  struct delay delays[16];
  struct call call = call_bed_call(name, 16, 4096);
  for (unsigned i = 0; i < 16; i++) {
    delays[i] = (struct delay){.rank = i, .cycles = late[i]};
  }
  call.skew = skew;
  call.skew_seed = 1;
  call.delay = (struct delay_list){delays, 16};
  return call_bed_run(&call).from_first;
}

/* Nobody has data before the root. All other ranks wait long before a late root enters, so a broadcast ends N
 * cycles later if the root enters N cycles later; N is even, as a bus cycle has two cycles. All ranks 700
 * cycles late, beyond drawn delays, change nothing from the first entry on. A late leaf of the tree, rank 15,
 * leaves after its entry. */
TEST(a_broadcast_ends_later_by_the_delay_of_its_root) {
  static const char *const names[] = {"bcast:binomial-opt", "bcast:tree", "bcast:one-to-all"};
  unsigned none[16] = {0}, root[16] = {60000}, later[16] = {90000}, leaf[16] = {[15] = 60000}, all[16];
  for (unsigned i = 0; i < 16; i++) {
    all[i] = 700;
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ck_assert_double_eq(broadcast(names[i], 0, later), broadcast(names[i], 0, root) + 30000);
    ck_assert_double_eq(broadcast(names[i], 3000, all), broadcast(names[i], 3000, none));
    ck_assert_double_gt(broadcast(names[i], 0, leaf), 60000);
  }
}
