/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/step/layout.h"

#include "algos/step/group.h"
#include "sim/base/minmax.h"

enum { PLACE = 16 };

static enum collective collective_of(const struct coll_group *group) {
  return group->call.algo ? group->call.algo->collective
                          : COLL_BCAST; /* microbenchmarks have a plain buffer */
}

size_t layout_stride(const struct coll_group *group) {
  return (group->nbytes + PLACE - 1) / PLACE * PLACE;
}

size_t layout_most_stride(const struct coll_group *group) {
  return (group_most_bytes(group) + PLACE - 1) / PLACE * PLACE;
}

size_t layout_count(const struct coll_group *group, unsigned from, unsigned to) {
  switch (collective_of(group)) {
  case COLL_ALLGATHERV:
  case COLL_GATHERV:
    return group->nbytes * (from % 5) / 4;
  case COLL_ALLTOALLV:
    return group->nbytes * ((from + 3 * to) % 5) / 4;
  default:
    return group->nbytes;
  }
}

struct span layout_block(const struct coll_group *group, unsigned rank) {
  return (struct span){rank * layout_stride(group), layout_count(group, rank, 0)};
}

struct span layout_blocks(const struct coll_group *group, unsigned first, unsigned count) {
  struct span last = layout_block(group, first + count - 1);
  size_t offset = first * layout_stride(group);
  return (struct span){offset, count ? last.offset + last.nbytes - offset : 0};
}

struct span layout_pieces(const struct coll_group *group, unsigned first, unsigned end, unsigned count) {
  size_t places = (group->nbytes + PLACE - 1) / PLACE;
  size_t from = places * first / count * PLACE, to = places * end / count * PLACE;
  LOWER(from, group->nbytes);
  LOWER(to, group->nbytes);
  return (struct span){from, to - from};
}

struct span layout_piece(const struct coll_group *group, unsigned index, unsigned count) {
  return layout_pieces(group, index, index + 1, count);
}

size_t layout_buffer_bytes(const struct coll_group *group) {
  enum collective collective = collective_of(group);
  unsigned blocks = group->nranks_all ? group->nranks_all : group->nranks;
  if (!collective_has_data(collective)) {
    return 0;
  }
  return (collective_has_blocks(collective) ? (blocks - 1) * layout_stride(group) : 0) + group->nbytes;
}

size_t layout_in_bytes(const struct coll_group *group) {
  enum collective collective = collective_of(group);
  bool is_apart = group->call.algo && group->call.algo->is_apart;
  bool is_whole = is_apart && (collective_combines(collective) || collective == COLL_SCATTER);
  if (is_whole || collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV) {
    return layout_buffer_bytes(group);
  }
  return is_apart ? group->nbytes : 0;
}
