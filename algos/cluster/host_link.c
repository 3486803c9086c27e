/* SPDX-License-Identifier: BSD-3-Clause
 * See host_link.h. For each collective, a list of moves describes the data on the link of a blade, up to the
 * host and down from the host. The programs at both ends go through the list in the same order. */
#include "algos/cluster/host_link.h"

#include "algos/step/algo.h"
#include "algos/step/combine.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"

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

/* Return the bytes of COUNT blocks. */
static size_t bytes_of(const struct host_link *link, size_t count) {
  return (count - 1) * layout_stride(link->group) + link->group->nbytes;
}

/* --- moves of each collective --- */

static void move_all(const struct host_link *link) {
  make(link, &(struct move){.nbytes = layout_buffer_bytes(link->group)});
}

/* Move the blocks of the ranks of the blade. */
static void move_own(const struct host_link *link) {
  size_t at = link->place->first[link->blade] * layout_stride(link->group);
  make(link, &(struct move){.at_blade = at,
                            .at_host = at,
                            .nbytes = bytes_of(link, cluster_place_ranks(link->place, link->blade))});
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
static void move_coming(const struct host_link *link) {
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

static bool is_root(const struct host_link *link) {
  return link->blade == link->place->root_node;
}

void host_link_up(const struct host_link *link) {
  enum collective collective = link->group->call.algo->collective;
  if (collective == COLL_ALLTOALL) {
    move_leaving(link);
  } else if (collective == COLL_GATHER || collective == COLL_ALLGATHER) {
    move_own(link);
  } else if (is_root(link) || (collective != COLL_BCAST && collective != COLL_SCATTER)) {
    move_all(link);
  }
}

void host_link_down(const struct host_link *link) {
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

void host_link_combine(const struct host_link *link) {
  const struct coll_group *group = link->group;
  const struct cluster_call *cluster = group->cluster;
  net_wait(link->place->machines[link->blade], cluster->work_ea, (uint32_t)group->nbytes);
  step_ppe_combine(&(struct combine){.op = group->op, .type = group->type, .nbytes = group->nbytes},
                   cluster_call_ea(cluster, cluster->ncalls), cluster->work_ea);
}
