/* SPDX-License-Identifier: BSD-3-Clause
 * Hierarchical collectives that are broken on purpose, on four blades: `check` must notice each of them, and
 * what it says must name the node, and the rank by its number in the whole call. Beside them stand the sound
 * ones. */
#include "algos/catalogue.h"
#include "algos/cluster/handover.h"
#include "algos/cluster/outer.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "sim/spu/ppe_api.h"
#include "tests/bed.h"
#include "validate/lab/check/check.h"

enum { CODE = 0x1000, STRAY = 17 /* the second rank of node 1 */, WORK = 100000 };

static struct check machine;

static void start(void) {
  bed_start();
  bed_use("blades", "network.transport=lossless");
  check_open(&machine, bed.machine);
}

static void stop(void) {
  check_close(&machine);
  bed_end();
}

/* --- flaws: programs that differ in one thing from those of the catalogue, which they run for the rest
 * --- */

static struct algo sound; /* what a flaw was made of */

static bool is_stray(const struct coll *c) {
  return group_name(c->group, c->rank) == STRAY;
}

static void put_into_code(struct coll *c) {
  if (is_stray(c)) {
    step_store(c, c->buffer, spu_ls_ea(c->group->spe_of[0], CODE), 16);
  }
  sound.run(c);
}

static void put_behind_flags(struct coll *c) {
  const struct cluster_call *cluster = c->group->cluster;
  if (is_stray(c)) {
    step_store(c, c->buffer, cluster->flags_ea + cluster_call_flags(c->group), 16);
  }
  sound.run(c);
}

static void put_into_arrays_of_a_part(struct coll *c) {
  if (is_stray(c)) {
    step_store(c, c->buffer,
               spu_ls_ea(c->group->spe_of[0], c->group->cluster->parts[CLUSTER_INNER].group.ls_base), 16);
  }
  sound.run(c);
}

static void forget_to_tell(struct coll *c) {
  if (!is_stray(c)) {
    sound.run(c);
  }
}

/* Gather with by=each: does not wait for the PPE to have sent the blocks of the call before, and has one
 * place for them. */
static void overwrite(struct coll *c) {
  const struct cluster_place *place = &c->group->cluster->place;
  c->group->cluster->turn_bytes = 0;
  handover_give_blocks(c, true);
  if (c->rank == c->root && cluster_place_is_root(place)) {
    handover_await(c);
    handover_get_all(c);
  }
}

static void only_answer(const struct coll_group *group) {
  handover_hear(group, true);
  outer_gather(group, OUTER_GATHER_BINOMIAL);
  if (cluster_place_is_root(&group->cluster->place)) {
    handover_answer(group, false);
  }
  group->cluster->ncalls++;
}

/* Two places for the data of an all-to-all are one. */
static void one_place(struct coll *c) {
  c->group->cluster->turn_bytes = 0;
  sound.run(c);
}

static void send_before_it_hears(const struct coll_group *group) {
  outer_allgather(group, OUTER_GATHER_DOUBLING);
  handover_hear(group, false);
  handover_answer(group, false);
  group->cluster->ncalls++;
}

static void swap_rounds(const struct coll_group *group) {
  handover_hear(group, true);
  outer_alltoall(group, OUTER_PAIRWISE);
  unsigned node = group->cluster->place.node, nodes = group->cluster->place.nodes;
  outer_wait(group, (node + 1) % nodes, 0, 8);
  handover_answer(group, true);
  group->cluster->ncalls++;
}

static void send_too_much(const struct coll_group *group) {
  unsigned node = group->cluster->place.node, nodes = group->cluster->place.nodes;
  handover_hear(group, false);
  outer_put(group, (node + 1) % nodes, 0, 32);
  outer_wait(group, (node + nodes - 1) % nodes, 0, 16);
  handover_answer(group, false);
  group->cluster->ncalls++;
}

/* What comes from another node is put behind the room for it; what is sent is read from there. */
static void take_behind_room(const struct coll_group *group) {
  unsigned node = group->cluster->place.node, nodes = group->cluster->place.nodes;
  handover_hear(group, false);
  outer_put(group, (node + 1) % nodes, 0, 16);
  outer_receive(group, (node + nodes - 1) % nodes, cluster_call_data(group), 16);
  handover_answer(group, false);
  group->cluster->ncalls++;
}

static void send_from_behind(const struct coll_group *group) {
  const struct cluster_call *cluster = group->cluster;
  unsigned node = cluster->place.node, nodes = cluster->place.nodes;
  handover_hear(group, false);
  net_put(cluster->place.machines[(node + 1) % nodes], cluster->work_ea + cluster_call_data(group), 16);
  outer_receive(group, (node + nodes - 1) % nodes, 0, 16);
  handover_answer(group, false);
  group->cluster->ncalls++;
}

/* A PPE learns from a variable of C, which no machine has, that the other PPEs are here, and is in time. */
static void meet_by_variable(const struct coll_group *group) {
  static volatile unsigned arrived;
  unsigned nodes = group->cluster->place.nodes, goal;
  handover_hear(group, true);
  goal = (arrived++ / nodes + 1) * nodes;
  while (arrived < goal) {
    ppe_compute(WORK);
  }
  ppe_compute(WORK);
  handover_answer(group, false);
  group->cluster->ncalls++;
}

static const struct flaw {
  const char *name; /* of what it is made of */
  void (*run)(struct coll *c);
  void (*ppe)(const struct coll_group *group);
  unsigned repeat;
  uint64_t skew;
  const char *said[2]; /* in the verdict; none: it is sound */
} flaws[] = {
  {.name = "gather:hierarchical", .repeat = 2},
  {.name = "gather:hierarchical:by=each", .repeat = 6, .skew = 60000},
  {.name = "alltoall:hierarchical", .repeat = 6, .skew = 60000},
  {.name = "gather:hierarchical",
   .run = put_into_code,
   .said = {"forbidden: node 1: a put of rank 17 on SPE 1 ", "0x1000 of SPE 0 (code and stack of rank 16)"}},
  {.name = "gather:hierarchical",
   .run = put_behind_flags,
   .said = {"forbidden: node 1: a put of rank 17 on SPE 1 ", "(main memory outside of all buffers)"}},
  {.name = "gather:hierarchical",
   .run = put_into_arrays_of_a_part,
   .said = {"forbidden: node 1: a put of rank 17 on SPE 1 ", "(the notification arrays of rank 16)"}},
  {.name = "scatter:hierarchical:by=each",
   .run = forget_to_tell,
   .said = {"node 1: PPE 0 waits for 1 from rank 17 in main memory at 0x", "which holds 0"}},
  {.name = "gather:hierarchical:by=each",
   .run = overwrite,
   .ppe = only_answer,
   .repeat = 6,
   .skew = 60000,
   .said = {"of the block from rank "}},
  {.name = "alltoall:hierarchical",
   .run = one_place,
   .repeat = 6,
   .skew = 60000,
   .said = {"of the block from rank "}},
  {.name = "allgather:hierarchical", .ppe = send_before_it_hears, .said = {"of the block from rank "}},
  {.name = "alltoall:hierarchical",
   .ppe = swap_rounds,
   .said = {"deadlock: ", "node 2: PPE 0 waits for a message from node 3"}},
  {.name = "gather:hierarchical",
   .ppe = send_too_much,
   .said = {"node 0: PPE 0", "message of 32 bytes from node 3; expected 16"}},
  {.name = "gather:hierarchical",
   .ppe = take_behind_room,
   .said = {"forbidden: node 0: the program PPE 0 (cycle ", "writes 16 bytes at main memory 0x"}},
  {.name = "gather:hierarchical",
   .ppe = send_from_behind,
   .said = {"forbidden: node 0: the program PPE 0 (cycle ", "reads 16 bytes at main memory 0x"}},
  {.name = "barrier:hierarchical:ack=entry",
   .ppe = meet_by_variable,
   .repeat = 2,
   .said = {"hazard: node 0: rank ", " tells that rank 16 has entered"}},
};

TESTS(broken_nodes, .start = start, .stop = stop);

TEST_EACH(each_flaw_is_found_and_its_node_named, 0, sizeof flaws / sizeof *flaws) {
  const struct flaw *flaw = &flaws[_i];
  struct call call = {.nranks = 64, .nbytes = 48, .seed = 5, .skew = flaw->skew, .skew_seed = 5};
  SUCCEEDS(catalogue_find(flaw->name, &call.algorithm, &failure));
  call.repeat = flaw->repeat ? flaw->repeat : 1;
  call.profile = bed_profile();
  sound = *call.algorithm.algo;
  struct algo broken = sound;
  broken.run = flaw->run ? flaw->run : sound.run;
  broken.ppe = flaw->ppe ? flaw->ppe : sound.ppe;
  call.algorithm.algo = &broken;
  struct check_result result = check_run(&machine, &call);
  ck_assert_msg(result.verdict == (flaw->said[0] ? CHECK_FAIL : CHECK_PASS), "verdict %u: %s",
                (unsigned)result.verdict, result.detail ? result.detail : "");
  for (unsigned i = 0; i < 2 && flaw->said[i]; i++) {
    ck_assert_msg(strstr(result.detail, flaw->said[i]), "%s; expected '%s'", result.detail, flaw->said[i]);
  }
  check_result_fini(&result);
}
