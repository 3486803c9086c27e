/* SPDX-License-Identifier: BSD-3-Clause
 * See host_call.h. For each collective, a list of moves describes the data on the link of a blade, up to the
 * host and down from the host. The programs at both ends go through the list in the same order. */
#include "algos/cluster/host_call.h"

#include "algos/cluster/handover.h"
#include "algos/cluster/outer.h"
#include "algos/step/algo.h"
#include "algos/step/combine.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "sim/base/xalloc.h"

#include <stdbool.h>
#include <stdlib.h>

/* A blade's link, seen by the program at one end. */
struct link {
  const struct coll_group *group;    /* group of this program */
  const struct cluster_place *place; /* place of a blade behind the host; `node` is replaced by `blade` */
  unsigned blade;                    /* outer rank of the link's blade */
  bool at_host;
  bool sends;
};

/* Bytes on a link: the offset at each end, from the beginning of the data or of the room for arrivals. */
struct move {
  size_t at_blade, at_host, nbytes;
  bool in_room;      /* the offset at the blade is in the room */
  bool in_host_room; /* the offset at the host is in the room */
};

/* --- one move --- */

static void make(const struct link *link, const struct move *move) {
  const struct coll_group *group = link->group;
  const struct cluster_call *cluster = group->cluster;
  const struct step_port *port = group->port;
  bool in_room = link->at_host ? move->in_host_room : move->in_room;
  uint64_t ea = (in_room ? cluster->work_ea : cluster_call_ea(cluster, cluster->ncalls)) +
                (link->at_host ? move->at_host : move->at_blade);
  unsigned peer =
    link->at_host ? link->place->machines[link->blade] : link->place->hosts->machines[link->place->host];
  (link->sends ? port->net_put : port->net_wait)(peer, ea, (uint32_t)move->nbytes);
}

/* Return the bytes of COUNT blocks. */
static size_t bytes_of(const struct link *link, size_t count) {
  return (count - 1) * layout_stride(link->group) + link->group->nbytes;
}

/* --- moves of each collective --- */

static void move_all(const struct link *link) {
  make(link, &(struct move){.nbytes = layout_buffer_bytes(link->group)});
}

/* Move the blocks of the ranks of the blade. */
static void move_own(const struct link *link) {
  size_t at = link->place->first[link->blade] * layout_stride(link->group);
  make(link, &(struct move){.at_blade = at,
                            .at_host = at,
                            .nbytes = bytes_of(link, cluster_place_ranks(link->place, link->blade))});
}

/* Ranks of LINK's host: their number, the index of the first, and the number of ranks before the blade. */
struct share {
  size_t count, first, before;
};

static struct share share_of(const struct link *link) {
  const struct cluster_hosts *hosts = link->place->hosts;
  size_t first = hosts->first[link->place->host];
  return (struct share){.count = hosts->first[link->place->host + 1] - first,
                        .first = first,
                        .before = link->place->first[link->blade] - first};
}

/* Move the blocks of an all-to-all for the ranks of all other nodes. A host keeps, for each node, the blocks
 * of all its ranks together. */
static void move_leaving(const struct link *link) {
  size_t stride = layout_stride(link->group), own = cluster_place_ranks(link->place, link->blade);
  struct share share = share_of(link);
  for (unsigned node = 0; node < link->place->nodes; node++) {
    size_t first = link->place->first[node], theirs = cluster_place_ranks(link->place, node);
    if (node != link->blade) {
      make(link, &(struct move){.at_blade = own * first * stride,
                                .at_host = (share.count * first + share.before * theirs) * stride,
                                .nbytes = bytes_of(link, own * theirs)});
    }
  }
}

/* Move the blocks for the ranks of the blade: from the other nodes behind the host, and from other hosts. */
static void move_coming(const struct link *link) {
  const struct cluster_place *place = link->place;
  const struct cluster_hosts *hosts = place->hosts;
  size_t stride = layout_stride(link->group), own = cluster_place_ranks(place, link->blade);
  struct share share = share_of(link);
  for (unsigned node = hosts->nodes[place->host]; node < hosts->nodes[place->host + 1]; node++) {
    size_t first = place->first[node], theirs = cluster_place_ranks(place, node);
    if (node != link->blade) {
      make(link,
           &(struct move){.at_blade = own * first * stride,
                          .at_host =
                            (share.count * place->first[link->blade] + (first - share.first) * own) * stride,
                          .nbytes = bytes_of(link, own * theirs),
                          .in_room = true});
    }
  }
  for (unsigned host = 0; host < hosts->n; host++) {
    size_t first = hosts->first[host], theirs = hosts->first[host + 1] - first;
    if (host != place->host) {
      make(link, &(struct move){.at_blade = own * first * stride,
                                .at_host = (share.count * first + share.before * theirs) * stride,
                                .nbytes = bytes_of(link, own * theirs),
                                .in_room = true,
                                .in_host_room = true});
    }
  }
}

static bool is_root(const struct link *link) {
  return link->blade == link->place->root_node;
}

/* Move the data of the blade needed by the host. */
static void move_up(const struct link *link) {
  enum collective collective = link->group->call.algo->collective;
  if (collective == COLL_ALLTOALL) {
    move_leaving(link);
  } else if (collective == COLL_GATHER || collective == COLL_ALLGATHER) {
    move_own(link);
  } else if (is_root(link) || (collective != COLL_BCAST && collective != COLL_SCATTER)) {
    move_all(link);
  }
}

/* Move the blade's data from the host. */
static void move_down(const struct link *link) {
  enum collective collective = link->group->call.algo->collective;
  bool at_root = collective == COLL_REDUCE || collective == COLL_GATHER;
  if (collective == COLL_ALLTOALL) {
    move_coming(link);
  } else if (collective == COLL_SCATTER) {
    move_own(link);
  } else if (collective == COLL_BCAST ? !is_root(link) : is_root(link) || !at_root) {
    move_all(link);
  }
}

/* --- both ends --- */

/* Make the outer part of the call of a node, on its PPE: with the other PPEs; or, behind a host, by sending
 * data to the host and receiving the result. */
static void outer(const struct coll_group *group) {
  const struct cluster_place *place = &group->cluster->place;
  if (place->hosts) {
    struct link link = {.group = group, .place = place, .blade = place->node, .sends = true};
    move_up(&link);
    link.sends = false;
    move_down(&link);
  } else {
    outer_own(group);
  }
}

void host_call_ppe(const struct coll_group *group, bool all_give, bool all_hear) {
  (all_give ? handover_hear_all : handover_hear)(group);
  outer(group);
  (all_hear ? handover_answer_all : handover_answer)(group);
  group->cluster->ncalls++;
}

void host_call_ppe_down(const struct coll_group *group, bool each) {
  bool on_root_node = cluster_place_is_root(&group->cluster->place);
  if (on_root_node) {
    handover_hear(group);
  }
  outer(group);
  (each ? handover_answer_all : handover_answer)(group);
  if (each) {
    handover_hear_all(group);
  } else if (!on_root_node) {
    handover_hear(group);
  }
  group->cluster->ncalls++;
}

/* Receive a vector from the blade of LINK and combine it with the data. */
static void combine(const struct link *link) {
  const struct coll_group *group = link->group;
  const struct cluster_call *cluster = group->cluster;
  group->port->net_wait(link->place->machines[link->blade], cluster->work_ea, (uint32_t)group->nbytes);
  group->port->ppe_combine(&(struct combine){.op = group->op, .type = group->type, .nbytes = group->nbytes},
                           cluster_call_ea(cluster, cluster->ncalls), cluster->work_ea);
}

/* One call, on the host. */
static void run(const struct coll_group *group) {
  const struct cluster_place *place = group->cluster->behind;
  const struct cluster_hosts *hosts = place->hosts;
  unsigned first = hosts->nodes[place->host], end = hosts->nodes[place->host + 1];
  bool combines = collective_combines(group->call.algo->collective); /* each blade has a vector */
  struct link link = {.group = group, .place = place, .at_host = true};
  for (link.blade = first; link.blade < end; link.blade++) {
    (link.blade > first && combines ? combine : move_up)(&link);
  }
  outer_own(group);
  link.sends = true;
  for (link.blade = first; link.blade < end; link.blade++) {
    move_down(&link);
  }
}

void host_call_main(void *argument) {
  const struct coll_group *group = argument;
  for (unsigned i = 0; i < group->nrepeats; i++) {
    group->port->ppe_note_enter(i);
    run(group);
    group->port->ppe_note_leave(i);
    group->cluster->ncalls++;
  }
}

/* --- the group of a host --- */

void host_call_init(struct coll_group *group, const struct cluster_place *place) {
  const struct cluster_hosts *hosts = place->hosts;
  struct cluster_call *cluster = xcalloc(1, sizeof *cluster);
  unsigned root_host = 0;
  while (hosts->nodes[root_host + 1] <= place->root_node) {
    root_host++;
  }
  cluster->place = (struct cluster_place){.nodes = hosts->n,
                                          .node = place->host,
                                          .root_node = root_host,
                                          .machines = hosts->machines,
                                          .nranks = place->nranks,
                                          .order = place->order,
                                          .first = hosts->first};
  cluster->behind = place;
  group->cluster = cluster;
  group->nranks = cluster_place_ranks(&cluster->place, place->host);
  group->nranks_all = place->nranks;
  group->names = NULL;
  group->spe_of = NULL;
}

void host_call_fini(struct coll_group *group) {
  free(group->cluster);
  group->cluster = NULL;
}
