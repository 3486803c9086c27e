/* SPDX-License-Identifier: BSD-3-Clause
 * See rig.h: a call on a blade, and on processes of hosts without SPEs. */
#include "algos/catalogue.h"
#include "algos/step/call_map.h"
#include "algos/step/port.h"
#include "platform/parameters.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "validate/lab/rig/rig_layout.h"

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

/* Return the cycles for which TYPE and OP of CALL keep an SPU busy per 16 bytes; 0 if there is no such
 * combination. */
static double combine_quadword(const struct platform *platform, const struct call *call) {
  const double table[TYPE_COUNT][OP_COUNT] = {
#define COMBINATION(type_id, type, op_id, op, what) \
  [TYPE_##type_id][OP_##op_id] = platform->combine.type##_##op,
#include "platform/combine.def"
    /* four products and two sums for two pairs */
    [TYPE_PAIR][OP_COMPOSE] = platform->combine.int32_prod + platform->combine.int32_sum / 2,
  };
  return table[call->type][call->op];
}

static struct step_costs whole_cycles(const struct profile *profile) {
  struct step_costs costs = {
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
                             .nrepeats = call->repeat};
}

/* Give GROUP the other group of every second call, if calls of CALL differ in more than the root. The scratch
 * lies behind the data of both; another algorithm has a scratch of its own. */
static void add_other(struct coll_group *group, const struct call *call) {
  if (!call->byte_step && !call->with.algo) {
    return;
  }
  struct coll_group *other = xcalloc(1, sizeof *other);
  group->most_bytes = call->byte_step ? call->nbytes : 0;
  *other = *group;
  other->nbytes -= call->byte_step;
  other->call = call->with.algo ? call->with : call->algorithm;
  group->alternates = other->alternates = other->call.algo != group->call.algo;
  size_t own = call_map_scratch(group), at = call_map_scratch(other);
  at = own > at ? own : at;
  group->scratch_at = other->scratch_at = (uint32_t)at;
  if (group->alternates && call->algorithm.algo->scratch) {
    other->scratch_at = (uint32_t)call_map_line(at + call->algorithm.algo->scratch(group) + CALL_MAP_GUARD);
  }
  group->other = other;
}

/* --- processes --- */

unsigned rig_process(const struct platform *platform, const struct call *call, unsigned rank) {
  struct placement_shape shape = placement_shape(platform, false);
  return placement_in(&call->placement, &shape, call->nranks, rank);
}

const unsigned *rig_clusters(const struct platform *platform, struct err *err) {
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

/* Describe CALL on processes of PLATFORM, after rig_clusters. */
static struct coll_group group_of_processes(const struct platform *platform, const struct call *call) {
  struct coll_group group = rig_call(call);
  const unsigned *clusters = rig_clusters(platform, NULL);
  if (!clusters) {
    abort(); /* rig_check has found some */
  }
  group.port = &host_port;
  group.on_hosts = true;
  group.lengths_only = call->lengths_only;
  group.ls_bytes = UINT32_MAX;
  group.ghz = platform->clock.spu;
  group.costs.quadword = 16e3 * platform->clock.spu / platform->host.combine;
  const struct placement_shape shape = placement_shape(platform, false);
  placement_apply(&call->placement, &shape, clusters, &group);
  add_other(&group, call);
  return group;
}

/* --- all --- */

struct coll_group rig_group(const struct platform *platform, const struct call *call) {
  if (!platform_has_spes(platform)) {
    return group_of_processes(platform, call);
  }
  struct coll_group group = rig_call(call);
  group.port = &spu_port;
  group.ghz = platform->clock.spu;
  group.no_ppe = !platform->has_ppe;
  group.ls_base = platform->ls_base;
  group.ls_bytes = platform->ls.size;
  const struct placement_shape shape = placement_shape(platform, false);
  placement_apply(&call->placement, &shape, NULL, &group);
  if (call->profile) {
    group.costs = whole_cycles(call->profile);
    group.costs.quadword = combine_quadword(platform, call);
  }
  if (call->place) {
    cluster_call_init(&group, call->place);
  }
  add_other(&group, call);
  return group;
}

void rig_group_fini(struct coll_group *group) {
  free(group->other);
  cluster_call_fini(group);
  placement_fini(group);
}
