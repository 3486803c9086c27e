/* SPDX-License-Identifier: BSD-3-Clause
 * See check_grid.h. */
#include "validate/lab/check_grid.h"

#include "algos/catalogue.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"

#include <stdbool.h>

enum {
  ALL_UP_TO = 16,    /* ranks */
  ROOTS = 4,         /* of which one is taken in turn from SMALL on */
  SMALL = 4096,      /* bytes */
  MUCH = 512 * 1024, /* bytes in all buffers together */
  SEEDS = 1 << 24,   /* a drawn seed is below this, and so easily typed */
};

static const uint64_t usual_bytes[] = {0, 1, 4, 16, 20, 128, 4096, 16384, 16400, 65536};
static const uint64_t usual_skews[] = {0, 100, 3000, 60000};
enum { NSKEWS = sizeof usual_skews / sizeof *usual_skews };
static const uint64_t DRAWN = UINT64_MAX; /* one of these */

/* Tell whether NRANKS is one of the usual numbers on a machine with NSPES. */
static bool
is_usual(uint64_t nranks, unsigned nspes)
{
  return nranks <= ALL_UP_TO || nranks == ALL_UP_TO + 1 || nranks == 24 || (nranks & (nranks - 1)) == 0 ||
         nranks + 1 >= nspes;
}

/* Tell whether so much data moves on NRANKS ranks with NBYTES that a few numbers of ranks must do, and NRANKS is none of
 * them: two, an odd and an even one, all of a chip, one more, all. */
static bool
is_too_much(const struct check_grid *grid, const struct blade *blade, unsigned nranks, uint64_t nbytes)
{
  enum collective collective = grid->call.algo->collective;
  bool vector = collective_combines(collective) || collective == COLL_BCAST;
  uint64_t all = nranks * nbytes * (vector ? 1 : nranks);
  unsigned chip = blade_spes_per_chip(blade);
  return all > MUCH && nranks != 2 && nranks != 5 && nranks != 12 && nranks != chip && nranks != chip + 1 &&
         nranks != blade_nspes(blade);
}

/* Let SPEC have the operator and type number INDEX of those that suit its size. */
static void
choose_operator(struct rig_spec *spec, uint64_t index)
{
  struct {
    enum coll_op op;
    enum coll_type type;
  } fit[OP_COUNT * TYPE_COUNT];
  unsigned n = 0;
  for (enum coll_op op = 0; op < OP_COUNT; op++) {
    for (enum coll_type type = 0; type < TYPE_COUNT; type++) {
      if (combine_is_defined(op, type) && spec->nbytes % combine_size(type) == 0) {
        fit[n].op = op;
        fit[n++].type = type;
      }
    }
  }
  if (n > 0) {
    spec->op = fit[index % n].op;
    spec->type = fit[index % n].type;
  }
}

/* Append the point with NRANKS, ROOT and NBYTES. */
static void
add(struct check_points *points, const struct check_grid *grid, struct rig_spec spec)
{
  uint64_t state = grid->seed;
  state = random_next(&state) ^ spec.nranks;
  state = random_next(&state) ^ spec.root;
  state = random_next(&state) ^ spec.nbytes;
  state = random_next(&state) ^ spec.skew;
  spec.call = grid->call;
  spec.profile = grid->profile;
  spec.nrepeats = 2 + (unsigned)(random_next(&state) % 2);
  uint64_t drawn = usual_skews[random_next(&state) % NSKEWS];
  spec.skew = spec.skew == DRAWN ? drawn : spec.skew;
  spec.seed = random_next(&state) % SEEDS;
  spec.skew_seed = spec.seed;
  if (collective_combines(spec.call.algo->collective)) {
    choose_operator(&spec, spec.nranks + spec.root + spec.nbytes / 4 + grid->seed);
  }
  if (points->n == points->capacity) {
    points->capacity = points->capacity ? 2 * points->capacity : 256;
    points->specs = xrealloc(points->specs, points->capacity, sizeof *points->specs);
  }
  points->specs[points->n++] = spec;
}

/* Append the points of a collective without a root that SPEC begins: with all delays if it is small. */
static void
add_skews(struct check_points *points, const struct check_grid *grid, struct rig_spec spec)
{
  for (size_t i = 0; i < NSKEWS && spec.nbytes <= SMALL; i++) {
    spec.skew = usual_skews[i];
    add(points, grid, spec);
  }
  if (spec.nbytes > SMALL) {
    add(points, grid, spec);
  }
}

/* Append the points of a collective with a root that SPEC, with size number INDEX, begins: with all roots if it is small. */
static void
add_roots(struct check_points *points, const struct check_grid *grid, struct rig_spec spec, size_t index)
{
  unsigned n = spec.nranks;
  unsigned roots[ROOTS] = {0, 1, n / 2, n - 1};
  if (grid->root >= 0) {
    spec.root = (unsigned)grid->root;
    add(points, grid, spec);
    return;
  }
  size_t count = 0; /* of different ones */
  for (size_t i = 0; i < ROOTS; i++) {
    if (roots[i] < n && (count == 0 || roots[i] > roots[count - 1])) {
      roots[count++] = roots[i];
    }
  }
  for (size_t i = 0; i < count; i++) {
    if (spec.nbytes <= SMALL || i == (n + index) % count) {
      spec.root = roots[i];
      add(points, grid, spec);
    }
  }
}

/* Append the points with NRANKS. */
static void
add_sizes(struct check_points *points, const struct check_grid *grid, const struct blade *blade,
          unsigned nranks)
{
  static const uint64_t none[] = {0};
  bool usual = grid->bytes.n == 0, all = grid->ranks.n > 0;
  const uint64_t *bytes = usual ? usual_bytes : grid->bytes.values;
  size_t n = usual ? sizeof usual_bytes / sizeof *usual_bytes : grid->bytes.n;
  if (!collective_has_data(grid->call.algo->collective)) {
    bytes = none;
    n = 1;
  }
  for (size_t i = 0; i < n; i++) {
    struct rig_spec spec = {.nranks = nranks, .nbytes = bytes[i], .skew = DRAWN};
    if (!all && is_too_much(grid, blade, nranks, bytes[i])) {
      continue;
    }
    if (collective_has_root(grid->call.algo->collective)) {
      add_roots(points, grid, spec, i);
    } else {
      add_skews(points, grid, spec);
    }
  }
}

void
check_grid_list(struct check_points *points, const struct check_grid *grid, const struct blade *blade)
{
  for (size_t i = 0; i < grid->ranks.n; i++) {
    add_sizes(points, grid, blade, (unsigned)grid->ranks.values[i]);
  }
  for (unsigned n = 1; grid->ranks.n == 0 && n <= blade_nspes(blade); n++) {
    if (is_usual(n, blade_nspes(blade))) {
      add_sizes(points, grid, blade, n);
    }
  }
}
