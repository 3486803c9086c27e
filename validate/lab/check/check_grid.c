/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/check/check_grid.h"

#include "algos/catalogue.h"
#include "algos/step/collective.h"
#include "platform/platform.h"
#include "sim/base/random.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "validate/lab/call/usual_ranks.h"

#include <stdlib.h>
#include <string.h>

enum {
  ALL_UP_TO = 16,        /* ranks */
  ROOTS = 4,             /* of which one is taken in turn from SMALL on */
  SMALL = 4096,          /* bytes */
  MUCH = 512 * 1024,     /* bytes in all buffers together */
  LARGE_MUCH = 4 << 20,  /* the same, of the points with large sizes */
  SEEDS = 1 << 24,       /* a random seed is below this, and so easily typed */
  MANY_CALLS_EVERY = 12, /* points of small data */
  ENOUGH_CALLS = 6,      /* for what is used in turn */
  LATE_EVERY = 4,        /* points with the longest delay */
  TURN_EVERY = 4,        /* points with a root */
  RESIZE_EVERY = 4,      /* points with data */
};

static const struct units_list check_bytes = {
  .values = (uint64_t[]){0, 1, 4, 16, 20, 128, 4096, 16384, 16400, 65536}, .n = 10};
static const uint64_t usual_skews[] = {0, 100, 3000, 60000};
/* Longer than a call by far: the last of 16 ranks with random delays up to this enters, on average, 60,000
 * cycles after the last but one. */
static const uint64_t LATE = 1000000;
enum { NSKEWS = VEC_LENGTH(usual_skews) };
static const uint64_t RANDOM = UINT64_MAX; /* one of these */
enum { OTHER_BYTES = 20 };                 /* on unusual numbers of ranks */
enum { SEEDS_OF_FILE = 4 };
static const struct units_list other_bytes = UNITS_OF(OTHER_BYTES);

/* Sizes on up to NODES nodes; larger numbers of nodes, with FEW bytes. */
static const struct units_list bytes_of_nodes = UNITS_OF(0, 4, 20, 272, 4096);
static const unsigned more_nodes[] = {5, 7, 8, 16, 0 /* random, up to RANDOM_NODES */};
enum { NODES = 4, RANDOM_NODES = 16, FEW = 4 };

/* Sizes beyond CHECK_LARGEST, tried on FEW_RANKS numbers of ranks at most. */
static const size_t large_bytes[] = {1 << 20,   512 << 10, 256 << 10, 192 << 10, 160 << 10,
                                     128 << 10, 112 << 10, 96 << 10,  80 << 10};
enum { NLARGE = VEC_LENGTH(large_bytes), FEW_RANKS = 8, LARGE_LESS = 112 };

/* --- random parts of a point, from its algorithm and the seed of the grid --- */

/* Return a number determined by the algorithm and the seed of GRID, and by MORE. */
static uint64_t random_seed(const struct check_grid *grid, uint64_t more) {
  uint64_t seed = grid->given.seed ^ more;
  for (const char *c = catalogue_name(&grid->given.algorithm); *c; c++) {
    seed = random_next(&seed) ^ (unsigned char)*c;
  }
  return random_next(&seed);
}

static bool is_round(size_t size) {
  size_t odd = size, digit = size;
  while (odd % 2 == 0) {
    odd /= 2;
  }
  while (digit % 10 == 0) {
    digit /= 10;
  }
  return odd <= 7 || digit == 1 || digit == 2 || digit == 5;
}

size_t check_round_sizes(size_t sizes[CHECK_ROUND_SIZES_MAX]) {
  size_t n = 0;
  for (size_t size = 1; size <= CHECK_LARGEST; size++) {
    if (is_round(size)) {
      sizes[n++] = size;
    }
  }
  return n;
}

/* Return a random size up to CHECK_LARGEST from the stream STATE, as often below as above the geometric
 * mean. */
static size_t random_size(uint64_t *state) {
  size_t power = (size_t)1 << random_next(state) % 16;
  return power + random_next(state) % power + 1;
}

/* Return a list of NRANKS random ones of NSPES SPEs, each at most once.
 * owner: the caller frees values. */
static struct units_list random_spes(unsigned nspes, unsigned nranks, uint64_t *state) {
  uint64_t *spes = xcalloc(nspes, sizeof *spes);
  for (unsigned i = 0; i < nspes; i++) {
    spes[i] = i;
  }
  for (unsigned i = 0; i < nranks; i++) {
    unsigned other = i + (unsigned)(random_next(state) % (nspes - i));
    uint64_t spe = spes[other];
    spes[other] = spes[i];
    spes[i] = spe;
  }
  return (struct units_list){.values = spes, .n = nranks};
}

/* Let the stream of STATE choose the placement of NRANKS ranks on PLATFORM: packed, round-robin or any SPEs.
 * With SPREAD the ranks are on all nodes of PLATFORM, and random SPEs come from one node more than the ranks
 * need, if PLATFORM has one more.
 * owner: the caller frees list.values. */
static struct placement random_placement(const struct platform *platform, bool spread, unsigned nranks,
                                         uint64_t *state) {
  static const enum placement_kind kinds[] = {PLACEMENT_PACKED, PLACEMENT_PACKED, PLACEMENT_ROUND_ROBIN,
                                              PLACEMENT_LIST};
  struct placement placement = {.kind = kinds[random_next(state) % (VEC_LENGTH(kinds))]};
  unsigned each = platform->nspes, there = spread ? placement_machine_nodes(platform) : 1;
  unsigned wanted = (nranks - 1) / each + 2, nspes = each * MIN(wanted, there);
  if (nranks > nspes) {
    placement.kind = PLACEMENT_PACKED;
  }
  if (placement.kind == PLACEMENT_LIST) {
    placement.list = random_spes(nspes, nranks, state);
  }
  return placement;
}

/* --- the points --- */

/* A list of points under way. */
struct listing {
  struct check_points *points;
  struct check_grid grid;
  const struct platform *platform;
};

static enum collective collective_of(const struct check_grid *grid) {
  return grid->given.algorithm.algo->collective;
}

static bool has_root(const struct check_grid *grid) {
  return collective_has_root(collective_of(grid));
}

static bool has_data(const struct check_grid *grid) {
  return collective_has_data(collective_of(grid));
}

/* Tell whether NRANKS is one of the usual numbers on a machine with NSPES. */
static bool is_usual(uint64_t nranks, unsigned nspes) {
  return nranks <= ALL_UP_TO || nranks == ALL_UP_TO + 1 || nranks == 24 || (nranks & (nranks - 1)) == 0 ||
         nranks + 1 >= nspes;
}

/* Return the bytes in the buffers of NRANKS ranks with NBYTES together. */
static uint64_t all_bytes(const struct listing *listing, uint64_t nranks, uint64_t nbytes) {
  return nranks * nbytes * (collective_has_blocks(collective_of(&listing->grid)) ? nranks : 1);
}

/* Tell whether NRANKS ranks with NBYTES have more data than ALL_UP_TO ranks with the largest usual size; or
 * more than MUCH, and NRANKS is none of the few numbers for much data: two, an odd and an even number, all
 * SPEs of a chip, one more, all SPEs. */
static bool is_too_much(const struct listing *listing, unsigned nranks, uint64_t nbytes) {
  uint64_t all = all_bytes(listing, nranks, nbytes);
  unsigned chip = listing->platform->spes_per_chip;
  if (nranks > ALL_UP_TO && all > all_bytes(listing, ALL_UP_TO, CHECK_LARGEST)) {
    return true;
  }
  return all > MUCH && nranks != 2 && nranks != 5 && nranks != 12 && nranks != chip && nranks != chip + 1 &&
         nranks != listing->platform->nspes;
}

static bool is_fixed(const struct check_grid *grid, unsigned number) {
  return grid->fixed >> number & 1;
}

/* Let all points of GRID have NCALLS calls. */
static void fix_calls(struct check_grid *grid, unsigned ncalls) {
  grid->given.repeat = ncalls;
  grid->fixed |= 1u << FIELD_repeat;
}

/* Tell whether nothing of a point of GRID is left to chance. */
static bool is_exact(const struct check_grid *grid) {
  return is_fixed(grid, FIELD_repeat) && is_fixed(grid, CHECK_PLACEMENT) && is_fixed(grid, FIELD_skew);
}

/* Tell whether VALUE is on LIST, which is empty if all values are; an element of all ranks stands for ALL. */
static bool is_listed(const struct units_list *list, uint64_t value, uint64_t all) {
  return list->n == 0 ||
         VEC_FIND(list->values, list->n, *item == value || (*item == UNITS_ALL && all == value));
}

/* --- one point --- */

/* Let CALL have number INDEX of the pairs of operator and type allowed by GRID and by the size of CALL. */
static void choose_operator(struct call *call, const struct check_grid *grid, uint64_t index) {
  struct {
    enum coll_op op;
    enum coll_type type;
  } fit[OP_COUNT * TYPE_COUNT];
  unsigned n = 0;
  bool op_given = is_fixed(grid, FIELD_op), type_given = is_fixed(grid, FIELD_type);
  call->op = op_given ? grid->given.op : call->op;
  call->type = type_given ? grid->given.type : call->type;
  for (enum coll_op op = 0; op < OP_COUNT; op++) {
    for (enum coll_type type = 0; type < TYPE_COUNT; type++) {
      if (combine_is_defined(op, type) && call->nbytes % combine_size(type) == 0 &&
          (op_given ? op == grid->given.op : combine_commutes(op) || grid->given.algorithm.algo->in_order) &&
          (!type_given || type == grid->given.type)) {
        fit[n].op = op;
        fit[n++].type = type;
      }
    }
  }
  if (n > 0) {
    call->op = fit[index % n].op;
    call->type = fit[index % n].type;
  }
}

/* Let the stream of STATE choose where the ranks of CALL are; packed, if the algorithm refuses that. */
static void choose_placement(struct call *call, const struct listing *listing, uint64_t *state) {
  const struct platform *platform = listing->platform;
  call->placement = random_placement(platform, call->algorithm.algo->spans_nodes, call->nranks, state);
  if (call->placement.kind != PLACEMENT_PACKED &&
      (listing->grid.blind || rig_check(platform, call, NULL) != 0)) {
    free(call->placement.list.values);
    call->placement = (struct placement){.kind = PLACEMENT_PACKED};
  }
}

/* Tell whether the point of CALL, whose ranks, root, size and call are set and whose skew may be RANDOM, is
 * the one that is shuffled of the up to four points with its ranks and size. */
static bool is_shuffled(const struct listing *listing, const struct call *call) {
  uint64_t chosen = random_seed(&listing->grid, call->nranks ^ (uint64_t)call->nbytes << 16) % 4;
  int number = (call->skew > usual_skews[0]) + (call->skew > usual_skews[1]) + (call->skew > usual_skews[2]);
  if (has_root(&listing->grid)) {
    number = (call->root > 0) + (call->root > 1) + (call->root > 1 && call->root + 1 == call->nranks);
  }
  return (uint64_t)number == chosen && !is_exact(&listing->grid);
}

/* Return the step from the root of a CALL to the root of the next call, of which STATE chooses some. */
static uint64_t choose_root_step(const struct call *call, const struct check_grid *grid, uint64_t *state) {
  const struct algo *algo = call->algorithm.algo;
  uint64_t chance = random_next(state);
  bool can = has_root(grid) && !algo->spans_nodes && call->repeat > 1 && call->nranks > 1;
  if (is_fixed(grid, CHECK_ROOT_STEP) && has_root(grid)) {
    return grid->given.root_step;
  }
  bool turns = can && !is_fixed(grid, CHECK_ROOT_STEP) && !is_fixed(grid, CHECK_ROOT) && !is_exact(grid) &&
               chance % TURN_EVERY == 0;
  return turns ? 1 + chance / TURN_EVERY % (call->nranks - 1) : 0;
}

/* Let every second CALL have fewer bytes, if STATE chooses so and the algorithm serves the size. */
static void choose_byte_step(struct call *call, const struct listing *listing, uint64_t *state) {
  const struct check_grid *grid = &listing->grid;
  const struct algo *algo = call->algorithm.algo;
  uint64_t chance = random_next(state);
  bool fixed = is_fixed(grid, CHECK_BYTE_STEP) || grid->bytes.n > 0 || is_exact(grid);
  call->byte_step = grid->given.byte_step;
  if (!fixed && chance % RESIZE_EVERY == 0 && has_data(grid) && !algo->spans_nodes) {
    size_t next = call->nbytes >> (1 + chance / RESIZE_EVERY % 8);
    next -= collective_combines(algo->collective) ? next % sizeof(double) : 0;
    call->byte_step = call->nbytes - next;
    call->byte_step = grid->blind || rig_check(listing->platform, call, NULL) != 0 ? 0 : call->byte_step;
  }
}

/* Append CALL, whose ranks, root, size and skew are set, with all else. */
static void add(const struct listing *listing, struct call call) {
  struct check_points *points = listing->points;
  const struct check_grid *grid = &listing->grid;
  uint64_t state = grid->given.seed;
  state = random_next(&state) ^ call.nranks;
  state = random_next(&state) ^ call.root;
  state = random_next(&state) ^ call.nbytes;
  state = random_next(&state) ^ call.skew;
  call.algorithm = grid->given.algorithm;
  call.profile = grid->given.profile;
  call.if_brief = grid->given.if_brief;
  bool shuffled = is_shuffled(listing, &call);
  call.repeat = 2 + (random_next(&state) % 3 == 0);
  uint64_t chance = usual_skews[random_next(&state) % NSKEWS];
  call.skew = call.skew == RANDOM ? chance : call.skew;
  call.seed = random_next(&state) % SEEDS;
  call.skew_seed = call.seed;
  uint64_t more = random_next(&state);
  if (call.nbytes <= SMALL && more % MANY_CALLS_EVERY == 0) {
    call.repeat = 4 + (unsigned)(more / MANY_CALLS_EVERY % 5);
  }
  if (call.skew == usual_skews[NSKEWS - 1] && (more >> 32) % LATE_EVERY == 0) {
    call.skew = LATE;
  }
  for (unsigned i = 0; i < CALL_FIELDS; i++) {
    if (is_fixed(grid, i)) {
      call_field_copy(&call_fields[i], &call, &grid->given);
    }
  }
  call.seed = is_exact(grid) ? grid->given.seed : call.seed;
  if (collective_combines(collective_of(grid))) {
    choose_operator(&call, grid, call.nranks + call.root + call.nbytes / 4 + grid->given.seed);
  }
  if (is_fixed(grid, CHECK_PLACEMENT)) {
    const struct units_list *list = &grid->given.placement.list;
    call.placement = grid->given.placement;
    if (list->n > 0) {
      call.placement.list.values = xcalloc(list->n, sizeof *list->values);
      memcpy(call.placement.list.values, list->values, list->n * sizeof *list->values);
    }
  } else {
    choose_placement(&call, listing, &state);
  }
  if (!is_fixed(grid, FIELD_shuffle)) {
    call.shuffle = shuffled ? 1 + random_next(&state) % SEEDS : 0;
  }
  call.root_step = choose_root_step(&call, grid, &state);
  choose_byte_step(&call, listing, &state);
  VEC_ADD(points->calls, points->n) = call;
}

/* Append the point with NRANKS and NBYTES, whose root and delays are random. */
static void add_random(const struct listing *listing, unsigned nranks, size_t nbytes) {
  const struct check_grid *grid = &listing->grid;
  struct call call = {.nranks = nranks, .nbytes = nbytes, .skew = RANDOM};
  uint64_t state = random_seed(grid, nranks ^ (uint64_t)nbytes << 16);
  if (has_root(grid)) {
    call.root = is_fixed(grid, CHECK_ROOT) ? grid->given.root : (unsigned)(random_next(&state) % nranks);
  }
  add(listing, call);
}

/* --- points of the grid --- */

/* Append the points of a collective without a root that CALL begins: with all delays if CALL is small. */
static void add_skews(const struct listing *listing, struct call call) {
  bool all = (call.nbytes <= SMALL || listing->grid.bytes.n > 0) && !is_fixed(&listing->grid, FIELD_skew);
  for (size_t i = 0; i < NSKEWS && all; i++) {
    call.skew = usual_skews[i];
    add(listing, call);
  }
  if (!all) {
    add(listing, call);
  }
}

/* Append the points of a collective with a root that CALL, with size number INDEX, begins: with all roots if
 * it is small. */
static void add_roots(const struct listing *listing, struct call call, size_t index) {
  unsigned n = call.nranks;
  unsigned roots[ROOTS] = {0, 1, n / 2, n - 1};
  if (is_fixed(&listing->grid, CHECK_ROOT)) {
    call.root = listing->grid.given.root;
    (listing->grid.delays_all ? add_skews : add)(listing, call);
    return;
  }
  size_t count = 0; /* of different ones */
  VEC_EACH(root, roots, ROOTS) {
    if (*root < n && (count == 0 || *root > roots[count - 1])) {
      roots[count++] = *root;
    }
  }
  for (size_t i = 0; i < count; i++) {
    if (call.nbytes <= SMALL || listing->grid.bytes.n > 0 || i == (n + index) % count) {
      call.root = roots[i];
      add(listing, call);
    }
  }
}

/* Append the points with NRANKS and the sizes of the grid. */
static void add_sizes(const struct listing *listing, unsigned nranks) {
  const struct check_grid *grid = &listing->grid;
  const struct units_list *bytes = usual_sizes(collective_of(grid), &grid->bytes, &check_bytes);
  for (size_t i = 0; i < bytes->n; i++) {
    struct call call = {.nranks = nranks, .nbytes = bytes->values[i], .skew = RANDOM};
    if (grid->ranks.n == 0 && is_too_much(listing, nranks, bytes->values[i])) {
      continue;
    }
    if (has_root(grid)) {
      add_roots(listing, call, i);
    } else {
      add_skews(listing, call);
    }
  }
}

/* --- points between --- */

/* Tell whether the algorithm serves NBYTES on NRANKS, at least on the packed ones. */
static bool is_served(const struct listing *listing, unsigned nranks, size_t nbytes) {
  const struct check_grid *grid = &listing->grid;
  struct call call = {
    .algorithm = grid->given.algorithm, .nranks = nranks, .nbytes = nbytes, .profile = grid->given.profile};
  choose_operator(&call, grid, 0);
  return grid->blind || rig_check(listing->platform, &call, NULL) == 0;
}

/* Tell whether the algorithm serves NBYTES on NRANKS, not too much for a random size. */
static bool is_small_enough(const struct listing *listing, unsigned nranks, size_t nbytes) {
  bool is_much = nranks > ALL_UP_TO && all_bytes(listing, nranks, nbytes) > MUCH;
  return !is_much && !is_too_much(listing, nranks, nbytes) && is_served(listing, nranks, nbytes);
}

/* Append a point for each round size, on one of the COUNT numbers of ranks at RANKS that serves it. */
static void add_round_sizes(const struct listing *listing, const uint64_t *ranks, size_t count) {
  size_t sizes[CHECK_ROUND_SIZES_MAX], n = check_round_sizes(sizes);
  uint64_t state = random_seed(&listing->grid, 0);
  VEC_EACH(size, sizes, n) {
    uint64_t first = random_next(&state);
    for (size_t k = 0; k < count && !is_listed(&check_bytes, *size, 0); k++) {
      unsigned nranks = (unsigned)ranks[(first + k) % count];
      if (is_small_enough(listing, nranks, *size)) {
        add_random(listing, nranks, *size);
        break;
      }
    }
  }
}

/* Append a point with a random size on NRANKS. */
static void add_random_size(const struct listing *listing, unsigned nranks) {
  const struct check_grid *grid = &listing->grid;
  uint64_t state = random_seed(grid, (uint64_t)nranks << 32);
  size_t nbytes = random_size(&state);
  if (collective_combines(collective_of(grid))) {
    size_t size = combine_size(is_fixed(grid, FIELD_type) ? grid->given.type : TYPE_INT32);
    nbytes = (nbytes + size - 1) / size * size;
  }
  if (is_small_enough(listing, nranks, nbytes)) {
    add_random(listing, nranks, nbytes);
  }
}

/* Append a point of one call with the largest of the large sizes from number FIRST on, for FIRST > 0 less
 * LARGE_LESS, served by one of the COUNT numbers of ranks at RANKS.
 * returns: the number of the size; NLARGE: none. */
static size_t add_large(const struct listing *listing, const uint64_t *ranks, size_t count, size_t first) {
  struct listing once = *listing;
  bool calls_given = is_fixed(&listing->grid, FIELD_repeat);
  size_t less = first ? LARGE_LESS : 0, i = first * count;
  for (; i < NLARGE * count; i++) {
    unsigned nranks = placement_ranks(ranks[i % count], listing->platform);
    size_t nbytes = large_bytes[i / count] - less;
    if (all_bytes(listing, nranks, nbytes) <= LARGE_MUCH && is_served(listing, nranks, nbytes)) {
      fix_calls(&once.grid, calls_given ? listing->grid.given.repeat : 1);
      add_random(&once, nranks, nbytes);
      break;
    }
  }
  return i / count;
}

/* Append two points with large sizes on the COUNT numbers of ranks at RANKS: the largest size served by the
 * first few numbers of several ranks; a smaller one on other numbers. Note a still larger size. */
static void add_large_sizes(const struct listing *listing, const uint64_t *ranks, size_t count) {
  size_t before = listing->points->n, begin = count > 1 && ranks[0] == 1;
  size_t few = MIN(count - begin, FEW_RANKS);
  if (listing->grid.blind || !has_data(&listing->grid)) {
    return;
  }
  size_t size = add_large(listing, ranks + begin, few, 0);
  if (listing->points->n == before) {
    return;
  }
  const struct call *point = &listing->points->calls[before];
  const size_t more[] = {2 * point->nbytes, point->nbytes + point->nbytes / 4};
  for (size_t i = 0; i < 2 && !listing->points->more; i++) {
    listing->points->more = is_served(listing, point->nranks, more[i]) ? more[i] : 0;
  }
  size_t other = few > 1;
  add_large(listing, ranks + begin + other, few - other, size + 1);
}

/* Append points with NRANKS for rare mistakes. With given sizes: six calls, with roots in steps of 1 and of
 * 3, since knowledge of ranks is wrong if the root moves. Of an all-reduce: a sum of float32, since the order
 * of contributions decides the bits. */
static void add_telling(const struct listing *listing, unsigned nranks, const struct units_list *bytes) {
  enum { NSTEPS = 2 };
  static const uint64_t steps[NSTEPS] = {1, 3};
  struct listing telling = *listing;
  struct check_grid *grid = &telling.grid;
  bool turns = has_root(grid) && grid->bytes.n > 0 && !is_fixed(grid, CHECK_ROOT_STEP) &&
               !is_fixed(grid, CHECK_ROOT) && !is_fixed(grid, FIELD_repeat) && nranks > 1;
  for (size_t i = 0; i < NSTEPS * bytes->n && turns; i++) {
    grid->fixed |= 1u << CHECK_ROOT_STEP;
    grid->given.root_step = steps[i % NSTEPS];
    fix_calls(grid, ENOUGH_CALLS);
    add_random(&telling, nranks, bytes->values[i / NSTEPS]);
  }
  size_t chosen = 0; /* the largest size of whole elements */
  VEC_EACH(size, bytes->values, bytes->n) {
    bool fits = *size % combine_size(TYPE_FLOAT32) == 0 && *size > chosen;
    chosen = fits ? *size : chosen;
  }
  if (collective_of(grid) == COLL_ALLREDUCE && !is_fixed(grid, FIELD_op) && !is_fixed(grid, FIELD_type) &&
      chosen > 0) {
    grid->given.op = OP_SUM;
    grid->given.type = TYPE_FLOAT32;
    grid->fixed |= 1u << FIELD_op | 1u << FIELD_type;
    add_random(&telling, nranks, chosen);
  }
}

/* Append points with so many calls that counters of few bits begin anew, on a few ranks; the most calls only
 * of a barrier or a broadcast of a plugin. */
static void add_many_calls(const struct listing *listing) {
  static const unsigned calls[] = {20, 70, 300, CHECK_MOST_CALLS};
  enum { NBYTES_OF_MANY = 16, RANKS_LEAST = 2, RANKS_KINDS = 3 };
  struct listing many = *listing;
  struct check_grid *grid = &many.grid;
  const struct algo *algo = grid->given.algorithm.algo;
  size_t nbytes = has_data(grid) ? NBYTES_OF_MANY : 0;
  uint64_t state = random_seed(grid, NBYTES_OF_MANY);
  bool most = (algo->collective == COLL_BARRIER || algo->collective == COLL_BCAST) &&
              catalogue_plugin(algo) != 0 && !algo->kind && !algo->spans_nodes;
  VEC_EACH(count, calls, VEC_LENGTH(calls) - !most) {
    unsigned first = (unsigned)(random_next(&state) % RANKS_KINDS);
    fix_calls(grid, *count);
    if (*count == CHECK_MOST_CALLS) { /* late ranks show one wrong call of a barrier */
      grid->given.if_brief = true;
      grid->given.skew = usual_skews[NSKEWS - 1];
      grid->fixed |= 1u << FIELD_skew | 1u << FIELD_skew_seed;
    }
    for (unsigned k = 0; k < RANKS_KINDS; k++) {
      unsigned nranks = RANKS_LEAST + (first + k) % RANKS_KINDS;
      if (nranks <= listing->platform->nspes && is_small_enough(listing, nranks, nbytes)) {
        add_random(&many, nranks, nbytes);
        break;
      }
    }
  }
}

/* List the points of an algorithm of several nodes, whose ranks and sizes are given or a few: one rank; a
 * node less one rank, a node, one rank more; two and a half nodes; three; four. */
static void list_of_nodes(const struct listing *listing) {
  const struct check_grid *grid = &listing->grid;
  unsigned each = listing->platform->nspes, nodes = placement_machine_nodes(listing->platform);
  unsigned most = each * MIN(nodes, NODES);
  uint64_t usual[] = {1, each - 1, each, each + 1, 5 * each / 2, 3 * each, NODES * each};
  bool given = grid->ranks.n > 0;
  struct units_list ranks = {.values = usual, .n = nodes > 1 ? VEC_LENGTH(usual) : 1};
  const struct units_list *bytes = usual_sizes(collective_of(grid), &grid->bytes, &bytes_of_nodes);
  ranks = given ? grid->ranks : ranks;
  VEC_EACH(asked, ranks.values, ranks.n) {
    for (size_t k = 0; k < bytes->n && (given || *asked <= most); k++) {
      add_random(listing, placement_ranks(*asked, listing->platform), bytes->values[k]);
    }
  }
  uint64_t state = random_seed(grid, NODES);
  for (size_t i = 0; !given && i < VEC_LENGTH(more_nodes); i++) {
    uint64_t chance = NODES + 1 + random_next(&state) % (RANDOM_NODES - NODES);
    unsigned count = more_nodes[i] ? more_nodes[i] : (unsigned)chance;
    if (count <= nodes) { /* on every other number the last node has a rank less */
      add_random(listing, count * each - (i % 2), has_data(grid) ? FEW : 0);
    }
  }
  if (!given && grid->bytes.n == 0 && nodes > 1) {
    add_large_sizes(listing, usual + 3, 2); /* on several nodes */
  }
}

void check_grid_list(struct check_points *points, const struct check_grid *grid,
                     const struct platform *platform) {
  struct listing listing = {points, *grid, platform}, more_calls = listing;
  bool calls_given = is_fixed(grid, FIELD_repeat);
  uint64_t own = grid->given.algorithm.algo->ranks;
  if (grid->ranks.n == 0 && own && !grid->given.algorithm.algo->sched) {
    /* a schedule of others or a program: all delays, with the rest of several seeds */
    struct check_grid seeded = *grid;
    seeded.ranks = (struct units_list){.values = &own, .n = 1};
    for (unsigned i = 0; i < SEEDS_OF_FILE; i++, seeded.given.seed++) {
      check_grid_list(points, &seeded, platform);
    }
    return;
  }
  if (grid->bytes.n > 0 && !calls_given && has_data(grid)) {
    fix_calls(&more_calls.grid, ENOUGH_CALLS);
  }
  if (grid->given.algorithm.algo->spans_nodes) {
    list_of_nodes(&listing);
    return;
  }
  bool has_random_sizes = has_data(grid) && grid->bytes.n == 0;
  size_t other = !has_data(grid) ? 0 : grid->bytes.n ? grid->bytes.values[0] : OTHER_BYTES;
  size_t count = grid->ranks.n ? grid->ranks.n : platform->nspes;
  SCOPED uint64_t *ranks = xcalloc(count, sizeof *ranks);
  for (size_t i = 0; i < count; i++) {
    ranks[i] = grid->ranks.n ? placement_ranks(grid->ranks.values[i], platform) : i + 1;
    if (grid->ranks.n || is_usual(ranks[i], platform->nspes)) {
      add_sizes(&listing, (unsigned)ranks[i]);
      if (more_calls.grid.fixed != grid->fixed) {
        add_sizes(&more_calls, (unsigned)ranks[i]);
      }
      if (has_data(grid)) {
        add_telling(&listing, (unsigned)ranks[i], grid->bytes.n > 0 ? &grid->bytes : &other_bytes);
      }
    } else {
      add_random(&listing, (unsigned)ranks[i], other);
    }
    if (has_random_sizes) {
      add_random_size(&listing, (unsigned)ranks[i]);
    }
  }
  if (has_random_sizes) {
    add_round_sizes(&listing, ranks, count);
    add_large_sizes(&listing, ranks, count);
  }
  if (grid->ranks.n == 0 && grid->bytes.n == 0 && !calls_given) {
    add_many_calls(&listing);
  }
}

bool check_grid_asks(const struct check_grid *grid, const struct call *call,
                     const struct platform *platform) {
  for (unsigned i = 0; i < CALL_FIELDS; i++) {
    if (is_fixed(grid, i) && !call_field_equal(&call_fields[i], &grid->given, call)) {
      return false;
    }
  }
  return is_listed(&grid->ranks, call->nranks, placement_ranks(UNITS_ALL, platform)) &&
         (!has_data(grid) || is_listed(&grid->bytes, call->nbytes, 0)) &&
         (!is_fixed(grid, CHECK_ROOT) || call->root == grid->given.root) &&
         (!is_fixed(grid, CHECK_ROOT_STEP) || call->root_step == grid->given.root_step) &&
         (!is_fixed(grid, CHECK_BYTE_STEP) || call->byte_step == grid->given.byte_step) &&
         (!is_fixed(grid, CHECK_PLACEMENT) || call->placement.kind == grid->given.placement.kind);
}

void check_points_pack(const struct check_points *points, struct pack *pack) {
  pack_add_count(pack, points->n);
  pack_add_count(pack, points->more);
  VEC_EACH(call, points->calls, points->n) {
    const struct units_list *list = &call->placement.list;
    pack_add_bytes(pack, call, sizeof *call);
    pack_add_bytes(pack, list->values, list->n * sizeof *list->values);
  }
}

struct check_points check_points_unpack(struct pack *pack) {
  size_t n = pack_take_count(pack);
  struct check_points points = {.calls = xcalloc(n, sizeof *points.calls), .n = n};
  points.more = pack_take_count(pack);
  VEC_EACH(call, points.calls, n) {
    struct units_list *list = &call->placement.list;
    pack_take_bytes(pack, call, sizeof *call);
    if (list->n > 0) {
      list->values = xcalloc(list->n, sizeof *list->values);
      pack_take_bytes(pack, list->values, list->n * sizeof *list->values);
    }
  }
  return points;
}

void check_points_fini(struct check_points *points) {
  VEC_EACH(call, points->calls, points->n) {
    free(call->placement.list.values);
  }
  free(points->calls);
  *points = (struct check_points){0};
}
