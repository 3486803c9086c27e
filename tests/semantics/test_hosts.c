/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives of processes on hosts: the programs of SPEs, word for word, over a NIC. */
#include "algos/step/coll.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "tests/call_bed.h"
#include "tests/net_bed.h"

static void set_up(void) {
  net_bed_start();
  bed_use("qsnet2", "");
}

/* Check that CALL is refused with REASON. */
static void check_refused(const struct call *call, const char *reason) {
  struct outcome outcome;
  FAILS(call_run(bed.machine, call, &outcome, &failure), reason);
}

/* --- bytes --- */

static const struct {
  unsigned ranks, root;
  size_t nbytes;
  enum placement_kind placement;
} cases[] = {{1, 0, 100, PLACEMENT_PACKED},    {2, 1, 1, PLACEMENT_ROUND_ROBIN},
             {5, 4, 2048, PLACEMENT_PACKED},   {8, 3, 100, PLACEMENT_ROUND_ROBIN},
             {16, 15, 4096, PLACEMENT_PACKED}, {16, 0, 8, PLACEMENT_ROUND_ROBIN}};

TESTS(hosts, .start = set_up, .stop = bed_end);

TEST_EACH(every_algorithm_that_needs_no_spes_leaves_the_right_bytes_after_every_call, 0, catalogue_size) {
  struct algorithm algorithm = catalogue_call(catalogue[_i]);
  do {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      struct call call = {.algorithm = algorithm,
                          .nranks = cases[i].ranks,
                          .root = cases[i].root,
                          .nbytes = algorithm.algo->collective == COLL_BARRIER ? 0 : cases[i].nbytes,
                          .placement.kind = cases[i].placement,
                          .repeat = 3,
                          .skew = 20000,
                          .type = TYPE_INT32,
                          .seed = 7};
      struct err err = {""};
      struct outcome outcome;
      if (needs_of_call(&algorithm) & NEED_SPES) {
        ck_assert_int_ne(call_run(bed.machine, &call, &outcome, &err), 0);
        ck_assert_msg(strstr(err.text, "ranks on hosts without SPEs, expected SPEs"), "%s", err.text);
      } else if (call_run(bed.machine, &call, &outcome, &err) == 0) {
        ck_assert_msg(outcome.end == CALL_OK, "%s: case %zu: %s", algorithm.algo->name, i, outcome.detail);
        outcome_fini(&outcome);
      } else {
        ck_assert_msg(algorithm.algo->needs != 0 || algorithm.algo->params[0].name || call.nbytes % 4 != 0,
                      "%s", err.text);
      }
    }
  } while (getenv("CELLCOLL_FULL") && catalogue_next(&algorithm));
}

static const char *const wanted[] = {"alltoall:direct",
                                     "alltoall:direct:ports=2",
                                     "alltoall:pairwise",
                                     "alltoall:bruck",
                                     "alltoall:grid",
                                     "scatter:binomial:ports=2",
                                     "scatter:sequential",
                                     "gather:binomial:ports=15",
                                     "barrier:bruck",
                                     "allgather:recursive-doubling",
                                     "barrier:one-to-all",
                                     "bcast:binomial-simple",
                                     "reduce:binomial",
                                     "barrier:recursive-doubling",
                                     "gather:elan",
                                     "alltoall:elan:bruck=3000",
                                     "alltoall:elan:bruck=0:puts=3000",
                                     "alltoall:elan:puts=0:pairwise=3000",
                                     "alltoall:elan:puts=0:pairwise=0:rail=0"};

/* Of 3000 bytes, the most for which an algorithm of the library of QsNetII was asked. */
TEST_EACH(sixteen_processes_of_four_hosts_run_what_the_papers_run, 0, sizeof wanted / sizeof *wanted) {
  struct call call = call_bed_call(wanted[_i], 16, strncmp(wanted[_i], "barrier", 7) == 0 ? 0 : 3000);
  double cycles = call_bed_cycles(&call);
  call.lengths_only = true;
  struct outcome outcome = call_bed_run(&call);
  ck_assert_double_eq(outcome.cycles, cycles); /* time does not depend on whether bytes move */
}

/* --- time ---
 *
 * In cycles of 3.2 GHz: nic.send 1,920, nic.gap 1,600, two links of 1,440, nic.receive 960; 16 bytes take
 * 76.4 on the bus of a NIC, at 670 MB/s, and 39.4 on a link, so that all buses and links of a way take 309 at
 * most without other traffic. */
enum {
  SEND = 1920,
  GAP = 1600,
  LINKS = 2880,
  RECEIVE = 960,
  ONE_WAY = SEND + GAP + LINKS + RECEIVE,
  WAY_16 = 309
};

TEST(a_flag_takes_one_message_and_a_get_a_question_and_an_answer) {
  struct call barrier = call_bed_call("barrier:bruck", 2, 0),
              bcast = call_bed_call("bcast:binomial-simple", 2, 16);
  barrier.placement.kind = bcast.placement.kind = PLACEMENT_ROUND_ROBIN;
  double flag = call_bed_cycles(&barrier);
  ck_assert_double_ge(flag, ONE_WAY);
  ck_assert_double_le(flag, ONE_WAY + WAY_16 + 77); /* both flags pass both buses */
  /* the address, the question, the answer without a processor, the acknowledgement */
  double whole = 3 * ONE_WAY + GAP + LINKS + RECEIVE, got = call_bed_cycles(&bcast);
  ck_assert_double_ge(got, whole);
  ck_assert_double_le(got, whole + 4 * WAY_16);
}

TEST(two_rails_carry_a_long_message_in_half_the_time) {
  struct call call = call_bed_call("bcast:binomial-simple", 2, 1 << 20);
  call.placement.kind = PLACEMENT_ROUND_ROBIN;
  double two = call_bed_cycles(&call), at_670 = (1 << 20) / 670.0 * 3200;
  ck_assert_double_ge(two, at_670 / 2);
  ck_assert_double_le(two, at_670 / 2 * 1.02);
}

/* Return the cycles of NAME on 16 ranks with NBYTES. */
static double sixteen(const char *name, size_t nbytes) {
  struct call call = call_bed_call(name, 16, nbytes);
  call.lengths_only = true;
  return call_bed_cycles(&call);
}

/* Qian, Afsahi 2006, sections 6.2 and 6.3: 6.35 (host.copy was fitted by this value), and 2.19. */
TEST(two_ports_gain_what_was_published) {
  double gather = sixteen("gather:elan", 1 << 20) / sixteen("gather:binomial:ports=2", 1 << 20),
         alltoall = sixteen("alltoall:elan", 16384) / sixteen("alltoall:direct:ports=2", 16384);
  ck_assert_double_eq_tol(gather, 6.35, 0.15 * 6.35);
  ck_assert_double_eq_tol(alltoall, 2.19, 0.15 * 2.19);
}

/* The root of a native gather copies 15 blocks at host.copy; each block is put into the root's node or copied
 * there before. The gather cannot be faster than these copies. */
TEST(a_native_gather_takes_at_least_the_copies_of_its_root) {
  double copies = 15 * (double)(1 << 20) / 200 * 3200; /* cycles at 200 MB/s */
  double gather = sixteen("gather:elan", 1 << 20);
  ck_assert_double_ge(gather, copies);
  ck_assert_double_le(gather,
                      1.5 * copies); /* besides the path to rank 8: 7 blocks copied, 8 put on one rail */
}

/* --- faults and mistakes --- */

static void forget_a_block(struct coll *c) {
  unsigned to = (c->rank + 1) % c->nranks, from = (c->rank + c->nranks - 1) % c->nranks;
  step_post(c, to, c->in);
  step_take(c, from, c->buffer + from * layout_stride(c->group), c->nbytes - 1);
  step_await_taken(c, to);
}

/* Rank 0 does not wait for its put before notifying rank 1; rank 1 sees the flag only after the bytes. */
static void put_and_tell(struct coll *c) {
  if (c->rank == 0) {
    struct step_transfer transfer = {
      .ls = c->buffer, .ea = step_peer_ea(c, 1, c->buffer), .nbytes = c->nbytes};
    step_start_put(c, &transfer);
    step_notify(c, 1);
    step_finish(c, 0);
  } else {
    step_await(c, 0);
  }
}

static void wait_for_ever(struct coll *c) {
  if (c->rank == 1) {
    step_await(c, 0);
  }
}

static void signal_somebody(struct coll *c) {
  step_signal(c, 0);
}

static void put_beyond(struct coll *c) {
  step_store(c, c->buffer, step_peer_ea(c, 0, c->buffer) + (1U << 30), c->nbytes);
}

/* Run PROGRAM; the bytes need not be right. */
static struct outcome run_own(enum collective collective, void (*program)(struct coll *c)) {
  static struct algo algo;
  algo = (struct algo){.collective = collective, .name = "own", .source = "ali2010", .run = program};
  struct call call = {.algorithm.algo = &algo,
                      .nranks = 2,
                      .nbytes = 100000,
                      .repeat = 1,
                      .seed = 1,
                      .placement.kind = PLACEMENT_ROUND_ROBIN};
  struct outcome outcome;
  SUCCEEDS(call_run(bed.machine, &call, &outcome, &failure));
  return outcome;
}

TEST(a_flag_is_seen_after_the_bytes_before_it) {
  struct outcome outcome = run_own(COLL_BCAST, put_and_tell);
  ck_assert_msg(outcome.end == CALL_OK, "%s", outcome.detail);
  outcome_fini(&outcome);
}

TEST(missing_bytes_deadlocks_and_faults_are_told) {
  static const struct {
    enum collective collective;
    void (*program)(struct coll *c);
    const char *detail;
  } defects[] = {
    {COLL_ALLTOALL, forget_a_block, "of the block from rank"},
    {COLL_BCAST, wait_for_ever, "rank 1 waits for flag 1 from rank 0 since cycle 0"},
    {COLL_BCAST, signal_somebody, "rank 0: a signal on a host, expected SPEs\nrank 1: a signal"},
    {COLL_BCAST, put_beyond, "expected those of a process"},
  };
  for (size_t i = 0; i < sizeof defects / sizeof *defects; i++) {
    struct outcome outcome = run_own(defects[i].collective, defects[i].program);
    ck_assert(outcome.end != CALL_OK);
    ck_assert_msg(strstr(outcome.detail, defects[i].detail), "%s", outcome.detail);
    outcome_fini(&outcome);
  }
}

TEST(what_hosts_cannot_serve_is_refused_by_name) {
  struct call tree = call_bed_call("bcast:mm-tree", 4, 64), many = call_bed_call("barrier:bruck", 17, 0),
              large = call_bed_call("alltoall:direct", 16, 8 << 20);
  check_refused(&tree, "bcast:mm-tree: ranks on hosts without SPEs, expected SPEs");
  check_refused(&many, "17 ranks on platform qsnet2, expected 1 to 16, one per process of its hosts");
  check_refused(&large, "alltoall:direct: 8388608 bytes on 16 ranks need larger buffers, expected buffers of "
                        "at most 2147483648 bytes");
  large.nranks = 15;
  large.lengths_only = true;
  large.nbytes = 16 << 20;
  call_bed_run(&large); /* a call without data needs no room */
  struct call longest = call_bed_call("bcast:binomial-simple", 2, 3ULL << 30); /* fewer than 2^32 addresses */
  longest.lengths_only = true;
  check_refused(
    &longest,
    "bcast:binomial-simple: 3221225472 bytes on 2 ranks need larger buffers, expected buffers of at most "
    "2147483648 bytes");
}

/* --- two clusters --- */

/* Return the number of transfers of the call NAME, with the first NEAR and FAR hosts of the clusters, from
 * one cluster to the other. */
static uint64_t crossing(const char *name, unsigned near, unsigned far) {
  struct call call = call_bed_call(name, near + far, 16);
  struct rig rig;
  call.placement.kind = PLACEMENT_LIST;
  call.placement.list = (struct units_list){.n = near + far, .values = calloc(near + far, sizeof(uint64_t))};
  for (unsigned r = 0; r < near + far; r++) {
    call.placement.list.values[r] = r < near ? r : 20 + r - near;
  }
  struct machine *machine = call_bed_rig(&rig, &call);
  struct blade_result result = rig_run(&rig);
  ck_assert(!result.faults && !result.stuck);
  uint64_t count = machine_traffic(machine).crossing;
  rig_fini(&rig);
  machine_free(machine);
  free(call.placement.list.values);
  return count;
}

/* Steffenel, Martinasso, Trystram 2007, section 7. */
TEST(two_clusters_exchange_twice_the_larger_number_of_messages_instead_of_twice_the_product) {
  static const unsigned sizes[][2] = {{20, 20}, {4, 12}, {9, 3}, {5, 8}};
  bed_use("grid", "");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    unsigned n1 = sizes[i][0], n2 = sizes[i][1], larger = n1 > n2 ? n1 : n2;
    ck_assert_uint_eq(crossing("alltoall:direct", n1, n2), 2 * n1 * n2);
    ck_assert_uint_eq(crossing("alltoall:grid", n1, n2), 2 * larger);
  }
  struct call call = call_bed_call("alltoall:grid", 40, 16);
  call_bed_cycles(&call);
}
