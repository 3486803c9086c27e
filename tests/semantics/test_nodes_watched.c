/* SPDX-License-Identifier: BSD-3-Clause
 * Observers of a call on several nodes: counters of links and NICs, hazards on each node. */
#include "algos/catalogue.h"
#include "algos/step/coll.h"
#include "algos/step/step.h"
#include "sim/base/pack.h"
#include "sim/base/network/network_reader.h"
#include "traces/utilisation.h"
#include "validate/lab/ledger/ledger_call.h"
#include "tests/bed.h"
#include "tests/net_bed.h"
#include "tests/suite.h"

static struct bed bed;

/* A counter to look for. */
struct wanted {
  const char *where, *counter;
  double value; /* of the counter */
  unsigned found;
};

static void look(void *context, const struct utilisation_row *row) {
  struct wanted *wanted = context;
  if (strcmp(row->where, wanted->where) == 0 && strcmp(row->counter, wanted->counter) == 0) {
    wanted->value = row->value;
    wanted->found++;
  }
}

/* Make the call NAME of NRANKS with NBYTES, watched by OBSERVERS.
 * owner: the caller, with pack_fini. */
static struct pack make(const char *name, unsigned nranks, size_t nbytes, unsigned observers) {
  struct err err = {""};
  struct rig_spec spec = {.nranks = nranks, .nbytes = nbytes, .nrepeats = 1, .seed = 1, .type = TYPE_FLOAT64};
  struct call_made made;
  ck_assert_msg(catalogue_find(name, &spec.call, &err) == 0, "%s", err.text);
  spec.profile = rig_profile(bed.platform, NULL, catalogue_source(&spec.call), &err);
  const struct call_point point = {bed.blade, spec, observers, 0};
  ck_assert_int_eq(call_make(&point, &made), 0);
  outcome_fini(&made.outcome);
  ck_assert_int_eq(made.result.end, CALL_OK);
  return made.pack;
}

/* Return COUNTER of WHERE in the call of PACK, which has the counter once; *CYCLES becomes the cycles at the
 * base of shares. */
static double counter_of(const struct pack *pack, const char *where, const char *counter, double *cycles) {
  struct pack copy = *pack;
  struct wanted wanted = {where, counter, -1, 0};
  struct call_result result = call_unpack(&copy);
  *cycles = call_list_utilisation(&result.utilisation, look, &wanted);
  ck_assert_msg(wanted.found == 1, "%s of %s: found %u times", counter, where, wanted.found);
  return wanted.value;
}

/* Return COUNTER likewise, or 0 if there is no such counter. */
static double counter_or_none(const struct pack *pack, const char *where, const char *counter) {
  struct pack copy = *pack;
  struct wanted wanted = {where, counter, 0, 0};
  struct call_result result = call_unpack(&copy);
  call_list_utilisation(&result.utilisation, look, &wanted);
  return wanted.value;
}

TESTS(nodes_watched, .start = net_bed_start);

/* The root's node sends 3000 bytes to two other nodes one after the other, in three packets each with a
 * header of 90 bytes: 6540 bytes. A byte takes 3.2 / 0.125 = 25.6 cycles. Each packet is acknowledged with a
 * header. The two messages leave 8 us (25600 cycles) apart, while the first three packets take 83712 cycles.
 * The last packet, of 104 + 90 bytes, finds ahead of it the unsent part of the 6346 bytes of the others: all
 * but 25600 / 25.6 = 1000 bytes. */
TEST(links_and_NICs_count_packets_with_headers_busy_time_and_queues) {
  double cycles;
  bed = bed_new("blades");
  struct pack pack = make("bcast:hierarchical", 34, 3000, CALL_UTILISATION);
  ck_assert_double_eq(counter_of(&pack, "network", "messages", &cycles), 2);
  ck_assert_double_eq(counter_of(&pack, "network", "bytes", &cycles), 6000);
  ck_assert_double_eq(counter_of(&pack, "network", "packets", &cycles), 6 + 6);
  ck_assert_double_eq(counter_of(&pack, "network", "drops", &cycles), 0);
  ck_assert_double_eq(counter_of(&pack, "link n0-up", "packets", &cycles), 6);
  ck_assert_double_eq(counter_of(&pack, "link n0-up", "bytes", &cycles), 6540);
  ck_assert_double_eq_tol(counter_of(&pack, "link n0-up", "busy", &cycles), 100 * 6540 * 25.6 / cycles, 0.01);
  ck_assert_double_eq_tol(counter_of(&pack, "link n0-up", "longest-queue", &cycles), 6346 - 1000, 2);
  ck_assert_double_eq(counter_of(&pack, "link n1-down", "bytes", &cycles), 3270);
  ck_assert_double_eq(counter_of(&pack, "link n2-up", "bytes", &cycles), 3 * 90);
  ck_assert_double_eq(counter_of(&pack, "nic n0", "messages-sent", &cycles), 2);
  ck_assert_double_eq(counter_of(&pack, "nic n1", "bytes-received", &cycles), 3000);
  ck_assert_double_eq(counter_of(&pack, "nic n0", "packets-sent", &cycles), 6);
  pack_fini(&pack);
  bed_fini(&bed);
}

/* Two nodes send 16 KiB to the root's at a time, and the port to the root's node has room for 8 KiB only:
 * packets are lost there, and at no other port. Retransmissions are counted at the sender, and in the whole
 * network. */
TEST(counters_of_TCP_say_what_was_lost_and_sent_again) {
  double cycles;
  bed = bed_new_with("blades", "network.buffer=8");
  struct pack pack = make("reduce:hierarchical", 48, 16384, CALL_UTILISATION), copy = pack;
  double again = counter_of(&pack, "network", "retransmissions", &cycles);
  ck_assert_double_gt(counter_of(&pack, "network", "drops", &cycles), 0);
  ck_assert_double_eq(counter_of(&pack, "link n0-down", "drops", &cycles),
                      counter_of(&pack, "network", "drops", &cycles));
  ck_assert_double_eq(counter_of(&pack, "nic n1", "retransmissions", &cycles) +
                        counter_of(&pack, "nic n2", "retransmissions", &cycles),
                      again);
  ck_assert_double_eq((double)call_unpack(&copy).net_retransmissions, again);
  pack_fini(&pack);
  bed_fini(&bed);
}

/* A broadcast from a blade of two triblades: the blade gives the bytes to its host, the host to the other
 * host, and each host to its blades without the bytes. */
TEST(messages_inside_a_triblade_pass_PCIe_links_only) {
  double cycles;
  bed = bed_new("roadrunner");
  struct pack pack = make("bcast:hierarchical", 64, 1000, CALL_UTILISATION);
  static const char *const links[2][4] = {
    {"pcie node0-pcie-up", "pcie node1-pcie-up", "pcie node2-pcie-up", "pcie node3-pcie-up"},
    {"pcie node0-pcie-down", "pcie node1-pcie-down", "pcie node2-pcie-down", "pcie node3-pcie-down"}};
  double up = 0, down = 0;
  for (unsigned i = 0; i < 4; i++) {
    up += counter_or_none(&pack, links[0][i], "bytes");
    down += counter_or_none(&pack, links[1][i], "bytes");
  }
  ck_assert_double_eq(up, 1000);
  ck_assert_double_eq(down, 3 * 1000);
  ck_assert_double_eq(counter_of(&pack, "network", "messages", &cycles), 1);
  pack_fini(&pack);
  bed_fini(&bed);
}

/* Nodes with the same work have the same counters, and no part of a blade has more than a blade alone can
 * have. */
TEST(counters_of_nodes_are_told_apart) {
  static const char *const parts[2][3] = {
    {"node 0 chip 0 ring 0", "node 0 chip 0 command bus", "node 0 chip 0 SPE0 MFC"},
    {"node 1 chip 0 ring 0", "node 1 chip 0 command bus", "node 1 chip 0 SPE0 MFC"}};
  bed = bed_new("blades");
  struct pack pack = make("barrier:hierarchical:ack=after", 32, 0, CALL_UTILISATION);
  for (size_t i = 0; i < 3; i++) {
    double bytes = counter_or_none(&pack, parts[0][i], "bytes");
    ck_assert_double_eq(bytes, counter_or_none(&pack, parts[1][i], "bytes"));
    ck_assert_double_gt(bytes, 0);
  }
  ck_assert_double_eq(counter_or_none(&pack, "node 2 chip 0 command bus", "bytes"), 0);
  pack_fini(&pack);
  bed_fini(&bed);
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
  mfc_write_tag_mask(1U << 3);
  mfc_read_tag_status_all();
  step_notify_more(c, c->root);
}

static const struct algo twice = {
  .collective = COLL_BCAST, .name = "twice", .source = "ali2010", .idea = "racy", .run = fetch_twice};

/* Of 16 ranks on node 0 all but the root do so, of two on node 1 one: 16 hazards. */
TEST(detectors_watch_every_node) {
  struct err err = {""};
  bed = bed_new("blades");
  ck_assert_int_eq(catalogue_add(&twice, 1, &err), 0);
  static const char *const sound[] = {"barrier:hierarchical", "bcast:hierarchical", "allreduce:hierarchical"};
  for (size_t i = 0; i < 3; i++) {
    struct pack pack = make(sound[i], 33, i == 0 ? 0 : 1024, CALL_HAZARDS), copy = pack;
    ck_assert_uint_eq(call_unpack(&copy).nhazards, 0);
    pack_fini(&pack);
  }
  struct pack pack = make("bcast:hierarchical:release=twice", 18, 1024, CALL_HAZARDS), copy = pack;
  struct call_result result = call_unpack(&copy);
  ck_assert_uint_eq(result.nhazards, 16);
  ck_assert_ptr_eq(strstr(pack_take_text(&result.hazards), "node 1"), NULL);
  const char *last = "";
  for (unsigned i = 1; i < 16; i++) {
    last = pack_take_text(&result.hazards);
  }
  ck_assert_msg(strncmp(last, "node 1: ", 8) == 0, "%s", last);
  pack_fini(&pack);
  bed_fini(&bed);
}
