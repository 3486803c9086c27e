/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/rig/rig.h"

#include "algos/cluster/host_call.h"
#include "algos/schedule/workload/workload_run.h"
#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "algos/step/layout.h"
#include "sim/base/err.h"
#include "sim/base/minmax.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/rig/rig_group.h"

#include <stdio.h>
#include <stdlib.h>

enum { SPARE = 4096 /* bytes of memory behind a call: an empty array has an address, too */ };

/* The part of the call on a host of triblades. */
struct rig_host {
  struct coll_group group;
  struct machine_program program;
  char name[NODE_NAME_SIZE];
};

/* Check for ways between the nodes with ranks of CALL on MACHINE, if the network is from a file. */
static int check_ways(const struct machine *machine, const struct call *call, struct err *err) {
  const struct platform *platform = machine_platform(machine);
  if (!platform_has_network_file(platform)) {
    return 0;
  }
  if (rig_is_spread(call)) {
    struct rig_layout layout;
    rig_layout_init(&layout, platform, call);
    int status = machine_check_routes(machine, layout.nodes, layout.n, err);
    rig_layout_fini(&layout);
    return status;
  }
  SCOPED unsigned *processes = xcalloc(call->nranks, sizeof *processes);
  for (unsigned rank = 0; rank < call->nranks; rank++) {
    processes[rank] = rig_place(platform, call, rank);
  }
  return machine_check_routes(machine, processes, call->nranks, err);
}

struct machine *rig_machine(struct machine *machine, const struct call *call, struct err *err) {
  const struct platform *platform = machine_platform(machine);
  bool spread = rig_is_spread(call);
  if (platform_has_spes(platform) && !spread) {
    return machine;
  }
  struct machine *made = machine_of_nodes(
    platform, spread ? placement_nodes(&call->placement, platform, call->nranks) : 0, call->seed, err);
  if (made && check_ways(made, call, err) != 0) {
    machine_free(made);
    return NULL;
  }
  return made;
}

const struct rig_part *rig_part_of(const struct rig *rig, unsigned rank) {
  return &rig->parts[rig->layout ? rig->layout->part_of[rank] : 0];
}

/* Return where rank LOCAL of PART runs. */
static struct place place_of(const struct rig_part *part, unsigned local) {
  unsigned spe = part->group->spe_of[local];
  return part->blade ? (struct place){.kind = PLACE_SPE, .node = part->node, .number = spe}
                     : (struct place){.kind = PLACE_PROCESS, .node = spe};
}

/* --- memory --- */

/* Allot main memory of NODE of the machine of RIG to the call of GROUP on the node's PPE, or with OF_HOST on
 * a host of triblades.
 * returns: whether there is enough memory. */
static bool allot_to_ppe(const struct rig *rig, unsigned node, struct coll_group *group, bool of_host) {
  struct blade *blade = machine_blade(rig->machine, node);
  struct cluster_call *cluster = group->cluster;
  unsigned turns = of_host ? 1 : cluster_call_turns(group);
  cluster->flags_ea = of_host ? 1 : blade_allocate(blade, 0, cluster_call_flags(group));
  cluster->data_ea = blade_allocate(blade, 0, turns * cluster_call_data(group));
  cluster->work_ea = blade_allocate(blade, 0, cluster_call_data(group));
  return cluster->flags_ea && cluster->data_ea && cluster->work_ea;
}

/* Allot main memory to the ranks of PART, private and shared.
 * errors: not enough memory. */
static int allot_memory(const struct rig *rig, const struct rig_part *part, struct err *err) {
  struct coll_group *group = part->group;
  const struct algo *algo = group->call.algo;
  struct blade *blade = part->blade;
  struct workload_run *program = group->workload;
  size_t nbytes = program ? program->memory : layout_buffer_bytes(group) + CALL_MAP_GUARD;
  size_t in = layout_in_bytes(group);
  bool enough = true;
  for (unsigned r = 0; program && nbytes && enough && r < group->nranks; r++) {
    unsigned chip = blade_data_chip(blade, group->spe_of[r]);
    program->ranks[r].memory_ea = blade_allocate(blade, chip, nbytes);
    enough = program->ranks[r].memory_ea != 0;
  }
  for (unsigned r = 0; algo && algo->in_memory && enough && r < group->nranks; r++) {
    struct coll *c = rig->ranks[group_name(part->group, r)].c;
    unsigned chip = blade_data_chip(blade, group->spe_of[r]);
    c->buffer_ea = blade_allocate(blade, chip, nbytes);
    c->in_ea = in ? blade_allocate(blade, chip, in + CALL_MAP_GUARD) : c->buffer_ea;
    enough = c->buffer_ea && c->in_ea;
  }
  if (group->shared && enough) {
    group->shared_ea = blade_allocate(blade, 0, group->shared);
    enough = group->shared_ea != 0;
  }
  if (group->cluster && enough) {
    enough = allot_to_ppe(rig, part->node, group, false);
  }
  return enough ? 0
                : err_set(err, "%u times %zu bytes in main memory, which has no room for them", group->nranks,
                          nbytes);
}

/* --- one call --- */

/* Return the name of the program of rank NUMBER.
 * owner: nobody; the name lasts as long as the process. */
static const char *workload_name(unsigned number) {
  static const char **names;
  static unsigned n;
  const char **name = VEC_REACH(names, n, number);
  *name = *name ? *name : xasprintf("rank %u", number);
  return *name;
}

/* Set up PART of RIG, with its group, on the machine, after a reset. */
static int init_part(struct rig *rig, struct rig_part *part, struct err *err) {
  struct coll_group *group = part->group;
  part->blade = machine_blade(rig->machine, part->node);
  part->ppe = (struct machine_program){.argument = group, .name = "PPE 0"};
  if (group->call.algo && group->call.algo->ppe) {
    part->ppe.main = driver_ppe_main;
  }
  for (unsigned i = 0; i < group->nranks; i++) {
    unsigned rank = group_name(part->group, i);
    rig->ranks[rank] =
      (struct rig_rank){.c = driver_new(group, i),
                        .cycles = -1,
                        .machine_program = {.argument = &rig->ranks[rank], .name = workload_name(rank)}};
    if (part->blade) {
      spu_config_signal_or(part->blade, group->spe_of[i], 1);
    }
  }
  return part->blade ? allot_memory(rig, part, err) : 0;
}

/* Set up the call on the hosts of triblades of RIG, after the parts. */
static int init_hosts(struct rig *rig, struct err *err) {
  const struct cluster_hosts *hosts = &rig->layout->hosts;
  struct node_names names = machine_nodes(rig->machine).names;
  names.hosts = NULL; /* the program of a host is called by a number */
  rig->hosts = xcalloc(hosts->n, sizeof *rig->hosts);
  for (unsigned i = 0; i < hosts->n; i++) {
    struct rig_host *own = &rig->hosts[i];
    const struct coll_group *first = rig->parts[hosts->nodes[i]].group;
    own->group = *first;
    host_call_init(&own->group, &first->cluster->place);
    snprintf(own->name, sizeof own->name, "%s", node_name(&names, hosts->machines[i]));
    own->program =
      (struct machine_program){.main = host_call_main, .argument = &own->group, .name = own->name};
    if (!allot_to_ppe(rig, hosts->machines[i], &own->group, true)) {
      return err_set(err, "%zu bytes in the main memory of a host, which has no room for them",
                     2 * cluster_call_data(&own->group));
    }
  }
  return 0;
}

/* Let each rank of RIG enter each call as late as CALL says, partly by random cycles. */
static void set_delays(struct rig *rig, const struct call *call) {
  uint64_t state = call->skew_seed;
  const struct delay *next = call->delay.items, *end = next + call->delay.n;
  for (unsigned r = 0; r < call->nranks; r++) {
    uint64_t late = next < end && next->rank == r ? next++->cycles : 0;
    for (unsigned i = 0; i < call->repeat; i++) {
      driver_delay(rig->ranks[r].c, i, late + random_next(&state) % (call->skew + 1));
    }
  }
}

/* Describe CALL and the parts of the call. */
static void make_groups(struct rig *rig, const struct call *call) {
  const struct platform *platform = machine_platform(rig->machine);
  if (!rig_is_spread(call)) {
    rig->group = rig_group(platform, call);
    rig->nparts = 1;
    rig->parts = xcalloc(1, sizeof *rig->parts);
    rig->parts[0].group = &rig->group;
    return;
  }
  rig->layout = xcalloc(1, sizeof *rig->layout);
  rig_layout_init(rig->layout, platform, call);
  rig->group = rig_call(call);
  rig->nparts = rig->layout->n;
  rig->parts = xcalloc(rig->nparts, sizeof *rig->parts);
  for (unsigned i = 0; i < rig->nparts; i++) {
    rig->parts[i].node = rig->layout->nodes[i];
    rig->parts[i].group = xcalloc(1, sizeof *rig->parts[i].group);
    *rig->parts[i].group = rig_layout_group(rig->layout, platform, call, i);
  }
}

int rig_init(struct rig *rig, struct machine *machine, const struct call *call, struct err *err) {
  const struct platform *platform = machine_platform(machine);
  *rig = (struct rig){.machine = machine};
  if (!rig_is_spread(call) &&
      (rig_check_ranks(platform, call, err) != 0 ||
       (!call->algorithm.algo && rig_check_room(platform, call->nranks, call->nbytes, err) != 0))) {
    return -1;
  }
  make_groups(rig, call);
  struct machine_memory memory = {0}; /* of processes */
  if (rig->group.on_hosts) {
    memory.nbytes = (call_map_bytes(&rig->group) + SPARE) / SPARE * SPARE + SPARE;
    memory.has_data = !call->lengths_only;
    VEC_EACH(process, rig->group.spe_of, rig->group.nranks) {
      RAISE(memory.nprocesses, *process + 1);
    }
  }
  machine_reset(machine, &memory);
  des_shuffle(call->shuffle);
  rig->ranks = xcalloc(call->nranks, sizeof *rig->ranks);
  int status = 0;
  for (unsigned i = 0; i < rig->nparts && status == 0; i++) {
    status = init_part(rig, &rig->parts[i], err);
  }
  if (status == 0 && (call->skew || call->delay.n)) {
    set_delays(rig, call);
  }
  return status == 0 && rig->layout ? init_hosts(rig, err) : status;
}

void rig_init_known(struct rig *rig, struct machine *machine, const struct call *call) {
  struct err err = {""};
  if (rig_init(rig, machine, call, &err) != 0) {
    fprintf(stderr, "cellcoll: %s\n", err.text);
    abort();
  }
}

void rig_fini(struct rig *rig) {
  for (unsigned r = 0; rig->ranks && r < rig->group.nranks; r++) {
    driver_free(rig->ranks[r].c);
  }
  for (unsigned i = 0; rig->hosts && i < rig->layout->hosts.n; i++) {
    host_call_fini(&rig->hosts[i].group);
  }
  VEC_EACH(part, rig->parts, rig->nparts) {
    rig_group_fini(part->group);
    if (rig->layout) {
      free(part->group);
    }
  }
  if (rig->layout) {
    rig_layout_fini(rig->layout);
  }
  free(rig->layout);
  free(rig->hosts);
  free(rig->parts);
  free(rig->ranks);
}

/* --- programs --- */

/* The SPE program around the program of a microbenchmark; ARGUMENT is a struct rig_rank. */
static void run_program(void *argument) {
  struct rig_rank *rank = argument;
  driver_enter(rank->c);
  uint64_t start = spu_cycles();
  rank->program(rank);
  rank->cycles = rank->cycles < 0 ? (double)(spu_cycles() - start) : rank->cycles;
}

void rig_set(struct rig *rig, unsigned rank, rig_program *program) {
  rig->ranks[rank].program = program;
  rig->ranks[rank].machine_program.main = run_program;
}

void rig_set_calls(struct rig *rig) {
  VEC_EACH(rank, rig->ranks, rig->group.nranks) {
    rank->machine_program.main = rig->layout ? cluster_main : driver_main;
    rank->machine_program.argument = rank->c;
  }
}

void rig_start(struct rig *rig) {
  VEC_EACH(part, rig->parts, rig->nparts) {
    for (unsigned r = 0; r < part->group->nranks; r++) {
      struct machine_program *program = &rig->ranks[group_name(part->group, r)].machine_program;
      if (program->main) {
        machine_start(rig->machine, place_of(part, r), program);
      }
    }
    if (part->ppe.main) {
      machine_start(rig->machine, (struct place){.kind = PLACE_PPE, .node = part->node}, &part->ppe);
    }
  }
  for (unsigned i = 0; rig->hosts && i < rig->layout->hosts.n; i++) {
    struct place host = {.kind = PLACE_PPE, .node = rig->layout->hosts.machines[i]};
    machine_start(rig->machine, host, &rig->hosts[i].program);
  }
}

struct blade_result rig_run(struct rig *rig) {
  rig_start(rig);
  return machine_run(rig->machine);
}

/* --- sizes and buffers --- */

uint8_t *rig_bytes(const struct rig *rig, unsigned rank, bool in) {
  const struct rig_part *part = rig_part_of(rig, rank);
  const struct coll *c = rig->ranks[rank].c;
  return group_in_memory(c->group) ? blade_memory(part->blade, in ? c->in_ea : c->buffer_ea)
                                   : machine_memory(rig->machine, place_of(part, c->rank)) +
                                       (in ? call_map_in(c->group) : call_map_buffer(c->group));
}

unsigned rig_count_nodes(const struct rig *rig) {
  const struct platform *platform = machine_platform(rig->machine);
  if (!rig->group.on_hosts) {
    return rig->nparts;
  }
  SCOPED bool *there = xcalloc(platform->node.count, sizeof *there);
  unsigned count = 0;
  VEC_EACH(spe, rig->group.spe_of, rig->group.nranks) {
    bool *host = &there[*spe / platform->node.processes];
    count += !*host;
    *host = true;
  }
  return count;
}

/* Append to TEXT how long PART, called NAME, has taken the N ranks, if there was one. */
static void tell_part(char **text, const struct cluster_part *part, unsigned n, const char *name) {
  uint64_t begin = 0, end = 0;
  VEC_EACH(time, part->times, n) {
    RAISE(begin, time->begin);
    RAISE(end, time->end);
  }
  if (end) {
    xappend(text, ", %s %llu cycles, to cycle %llu", name, (unsigned long long)(end - begin),
            (unsigned long long)end);
  }
}

char *rig_tell_parts(const struct rig *rig) {
  const struct node_names names = machine_nodes(rig->machine).names;
  char *text = xstrdup("");
  VEC_EACH(part, rig->parts, rig->nparts) {
    const struct coll_group *group = part->group;
    xappend(&text, "%s: %u rank%s", node_name(&names, part->node), group->nranks, text_plural(group->nranks));
    tell_part(&text, &group->cluster->parts[CLUSTER_INNER], group->nranks, "inner part");
    tell_part(&text, &group->cluster->parts[CLUSTER_RELEASE], group->nranks, "release");
    xappend(&text, "\n");
  }
  return text;
}
