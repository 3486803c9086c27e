/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/step/call_map.h"

#include "algos/step/group.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "sim/base/minmax.h"

enum { LINE = 128 };

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
