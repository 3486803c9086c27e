/* SPDX-License-Identifier: BSD-3-Clause
 * Critical paths across nodes. Where nothing is shared the path predicts how much longer the run takes on a
 * slower network. */
#include "tests/call_bed.h"
#include "tests/net_bed.h"
#include "validate/lab/call/call_watch.h"

/* Find the path of one call of NAME.
 * returns: the cycles of the call. */
static double find(const char *name, unsigned nranks, size_t nbytes, struct path *path) {
  struct outcome outcome;
  ck_assert(call_bed_find_path(call_bed_call(name, nranks, nbytes), path, &outcome));
  double cycles = outcome.from_first;
  outcome_fini(&outcome);
  return cycles;
}

TESTS(path_nodes, .start = net_bed_start, .stop = bed_end);

/* --- against experiments --- */

static const struct {
  const char *key;
  enum path_cause cause;
  double value, more; /* of blades, and the longer value, in us */
  unsigned times;     /* on the path of a barrier on 64 ranks: two rounds between four nodes */
} latencies[] = {
  {"network.latency", PATH_NET_LATENCY, 20, 25, 2 * 2}, /* up and down */
  {"nic.receive", PATH_NET_HOST, 8, 9, 2},
};

/* Empty messages of a lossless network have no waits: the path has each delay as many times as the run
 * becomes longer by this delay. */
TEST_EACH(delays_are_counted_as_experiments_do, 0, sizeof latencies / sizeof latencies[0]) {
  struct path path, other;
  char settings[96];
  bed_use("blades", "network.transport=lossless;network.header=0");
  double before = find("barrier:hierarchical", 64, 0, &path);
  ck_assert_uint_eq(path.totals[PATH_NET_LATENCY], 4 * 20 * US);
  ck_assert_uint_eq(path.totals[PATH_NET_HOST], 2 * (8 + 8) * US);
  ck_assert_uint_eq(path.totals[PATH_NET_OWN] + path.totals[PATH_NET_TAKEN] + path.totals[PATH_NET_NIC], 0);
  snprintf(settings, sizeof settings, "network.transport=lossless;network.header=0;%s=%g", latencies[_i].key,
           latencies[_i].more);
  bed_use("blades", settings);
  double after = find("barrier:hierarchical", 64, 0, &other);
  double longer = latencies[_i].times * (latencies[_i].more - latencies[_i].value) * US;
  ck_assert_double_eq(after - before, longer);
  ck_assert_double_eq((double)other.totals[latencies[_i].cause] - (double)path.totals[latencies[_i].cause],
                      longer);
  path_fini(&path);
  path_fini(&other);
}

/* The root's node sends 100,000 bytes to node 1 and, nic.send later, to node 2: packets of both take turns on
 * the node's link. Up to then the second message is behind about as many bytes of the first message as the
 * second has itself. These bytes delay only the second message. */
TEST(others_on_a_link_are_named) {
  struct path path;
  bed_use("blades", "network.transport=lossless;network.header=0;network.packet=1000");
  find("bcast:hierarchical", 33, 100000, &path);
  double own = (double)path.totals[PATH_NET_OWN], taken = (double)path.totals[PATH_NET_TAKEN];
  double bytes = 100000 * 25.6;
  ck_assert_double_eq_tol(own / bytes, 1, 0.02);
  ck_assert_double_eq_tol(taken / (bytes - 8 * US), 1, 0.02);
  for (size_t i = 0; i < path.nsegments; i++) {
    ck_assert(path.segments[i].cause != PATH_NET_TAKEN || path.segments[i].behind == 0);
  }
  path_fini(&path);
}

/* With room for less than two packets in the switch nearly all time is waiting for timeouts; with room for
 * all packets none is. */
TEST(timeouts_of_TCP_are_on_the_path_where_packets_are_lost) {
  struct path path;
  bed_use("blades", "network.buffer=2;network.rto=200");
  double slow = find("reduce:hierarchical", 48, 16384, &path);
  ck_assert_double_gt((double)(path.totals[PATH_NET_TIMEOUT] + path.totals[PATH_NET_AGAIN]), 0.5 * slow);
  ck_assert_uint_ge(path.totals[PATH_NET_TIMEOUT], 200 * 1000 * US / 2);
  path_fini(&path);
  bed_use("blades", "network.buffer=1024");
  find("reduce:hierarchical", 48, 16384, &path);
  ck_assert_uint_eq(path.totals[PATH_NET_TIMEOUT] + path.totals[PATH_NET_AGAIN], 0);
  path_fini(&path);
}

/* --- exact paths --- */

/* A call, and the causes of the network on the path, in cycles; all other causes of the network have none.
 * A link of 125 MB/s takes 25.6 cycles for a byte, a message is in a host for nic.send and nic.receive (8 us
 * each), and each of the two links of the way has a delay of 20 us. */
static const struct {
  const char *platform, *settings, *call;
  unsigned nranks;
  size_t nbytes;
  struct {
    enum path_cause cause;
    double cycles;
  } expected[6];
} exact[] = {
  /* the NIC begins 3 us later; the two links of a lossless network pass a packet on byte by byte */
  {"blades",
   "network.transport=lossless;network.header=0;nic.gap=3",
   "bcast:hierarchical",
   17,
   1000,
   {{PATH_NET_HOST, 16 * US}, {PATH_NET_NIC, 3 * US}, {PATH_NET_OWN, 25600}, {PATH_NET_LATENCY, 40 * US}}},
  /* the second message waits for the first, which began 8 us = 25,600 cycles before and takes 51,200 */
  {"blades",
   "network.transport=lossless;network.header=0;network.packet=4000",
   "bcast:hierarchical",
   33,
   2000,
   {{PATH_NET_HOST, 24 * US}, {PATH_NET_OWN, 51200}, {PATH_NET_TAKEN, 25600}, {PATH_NET_LATENCY, 40 * US}}},
  /* the second packet of TCP waits for the acknowledgement of the first, a header of 100 bytes; a switch
   * stores a packet as a whole, so that each of the two links takes its time */
  {"blades",
   "network.initial-window=1;network.header=100;network.packet=1000",
   "bcast:hierarchical",
   17,
   2000,
   {{PATH_NET_HOST, 16 * US},
    {PATH_NET_OWN, 2 * 2 * 1100 * 25.6},
    {PATH_NET_LATENCY, 2 * 40 * US},
    {PATH_NET_ANSWER, 2 * 100 * 25.6 + 40 * US}}},
  /* two packets come to a switch with room for one: the other is sent again after the timeout of 200 ms */
  {"blades",
   "network.header=100;network.packet=600;network.buffer=1",
   "reduce:hierarchical",
   33,
   600,
   {{PATH_NET_HOST, 16 * US},
    {PATH_NET_AGAIN, 2 * 700 * 25.6 + 40 * US},
    {PATH_NET_TIMEOUT, 200 * 1000.0 * US}}},
  /* from a blade to its host and from the other host to its blade 3.19 us each (10,208 cycles), and 1500
   * bytes at 1.6 GB/s; from host to host 0.5 us at each end and two links of 0.29 us (928 cycles), which pass
   * the bytes on at 2000 MB/s */
  {"roadrunner",
   "node.blades=1;network.header=0;pcie.bandwidth=1.6",
   "bcast:hierarchical",
   17,
   1500,
   {{PATH_PCIE, 2 * 10208},
    {PATH_PCIE_OWN, 2 * 3000},
    {PATH_NET_HOST, 2 * 0.5 * US},
    {PATH_NET_OWN, 2400},
    {PATH_NET_LATENCY, 2 * 928}}},
};

TEST_EACH(causes_of_the_network_are_exact, 0, sizeof exact / sizeof exact[0]) {
  struct path path;
  double expected[PATH_CAUSES] = {0};
  bed_use(exact[_i].platform, exact[_i].settings);
  find(exact[_i].call, exact[_i].nranks, exact[_i].nbytes, &path);
  for (unsigned i = 0; i < 6; i++) {
    expected[exact[_i].expected[i].cause] += exact[_i].expected[i].cycles;
  }
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    ck_assert_msg(path_causes[i].group != PATH_GROUP_NETWORK || (double)path.totals[i] == expected[i],
                  "%s: %g cycles, expected %g", path_causes[i].name, (double)path.totals[i], expected[i]);
  }
  path_fini(&path);
}

/* --- the limit --- */

/* The bytes that a call takes are enough; one byte less is not, whichever node has the last record. */
TEST(the_records_of_all_nodes_have_one_limit) {
  uint64_t most = RECORD_BYTES_MAX;
  bed_use("blades", "");
  struct call call = call_bed_call("barrier:hierarchical", 64, 0);
  for (unsigned i = 0; i < 3; i++) {
    struct call_records records;
    call_records_init(&records);
    records.share.nbytes_max = most;
    call.observers = &records.observer;
    call_bed_run(&call);
    ck_assert_int_eq(records.share.full, i == 2);
    most = i == 0 ? records.share.nbytes : most - 1;
    call_records_fini(&records);
  }
}
