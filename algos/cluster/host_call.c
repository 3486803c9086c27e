/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/cluster/host_call.h"

#include "algos/cluster/handover.h"
#include "algos/cluster/host_link.h"
#include "algos/cluster/outer.h"
#include "algos/step/algo.h"
#include "algos/step/port.h"
#include "sim/base/vec.h"

#include <stdlib.h>

/* Make the outer part of the call of a node, on its PPE: with the other PPEs; or, behind a host, by sending
 * data to the host and receiving the result. */
static void outer(const struct coll_group *group) {
  const struct cluster_place *place = &group->cluster->place;
  if (place->hosts) {
    struct host_link link = {.group = group, .place = place, .blade = place->node, .sends = true};
    host_link_up(&link);
    link.sends = false;
    host_link_down(&link);
  } else {
    outer_own(group);
  }
}

void host_call_ppe(const struct coll_group *group, bool all_give, bool all_hear) {
  handover_hear(group, all_give);
  outer(group);
  handover_answer(group, all_hear);
  group->cluster->ncalls++;
}

void host_call_ppe_down(const struct coll_group *group, bool each) {
  bool on_root_node = cluster_place_is_root(&group->cluster->place);
  if (on_root_node) {
    handover_hear(group, false);
  }
  outer(group);
  handover_answer(group, each);
  if (each || !on_root_node) {
    handover_hear(group, each);
  }
  group->cluster->ncalls++;
}

/* One call, on the host. */
static void run(const struct coll_group *group) {
  const struct cluster_place *place = group->cluster->behind;
  const struct cluster_hosts *hosts = place->hosts;
  unsigned first = hosts->nodes[place->host], end = hosts->nodes[place->host + 1];
  bool combines = collective_combines(group->call.algo->collective); /* each blade has a vector */
  struct host_link link = {.group = group, .place = place, .at_host = true};
  for (link.blade = first; link.blade < end; link.blade++) {
    (link.blade > first && combines ? host_link_combine : host_link_up)(&link);
  }
  outer_own(group);
  link.sends = true;
  for (link.blade = first; link.blade < end; link.blade++) {
    host_link_down(&link);
  }
}

void host_call_main(void *argument) {
  const struct coll_group *group = argument;
  for (unsigned i = 0; i < group->nrepeats; i++) {
    ppe_note_enter(i);
    run(group);
    ppe_note_leave(i);
    group->cluster->ncalls++;
  }
}

/* --- the group of a host --- */

void host_call_init(struct coll_group *group, const struct cluster_place *place) {
  const struct cluster_hosts *hosts = place->hosts;
  struct cluster_call *cluster = xcalloc(1, sizeof *cluster);
  cluster->place = (struct cluster_place){
    .nodes = hosts->n,
    .node = place->host,
    .root_node = (unsigned)VEC_INDEX(hosts->nodes, hosts->n, item[1] > place->root_node),
    .machines = hosts->machines,
    .nranks = place->nranks,
    .ranks = place->ranks,
    .first = hosts->first};
  cluster->behind = place;
  group->cluster = cluster;
  group->nranks = cluster_place_ranks(&cluster->place, place->host);
  group->names = NULL;
  group->spe_of = NULL;
}

void host_call_fini(struct coll_group *group) {
  free(group->cluster);
  group->cluster = NULL;
}
