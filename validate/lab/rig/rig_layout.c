/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/rig/rig_layout.h"

#include "sim/base/vec.h"

#include <stdlib.h>

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
  const struct placement_lists lists = {n, layout->part_of, layout->local_of, layout->ranks, layout->first};
  layout->n = placement_list(&lists, nodes);
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
