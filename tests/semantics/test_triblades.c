/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives over triblades, with hosts that talk to the network for their blades: bytes, messages, costs of
 * links and processors of hosts, and waits. */
#include "tests/call_bed.h"

#define TABLE_SIZE(table) (int)(sizeof(table) / sizeof *(table))

#define ON_SWITCH "network.topology=switch node.count=4 "

static void set_up(void) {
  bed_start();
  bed_use("roadrunner", ON_SWITCH);
}

/* --- bytes --- */

static const char *const all[] = {"barrier:hierarchical",
                                  "barrier:hierarchical:outer=recursive-doubling:ack=after",
                                  "bcast:hierarchical",
                                  "bcast:hierarchical:outer=chain",
                                  "bcast:hierarchical:outer=scatter-allgather",
                                  "reduce:hierarchical",
                                  "allreduce:hierarchical",
                                  "allreduce:hierarchical:outer=halving-doubling",
                                  "gather:hierarchical",
                                  "gather:hierarchical:by=each:outer=sequential",
                                  "scatter:hierarchical",
                                  "scatter:hierarchical:by=each:outer=sequential",
                                  "allgather:hierarchical",
                                  "allgather:hierarchical:outer=ring",
                                  "alltoall:hierarchical",
                                  "alltoall:hierarchical:outer=direct"};

TESTS(triblades, .start = set_up, .stop = bed_end);

/* Two blades of one host; hosts with one and two blades, full and not. */
TEST_EACH(ranks_behind_hosts_have_the_right_bytes, 0, BED_SANITIZED ? 2 : TABLE_SIZE(all)) {
  static const struct call_bed_shape shapes[] = {
    {3, 2, 12, 0, 0}, {32, 17, 400, 0, 0}, {45, 40, 4, 0, 0}, {113, 64, 100, 0, 0}, {0, 0, 0, 0, 0}};
  call_bed_check_shapes(all[_i], shapes, 100000);
}

TESTS(triblades, .start = bed_start, .stop = bed_end);

TEST_EACH(hosts_with_three_blades_do_as_well, 0, TABLE_SIZE(all)) {
  bed_use("roadrunner", ON_SWITCH "node.blades=3");
  call_bed_check_shapes(all[_i], (const struct call_bed_shape[]){{100, 70, 20, 0, 0}, {0, 0, 0, 0, 0}}, 0);
}

/* --- messages --- */

TESTS(triblades, .start = set_up, .stop = bed_end);

/* On N = 4 hosts of two blades: a tree has N - 1 messages, recursive doubling N in each of log2 N rounds, an
 * exchange one from each host to each other host. The two blades behind each host change no count. */
TEST(only_hosts_send_messages_through_the_network) {
  static const struct {
    const char *name;
    uint64_t messages, bytes;
  } cases[] = {{"barrier:hierarchical", 8, 0},
               {"bcast:hierarchical", 3, 3 * 64},
               {"reduce:hierarchical", 3, 3 * 64},
               {"allreduce:hierarchical", 8, 8 * 64},
               {"gather:hierarchical", 3, 4 * 32 * 64},
               {"scatter:hierarchical", 3, 4 * 32 * 64},
               {"alltoall:hierarchical", 12, 12 * 32 * 32 * 64}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct call call = call_bed_call(cases[i].name, 128, cases[i].bytes ? 64 : 0);
    struct outcome outcome = call_bed_run(&call);
    ck_assert_msg(outcome.net_messages == cases[i].messages, "%s: %llu messages", cases[i].name,
                  (unsigned long long)outcome.net_messages);
    ck_assert_msg(outcome.net_bytes == cases[i].bytes, "%s: %llu bytes", cases[i].name,
                  (unsigned long long)outcome.net_bytes);
  }
}

/* --- time --- */

enum { US = 3200 }; /* cycles */

/* Parameters, and the additional cycles of a call with HIGH instead of LOW.
 *
 * 2 us more on the link of a blade, passed by a barrier up and down; on the link of a host (a message passes
 * two such links), in each of two rounds; in the work of sending or receiving in each round. With 2 hosts a
 * host combines the vector of its second blade and the vector of the other host: 2 times 4000 bytes at 1000
 * or 500 MB/s. Bytes of a broadcast pass as a whole the link of the root's blade and, behind the links of
 * hosts, the link of another blade: 8000 bytes at 2 or 1 GB/s. */
static const struct {
  const char *key, *low, *high, *name;
  unsigned nranks;
  size_t nbytes;
  double cycles;
} slower[] = {{"pcie.latency", "3", "5", "barrier:hierarchical", 128, 0, 2 * 2 * US},
              {"network.latency", "1", "3", "barrier:hierarchical", 128, 0, 2 * 2 * 2 * US},
              {"nic.send", "1", "3", "barrier:hierarchical", 128, 0, 2 * 2 * US},
              {"nic.receive", "1", "3", "barrier:hierarchical", 128, 0, 2 * 2 * US},
              {"host.combine", "1000", "500", "allreduce:hierarchical", 64, 4000, 2 * 4 * US},
              {"pcie.bandwidth", "2", "1", "bcast:hierarchical", 64, 8000, 2 * 4 * US}};

TESTS(triblades, .start = bed_start, .stop = bed_end);

TEST_EACH(links_and_processors_of_blades_and_hosts_are_used_in_turn, 0, TABLE_SIZE(slower)) {
  double found[2];
  for (int i = 0; i < 2; i++) {
    char settings[96];
    snprintf(settings, sizeof settings, ON_SWITCH "%s=%s", slower[_i].key,
             i ? slower[_i].high : slower[_i].low);
    bed_use("roadrunner", settings);
    struct call call = call_bed_call(slower[_i].name, slower[_i].nranks, slower[_i].nbytes);
    found[i] = call_bed_cycles(&call);
  }
  ck_assert_double_eq_tol(found[1] - found[0], slower[_i].cycles, 2); /* whole cycles of two links */
}

/* --- messages of programs of one's own --- */

enum { SENT = 12000 /* bytes: 10 us at 1.2 GB/s */ };

/* A program of a PPE: a sender to node PEER, or a receiver of a message from there. */
struct end {
  unsigned node, peer;
  bool sends;
  uint64_t ea, told;
};

static void send_or_wait(void *argument) {
  struct end *end = argument;
  (end->sends ? net_put : net_wait)(end->peer, end->ea, SENT);
  end->told = ppe_cycles();
}

/* Let node 0 send to node TO, and node RECEIVER wait for a message from node 0. RESULT becomes the result of
 * the run.
 * returns: the cycle at which the receiver has the message. */
static uint64_t send_one(unsigned to, unsigned receiver, struct blade_result *result) {
  struct machine *machine = machine_of_nodes(bed.platform, 4, 0, &failure);
  ck_assert_msg(machine, "%s", failure.text);
  struct end ends[2] = {{.node = 0, .peer = to, .sends = true}, {.node = receiver, .peer = 0}};
  struct machine_program programs[2];
  machine_reset(machine, NULL);
  for (int i = 0; i < 2; i++) {
    ends[i].ea = blade_allocate(machine_blade(machine, ends[i].node), 0, SENT);
    programs[i] = (struct machine_program){.main = send_or_wait, .argument = &ends[i], .name = "PPE 0"};
    machine_start(machine, (struct place){.kind = PLACE_PPE, .node = ends[i].node}, &programs[i]);
  }
  *result = machine_run(machine);
  machine_free(machine);
  return ends[1].told;
}

TESTS(triblades, .start = set_up, .stop = bed_end);

/* A host relays between its blades: two links of 3.19 us and 1.2 GB/s. To a blade of another host the message
 * passes NICs and links of hosts as well, longer than sending, receiving and two delays. */
TEST(hosts_relay_messages_between_ppes) {
  struct blade_result result;
  uint64_t inside = send_one(1, 1, &result), across;
  blade_result_fini(&result);
  across = send_one(2, 2, &result);
  blade_result_fini(&result);
  ck_assert_double_eq_tol((double)inside, 2 * (3.19 + 10) * US,
                          SENT / 1000); /* a byte: whole thousandths of a cycle */
  ck_assert_double_gt((double)across, (double)inside + (bed.platform->nic.send + bed.platform->nic.receive +
                                                        2 * bed.platform->network.latency) *
                                                         US);
}

/* Machines 4 and 5 are the hosts of nodes 0 and 1, and of 2 and 3. */
TEST(a_ppe_reaches_no_host_but_its_own) {
  struct blade_result result;
  send_one(5, 1, &result);
  ck_assert_ptr_nonnull(result.faults);
  ck_assert_msg(strstr(result.faults, "node 0: PPE 0") && strstr(result.faults, "node 5 from node 0 of 4"),
                "%s", result.faults);
  blade_result_fini(&result);
}

/* --- waits --- */

/* Rank 17 stops, so that the rank's node gives nothing to its host, and the other host waits for this
 * host. */
TEST(a_deadlock_tells_of_nodes_and_hosts) {
  static const char *const waits[] = {"node 0: PPE 0 waits for a message from host 0 since cycle",
                                      "\nhost 0 waits for a message from node 1 since cycle",
                                      "\nhost 1 waits for a message from host 0 since cycle", NULL};
  struct call call = call_bed_call("barrier:hierarchical", 64, 0);
  call_bed_check_deadlock(&call, "node 1: rank 17", waits);
}
