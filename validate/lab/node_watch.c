/* SPDX-License-Identifier: BSD-3-Clause
 * See node_watch.h. */
#include "validate/lab/node_watch.h"

#include "sim/hw/blade.h"
#include "sim/node/cluster.h"

#include <stddef.h>

void
node_watch_begin(struct node_watch *list, struct cluster *cluster, bool whole)
{
  unsigned n = cluster_nnodes(cluster);
  struct blade *first = cluster_blade(cluster, 0);
  struct node_watch_machine machine = {.platform = blade_platform(first),
                                       .nnodes = n,
                                       .nspes = blade_nspes(first),
                                       .look_ahead = cluster_look_ahead(cluster)};
  for (struct node_watch *watch = list; watch; watch = watch->next) {
    if (watch->whole != whole) {
      continue;
    }
    watch->begin(watch, &machine);
    for (unsigned i = 0; i < n; i++) {
      blade_attach(cluster_blade(cluster, i), watch->of_node(watch, i));
    }
    if (watch->of_network) {
      cluster_attach(cluster, watch->of_network(watch));
    }
  }
}

void
node_watch_end(struct node_watch *list, struct cluster *cluster, bool whole)
{
  for (struct node_watch *watch = list; watch; watch = watch->next) {
    if (watch->whole != whole) {
      continue;
    }
    for (unsigned i = 0; i < cluster_nnodes(cluster); i++) {
      blade_detach(cluster_blade(cluster, i), watch->of_node(watch, i));
    }
    if (watch->of_network) {
      cluster_detach(cluster, watch->of_network(watch));
    }
    if (watch->end) {
      watch->end(watch);
    }
  }
}
