/* SPDX-License-Identifier: BSD-3-Clause
 * The points at which an algorithm is checked. */
#pragma once

#include "sim/base/pack.h"
#include "sim/base/units.h"
#include "validate/lab/rig.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What to check. */
struct check_grid {
  struct algo_call call;
  const struct profile *profile;
  struct units_list ranks, bytes; /* empty: the usual ones */
  int root;                       /* negative: several */
  uint64_t seed;
  /* Given for all points, else drawn: */
  unsigned nrepeats;                 /* 0: drawn */
  const struct placement *placement; /* NULL: drawn */
  const enum coll_op *op;            /* NULL: in turn */
  const enum coll_type *type;        /* NULL: in turn */
  bool
    blind; /* nothing of the algorithm is called: what it refuses is found out later, and ranks are packed */
  bool has_skew;
  uint64_t skew, skew_seed;
  bool has_shuffle;
  uint64_t shuffle;
};

/* A growing list of points. */
struct check_points {
  struct rig_spec *specs; /* each owns the list of its placement */
  size_t n, capacity;
};

/* Append the points of GRID on BLADE to POINTS, which starts as zero. Those that the algorithm refuses are
 * among them.
 *
 *  - ranks: 1 to 16, beyond that a few up to all SPEs, and all others at a few points; sizes: around the
 *    borders of quadwords, lines and DMAs; each size of check_round_sizes on a drawn number of ranks, and a
 *    drawn size on each number;
 *  - roots, where there are any: 0, 1, the middle and the last one for small sizes, one of them in turn for
 *    the others, a drawn one for drawn sizes;
 *  - operators and types of reductions in turn, all that are defined and whose elements the size does not
 *  cut;
 *  - 2, or less often 3, calls back to back, sometimes 4 to 8 of small data; ranks that enter them at once or
 *    late by up to a drawn number of cycles; placements; data: drawn from the seed and the point, whatever
 *    else is on the list; where there is no root all of these delays for small sizes;
 *  - a quarter of the points, drawn as well, is shuffled; of four points of one size one is;
 *  - an algorithm of several nodes: some numbers of ranks on up to four of them, five sizes, the rest drawn,
 *  of placements as well;
 *  - 20, 70 and 300 calls on 2 to 4 ranks with 16 bytes, unless ranks, sizes or calls are given;
 *  - what moves very much data, on a few numbers of ranks only, unless they are given.
 *
 * If calls, delays and placement are given, nothing is left to draw: the seed is that of the data.
 * owner: the caller, with check_points_fini. */
void check_grid_list(struct check_points *points, const struct check_grid *grid, struct blade *blade);

/* Tell whether SPEC on BLADE is within what GRID asks for. */
bool check_grid_asks(const struct check_grid *grid, const struct rig_spec *spec, const struct blade *blade);

/* Append POINTS to PACK for another process, forked from this one or the other way round; or take them from
 * there.
 * owner: the caller, with check_points_fini. */
void check_points_pack(const struct check_points *points, struct pack *pack);
struct check_points check_points_unpack(struct pack *pack);

/* Release the contents of POINTS. */
void check_points_fini(struct check_points *points);
