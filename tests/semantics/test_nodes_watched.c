/* SPDX-License-Identifier: BSD-3-Clause
 * Observers of a call on several nodes: counters of links and NICs, hazards on each node. */
#include "algos/catalogue.h"
#include "algos/step/coll.h"
#include "algos/step/step.h"
#include "sim/base/pack.h"
#include "traces/utilisation.h"
#include "validate/lab/ledger/ledger_call.h"
#include "tests/net_bed.h"

#include <math.h>

static struct pack pack; /* of the last call */

/* A counter to look for. */
struct wanted {
  const char *where, *counter;
  double value; /* of the counter; 0: not found */
  unsigned found;
  double cycles; /* at the base of shares */
};

/* Make the call NAME on bed of NRANKS with NBYTES, bed by OBSERVERS.
 * returns: the result. */
static struct call_result make(const char *name, unsigned nranks, size_t nbytes, unsigned observers) {
  struct call call = {.nranks = nranks, .nbytes = nbytes, .repeat = 1, .seed = 1, .type = TYPE_FLOAT64};
  struct call_made made;
  SUCCEEDS(catalogue_find(name, &call.algorithm, &failure));
  call.profile = rig_profile(bed.platform, NULL, catalogue_source(&call.algorithm), &failure);
  const struct point point = {bed.machine, call, observers, 0};
  ck_assert_int_eq(call_make(&point, &made), 0);
  outcome_fini(&made.outcome);
  ck_assert_int_eq(made.result.end, CALL_OK);
  pack_fini(&pack);
  pack = made.pack;
  struct result result = result_of(pack);
  return call_unpack(&result);
}

/* Look for COUNTER of WHERE in the last call. */
static struct wanted find(const char *where, const char *counter) {
  struct result made = result_of(pack);
  struct wanted wanted = {.where = where, .counter = counter, .cycles = NAN};
  struct call_result result = call_unpack(&made);
  for (struct utilisation_row row; call_take_counter(&result.utilisation, &row, &wanted.cycles);) {
    if (strcmp(row.where, where) == 0 && strcmp(row.counter, counter) == 0) {
      wanted.value = row.value;
      wanted.found++;
    }
  }
  return wanted;
}

/* Return COUNTER of WHERE in the last call, which has the counter once. */
static double counter_of(const char *where, const char *counter) {
  struct wanted wanted = find(where, counter);
  ck_assert_msg(wanted.found == 1, "%s of %s: found %u times", counter, where, wanted.found);
  return wanted.value;
}

static void end(void) {
  pack_fini(&pack);
  pack = (struct pack){0};
  bed_end();
}

TESTS(nodes_watched, .start = net_bed_start, .stop = end);

/* The root's node sends 3000 bytes to two other nodes one after the other, in three packets each with a
 * header of 90 bytes: 6540 bytes. A byte takes 3.2 / 0.125 = 25.6 cycles. Each packet is acknowledged with a
 * header. The two messages leave 8 us (25600 cycles) apart, while the first three packets take 83712 cycles.
 * The last packet, of 104 + 90 bytes, finds ahead of it the unsent part of the 6346 bytes of the others: all
 * but 25600 / 25.6 = 1000 bytes. An SPE of node 1 sends 3000 bytes in 24 bus requests, more than the 16 of
 * the window of its MFC. */
TEST(links_and_NICs_count_packets_with_headers_busy_time_and_queues) {
  static const struct {
    const char *where, *counter;
    double value, tolerance;
  } counters[] = {
    {"network", "messages", 2, 0},
    {"network", "bytes", 6000, 0},
    {"network", "packets", 6 + 6, 0},
    {"network", "drops", 0, 0},
    {"link n0-up", "packets", 6, 0},
    {"link n0-up", "bytes", 6540, 0},
    {"link n0-up", "longest-queue", 6346 - 1000, 2},
    {"link n1-down", "bytes", 3270, 0},
    {"link n2-up", "bytes", 3 * 90, 0},
    {"nic n0", "messages-sent", 2, 0},
    {"nic n1", "bytes-received", 3000, 0},
    {"nic n0", "packets-sent", 6, 0},
    {"node 1 chip 0 SPE 1 MFC", "window-max", 16, 0},
  };
  bed_use("blades", "");
  make("bcast:hierarchical", 34, 3000, CALL_UTILISATION);
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
    double value = counter_of(counters[i].where, counters[i].counter);
    ck_assert_msg(fabs(value - counters[i].value) <= counters[i].tolerance, "%s of %s: %g, expected %g",
                  counters[i].counter, counters[i].where, value, counters[i].value);
  }
  struct wanted busy = find("link n0-up", "busy");
  ck_assert_double_eq_tol(busy.value, 100 * 6540 * 25.6 / busy.cycles, 0.01);
}

/* Two nodes send 16 KiB to the root's at a time, and the port to the root's node has room for 8 KiB only:
 * packets are lost there, and at no other port. Retransmissions are counted at the sender, and in the whole
 * network. */
TEST(counters_of_TCP_say_what_was_lost_and_sent_again) {
  bed_use("blades", "network.buffer=8");
  struct call_result result = make("reduce:hierarchical", 48, 16384, CALL_UTILISATION);
  double again = counter_of("network", "retransmissions");
  ck_assert_double_gt(counter_of("network", "drops"), 0);
  ck_assert_double_eq(counter_of("link n0-down", "drops"), counter_of("network", "drops"));
  ck_assert_double_eq(counter_of("nic n1", "retransmissions") + counter_of("nic n2", "retransmissions"),
                      again);
  ck_assert_double_eq((double)result.net_retransmissions, again);
}

/* A broadcast from a blade of two triblades: the blade gives the bytes to its host, the host to the other
 * host, and each host to its blades without the bytes. */
TEST(messages_inside_a_triblade_pass_PCIe_links_only) {
  double up = 0, down = 0;
  bed_use("roadrunner", "");
  make("bcast:hierarchical", 64, 1000, CALL_UTILISATION);
  for (unsigned i = 0; i < 4; i++) {
    char link[32];
    snprintf(link, sizeof link, "pcie node%u-pcie-up", i);
    up += find(link, "bytes").value;
    snprintf(link, sizeof link, "pcie node%u-pcie-down", i);
    down += find(link, "bytes").value;
  }
  ck_assert_double_eq(up, 1000);
  ck_assert_double_eq(down, 3 * 1000);
  ck_assert_double_eq(counter_of("network", "messages"), 1);
}

/* Nodes with the same work have the same counters, and no part of a blade has more than a blade alone can
 * have. */
TEST(counters_of_nodes_are_told_apart) {
  static const char *const parts[][2] = {{"node 0 chip 0 ring 0", "node 1 chip 0 ring 0"},
                                         {"node 0 chip 0 command bus", "node 1 chip 0 command bus"},
                                         {"node 0 chip 0 SPE 0 MFC", "node 1 chip 0 SPE 0 MFC"}};
  bed_use("blades", "");
  make("barrier:hierarchical:ack=after", 32, 0, CALL_UTILISATION);
  for (size_t i = 0; i < 3; i++) {
    double bytes = find(parts[i][0], "bytes").value;
    ck_assert_double_eq(bytes, find(parts[i][1], "bytes").value);
    ck_assert_double_gt(bytes, 0);
  }
  ck_assert_uint_eq(find("node 2 chip 0 command bus", "bytes").found, 0);
}

/* A broadcast with ranks that fetch the data twice into the same place, without an order of the two: the
 * right bytes, by chance. */
static void fetch_twice(struct coll *c) {
  if (c->rank == c->root) {
    for (unsigned i = 1; i < c->nranks; i++) {
      step_post_ea_more(c, (c->root + i) % c->nranks, step_peer_ea(c, c->rank, c->buffer));
      step_await_taken(c, (c->root + i) % c->nranks);
    }
    return;
  }
  uint64_t ea = step_await_post(c, c->root);
  mfc_get(c->buffer, ea, (uint32_t)c->nbytes, 3, 0, 0);
  mfc_get(c->buffer, ea, (uint32_t)c->nbytes, 3, 0, 0);
  bed_finish(1U << 3);
  step_notify_more(c, c->root);
}

static const struct algo twice = {
  .collective = COLL_BCAST, .name = "twice", .source = "ali2010", .idea = "racy", .run = fetch_twice};

/* Of 16 ranks on node 0 all but the root do so, of two on node 1 one: 16 hazards. */
TEST(detectors_watch_every_node) {
  bed_use("blades", "");
  SUCCEEDS(catalogue_add(&twice, 1, &failure));
  static const char *const sound[] = {"barrier:hierarchical", "bcast:hierarchical", "allreduce:hierarchical"};
  for (size_t i = 0; i < 3; i++) {
    ck_assert_uint_eq(make(sound[i], 33, i == 0 ? 0 : 1024, CALL_HAZARDS).nhazards, 0);
  }
  struct call_result result = make("bcast:hierarchical:release=twice", 18, 1024, CALL_HAZARDS);
  ck_assert_uint_eq(result.nhazards, 16);
  ck_assert_ptr_eq(strstr(pack_take_text(&result.hazards), "node 1"), NULL);
  const char *last = "";
  for (unsigned i = 1; i < 16; i++) {
    last = pack_take_text(&result.hazards);
  }
  ck_assert_msg(strncmp(last, "node 1: ", 8) == 0, "%s", last);
}
