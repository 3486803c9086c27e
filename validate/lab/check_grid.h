/* SPDX-License-Identifier: BSD-3-Clause
 * The points at which an algorithm is checked. */
#pragma once

#include "sim/base/units.h"
#include "validate/lab/rig.h"

#include <stddef.h>
#include <stdint.h>

/* What to check. */
struct check_grid {
  struct algo_call call;
  const struct profile *profile;
  struct units_list ranks, bytes; /* empty: the usual ones */
  int root;                       /* negative: several */
  uint64_t seed;
};

/* A growing list of points. */
struct check_points {
  struct rig_spec *specs;
  size_t n, capacity;
};

/* Append the points of GRID on BLADE to POINTS, which starts as zero. Those that the algorithm refuses are among them.
 *
 *  - ranks: 1 to 16, beyond that a few up to all SPEs; sizes: around the borders of quadwords, lines and DMAs;
 *  - roots, where there are any: 0, 1, the middle and the last one for small sizes, one of them in turn for the others;
 *  - operators and types of reductions in turn, all that are defined and whose elements the size does not cut;
 *  - 2 or 3 calls back to back, ranks that enter them at once or late by up to a drawn number of cycles, and data: drawn
 *    from the seed and the point, whatever else is on the list; where there is no root all of these delays for small
 *    sizes;
 *  - what moves very much data, on a few numbers of ranks only, unless they are given.
 *
 * owner: the caller frees specs. */
void check_grid_list(struct check_points *points, const struct check_grid *grid, const struct blade *blade);
