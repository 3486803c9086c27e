/* SPDX-License-Identifier: BSD-3-Clause
 * Critical paths: the parts sum to the run time, for any algorithm, machine, kind of node and transport.
 * Where nothing is shared the path predicts how much longer the run takes with a longer latency. And paths
 * explain why one broadcast is slower than another. */

#include "algos/step/step.h"
#include "tests/asserts.h"
#include "tests/call_bed.h"
#include "tests/net_bed.h"

#include <inttypes.h>

/* --- every algorithm --- */

static const struct {
  const char *platform, *settings;
  unsigned nranks;
  size_t nbytes;
  unsigned repeat;
  uint64_t skew;
  unsigned least; /* so many algorithms are served */
} machines[] = {
  {"qs20", "", 16, 1024, 1, 0, 34},
  {"qs20", "", 16, 1024, 3, 2000, 34},
  {"qs20", "ls.port-interval=11 mfc.windows=1", 16, 48, 1, 500, 34},
  {"ps3", "", 6, 4096, 1, 0, 34},
  {"quad-mesh", "", 32, 512, 1, 0, 34},
  {"blades", "", 64, 1024, 1, 0, 4},
  {"blades", "network.transport=lossless;nic.rails=2;nic.bus=300;network.stripe=100", 40, 4096, 1, 0, 4},
  {"blades", "network.transport=wormhole;nic.gap=1", 33, 5000, 1, 700, 4},
  {"blades", "network.transport=signature;network.gamma=2;network.delta=100;network.threshold=100", 48, 800,
   1, 0, 4},
  {"blades", "network.buffer=4;network.initial-window=3;network.delayed-ack=1;network.rto=1", 48, 16384, 1, 0,
   4},
  {"blades", "", 33, 100, 3, 30000, 4},
  {"roadrunner", "", 70, 2048, 1, 0, 4},
  {"roadrunner", "node.blades=1", 33, 512, 2, 90000, 4},
};

TESTS(path, .start = net_bed_start, .stop = bed_end);

TEST_EACH(parts_sum_to_the_run_time, BED_SANITIZED ? 4 : 0, sizeof machines / sizeof machines[0]) {
  bed_use(machines[_i].platform, machines[_i].settings);
  unsigned n = 0;
  for (size_t i = 0; i < catalogue_size; i++) {
    struct path path;
    struct outcome outcome;
    char name[128];
    struct call call = {.algorithm = catalogue_call(catalogue[i]),
                        .nranks = machines[_i].nranks,
                        .nbytes = machines[_i].nbytes,
                        .repeat = machines[_i].repeat,
                        .seed = 1,
                        .skew = machines[_i].skew,
                        .skew_seed = 1};
    bool once = call.repeat == 1;
    catalogue_format(&call.algorithm, name, sizeof name);
    if (call_bed_find_path(call, &path, &outcome)) {
      call_bed_check_path(&path, name);
      ck_assert_msg(!once || (double)(path.end - path.begin) == outcome.from_first, "%s", name);
      ck_assert_msg(path.totals[PATH_TIMER] == 0, "%s: nobody waits for time", name);
      ck_assert_msg(call.skew || path.totals[PATH_LATE] == 0, "%s: nobody enters late", name);
      ck_assert_msg(!once || call.skew || !catalogue[i]->spans_nodes || path.totals[PATH_NET_HOST] > 0,
                    "%s: no message on the path", name);
      path_fini(&path);
      outcome_fini(&outcome);
      n++;
    }
  }
  ck_assert_uint_ge(n, machines[_i].least);
}

/* Find the path of CALL.
 * returns: the cycles of the call. */
static double find(struct call call, struct path *path) {
  struct outcome outcome;
  ck_assert(call_bed_find_path(call, path, &outcome));
  double cycles = outcome.from_first;
  outcome_fini(&outcome);
  return cycles;
}

/* --- two broadcasts --- */

/* Return the cycles of PATH with causes of GROUP. */
static double cycles_of(const struct path *path, enum path_group group) {
  uint64_t cycles = 0;
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    cycles += path_causes[i].group == group ? path->totals[i] : 0;
  }
  return (double)cycles;
}

/* Ali et al. 2010, section 5.2: a rank that sends to several children at once delays the child with the
 * longest way ahead. The two broadcasts differ only in this. */
TEST(others_bytes_are_what_simple_loses) {
  static const enum path_group same[] = {PATH_GROUP_OWN, PATH_GROUP_LATENCY, PATH_GROUP_SOFTWARE};
  static const char *const names[] = {"bcast:binomial-simple", "bcast:binomial-opt"};
  bed_use("qs20", "");
  struct path paths[2];
  double cycles[2];
  for (unsigned i = 0; i < 2; i++) {
    cycles[i] = find(call_bed_call(names[i], 8, 16384), &paths[i]);
    call_bed_check_path(&paths[i], names[i]);
  }
  for (unsigned i = 0; i < sizeof same / sizeof same[0]; i++) {
    ck_assert_double_eq_tol(cycles_of(&paths[0], same[i]) / cycles_of(&paths[1], same[i]), 1, 0.03);
  }
  double others = cycles_of(&paths[0], PATH_GROUP_OTHERS);
  ck_assert_double_gt(others, 0.3 * cycles[0]);
  ck_assert_double_eq(cycles_of(&paths[1], PATH_GROUP_OTHERS), 0);
  ck_assert_double_eq_tol((cycles[0] - others) / cycles[1], 1, 0.03);
  for (unsigned i = 0; i < 2; i++) {
    path_fini(&paths[i]);
  }
}

/* --- against experiments --- */

enum { LATENCIES = 5, RISE = 2 };

static const struct {
  const char *key;
  double value; /* of qs20 */
} latencies[LATENCIES] = {{"mfc.issue", 10},
                          {"mfc.to-bus", 30},
                          {"eib.command-phase", 100},
                          {"mfc.visible", 74},
                          {"mfc.complete", 98}};

/* Return how often PATH has latency INDEX. A completion is told mfc.complete after the last beat, whenever
 * data is visible. */
static double count(const struct path *path, unsigned index) {
  double visible = (double)path->totals[PATH_VISIBLE] / 74;
  double told = (double)path->totals[PATH_COMPLETION] / (98 - 74);
  const double counts[LATENCIES] = {(double)path->totals[PATH_ISSUE] / 10,
                                    (double)path->totals[PATH_TO_BUS] / 30,
                                    (double)path->totals[PATH_COMMAND] / 100, visible - told, told};
  return counts[index];
}

/* On 4 ranks with 1 KiB nothing is shared on the paths of these algorithms. Without mfc.command-interval: a
 * command that waits for the interval hides changes of mfc.issue. */
static const char *const unshared[] = {"bcast:binomial-opt", "bcast:segmented-binomial", "barrier:tree",
                                       "reduce:tree-opt-blade", "scatter:sequential"};

/* Loop test: the index is the algorithm. */
TEST_EACH(latencies_are_counted_as_experiments_do, 0, sizeof unshared / sizeof unshared[0]) {
  struct path path;
  bed_use("qs20", "mfc.command-interval=0");
  double before = find(call_bed_call(unshared[_i], 4, 1024), &path);
  for (enum path_group group = PATH_GROUP_OTHERS; group <= PATH_GROUP_ORDER; group++) {
    ck_assert_double_eq(cycles_of(&path, group), 0);
  }
  for (unsigned i = 0; i < LATENCIES; i++) {
    char settings[64];
    struct path other;
    snprintf(settings, sizeof settings, "mfc.command-interval=0 %s=%g", latencies[i].key,
             latencies[i].value + RISE);
    bed_use("qs20", settings);
    double after = find(call_bed_call(unshared[_i], 4, 1024), &other);
    ck_assert_msg(after - before == RISE * count(&path, i),
                  "%s: %g cycles more if %s rises by %d, %g times in the path", unshared[_i], after - before,
                  latencies[i].key, RISE, count(&path, i));
    path_fini(&other);
  }
  path_fini(&path);
}

/* --- order --- */

enum { ORDERED_BYTES = 16384, FENCE = 0, BARRIER, BARRIER_ALL, SYNC, LATE_FENCE, ORDERS, PAUSE = 2360 };

static int ordered_by; /* one of ORDERS */

/* The root puts its data, and then a flag which ordered_by keeps behind the data. */
static void put_data_and_flag(struct coll *c) {
  uint32_t *flag = (uint32_t *)c->scratch;
  if (c->rank != 0) {
    spu_note_flags(flag, 16);
    spu_wait_flag(&(struct spu_flag){.word = flag, .value = 1, .peer = 0, .what = "flag"});
    return;
  }
  uint64_t data = step_peer_ea(c, 1, c->buffer), place = step_peer_ea(c, 1, flag);
  flag[4] = 1;
  (ordered_by == BARRIER ? mfc_putb : mfc_put)(c->buffer, data, ORDERED_BYTES, 1, 0, 0);
  if (ordered_by == BARRIER_ALL) {
    mfc_barrier(0);
  } else if (ordered_by == SYNC) {
    mfc_sync(1);
  }
  if (ordered_by == LATE_FENCE) {
    spu_compute(PAUSE);
  }
  unsigned tag = ordered_by == BARRIER_ALL ? 2 : 1;
  (ordered_by == FENCE || ordered_by == LATE_FENCE ? mfc_putf : mfc_put)(flag + 4, place, 16, tag, 0, 0);
  bed_finish(UINT32_C(1) << tag);
}

static size_t two_flags(const struct coll_group *group) {
  return 32;
}

/* The data are given at cycle 10 and complete 2386 cycles later; the flag begins then. The last bus request
 * of the data is granted 127 intervals of the ramp after the first, each 8.33 bus cycles. An mfc_sync goes to
 * the other chip first. A flag given at cycle 2380 comes to the bus at 2410 and does not wait.
 * Loop test: the index is what keeps the order. */
TEST_EACH(a_path_goes_through_what_a_command_waited_for, 0, ORDERS) {
  struct algo algo = {.collective = COLL_BCAST,
                      .name = "trial",
                      .source = "ali2010",
                      .idea = "",
                      .scratch = two_flags,
                      .run = put_data_and_flag};
  bed_use("qs20", "");
  struct path path;
  uint64_t expected[PATH_CAUSES] = {0};
  bool late = _i == LATE_FENCE;
  uint64_t syncs = _i == SYNC, ways = late ? 1 : 2;
  ordered_by = _i;
  find((struct call){.algorithm.algo = &algo, .nranks = 2, .nbytes = ORDERED_BYTES, .repeat = 1}, &path);
  call_bed_check_path(&path, "trial");
  expected[PATH_ISSUE] = late ? 20 : 10;
  expected[PATH_SOFTWARE] = late ? PAUSE : 0;
  expected[PATH_TO_BUS] = 30;
  expected[PATH_COMMAND] = (ways + syncs) * 100;
  expected[PATH_COMMAND_FAR] = syncs * 390;
  expected[PATH_LS_READ] = ways * 20;
  expected[PATH_OWN_RAMP] = late ? 0 : (ORDERED_BYTES / 128 - 1) * 1666 / 100 + 1; /* rounded up */
  expected[PATH_RING] = ways * (2 * bed_hops(bed.platform, "SPE0", "SPE1") + 2 * 128 / 16);
  expected[PATH_VISIBLE] = ways * 74;
  expected[PATH_COMPLETION] = ways * (98 - 74);
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    ck_assert_msg(path.totals[i] == expected[i], "%s: %" PRIu64 " cycles, expected %" PRIu64,
                  path_causes[i].name, path.totals[i], expected[i]);
  }
  ck_assert_uint_eq(path.parts[1].kind, late ? PATH_NOTIFICATION : PATH_PUT);
  ck_assert_uint_eq(path.parts[1].nbytes, late ? 16 : ORDERED_BYTES);
  ck_assert_uint_eq(path.parts[path.nparts - 1].kind, PATH_NOTIFICATION);
  path_fini(&path);
}
