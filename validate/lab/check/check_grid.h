/* SPDX-License-Identifier: BSD-3-Clause
 * The points at which an algorithm is checked. */
#pragma once

#include "sim/base/pack.h"
#include "sim/base/units.h"
#include "validate/lab/rig/rig.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What points are asked for besides the fields of call.def. */
enum { CHECK_ROOT = CALL_FIELDS, CHECK_PLACEMENT, CHECK_ROOT_STEP, CHECK_BYTE_STEP };

/* The request for a check: a call with the axes of all points. */
struct check_grid {
  struct units_list ranks, bytes; /* empty: the usual ones */
  struct call given; /* algorithm, software costs, seed of all points, `if_brief`, and what is FIXED */
  unsigned fixed;    /* members of `given`, a bit for each by enum call_field_number and CHECK_ROOT, ...; else
                        random, or in turn, roots also in the calls of one point */
  bool delays_all;   /* a given root, too, has all delays for small sizes */
  bool blind; /* no function of the algorithm is called: refusals show up later, and ranks are packed */
};

/* A growing list of points. */
struct check_points {
  struct call *calls; /* each owns the list in `placement` */
  size_t n;
  size_t more; /* bytes: more than all points have, and served as well; 0: no such size is known */
};

/* Append the points of GRID on PLATFORM to POINTS, initially zero; points that the algorithm refuses are
 * included.
 *
 *  - ranks: 1 to 16, beyond 16 a few up to all SPEs, and all other numbers at a few points; sizes: around the
 *    borders of quadwords, lines and DMAs; each size of check_round_sizes on a random number of ranks, and a
 *    random size on each number;
 *  - roots, of collectives with a root: 0, 1, the middle and the last rank for small sizes, one of these
 *    roots in turn for larger sizes, a random root for random sizes;
 *  - operators and types of reductions in turn: all defined pairs with elements that the size does not cut;
 *  - 2, or less often 3, calls back to back, sometimes 4 to 8 of small data; ranks that enter a call at once
 *    or late by up to a random number of cycles; placements; data: determined by seed and point, independent
 *    of the other points; without a root all of these delays for small sizes;
 *  - a quarter of the points with several calls and a root, unless the root is given: each call with another
 *    root, a random number of ranks further on; algorithms of several nodes keep the root;
 *  - a quarter of the points with data, unless sizes are given: every second call has fewer bytes; algorithms
 *    of several nodes keep the size;
 *  - shuffled orders: a random quarter of the points, one of four points of one size;
 *  - a program: the number of ranks in the file, all delays, in several draws of the rest;
 *  - given sizes: all of these roots and delays, and each point once more with 6 calls;
 *  - a quarter of the points with the longest delay: a much longer delay, so that one rank enters long after
 *    all other ranks;
 *  - an algorithm of several nodes: some numbers of ranks on up to four nodes, five sizes, the rest random,
 *    also placements; 5, 7, 8, 16 and a random number of nodes with 4 bytes;
 *  - 20, 70 and 300 calls on 2 to 4 ranks with 16 bytes, unless ranks, sizes or calls are given; barriers and
 *    broadcasts of plugins: also CHECK_MOST_CALLS, as long as these are brief;
 *  - unless sizes are given: one call with up to 1 MiB, or the room of the local stores, and one call with
 *    fewer bytes on other ranks;
 *  - very large data only on a few numbers of ranks, unless numbers are given; on more than 16 ranks not more
 *    than 16 ranks with 65,536 bytes, and random sizes up to 512 KiB in all.
 *
 * If calls, delays and placement are given, the seed determines only the data. */
void check_grid_list(struct check_points *points, const struct check_grid *grid,
                     const struct platform *platform);
void check_points_fini(struct check_points *points);

/* Tell whether CALL on PLATFORM is within the request GRID. */
bool check_grid_asks(const struct check_grid *grid, const struct call *call, const struct platform *platform);

/* Append POINTS to PACK for a parent or child process; or take points from PACK.
 * owner: the caller, with check_points_fini. */
void check_points_pack(const struct check_points *points, struct pack *pack);
struct check_points check_points_unpack(struct pack *pack);

/* --- the parts of a point that several files need --- */

enum { CHECK_MOST_CALLS = 65600 /* counters of 16 bits begin anew */ };
enum { CHECK_LARGEST = 65536 /* bytes; no larger size is random */, CHECK_ROUND_SIZES_MAX = 96 };

/* List usual sizes, ascending: 1, 3, 5 and 7 times a power of two; 1, 2 and 5 times a power of ten.
 * returns: the number of sizes. */
size_t check_round_sizes(size_t sizes[CHECK_ROUND_SIZES_MAX]);
