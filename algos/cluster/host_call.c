/* SPDX-License-Identifier: BSD-3-Clause
 * Calls on triblades. For each collective, a list of moves describes the data on the link between a blade and
 * the host, up to the host and down from the host. The programs at both ends go through the list in the same
 * order. */
#include "algos/cluster/host_call.h"
#include "algos/cluster/outer.h"

#include "algos/cluster/handover.h"
#include "algos/step/algo.h"
#include "algos/step/combine.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "sim/base/vec.h"

#include <stdlib.h>

/* A blade's link, seen by the program at one end. */
struct host_link {
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

static void make(const struct host_link *link, const struct move *move) {
  const struct coll_group *group = link->group;
  const struct cluster_call *cluster = group->cluster;
  bool in_room = link->at_host ? move->in_host_room : move->in_room;
  uint64_t ea = (in_room ? cluster->work_ea : cluster_call_ea(cluster, cluster->ncalls)) +
                (link->at_host ? move->at_host : move->at_blade);
  unsigned peer =
    link->at_host ? link->place->machines[link->blade] : link->place->hosts->machines[link->place->host];
  (link->sends ? net_put : net_wait)(peer, ea, (uint32_t)move->nbytes);
}

/* --- moves of each collective --- */

static void move_all(const struct host_link *link) {
  make(link, &(struct move){.nbytes = layout_buffer_bytes(link->group)});
}

/* Move COUNT blocks: MOVE has the offsets in blocks. */
static void move_blocks(const struct host_link *link, struct move move, size_t count) {
  size_t stride = layout_stride(link->group);
  move.at_blade *= stride;
  move.at_host *= stride;
  move.nbytes = (count - 1) * stride + link->group->nbytes;
  make(link, &move);
}

/* Move the blocks of the ranks of the blade. */
static void move_own(const struct host_link *link) {
  size_t first = link->place->first[link->blade];
  move_blocks(link, (struct move){.at_blade = first, .at_host = first},
              cluster_place_ranks(link->place, link->blade));
}

/* Ranks of LINK's host: their number, the index of the first, and the number of ranks before the blade. */
struct share {
  size_t count, first, before;
};

static struct share share_of(const struct host_link *link) {
  const struct cluster_hosts *hosts = link->place->hosts;
  size_t first = hosts->first[link->place->host];
  return (struct share){.count = hosts->first[link->place->host + 1] - first,
                        .first = first,
                        .before = link->place->first[link->blade] - first};
}

/* Move the blocks of an all-to-all for the ranks of all other nodes. A host keeps, for each node, the blocks
 * of all its ranks together. */
static void move_leaving(const struct host_link *link) {
  size_t own = cluster_place_ranks(link->place, link->blade);
  struct share share = share_of(link);
  for (unsigned node = 0; node < link->place->nodes; node++) {
    size_t first = link->place->first[node], theirs = cluster_place_ranks(link->place, node);
    if (node != link->blade) {
      move_blocks(
        link, (struct move){.at_blade = own * first, .at_host = share.count * first + share.before * theirs},
        own * theirs);
    }
  }
}

/* Move the blocks for the ranks of the blade: from the other nodes behind the host, and from other hosts. */
static void move_coming(const struct host_link *link) {
  const struct cluster_place *place = link->place;
  const struct cluster_hosts *hosts = place->hosts;
  size_t own = cluster_place_ranks(place, link->blade);
  struct share share = share_of(link);
  for (unsigned node = hosts->nodes[place->host]; node < hosts->nodes[place->host + 1]; node++) {
    size_t first = place->first[node], theirs = cluster_place_ranks(place, node);
    if (node != link->blade) {
      move_blocks(
        link,
        (struct move){.at_blade = own * first,
                      .at_host = share.count * place->first[link->blade] + (first - share.first) * own,
                      .in_room = true},
        own * theirs);
    }
  }
  for (unsigned host = 0; host < hosts->n; host++) {
    size_t first = hosts->first[host], theirs = hosts->first[host + 1] - first;
    if (host != place->host) {
      move_blocks(link,
                  (struct move){.at_blade = own * first,
                                .at_host = share.count * first + share.before * theirs,
                                .in_room = true,
                                .in_host_room = true},
                  own * theirs);
    }
  }
}

static bool is_root(const struct host_link *link) {
  return link->blade == link->place->root_node;
}

/* Move the data of the blade that the host needs. The programs at both ends call this function. */
static void link_up(const struct host_link *link) {
  enum collective collective = link->group->call.algo->collective;
  if (collective == COLL_ALLTOALL) {
    move_leaving(link);
  } else if (collective == COLL_GATHER || collective == COLL_ALLGATHER) {
    move_own(link);
  } else if (is_root(link) || (collective != COLL_BCAST && collective != COLL_SCATTER)) {
    move_all(link);
  }
}

/* Move the data of the blade from the host; as link_up. */
static void link_down(const struct host_link *link) {
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

/* On the host: receive a vector from the blade and combine the vector with the data of the host. */
static void link_combine(const struct host_link *link) {
  const struct coll_group *group = link->group;
  const struct cluster_call *cluster = group->cluster;
  net_wait(link->place->machines[link->blade], cluster->work_ea, (uint32_t)group->nbytes);
  step_ppe_combine(&(struct combine){.op = group->op, .type = group->type, .nbytes = group->nbytes},
                   cluster_call_ea(cluster, cluster->ncalls), cluster->work_ea);
}

/* --- programs --- */

/* Make the outer part of the call of a node, on its PPE: with the other PPEs; or, behind a host, by sending
 * data to the host and receiving the result. */
static void outer(const struct coll_group *group) {
  const struct cluster_place *place = &group->cluster->place;
  if (place->hosts) {
    struct host_link link = {.group = group, .place = place, .blade = place->node, .sends = true};
    link_up(&link);
    link.sends = false;
    link_down(&link);
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
    (link.blade > first && combines ? link_combine : link_up)(&link);
  }
  outer_own(group);
  link.sends = true;
  for (link.blade = first; link.blade < end; link.blade++) {
    link_down(&link);
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
