/* SPDX-License-Identifier: BSD-3-Clause
 * See rig_hosts.h. */
#include "validate/lab/rig_hosts.h"

#include "algos/catalogue.h"
#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "algos/step/port.h"
#include "algos/step/layout.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/node/hosts.h"

#include <stdlib.h>

enum { SPARE = 4096 /* bytes of memory behind a call, so that the address of what has no bytes is one */ };

bool rig_is_on_hosts(const struct blade *blade) {
  return !platform_has_spes(blade_platform(blade));
}

unsigned rig_hosts_most(const struct blade *blade) {
  const struct platform *platform = blade_platform(blade);
  return platform->node.count * platform->node.processes;
}

struct hosts *rig_hosts_machine(const struct blade *blade, const struct rig_spec *spec, struct err *err) {
  return hosts_new(blade_platform(blade), spec->seed, err);
}

/* Return what a list of places counts over: node.0.process. */
static struct placement_shape shape_of(const struct platform *platform) {
  return (struct placement_shape){
    .nodes = platform->node.count, .chips = 1, .spes = platform->node.processes};
}

unsigned rig_hosts_process(const struct blade *blade, const struct rig_spec *spec, unsigned rank) {
  const struct platform *platform = blade_platform(blade);
  const struct placement *placement = &spec->placement;
  unsigned hosts = platform->node.count < spec->nranks ? platform->node.count : spec->nranks;
  struct placement_shape shape = shape_of(platform);
  return placement->kind == PLACEMENT_LIST ? (unsigned)placement_place(placement->list.values[rank], &shape)
         : placement->kind == PLACEMENT_ROUND_ROBIN ? rank % hosts * platform->node.processes + rank / hosts
                                                    : rank;
}

/* Return of which cluster each host of PLATFORM, which HOSTS are, is.
 * owner: the caller. */
static unsigned *find_clusters(const struct platform *platform, const struct hosts *hosts) {
  unsigned *clusters = xcalloc(platform->node.count, sizeof *clusters);
  for (unsigned host = 0; host < platform->node.count; host++) {
    clusters[host] = hosts_cluster(hosts, host * platform->node.processes);
  }
  return clusters;
}

/* Describe the call of SPEC on hosts that are of these CLUSTERS. */
static struct coll_group make_group(const struct blade *blade, const unsigned *clusters,
                                    const struct rig_spec *spec) {
  const struct platform *platform = blade_platform(blade);
  struct coll_group group = {.call = spec->call,
                             .nranks = spec->nranks,
                             .root = spec->root,
                             .nbytes = spec->nbytes,
                             .op = spec->op,
                             .type = spec->type,
                             .nrepeats = spec->nrepeats,
                             .port = &host_port,
                             .on_hosts = true,
                             .lengths_only = spec->lengths_only,
                             .ls_bytes = UINT32_MAX};
  group.costs.quadword = 16e3 * platform->clock.spu / platform->host.combine;
  placement_allocate(&group, platform->node.count);
  for (unsigned r = 0; r < group.nranks; r++) {
    group.spe_of[r] = rig_hosts_process(blade, spec, r);
    group.chip_of[r] = clusters[group.spe_of[r] / platform->node.processes];
  }
  placement_list_by_chip(&group, platform->node.count);
  return group;
}

/* Return the clusters of the hosts of BLADE's platform, for SPEC; those of the last platform are kept, as to
 * read its network may take long.
 * returns: NULL with an error, as hosts_new. */
static const unsigned *known_clusters(const struct blade *blade, const struct rig_spec *spec,
                                      struct err *err) {
  static struct {
    uint64_t checksum;
    unsigned *clusters; /* NULL: none */
  } last;
  const struct platform *platform = blade_platform(blade);
  if (last.clusters && last.checksum == platform->checksum) {
    return last.clusters;
  }
  struct hosts *hosts = rig_hosts_machine(blade, spec, err);
  if (!hosts) {
    return NULL;
  }
  free(last.clusters);
  last.checksum = platform->checksum;
  last.clusters = find_clusters(platform, hosts);
  hosts_free(hosts);
  return last.clusters;
}

int rig_hosts_check(const struct blade *blade, const struct rig_spec *spec, struct err *err) {
  unsigned n = spec->nranks, most = rig_hosts_most(blade);
  if (n == 0 || n > most) {
    return err_set(err, "%u ranks on platform %s, expected 1 to %u, one per process of its hosts", n,
                   blade_platform(blade)->name, most);
  }
  struct placement_shape shape = shape_of(blade_platform(blade));
  if (placement_check_list(&spec->placement, &shape, n, err) != 0) {
    return -1;
  }
  const unsigned *clusters = known_clusters(blade, spec, err);
  if (!clusters) {
    return -1;
  }
  struct coll_group group = make_group(blade, clusters, spec);
  return rig_check_needs(&group, spec, err);
}

void rig_hosts_init(struct rig *rig, struct blade *blade, struct hosts *hosts, const struct rig_spec *spec) {
  unsigned n = spec->nranks, most = 0;
  unsigned *clusters = find_clusters(blade_platform(blade), hosts);
  *rig = (struct rig){.blade = blade, .hosts = hosts, .group = make_group(blade, clusters, spec)};
  free(clusters);
  rig->ranks = xcalloc(n, sizeof *rig->ranks);
  rig->programs = xcalloc(n, sizeof *rig->programs);
  for (unsigned r = 0; r < n; r++) {
    most = rig->group.spe_of[r] > most ? rig->group.spe_of[r] : most;
    rig->ranks[r].c = driver_new(&rig->group, r);
    rig->programs[r].name = xasprintf("rank %u", r);
  }
  size_t nbytes = (call_map_bytes(&rig->group) + SPARE) / SPARE * SPARE + SPARE;
  hosts_reset(hosts, most + 1, nbytes, !spec->lengths_only);
  rig_draw_delays(rig, spec);
}

struct blade_result rig_hosts_run(struct rig *rig) {
  for (unsigned r = 0; r < rig->group.nranks; r++) {
    hosts_start(
      rig->hosts, rig->group.spe_of[r],
      &(struct host_job){.main = driver_main, .argument = rig->ranks[r].c, .name = rig->programs[r].name});
  }
  return hosts_run(rig->hosts);
}

unsigned rig_hosts_count(const struct rig *rig) {
  const struct platform *platform = blade_platform(rig->blade);
  bool *there = xcalloc(platform->node.count, sizeof *there);
  unsigned count = 0;
  for (unsigned r = 0; r < rig->group.nranks; r++) {
    bool *host = &there[rig->group.spe_of[r] / platform->node.processes];
    count += !*host;
    *host = true;
  }
  free(there);
  return count;
}
