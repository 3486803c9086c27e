/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/step/layout.h"

#include "algos/step/group.h"
#include "algos/step/step.h"
#include "sim/base/minmax.h"

enum { PLACE = 16, LINE = 128 };

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

/* --- regions of the local store --- */

size_t call_map_line(size_t address) {
  return (address + LINE - 1) / LINE * LINE;
}

static size_t end_of_arrays(const struct coll_group *group) {
  return group->ls_base + step_arrays_bytes(group->nranks) + CALL_MAP_GUARD;
}

uint32_t call_map_buffer(const struct coll_group *group) {
  return group->data_at ? group->data_at : (uint32_t)call_map_line(end_of_arrays(group));
}

/* Return the address behind BUFFER_BYTES of data at ADDRESS and their guard; ADDRESS if the data is in main
 * memory. */
static size_t end_of(const struct coll_group *group, size_t address, size_t buffer_bytes) {
  return group_in_memory(group) ? address : address + buffer_bytes + CALL_MAP_GUARD;
}

static size_t end_of_data(const struct coll_group *group) {
  size_t in = layout_in_bytes(group);
  return in ? end_of(group, call_map_in(group), in)
            : end_of(group, call_map_buffer(group), layout_buffer_bytes(group));
}

size_t call_map_in(const struct coll_group *group) {
  return call_map_line(end_of(group, call_map_buffer(group), layout_buffer_bytes(group)));
}

size_t call_map_scratch(const struct coll_group *group) {
  return group->scratch_at ? group->scratch_at : call_map_line(end_of_data(group));
}

/* Return the bytes of a call of GROUP of the size of GROUP. */
static size_t bytes_of(const struct coll_group *group) {
  size_t (*scratch)(const struct coll_group *) = group->call.algo ? group->call.algo->scratch : NULL;
  /* small enough to add all other sizes without overflow */
  size_t wanted = scratch ? scratch(group) : 0, most = SIZE_MAX / 2;
  size_t end = scratch ? call_map_scratch(group) + MIN(wanted, most) + CALL_MAP_GUARD : end_of_data(group);
  size_t arrays = end_of_arrays(group);
  return MAX(end, arrays) - group->ls_base;
}

size_t call_map_bytes(const struct coll_group *group) {
  struct coll_group second = group_of_call(group, 1);
  size_t own = bytes_of(group), other = group->byte_step ? bytes_of(&second) : 0;
  return MAX(own, other);
}
