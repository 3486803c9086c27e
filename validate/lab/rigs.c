/* SPDX-License-Identifier: BSD-3-Clause
 * See rigs.h. */
#include "validate/lab/rigs.h"

#include "algos/catalogue.h"
#include "algos/cluster/host_call.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "algos/step/layout.h"
#include "sim/base/err.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "sim/node/cluster.h"
#include "sim/node/hosts.h"
#include "validate/lab/rig_hosts.h"

#include <stdio.h>
#include <stdlib.h>

/* Tell whether SPEC runs on the ranks of several nodes. */
static bool is_on_nodes(const struct rig_spec *spec) {
  return spec->call.algo && spec->call.algo->on_nodes;
}

/* The call on the host of a triblade. */
struct rig_host {
  struct coll_group group;
  struct ppu ppu;
  char name[NODE_NAME_SIZE];
};

/* --- placing --- */

/* List the hosts of the nodes of RIGS, of which each has NBLADES, where machine BASE is the first host. */
static void place_hosts(struct rigs *rigs, unsigned nblades, unsigned base) {
  unsigned *lists = xcalloc(3 * ((size_t)rigs->n + 1), sizeof *lists), *machines = lists,
           *nodes = lists + rigs->n + 1, *first = nodes + rigs->n + 1, n = 0;
  for (unsigned i = 0; i < rigs->n; i++) {
    unsigned machine = base + rigs->machines[i] / nblades;
    if (n == 0 || machines[n - 1] != machine) {
      machines[n] = machine;
      nodes[n] = i;
      first[n++] = rigs->first[i];
    }
  }
  nodes[n] = rigs->n;
  first[n] = rigs->first[rigs->n];
  rigs->hosts = (struct cluster_hosts){.n = n, .machines = machines, .nodes = nodes, .first = first};
}

/* Return the number among HOSTS of that of outer rank NODE. */
static unsigned host_of(const struct cluster_hosts *hosts, unsigned node) {
  unsigned low = 0, high = hosts->n - 1;
  while (low < high) {
    unsigned middle = (low + high + 1) / 2;
    if (hosts->nodes[middle] <= node) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/* List the ranks of SPEC by node, as RIGS has them. */
static void place_ranks(struct rigs *rigs, const struct blade *blade, const struct rig_spec *spec) {
  unsigned n = spec->nranks, place = 0;
  unsigned nodes = placement_nodes(&spec->placement, blade, n);
  rigs->node_of = xcalloc(4 * (size_t)n, sizeof *rigs->node_of);
  rigs->local_of = rigs->node_of + n;
  rigs->ranks = rigs->local_of + n;
  rigs->spes = rigs->ranks + n;
  rigs->machines = xcalloc(2 * (size_t)nodes + 1, sizeof *rigs->machines);
  rigs->first = rigs->machines + nodes;
  unsigned *counts = xcalloc(nodes + 1, sizeof *counts);
  for (unsigned r = 0; r < n; r++) {
    counts[placement_spot(&spec->placement, blade, n, r).node]++;
  }
  unsigned *rig_at = xcalloc(nodes, sizeof *rig_at);
  for (unsigned node = 0; node < nodes; node++) {
    if (counts[node]) {
      rig_at[node] = rigs->n;
      rigs->machines[rigs->n] = node;
      rigs->first[rigs->n++] = place;
      place += counts[node];
    }
    counts[node] = 0;
  }
  rigs->first[rigs->n] = place;
  for (unsigned r = 0; r < n; r++) {
    struct placement_spot spot = placement_spot(&spec->placement, blade, n, r);
    unsigned rig = rigs->node_of[r] = rig_at[spot.node], local = rigs->local_of[r] = counts[spot.node]++;
    rigs->ranks[rigs->first[rig] + local] = r;
    rigs->spes[rigs->first[rig] + local] = spot.spe;
  }
  free(rig_at);
  free(counts);
  unsigned blades = platform_blades_per_host(blade_platform(blade));
  if (blades && rigs->n > 1) {
    place_hosts(rigs, blades, nodes);
  }
}

/* Where rig NODE of RIGS is in the whole call of SPEC, and what its own call is. */
struct part {
  struct cluster_place place;
  struct rig_spec spec;
};

/* Return that of NODE; its placement, in the local store of the caller, is released with units_list_fini. */
static struct part part_of(const struct rigs *rigs, const struct rig_spec *spec, unsigned node) {
  unsigned first = rigs->first[node], n = rigs->first[node + 1] - first;
  unsigned root = spec->root < spec->nranks ? spec->root : 0, root_node = rigs->node_of[root];
  struct part part = {.place = {.nodes = rigs->n,
                                .node = node,
                                .root_node = root_node,
                                .machines = rigs->machines,
                                .nranks = spec->nranks,
                                .order = rigs->ranks,
                                .first = rigs->first,
                                .hosts = rigs->hosts.n ? &rigs->hosts : NULL,
                                .host = rigs->hosts.n ? host_of(&rigs->hosts, node) : 0},
                      .spec = *spec};
  part.spec.nranks = n;
  part.spec.root = node == root_node ? rigs->local_of[root] : 0;
  part.spec.skew = 0;
  part.spec.placement = (struct placement){.kind = PLACEMENT_LIST, .list.n = n};
  part.spec.placement.list.values = xcalloc(n, sizeof *part.spec.placement.list.values);
  for (unsigned i = 0; i < n; i++) {
    part.spec.placement.list.values[i] = rigs->spes[first + i];
  }
  return part;
}

/* --- what can be served --- */

/* Check the parts of the call of SPEC on all nodes of RIGS. */
static int check_parts(const struct rigs *rigs, const struct blade *blade, const struct rig_spec *spec,
                       struct err *err) {
  char why[256], name[128];
  const char *refusal = NULL;
  catalogue_format(&spec->call, name, sizeof name);
  if (spec->root >= spec->nranks) {
    return err_set(err, "%s: root %u, expected a rank below %u", name, spec->root, spec->nranks);
  }
  unsigned root_node = rigs->node_of[spec->root];
  for (unsigned i = 0; i < rigs->n && !refusal; i++) {
    unsigned n = rigs->first[i + 1] - rigs->first[i], before = i ? rigs->first[i] - rigs->first[i - 1] : 0;
    if (i > 1 && i != root_node && i - 1 != root_node && n == before) {
      continue; /* as the one before it */
    }
    struct part part = part_of(rigs, spec, i);
    part.spec.place = &part.place;
    struct coll_group group = rig_group(blade, &part.spec);
    refusal = needs_refuse(&group, why, sizeof why);
    refusal = refusal ? refusal : cluster_call_refuse(&group, why, sizeof why);
    rig_group_fini(&group);
    free(part.spec.placement.list.values);
    if (refusal) {
      struct node_names names = platform_node_names(blade_platform(blade));
      char node[NODE_NAME_SIZE];
      node_name(&names, rigs->machines[i], node);
      err_set(err, "%s: %s: %s", name, node, refusal);
    }
  }
  return refusal ? -1 : 0;
}

int rigs_check(struct blade *blade, const struct rig_spec *spec, struct err *err) {
  if (rig_is_on_hosts(blade)) {
    return rig_hosts_check(blade, spec, err);
  }
  const struct platform *platform = blade_platform(blade);
  unsigned nodes = placement_machine_nodes(blade), most = nodes * blade_nspes(blade);
  char name[128];
  if (!is_on_nodes(spec)) {
    if (nodes > 1 && spec->call.algo && spec->nranks > blade_nspes(blade) && spec->nranks <= most) {
      catalogue_format(&spec->call, name, sizeof name);
      return err_set(
        err,
        "%s: %u ranks on several nodes, expected at most the %u of one: an SPE reaches only its own "
        "blade (%s:hierarchical)",
        name, spec->nranks, blade_nspes(blade), collective_name(spec->call.algo->collective));
    }
    return rig_check(blade, spec, err);
  }
  if (nodes == 1) {
    catalogue_format(&spec->call, name, sizeof name);
    return err_set(err, "%s: platform %s is one node, expected several", name, platform->name);
  }
  if (spec->nranks == 0 || spec->nranks > most) {
    return err_set(err, "%u ranks on platform %s, expected 1 to %u, one per SPE", spec->nranks,
                   platform->name, most);
  }
  if (placement_check_nodes(&spec->placement, blade, spec->nranks, err) != 0) {
    return -1;
  }
  struct rigs rigs = {.n = 0};
  place_ranks(&rigs, blade, spec);
  int status = check_parts(&rigs, blade, spec, err);
  rigs_fini(&rigs);
  return status;
}

int rigs_machine_init(struct rigs_machine *machine, struct blade *blade, const struct rig_spec *spec,
                      struct err *err) {
  *machine = (struct rigs_machine){.blade = blade};
  if (rig_is_on_hosts(blade)) {
    machine->hosts = rig_hosts_machine(blade, spec, err);
    return machine->hosts ? 0 : -1;
  }
  if (!is_on_nodes(spec)) {
    return 0;
  }
  machine->cluster = cluster_new(blade_platform(blade),
                                 placement_nodes(&spec->placement, blade, spec->nranks), spec->seed, err);
  return machine->cluster ? 0 : -1;
}

void rigs_machine_fini(struct rigs_machine *machine) {
  cluster_free(machine->cluster);
  hosts_free(machine->hosts);
}

/* --- one call --- */

/* Allot main memory of HOST to the call of GROUP.
 * returns: whether there is enough. */
static bool allot_to_host(struct blade *host, struct coll_group *group) {
  struct cluster_call *cluster = group->cluster;
  cluster->data_ea = blade_allocate(host, 0, cluster_call_data(group));
  cluster->work_ea = blade_allocate(host, 0, cluster_call_data(group));
  return cluster->data_ea && cluster->work_ea;
}

/* Set up the call on the hosts of RIGS, whose nodes are set up. */
static int init_hosts(struct rigs *rigs, struct err *err) {
  struct node_names names = cluster_names(rigs->cluster);
  names.hosts = NULL; /* the program of a host is called by its number */
  rigs->of_hosts = xcalloc(rigs->hosts.n, sizeof *rigs->of_hosts);
  for (unsigned i = 0; i < rigs->hosts.n; i++) {
    struct rig_host *own = &rigs->of_hosts[i];
    const struct coll_group *node = &rigs->nodes[rigs->hosts.nodes[i]].group;
    struct blade *host = cluster_machine(rigs->cluster, rigs->hosts.machines[i]);
    blade_reset(host);
    own->group = *node;
    host_call_init(&own->group, &node->cluster->place);
    node_name(&names, rigs->hosts.machines[i], own->name);
    own->ppu = (struct ppu){.main = host_call_main, .argument = &own->group, .name = own->name};
    if (!allot_to_host(host, &own->group)) {
      return err_set(err, "%zu bytes in the main memory of a host, which has no room for them",
                     2 * cluster_call_data(&own->group));
    }
  }
  return 0;
}

/* Draw by how much each rank of RIGS enters each call late. */
static void draw_delays(struct rigs *rigs, const struct rig_spec *spec) {
  uint64_t state = spec->skew_seed;
  for (unsigned r = 0; spec->skew && r < spec->nranks; r++) {
    for (unsigned i = 0; i < spec->nrepeats; i++) {
      driver_delay(rigs_rank(rigs, r), i, random_next(&state) % (spec->skew + 1));
    }
  }
}

/* Set up the call of SPEC on all nodes of RIGS. */
static int init_nodes(struct rigs *rigs, const struct rig_spec *spec, struct err *err) {
  rigs->nodes = xcalloc(rigs->n, sizeof *rigs->nodes);
  rigs->whole = (struct coll_group){.call = spec->call,
                                    .nranks = spec->nranks,
                                    .root = spec->root,
                                    .nbytes = spec->nbytes,
                                    .op = spec->op,
                                    .type = spec->type,
                                    .nrepeats = spec->nrepeats};
  rigs->group = &rigs->whole;
  int status = 0;
  for (unsigned i = 0; i < rigs->n && status == 0; i++) {
    struct part part = part_of(rigs, spec, i);
    part.spec.place = &part.place;
    status = rig_init(&rigs->nodes[i], cluster_machine(rigs->cluster, rigs->machines[i]), &part.spec, err);
    free(part.spec.placement.list.values);
  }
  if (status == 0) {
    draw_delays(rigs, spec);
    status = init_hosts(rigs, err);
  }
  return status;
}

int rigs_init(struct rigs *rigs, const struct rigs_machine *machine, const struct rig_spec *spec,
              struct err *err) {
  *rigs = (struct rigs){.cluster = machine->cluster};
  if (machine->cluster) {
    place_ranks(rigs, machine->blade, spec);
    return init_nodes(rigs, spec, err);
  }
  rigs->n = 1;
  rigs->nodes = xcalloc(1, sizeof *rigs->nodes);
  rigs->group = &rigs->nodes[0].group;
  if (machine->hosts) {
    rig_hosts_init(&rigs->nodes[0], machine->blade, machine->hosts, spec);
    return 0;
  }
  return rig_init(&rigs->nodes[0], machine->blade, spec, err);
}

void rigs_fini(struct rigs *rigs) {
  for (unsigned i = 0; rigs->nodes && i < rigs->n; i++) {
    rig_fini(&rigs->nodes[i]);
  }
  for (unsigned i = 0; rigs->of_hosts && i < rigs->hosts.n; i++) {
    host_call_fini(&rigs->of_hosts[i].group);
  }
  free(rigs->of_hosts);
  free((unsigned *)rigs->hosts.machines);
  free(rigs->nodes);
  free(rigs->node_of);
  free(rigs->machines);
}

void rigs_groups_init(struct rigs_groups *groups, const struct blade *blade, const struct rig_spec *spec) {
  *groups = (struct rigs_groups){.rigs = {.n = 0}};
  place_ranks(&groups->rigs, blade, spec);
  groups->n = groups->rigs.n;
  groups->nhosts = groups->rigs.hosts.n;
  groups->items = xcalloc((size_t)groups->n + groups->nhosts, sizeof *groups->items);
  for (unsigned i = 0; i < groups->n; i++) {
    struct part part = part_of(&groups->rigs, spec, i);
    part.spec.place = &part.place;
    groups->items[i] = rig_group(blade, &part.spec);
    free(part.spec.placement.list.values);
  }
  for (unsigned i = 0; i < groups->nhosts; i++) {
    const struct coll_group *node = &groups->items[groups->rigs.hosts.nodes[i]];
    groups->items[groups->n + i] = *node;
    host_call_init(&groups->items[groups->n + i], &node->cluster->place);
  }
}

void rigs_groups_fini(struct rigs_groups *groups) {
  for (unsigned i = 0; i < groups->nhosts; i++) {
    host_call_fini(&groups->items[groups->n + i]);
  }
  for (unsigned i = 0; i < groups->n; i++) {
    rig_group_fini(&groups->items[i]);
  }
  free(groups->items);
  rigs_fini(&groups->rigs);
}

/* Return the rig of RANK and make LOCAL the rank there. */
static const struct rig *rig_of(const struct rigs *rigs, unsigned rank, unsigned *local) {
  *local = rigs->cluster ? rigs->local_of[rank] : rank;
  return &rigs->nodes[rigs->cluster ? rigs->node_of[rank] : 0];
}

struct coll *rigs_rank(const struct rigs *rigs, unsigned rank) {
  unsigned local;
  return rig_of(rigs, rank, &local)->ranks[local].c;
}

uint8_t *rigs_buffer(const struct rigs *rigs, unsigned rank) {
  unsigned local;
  const struct rig *rig = rig_of(rigs, rank, &local);
  return rig_buffer(rig, local);
}

uint8_t *rigs_in(const struct rigs *rigs, unsigned rank) {
  unsigned local;
  const struct rig *rig = rig_of(rigs, rank, &local);
  return rig_in(rig, local);
}

/* Append to STREAM how long the inner part, or the RELEASE, has taken the N ranks with TIMES, if there was
 * one. */
static void tell_part(FILE *stream, const struct cluster_times *times, unsigned n, bool release) {
  uint64_t begin = 0, end = 0;
  for (unsigned r = 0; r < n; r++) {
    uint64_t from = release ? times[r].release_begin : times[r].inner_begin,
             to = release ? times[r].release_end : times[r].inner_end;
    begin = from > begin ? from : begin;
    end = to > end ? to : end;
  }
  if (end) {
    const char *what = release ? "release" : "inner part";
    fprintf(stream, ", %s %llu cycles, to cycle %llu", what, (unsigned long long)(end - begin),
            (unsigned long long)end);
  }
}

char *rigs_tell_parts(const struct rigs *rigs) {
  char *text;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) {
    xalloc_fail("messages");
  }
  for (unsigned i = 0; i < rigs->n; i++) {
    const struct coll_group *group = &rigs->nodes[i].group;
    struct node_names names = cluster_names(rigs->cluster);
    char node[NODE_NAME_SIZE];
    node_name(&names, rigs->machines[i], node);
    fprintf(stream, "%s: %u ranks", node, group->nranks);
    tell_part(stream, group->cluster->times, group->nranks, false);
    tell_part(stream, group->cluster->times, group->nranks, true);
    fputc('\n', stream);
  }
  fclose(stream);
  return text;
}

struct blade_result rigs_run(struct rigs *rigs) {
  if (rigs->nodes[0].hosts) {
    return rig_hosts_run(&rigs->nodes[0]);
  }
  for (unsigned i = 0; i < rigs->n; i++) {
    rig_set_calls(&rigs->nodes[i]);
  }
  if (!rigs->cluster) {
    return rig_run(&rigs->nodes[0]);
  }
  for (unsigned i = 0; i < rigs->n; i++) {
    struct rig *rig = &rigs->nodes[i];
    spu_start(rig->blade, &(struct spu_programs){rig->programs, rig->group.nranks, &rig->ppe, 1});
  }
  for (unsigned i = 0; i < rigs->hosts.n; i++) {
    spu_start(cluster_machine(rigs->cluster, rigs->hosts.machines[i]),
              &(struct spu_programs){.ppus = &rigs->of_hosts[i].ppu, .nppus = 1});
  }
  return cluster_run(rigs->cluster);
}
