/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/shape/grid.h"

#include "algos/shape/tree.h"
#include "algos/step/layout.h"
#include "sim/base/minmax.h"

unsigned grid_relay(struct grid grid, unsigned from, unsigned to) {
  if (grid.near <= grid.far) {
    return to % grid.near;
  }
  unsigned relay = from / grid.far * grid.far + to;
  return relay < grid.near ? relay : relay - grid.far;
}

unsigned grid_first(struct grid grid, unsigned relay) {
  return grid.near <= grid.far ? 0 : relay / grid.far * grid.far;
}

unsigned grid_end(struct grid grid, unsigned relay) {
  bool last = grid.near <= grid.far || relay + grid.far >= grid.near;
  return last ? grid.near : grid_first(grid, relay) + grid.far;
}

unsigned grid_place(struct grid grid, unsigned from, unsigned to) {
  if (grid.near <= grid.far) {
    return to / grid.near * grid.near + from;
  }
  return from - grid_first(grid, grid_relay(grid, from, to));
}

/* Return the maximum number of places of a relay. */
static unsigned places(struct grid grid) {
  return grid.near <= grid.far ? (grid.far + grid.near - 1) / grid.near * grid.near
                               : grid.far + grid.near % grid.far;
}

unsigned grid_area(const struct coll_group *group, unsigned near, unsigned far) {
  unsigned sum = 0;
  for (unsigned chip = 0; chip < far; chip++) {
    sum += chip != near ? places((struct grid){team_of_chip(group, near).n, team_of_chip(group, chip).n}) : 0;
  }
  return sum;
}

size_t grid_scratch(const struct coll_group *group) {
  unsigned most = 0;
  for (unsigned chip = 0; chip < group->nchips; chip++) {
    unsigned sum = grid_area(group, chip, group->nchips);
    RAISE(most, sum);
  }
  return most * layout_stride(group);
}
