/* SPDX-License-Identifier: BSD-3-Clause
 * See rig_group.h: a call on a blade, on processes of hosts without SPEs, and on several nodes; checks of a
 * call against a machine. */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload_run.h"
#include "algos/schedule/workload/workload.h"
#include "algos/step/call_map.h"
#include "algos/step/needs.h"
#include "algos/step/port.h"
#include "platform/parameters.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "validate/lab/rig/rig_group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Return the name of the profile of algorithms with SOURCE. */
static const char *own_profile(const struct platform *platform, const char *source) {
  return strcmp(source, ALGO_SOURCE_OWN) == 0 ? platform->software.comparison : source;
}

const struct profile *rig_profile(const struct platform *platform, const char *wanted, const char *source,
                                  struct err *err) {
  const char *prescribed = platform->software.profile;
  const char *name = wanted;
  if (!name) {
    name = strcmp(prescribed, "source") == 0 ? own_profile(platform, source) : prescribed;
  }
  const struct profile *profile = platform_profile(platform, name);
  if (!profile) {
    err_set(err, "platform %s has no software-cost profile '%s', expected one such as '%s'", platform->name,
            name, platform->profiles->name);
  }
  return profile;
}

const char *rig_comparison(const struct platform *platform, const char *wanted) {
  const char *prescribed = platform->software.profile;
  bool is_open = platform_has_spes(platform) && strcmp(prescribed, "source") == 0;
  return wanted ? wanted : is_open ? platform->software.comparison : prescribed;
}

const struct profile *rig_compared(const struct platform *platform, const char *wanted,
                                   const struct algorithm *algorithm) {
  const char *name = rig_comparison(platform, wanted);
  return platform_profile(
    platform, strcmp(name, "source") == 0 ? own_profile(platform, catalogue_source(algorithm)) : name);
}

/* Return the software costs of PROFILE on PLATFORM. A pair of a type and an operator without a meaning costs
 * nothing. */
static struct step_costs costs_of(const struct platform *platform, const struct profile *profile) {
  struct step_costs costs = {
    .quadwords =
      {
#define COMBINATION(type_id, type, op_id, op, what) \
  [TYPE_##type_id][OP_##op_id] = platform->combine.type##_##op,
#include "platform/combine.def"
        /* four products and two sums for two pairs */
        [TYPE_PAIR][OP_COMPOSE] = platform->combine.int32_prod + platform->combine.int32_sum / 2,
      },
#define PROFILE_FIELD(field, unit, min, max, doc, term) .field = (uint64_t)llround(profile->field),
#include "platform/platform.def"
  };
  return costs;
}

struct coll_group rig_call(const struct call *call) {
  return (struct coll_group){.call = call->algorithm,
                             .nranks = call->nranks,
                             .root = call->root,
                             .root_step = call->root_step,
                             .nbytes = call->nbytes,
                             .op = call->op,
                             .type = call->type,
                             .nrepeats = call->repeat,
                             .shared = call->algorithm.algo ? call->algorithm.algo->shared : 0};
}

/* --- processes --- */

unsigned rig_place(const struct platform *platform, const struct call *call, unsigned rank) {
  struct placement_shape shape = placement_shape(platform, false);
  return placement_in(&call->placement, &shape, call->nranks, rank);
}

struct placement rig_place_group(const struct platform *platform, const struct call *call,
                                 const unsigned *ranks, unsigned n) {
  struct units_list list = {.values = xcalloc(n + 1, sizeof *list.values), .n = n};
  bool is_packed = true;
  for (unsigned r = 0; r < n; r++) {
    list.values[r] = rig_place(platform, call, ranks[r]);
    is_packed &= list.values[r] == r;
  }
  if (is_packed) {
    units_list_fini(&list);
  }
  return (struct placement){is_packed ? PLACEMENT_PACKED : PLACEMENT_LIST, list};
}

/* Return the number of the network's cluster of each host of PLATFORM. The answer for the last platform is
 * kept, because reading a network may take long.
 * returns: NULL with an error, as machine_of_nodes.
 * owner: nobody, until the next call. */
static const unsigned *clusters_of(const struct platform *platform, struct err *err) {
  static struct {
    uint64_t checksum;
    unsigned *clusters; /* NULL: none */
  } last;
  if (!last.clusters || last.checksum != platform->checksum) {
    struct machine *machine = machine_of_nodes(platform, 0, 0, err);
    if (!machine) {
      return NULL;
    }
    last.checksum = platform->checksum;
    last.clusters = xrealloc(last.clusters, platform->node.count, sizeof *last.clusters);
    for (unsigned host = 0; host < platform->node.count; host++) {
      last.clusters[host] = machine_cluster(machine, host * platform->node.processes);
    }
    machine_free(machine);
  }
  return last.clusters;
}

/* --- all --- */

/* Describe in GROUP the processes that make CALL, after clusters_of. */
static void add_processes(struct coll_group *group, const struct platform *platform,
                          const struct call *call) {
  group->port = &host_port;
  group->on_hosts = true;
  group->lengths_only = call->lengths_only;
  group->ls_bytes = UINT32_MAX;
  for (unsigned i = 0; i < TYPE_COUNT * OP_COUNT; i++) {
    group->costs.quadwords[i / OP_COUNT][i % OP_COUNT] = 16e3 * platform->clock.spu / platform->host.combine;
  }
}

/* Describe in GROUP the SPEs that make CALL. */
static void add_spes(struct coll_group *group, const struct platform *platform, const struct call *call) {
  group->port = &spu_port;
  group->no_ppe = !platform->has_ppe;
  group->ls_base = platform->ls_base;
  group->ls_bytes = platform->ls.size;
  if (call->profile) {
    group->costs = costs_of(platform, call->profile);
  }
  if (call->place) {
    cluster_call_init(group, call->place);
  }
}

struct coll_group rig_group(const struct platform *platform, const struct call *call) {
  bool spes = platform_has_spes(platform);
  const unsigned *clusters = spes ? NULL : clusters_of(platform, NULL);
  const struct placement_shape shape = placement_shape(platform, false);
  struct coll_group group = rig_call(call);
  if (!spes && !clusters) {
    abort(); /* rig_check has found some */
  }
  group.ghz = platform->clock.spu;
  placement_apply(&call->placement, &shape, clusters, &group);
  (spes ? add_spes : add_processes)(&group, platform, call);
  if (call->byte_step) { /* the scratch lies behind the data of the larger calls */
    group.byte_step = call->byte_step;
    group.most_bytes = call->nbytes;
    group.scratch_at = (uint32_t)call_map_scratch(&group);
  }
  const struct workload *workload = call->algorithm.algo ? workload_of_algo(call->algorithm.algo) : NULL;
  if (workload) {
    workload_run_init(&group, workload, call->map);
  }
  return group;
}

void rig_group_fini(struct coll_group *group) {
  if (group->workload) {
    workload_run_fini(group);
  }
  if (group->cluster) {
    cluster_call_fini(group);
  }
  placement_fini(group);
}

/* --- the part of a call on each node --- */

bool rig_is_spread(const struct call *call) {
  return call->algorithm.algo && call->algorithm.algo->spans_nodes;
}

/* List the hosts of the nodes of LAYOUT, of which each has NBLADES, where node BASE is the first host. */
static void place_hosts(struct rig_layout *layout, unsigned nblades, unsigned base) {
  unsigned *lists = xcalloc(3 * ((size_t)layout->n + 1), sizeof *lists), *machines = lists,
           *nodes = lists + layout->n + 1, *first = nodes + layout->n + 1, n = 0;
  for (unsigned i = 0; i < layout->n; i++) {
    unsigned machine = base + layout->nodes[i] / nblades;
    if (n == 0 || machines[n - 1] != machine) {
      machines[n] = machine;
      nodes[n] = i;
      first[n++] = layout->first[i];
    }
  }
  nodes[n] = layout->n;
  first[n] = layout->first[layout->n];
  layout->hosts = (struct cluster_hosts){.n = n, .machines = machines, .nodes = nodes, .first = first};
}

void rig_layout_init(struct rig_layout *layout, const struct platform *platform, const struct call *call) {
  *layout = (struct rig_layout){.n = 0};
  unsigned n = call->nranks, nodes = placement_nodes(&call->placement, platform, n);
  layout->part_of = xcalloc(4 * (size_t)n, sizeof *layout->part_of);
  layout->local_of = layout->part_of + n;
  layout->ranks = layout->local_of + n;
  layout->spes = layout->ranks + n;
  layout->nodes = xcalloc(2 * (size_t)nodes + 1, sizeof *layout->nodes);
  layout->first = layout->nodes + nodes;
  for (unsigned r = 0; r < n; r++) {
    layout->part_of[r] = placement_spot(&call->placement, platform, n, r).node;
  }
  const struct group_lists lists = {n, layout->part_of, layout->local_of, layout->ranks, layout->first};
  layout->n = group_list(&lists, nodes);
  for (unsigned r = 0; r < n; r++) {
    struct placement_spot spot = placement_spot(&call->placement, platform, n, r);
    layout->nodes[layout->part_of[r]] = spot.node;
    layout->spes[layout->local_of[r]] = spot.spe;
    layout->local_of[r] -= layout->first[layout->part_of[r]];
  }
  unsigned blades = platform_blades_per_host(platform);
  if (blades && layout->n > 1) {
    place_hosts(layout, blades, nodes);
  }
}

struct coll_group rig_layout_group(const struct rig_layout *layout, const struct platform *platform,
                                   const struct call *call, unsigned index) {
  unsigned first = layout->first[index], n = layout->first[index + 1] - first;
  unsigned root = call->root < call->nranks ? call->root : 0, root_part = layout->part_of[root];
  const struct cluster_hosts *hosts = &layout->hosts;
  const struct cluster_place place = {.nodes = layout->n,
                                      .node = index,
                                      .root_node = root_part,
                                      .machines = layout->nodes,
                                      .nranks = call->nranks,
                                      .ranks = layout->ranks,
                                      .first = layout->first,
                                      .hosts = hosts->n ? hosts : NULL,
                                      .host = (unsigned)VEC_INDEX(hosts->nodes, hosts->n, item[1] > index)};
  struct call part = *call;
  part.nranks = n;
  part.root = index == root_part ? layout->local_of[root] : 0;
  part.place = &place;
  part.placement = (struct placement){PLACEMENT_LIST, {xcalloc(n, sizeof *part.placement.list.values), n}};
  for (unsigned i = 0; i < n; i++) {
    part.placement.list.values[i] = layout->spes[first + i];
  }
  struct coll_group group = rig_group(platform, &part);
  units_list_fini(&part.placement.list);
  return group;
}

void rig_layout_fini(struct rig_layout *layout) {
  free((unsigned *)layout->hosts.machines);
  free(layout->part_of);
  free(layout->nodes);
}

/* --- checks of a call against a machine --- */

/* --- one blade --- */

size_t rig_room(const struct platform *platform, unsigned nranks) {
  struct coll_group group = {.nranks = nranks, .ls_base = platform->ls_base, .ls_bytes = platform->ls.size};
  size_t arrays = call_map_bytes(&group), room = group.ls_bytes - group.ls_base;
  return room > arrays ? room - arrays : 0;
}

int rig_check_room(const struct platform *platform, unsigned nranks, size_t nbytes, struct err *err) {
  size_t room = rig_room(platform, nranks);
  return room > 0 && nbytes <= room
           ? 0
           : err_set(err, "%zu bytes in a local store with room for %zu, notification arrays included",
                     nbytes, room);
}

/* The largest blade.chips. */
enum { BLADE_CHIPS_MAX = 256 };

int rig_check_ranks(const struct platform *platform, const struct call *call, struct err *err) {
  bool spread = rig_is_spread(call), spes = platform_has_spes(platform);
  struct placement_shape shape = placement_shape(platform, spread);
  unsigned n = call->nranks, most = placement_count(platform, spread);
  if (n == 0 || n > most) {
    unsigned chips = n ? (n - 1) / platform->spes_per_chip + 1 : 0;
    bool larger = n > most && spes && !platform->has_nodes && chips <= BLADE_CHIPS_MAX;
    const char *advice = larger ? text_brief("; --set blade.chips=%u is large enough", chips) : "";
    return err_set(err, "%u ranks on platform %s, expected 1 to %u, one per %s%s", n, platform->name, most,
                   spes ? "SPE" : "process of its hosts", advice);
  }
  return delay_list_check(&call->delay, n, err) == 0 ? placement_check(&call->placement, &shape, n, err) : -1;
}

/* Return which algorithms have room for the call of GROUP, which may lack room in local stores; or "". */
static const char *advise_memory(const struct coll_group *group) {
  const struct algo *algo = group->call.algo;
  bool lacks = !group->on_hosts && !algo->kind && !algo->in_memory && !needs_fits(group);
  return lacks && VEC_FIND(catalogue, catalogue_size,
                           (*item)->in_memory && (*item)->collective == algo->collective)
           ? text_brief("; the data of '%s-mm' are in main memory", collective_name(algo->collective))
           : "";
}

/* Check that PLATFORM meets all needs of CALL. */
static int check_needs(const struct platform *platform, const struct call *call, struct err *err) {
  const struct algo *algo = call->algorithm.algo;
  struct refusal why;
  bool refused = false, is_mistake = false;
  if (call->byte_step > call->nbytes) {
    return err_set(err, "%zu bytes fewer in every second call, expected at most %zu", call->byte_step,
                   call->nbytes);
  }
  if (call->map && !workload_of_algo(algo)) {
    return err_set(err, "--map: %s is no program of several calls, expected one",
                   catalogue_name(&call->algorithm));
  }
  struct coll_group group = rig_group(platform, call);
  unsigned ncalls = call->root_step ? call->repeat : call->byte_step ? 2 : 1;
  for (unsigned i = 0; i < ncalls && !refused; i++) {
    struct coll_group now = group_of_call(&group, i);
    now.root = i ? now.root : call->root; /* which may be no rank */
    refused = needs_refuse(&now, &why);
    is_mistake = refused && why.is_mistake;
    if (refused && err) { /* many only want to know whether */
      err_set(err, "%s: %s%s", catalogue_name(&now.call), why.text, advise_memory(&now));
    }
  }
  rig_group_fini(&group);
  return !refused ? 0 : is_mistake ? RIG_MISTAKE : -1;
}

/* --- several nodes --- */

/* Check the parts of CALL on all nodes of LAYOUT. */
static int check_parts(const struct rig_layout *layout, const struct platform *platform,
                       const struct call *call, struct err *err) {
  char why[256];
  struct refusal found;
  const char *refusal = NULL;
  if (call->root >= call->nranks) {
    return err_set(err, "%s: root %u, expected a rank below %u", catalogue_name(&call->algorithm), call->root,
                   call->nranks);
  }
  if (call->root_step || call->byte_step) {
    return err_set(err, "%s: calls with another root or size, expected equal calls on several nodes",
                   catalogue_name(&call->algorithm));
  }
  unsigned root_part = layout->part_of[call->root];
  for (unsigned i = 0; i < layout->n && !refusal; i++) {
    unsigned n = layout->first[i + 1] - layout->first[i],
             before = i ? layout->first[i] - layout->first[i - 1] : 0;
    if (i > 1 && i != root_part && i - 1 != root_part && n == before) {
      continue; /* as the part before */
    }
    struct coll_group group = rig_layout_group(layout, platform, call, i);
    refusal = needs_refuse(&group, &found) ? found.text : cluster_call_refuse(&group, why, sizeof why);
    rig_group_fini(&group);
    if (refusal) {
      struct node_names names = platform_node_names(platform);
      err_set(err, "%s: %s: %s", catalogue_name(&call->algorithm), node_name(&names, layout->nodes[i]),
              refusal);
    }
  }
  return refusal ? -1 : 0;
}

int rig_check(const struct platform *platform, const struct call *call, struct err *err) {
  unsigned nodes = placement_machine_nodes(platform), nspes = platform->nspes, n = call->nranks;
  bool spes = platform_has_spes(platform), spread = spes && rig_is_spread(call);
  if (spread && nodes == 1) {
    return err_set(err, "%s: platform %s is one node, expected several", catalogue_name(&call->algorithm),
                   platform->name);
  }
  if (!spread && nodes > 1 && call->algorithm.algo && n > nspes && n <= nodes * nspes) {
    struct algorithm algorithm;
    SCOPED char *other = xasprintf("%s:hierarchical", collective_name(call->algorithm.algo->collective));
    bool is_there = catalogue_find(other, &algorithm, NULL) == 0;
    return err_set(
      err,
      "%s: %u ranks on several nodes, expected at most the %u of one: an SPE reaches only its own "
      "blade%s%s%s",
      catalogue_name(&call->algorithm), n, nspes, is_there ? " (" : "", is_there ? other : "",
      is_there ? ")" : "");
  }
  if (rig_check_ranks(platform, call, err) != 0 || (!spes && !clusters_of(platform, err))) {
    return -1;
  }
  if (!spread) {
    return check_needs(platform, call, err);
  }
  struct rig_layout layout;
  rig_layout_init(&layout, platform, call);
  int status = check_parts(&layout, platform, call, err);
  rig_layout_fini(&layout);
  return status;
}
