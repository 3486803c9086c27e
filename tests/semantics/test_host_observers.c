/* SPDX-License-Identifier: BSD-3-Clause
 * Observers on processes of hosts, and more ports than an MFC has. Expected values follow from the costs of
 * messages without losses and without contention; platform gdx without TCP. */
#include "draw/timeline/timeline.h"
#include "traces/pictures/record_pictures.h"
#include "validate/lab/call/call_watch.h"
#include "tests/call_bed.h"
#include "tests/net_bed.h"

static struct call_records records;
static struct path path; /* of `records`, in tests that find the path */

static void set_up(void) {
  net_bed_start();
  bed_use("gdx", "network.transport=lossless network.buffer=0");
  call_records_init(&records);
}

static void tear_down(void) {
  path_fini(&path);
  path = (struct path){0};
  call_records_fini(&records);
  bed_end();
}

/* Run NAME with OBSERVER on NRANKS processes and NBYTES.
 * returns: the cycles. */
static double run(const char *name, unsigned nranks, size_t nbytes, struct observer *observer) {
  struct call call = call_bed_call(name, nranks, nbytes);
  call.observers = observer;
  return call_bed_cycles(&call);
}

/* Run NAME likewise, and find the path.
 * returns: the cycles. */
static double find_path(const char *name, unsigned nranks, size_t nbytes) {
  double cycles = run(name, nranks, nbytes, &records.observer);
  path_find(&path, &records.all);
  return cycles;
}

static uint64_t cycles_of(double us) {
  return (uint64_t)llround(1e3 * us * bed.platform->clock.spu);
}

/* Return the cycles for which a packet of NBYTES and a header occupies a link. */
static double on_link(size_t nbytes) {
  return ((double)nbytes + bed.platform->network.header) * 1e3 * bed.platform->clock.spu /
         bed.platform->network.bandwidth;
}

TESTS(host_observers, .start = set_up, .stop = tear_down);

/* Every process posts its buffer to 7 others, puts a block to all 8, including itself, and raises a flag at
 * 7. Each message is a packet; the block for the process itself passes no NIC. */
TEST(counters_of_hosts_count_each_message_and_its_bytes) {
  enum { RANKS = 8, BLOCK = 1000, NOTICE = 16 };
  struct call_counters counters;
  call_counters_init(&counters);
  run("alltoall:direct", RANKS, BLOCK, &counters.observer);
  for (unsigned i = 0; i < RANKS; i++) {
    const struct net_counters_host *host = &counters.net.hosts[i];
    ck_assert_uint_eq(host->sent, 3 * RANKS - 2);
    ck_assert_uint_eq(host->received, 3 * RANKS - 2);
    ck_assert_uint_eq(host->bytes_sent, 2 * (RANKS - 1) * NOTICE + RANKS * BLOCK);
    ck_assert_uint_eq(host->drops + host->retransmissions + host->timeouts, 0);
    ck_assert_uint_eq(host->packets, 3 * (RANKS - 1));
    ck_assert_double_eq_tol((double)host->busy, (RANKS - 1) * (2 * on_link(NOTICE) + on_link(BLOCK)),
                            3 * RANKS); /* whole cycles */
  }
  ck_assert_uint_eq(counters.net.all.sent, RANKS * (3 * RANKS - 2));
  ck_assert_double_ge(call_counters_cycles(&counters), 1);
  call_counters_fini(&counters);
}

/* Rank 1 posts its buffer to the root, the root puts the block there and waits for the acknowledgement, then
 * the root raises a flag: three messages, each over two links in one packet, and two links back except the
 * cycles of receiving meanwhile. */
TEST(the_critical_path_of_a_block_to_another_host_is_that_of_three_messages) {
  enum { BLOCK = 64, NOTICE = 16, LINKS = 2, MESSAGES = 3 };
  double cycles = find_path("scatter:sequential", 2, BLOCK);
  uint64_t send = cycles_of(bed.platform->nic.send), receive = cycles_of(bed.platform->nic.receive),
           link = cycles_of(bed.platform->network.latency);
  double bytes =
    2 * on_link(NOTICE) + on_link(BLOCK); /* once: the second link begins when the head is there */
  ck_assert_uint_eq(path.totals[PATH_NET_LATENCY], MESSAGES * LINKS * link);
  ck_assert_uint_eq(path.totals[PATH_NET_HOST], MESSAGES * (send + receive));
  ck_assert_uint_eq(path.totals[PATH_NET_ANSWER], LINKS * link - receive);
  ck_assert_double_eq_tol((double)path.totals[PATH_NET_OWN], bytes, MESSAGES * LINKS); /* whole cycles */
  ck_assert_double_eq((double)(path.end - path.begin), cycles);
  ck_assert_uint_eq(path.totals[PATH_NET_TAKEN] + path.totals[PATH_TIMER], 0);
}

/* Rank 1 puts its block and leaves after the acknowledgement, later than the root: the path ends in rank 1's
 * lane. */
TEST(the_line_of_the_path_ends_at_the_rank_that_leaves_last) {
  find_path("gather:elan", 2, 64);
  struct timeline *timeline = record_timeline(&records.all, &path);
  ck_assert_uint_eq(timeline->lanes[1].node, 1);
  ck_assert_uint_gt(timeline->lanes[1].left, timeline->lanes[0].left);
  ck_assert_uint_eq(timeline->path[timeline->npath - 1].end, timeline->lanes[1].left);
  ck_assert_uint_eq(timeline->path[timeline->npath - 1].to, 1);
  timeline_free(timeline);
}

/* A get asks by a message of no bytes, and the target's NIC answers without the processor. */
TEST(a_get_goes_to_the_path_as_a_question_and_an_answer) {
  unsigned gets = 0;
  find_path("gather:binomial", 2, 64);
  for (size_t i = 0; i < path.nparts; i++) {
    const struct path_part *part = &path.parts[i];
    if (part->kind == PATH_GET) {
      gets++;
      ck_assert_uint_eq(part->node, 0);
      ck_assert_uint_eq(part->peer, 1);
      ck_assert_uint_eq(part->nbytes, 64);
      double there = on_link(0), back = on_link(64);
      double expected =
        (double)(cycles_of(bed.platform->nic.send) + 2 * cycles_of(bed.platform->nic.receive) +
                 4 * cycles_of(bed.platform->network.latency)) +
        there + back; /* as above */
      ck_assert_double_eq_tol((double)(part->to - part->from), expected, 4);
    }
  }
  ck_assert_uint_eq(gets, 1);
}

TEST(who_watches_changes_nothing) {
  double alone = run("alltoall:bruck", 7, 300, NULL);
  ck_assert_double_eq(run("alltoall:bruck", 7, 300, &records.observer), alone);
}

/* With as many ports as other ranks the tree has one level, and the root sends one block after the other. */
TEST(ports_go_up_to_the_other_ranks) {
  double tree = run("scatter:binomial:ports=19", 20, 512, NULL),
         sequential = run("scatter:sequential:ports=19", 20, 512, NULL);
  ck_assert_double_eq(tree, sequential);
  ck_assert_double_eq(run("scatter:sequential:ports=400", 20, 512, NULL), sequential);
  /* with 15 ports the root waits a second time, for the acknowledgement of its puts: at least two links there
   * and two back */
  double fewer = run("scatter:sequential:ports=15", 20, 512, NULL);
  ck_assert_double_ge(fewer - sequential, 2 * (double)cycles_of(bed.platform->network.latency));
  run("alltoall:direct:ports=19", 20, 512, NULL);
  run("gather:binomial:ports=19", 20, 512, NULL);
}
