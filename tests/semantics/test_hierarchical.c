/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives over the SPEs of several blades: bytes, barriers, exact blades, refused calls. */
#include "algos/cluster/cluster_call.h"
#include "algos/step/coll.h"
#include "tests/call_bed.h"

static void set_up(void) {
  bed_start();
  bed_use("blades", "network.transport=lossless");
}

/* Return the call of NAME on NRANKS ranks with NBYTES. */
static struct call spec_of(const char *name, unsigned nranks, size_t nbytes) {
  struct call call = call_bed_call(name, nranks, nbytes);
  call.type = TYPE_FLOAT64;
  return call;
}

static const char *const barriers[] = {
  "barrier:hierarchical", "barrier:hierarchical:outer=recursive-doubling:release=one-to-all",
  "barrier:hierarchical:ack=after:inner=bruck", "barrier:hierarchical:inner=tree"};

#define TABLE_SIZE(table) (int)(sizeof(table) / sizeof *(table))

TESTS(hierarchical, .start = set_up, .stop = bed_end);

TEST_EACH(nobody_leaves_a_barrier_of_several_nodes_before_the_last_one_has_entered, 0, TABLE_SIZE(barriers)) {
  static const unsigned ranks[] = {1, 16, 17, 33, 64};
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
    struct call call = spec_of(barriers[_i], ranks[i], 0);
    call.repeat = ranks[i] < 64 ? 2 : 1;
    call_bed_cycles(&call);
  }
}

static const char *const bcasts[] = {"bcast:hierarchical",
                                     "bcast:hierarchical:outer=chain:release=binomial-simple",
                                     "bcast:hierarchical:outer=scatter-allgather:release=one-to-all"};

TEST_EACH(all_ranks_of_all_nodes_have_the_bytes_of_the_root_after_every_call, 0, TABLE_SIZE(bcasts)) {
  static const struct call_bed_shape shapes[] = {{3, 2, 5, 0, 0},     {32, 0, 1, 0, 0},
                                                 {33, 32, 100, 0, 0}, {48, 21, 20000, 0, 0},
                                                 {64, 63, 777, 0, 0}, {0, 0, 0, 0, 0}};
  call_bed_check_shapes(bcasts[_i], shapes, 100000);
}

static const char *const reductions[] = {
  "reduce:hierarchical", "reduce:hierarchical:inner=tree", "allreduce:hierarchical",
  "allreduce:hierarchical:outer=halving-doubling:inner=all-to-one", "allreduce:hierarchical:release=tree"};

TEST_EACH(reductions_over_several_nodes_combine_the_elements_of_all_ranks, 0, TABLE_SIZE(reductions)) {
  static const struct call_bed_shape shapes[] = {
    {5, 4, 8, OP_SUM, TYPE_FLOAT64},     {32, 17, 2048, OP_SUM, TYPE_FLOAT32},
    {48, 0, 1000, OP_MAX, TYPE_FLOAT64}, {33, 32, 16, OP_BXOR, TYPE_INT32},
    {64, 20, 1536, OP_PROD, TYPE_INT32}, {0, 0, 0, 0, 0}};
  call_bed_check_shapes(reductions[_i], shapes, 200000);
}

static const char *const blocks[] = {"gather:hierarchical",
                                     "gather:hierarchical:by=each",
                                     "gather:hierarchical:outer=sequential:inner=binomial+ports=3",
                                     "scatter:hierarchical",
                                     "scatter:hierarchical:by=each",
                                     "scatter:hierarchical:outer=sequential:inner=sequential",
                                     "allgather:hierarchical",
                                     "allgather:hierarchical:by=each:release=one-to-all",
                                     "allgather:hierarchical:outer=ring",
                                     "alltoall:hierarchical",
                                     "alltoall:hierarchical:outer=direct"};

/* One node and three, unequal ones, a block of a part of a quadword. With late ranks the early ranks of a
 * call are in the next call while others still read the data of this call. */
TEST_EACH(each_rank_has_its_blocks_from_the_ranks_of_all_nodes, 0, TABLE_SIZE(blocks)) {
  static const struct call_bed_shape shapes[] = {{5, 4, 20, 0, 0},    {32, 0, 0, 0, 0},    {37, 33, 1, 0, 0},
                                                 {47, 20, 100, 0, 0}, {64, 63, 512, 0, 0}, {0, 0, 0, 0, 0}};
  call_bed_check_shapes(blocks[_i], shapes, 100000);
}

/* Messages between N nodes: a tree has N - 1; recursive doubling on 4 nodes 4 in each of 2 rounds, an
 * exchange one from each node to each other node. A gather up a tree from node 1 on moves the blocks of nodes
 * 3 and 0 together, although these blocks do not follow each other. */
TEST(blocks_for_a_node_go_in_one_message) {
  static const struct {
    const char *name;
    unsigned root;
    uint64_t messages;
  } cases[] = {{"gather:hierarchical", 0, 3},
               {"gather:hierarchical", 16, 4},
               {"scatter:hierarchical:outer=sequential", 40, 3},
               {"allgather:hierarchical", 0, 8},
               {"allgather:hierarchical:outer=ring", 0, 12},
               {"alltoall:hierarchical", 0, 12}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct call call = spec_of(cases[i].name, 64, 16);
    call.root = cases[i].root;
    struct outcome outcome = call_bed_run(&call);
    ck_assert_msg(outcome.net_messages == cases[i].messages, "%s: %llu messages", cases[i].name,
                  (unsigned long long)outcome.net_messages);
  }
}

/* A blade among others takes the same cycles as alone: with ack=after the node does only the barrier before
 * the barrier's end. */
TEST(the_inner_barrier_takes_the_cycles_of_a_blade_alone) {
  bed_use("qs22", "");
  struct call call = spec_of("barrier:recursive-doubling", 16, 0);
  double cycles = call_bed_cycles(&call);
  struct rig rig;
  bed_use("blades", "network.transport=lossless");
  call = spec_of("barrier:hierarchical:ack=after", 64, 0);
  struct machine *machine = call_bed_rig(&rig, &call);
  struct blade_result result = rig_run(&rig);
  ck_assert(!result.faults && !result.stuck);
  for (unsigned i = 0; i < 4; i++) {
    const struct cluster_times *times = rig.parts[i].group->cluster->parts[CLUSTER_INNER].times;
    uint64_t begin = 0, end = 0;
    for (unsigned r = 0; r < 16; r++) {
      begin = times[r].begin > begin ? times[r].begin : begin;
      end = times[r].end > end ? times[r].end : end;
    }
    ck_assert_uint_eq(end - begin, (uint64_t)cycles);
  }
  blade_result_fini(&result);
  rig_fini(&rig);
  machine_free(machine);
}

/* Rank 17 stops, so the rank's node sends no message. */
TEST(a_deadlock_tells_of_node_and_rank) {
  static const char *const waits[] = {"node 0: PPE 0 waits for a message from node 1 since cycle",
                                      "node 1: rank 16 waits for flag 1 from rank 17 ", NULL};
  struct call call = spec_of("barrier:hierarchical", 32, 0);
  call_bed_check_deadlock(&call, "node 1: rank 17", waits);
}

static const struct {
  const char *name;
  unsigned nranks;
  size_t nbytes;
  const char *platform, *why;
} refused[] = {
  {"barrier:hierarchical", 16, 0, "qs22",
   "barrier:hierarchical: platform qs22 is one node, expected several"},
  {"barrier:hierarchical", 65, 0, "blades", "65 ranks on platform blades, expected 1 to 64, one per SPE"},
  {"barrier:bruck", 64, 0, "blades",
   "barrier:bruck: 64 ranks on several nodes, expected at most the 16 of one: an SPE reaches only its own "
   "blade "
   "(barrier:hierarchical)"},
  {"bcast:hierarchical:release=segmented-binomial", 44, 64, "blades",
   "bcast:hierarchical:release=segmented-binomial: node 2: release=segmented-binomial: 12 ranks, expected a "
   "power "
   "of two"},
  {"gather:hierarchical:by=each:inner=binomial+ports=2", 32, 16, "blades",
   "gather:hierarchical:inner=binomial+ports=2:by=each: node 0: inner with by=each, which has no inner part, "
   "expected by=leader"},
  {"allgather:hierarchical", 64, 4096, "blades", "allgather:hierarchical: node 0: 4096 bytes need"},
  {"gather:hierarchical", 64, 80 << 20, "blades", "gather:hierarchical: node 0: 83886080 bytes need"},
  {"bcast:hierarchical", 32, 300000, "blades", "bcast:hierarchical: node 0: 300000 bytes need"},
};

TEST_EACH(what_cannot_run_on_the_nodes_is_refused_with_the_reason, 0, TABLE_SIZE(refused)) {
  bed_use(refused[_i].platform, "");
  struct call call = spec_of(refused[_i].name, refused[_i].nranks, refused[_i].nbytes);
  struct outcome outcome;
  struct err err = {""};
  ck_assert_int_eq(call_run(bed.machine, &call, &outcome, &err), -1);
  ck_assert_msg(strncmp(err.text, refused[_i].why, strlen(refused[_i].why)) == 0, "%s", err.text);
}

static const struct {
  const char *name, *why;
} misnamed[] = {
  {"barrier:hierarchical:inner=brick", "inner=brick in an algorithm name: unknown algorithm 'barrier:brick'; "
                                       "did you mean 'barrier:bruck'? --plugin FILE.so adds others"},
  {"barrier:hierarchical:inner=hierarchical",
   "inner=hierarchical in an algorithm name: barrier:hierarchical is one of several nodes itself"},
  {"barrier:hierarchical:inner=ppe-mailbox", "inner=ppe-mailbox in an algorithm name: barrier:ppe-mailbox "
                                             "needs the PPE, which talks to the other nodes"},
  {"bcast:hierarchical:release=mm-tree",
   "release=mm-tree in an algorithm name: bcast:mm-tree has its data in main memory, not in local stores"},
};

TEST_EACH(parts_that_cannot_be_are_refused_by_name, 0, TABLE_SIZE(misnamed)) {
  struct algorithm algorithm;
  FAILS(catalogue_find(misnamed[_i].name, &algorithm, &failure), misnamed[_i].why);
}

TEST(parameters_of_parts_come_after_a_plus_and_are_printed_back) {
  struct algorithm algorithm;
  char name[128];
  static const char whole[] = "barrier:hierarchical:inner=knomial+degree=3:ack=after";
  SUCCEEDS(catalogue_find(whole, &algorithm, &failure));
  catalogue_format(&algorithm, name, sizeof name);
  ck_assert_str_eq(name, whole);
  ck_assert_uint_eq(catalogue_inner(&algorithm, 0).values[0], 3);
  SUCCEEDS(catalogue_find("barrier:hierarchical:inner=recursive-doubling", &algorithm, &failure));
  catalogue_format(&algorithm, name, sizeof name);
  ck_assert_str_eq(name, "barrier:hierarchical");
}
