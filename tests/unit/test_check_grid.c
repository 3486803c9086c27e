/* SPDX-License-Identifier: BSD-3-Clause
 * The points at which algorithms are checked: every dimension that must vary varies, and a point is the same
 * in every list. */
#include "algos/catalogue.h"
#include "tests/bed.h"
#include "validate/lab/check/check_grid.h"

static struct check_points lists[16]; /* of a test */
static size_t nlists;

static void stop(void) {
  while (nlists > 0) {
    check_points_fini(&lists[--nlists]);
  }
  bed_end();
}

/* List the points of COLLECTIVE as GRID says.
 * owner: the test. */
static struct check_points list(enum collective collective, struct check_grid grid) {
  static struct algo algo;
  algo = (struct algo){.collective = collective, .name = "none"};
  grid.given.algorithm.algo = grid.given.algorithm.algo ? grid.given.algorithm.algo : &algo;
  grid.given.profile = bed_profile();
  check_grid_list(&lists[nlists], &grid, bed.platform);
  ck_assert_uint_gt(lists[nlists].n, 0);
  return lists[nlists++];
}

/* As `list`, on the usual machine with drawn roots. */
static struct check_points drawn(enum collective collective, uint64_t seed) {
  return list(collective, (struct check_grid){.given.seed = seed});
}

TESTS(check_grid, .start = bed_begin_unwatched, .stop = stop);

TEST(operators_types_calls_delays_and_placements_vary) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    struct check_points points = drawn(COLL_REDUCE, seed);
    bool combined[OP_COUNT][TYPE_COUNT] = {{false}}, calls[301] = {false}, late = false, at_once = false;
    bool kinds[PLACEMENT_LIST + 1] = {false};
    for (size_t i = 0; i < points.n; i++) {
      const struct call *call = &points.calls[i];
      combined[call->op][call->type] = true;
      calls[call->repeat] = true;
      late |= call->skew > 0;
      at_once |= call->skew == 0;
      ck_assert(combine_is_defined(call->op, call->type));
      kinds[call->placement.kind] = true;
      ck_assert(call->nbytes <= 4096 || call->repeat <= 3);
      ck_assert((call->repeat == 1) == (call->nbytes > CHECK_LARGEST));
      ck_assert(call->nbytes == 1 || call->nbytes % combine_size(call->type) == 0);
    }
    for (enum coll_op op = 0; op < OP_COUNT; op++) {
      for (enum coll_type type = 0; type < TYPE_COUNT; type++) {
        ck_assert_msg(combined[op][type] == (combine_is_defined(op, type) && combine_commutes(op)),
                      "%s of %s", combine_op_name(op), combine_type_name(type));
      }
    }
    ck_assert(!calls[0] && calls[2] && calls[3] && calls[4] && calls[8] && calls[20] && calls[70] &&
              calls[300] && late && at_once);
    ck_assert(kinds[PLACEMENT_PACKED] && kinds[PLACEMENT_ROUND_ROBIN] && kinds[PLACEMENT_LIST]);
  }
}

/* Tell whether there is a point with NRANKS, NBYTES and ROOT. */
static bool has(const struct check_points *points, unsigned nranks, size_t nbytes, unsigned root) {
  for (size_t i = 0; i < points->n; i++) {
    const struct call *call = &points->calls[i];
    if (call->nranks == nranks && call->nbytes == nbytes && call->root == root) {
      return true;
    }
  }
  return false;
}

TEST(ranks_sizes_and_roots_vary) {
  static const size_t sizes[] = {0, 1, 4, 16, 20, 128, 4096, 16384, 16400, 65536};
  struct check_points points = drawn(COLL_BCAST, 1);
  for (unsigned n = 1; n <= 16; n++) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      int roots = has(&points, n, sizes[i], 0) + (n > 2 && has(&points, n, sizes[i], 1)) +
                  (n > 3 && has(&points, n, sizes[i], n / 2)) + (n > 1 && has(&points, n, sizes[i], n - 1));
      int all = n < 4 ? (int)n : 4;
      bool left_out = sizes[i] * n > 512 * 1024 && n != 9 && n != 12 && n != 16;
      ck_assert_msg(roots == (left_out           ? 0
                              : sizes[i] <= 4096 ? all
                                                 : 1),
                    "%u ranks, %zu bytes: %d roots", n, sizes[i], roots);
    }
  }
  ck_assert(!has(&points, 17, 16, 0));
}

TEST(much_data_moves_on_a_few_numbers_of_ranks_only) {
  struct check_points points = drawn(COLL_ALLTOALL, 1);
  for (unsigned n = 1; n <= 16; n++) {
    bool expected = n <= 2 || n == 5 || n == 8 || n == 9 || n == 12 || n == 16;
    ck_assert_msg(has(&points, n, 65536, 0) == expected, "%u ranks", n);
    ck_assert(has(&points, n, 128, 0));
  }
  uint64_t seven = 7, large = 65536;
  struct check_grid grid = {.ranks = {&seven, 1}, .bytes = {&large, 1}, .given.seed = 1};
  points = list(COLL_ALLTOALL, grid);
  ck_assert(points.n == 8 && has(&points, 7, 65536, 0));
}

/* A size that is given has all roots or delays, however large, and calls enough for what is used in turn. */
TEST(a_given_size_has_many_points_and_calls) {
  uint64_t ranks = 16, bytes = 16384;
  struct check_grid grid = {.ranks = {&ranks, 1}, .bytes = {&bytes, 1}, .given.seed = 1};
  static const enum collective collectives[] = {COLL_REDUCE, COLL_ALLREDUCE};
  for (size_t i = 0; i < 2; i++) {
    struct check_points points = list(collectives[i], grid);
    bool is_rooted = collective_has_root(collectives[i]); /* roots in two steps; a sum of float32 */
    ck_assert_uint_eq(points.n, is_rooted ? 8 + 2 : 8 + 1);
    for (size_t k = 4; k < points.n; k++) {
      ck_assert(k == 8 && !is_rooted ? points.calls[k].type == TYPE_FLOAT32 : points.calls[k].repeat == 6);
    }
    ck_assert(!is_rooted || (points.calls[8].root_step == 1 && points.calls[9].root_step == 3));
  }
}

/* Some points of each collective have a rank that comes long after all others. */
TEST(a_rank_comes_long_after_all_others) {
  for (enum collective collective = 0; collective < COLL_COUNT; collective++) {
    struct check_points points = drawn(collective, 1);
    size_t late = 0;
    for (size_t i = 0; i < points.n; i++) {
      late += points.calls[i].skew == 1000000;
    }
    ck_assert_msg(late > 0 && late < points.n / 8, "%s: %zu of %zu", collective_name(collective), late,
                  points.n);
  }
}

TEST(larger_machines_are_used_in_full) {
  bed_use("qs20", "blade.chips=4 blade.topology=ring");
  struct check_points points = list(COLL_SCAN, (struct check_grid){.given.seed = 1});
  static const unsigned ranks[] = {1, 15, 16, 17, 24, 31, 32};
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
    ck_assert(has(&points, ranks[i], 16, 0));
  }
  ck_assert(!has(&points, 20, 16, 0) && !has(&points, 33, 16, 0));
  for (unsigned n = 1; n <= 32; n++) {
    ck_assert_msg(has(&points, n, 20, 0), "%u ranks", n);
  }
}

/* More than 16 ranks have no more data than 16 ranks with 65,536 bytes, and with a drawn size at most 512 KiB
 * in all. 32 ranks have 1,024 blocks: 16,384 bytes are 16 MiB in all, as 65,536 on 16 ranks, 16,400 bytes
 * more. */
TEST(many_ranks_have_little_data) {
  bed_use("qs20", "blade.chips=4 blade.topology=ring");
  static struct algo memory = {.collective = COLL_ALLTOALL, .name = "memory", .in_memory = true};
  struct check_points points =
    list(COLL_ALLTOALL, (struct check_grid){.given = {.algorithm.algo = &memory, .seed = 1}});
  ck_assert(has(&points, 32, 16384, 0) && !has(&points, 32, 16400, 0) && has(&points, 12, 65536, 0));
  for (size_t i = 0; i < points.n; i++) {
    size_t nranks = points.calls[i].nranks, all = nranks * nranks * points.calls[i].nbytes;
    bool is_usual = points.calls[i].nbytes == 4096 || points.calls[i].nbytes == 16384;
    ck_assert(nranks <= 16 || all <= (is_usual ? 16U << 20 : 512U << 10));
  }
}

/* Beyond 65,536 bytes there are two points of one call. In main memory: 1 MiB on two ranks, and 512 KiB less
 * 112 bytes on others, in 4 MiB in all; 2 MiB would be served. A local store has room for 194,880 bytes at
 * most, not for 192 KiB or 160 KiB and a quarter. With given sizes there is none. */
TEST(large_sizes_are_tried_on_a_few_ranks) {
  static struct algo algos[] = {{.collective = COLL_BCAST, .name = "memory", .in_memory = true},
                                {.collective = COLL_BCAST, .name = "store"}};
  static const size_t sizes[][3] = {{1 << 20, (512 << 10) - 112, 2 << 20}, {160 << 10, (128 << 10) - 112, 0}};
  for (size_t k = 0; k < 2; k++) {
    struct check_grid grid = {.given = {.algorithm.algo = &algos[k], .seed = 1}};
    struct check_points points = list(COLL_BCAST, grid);
    size_t found[2] = {0}, n = 0;
    for (size_t i = 0; i < points.n; i++) {
      const struct call *call = &points.calls[i];
      if (call->nbytes > CHECK_LARGEST) {
        ck_assert(n < 2 && call->repeat == 1 && (n == 0) == (call->nranks == 2));
        found[n++] = call->nbytes;
      }
    }
    ck_assert(n == 2 && found[0] == sizes[k][0] && found[1] == sizes[k][1] && points.more == sizes[k][2]);
  }
  uint64_t nbytes = 128;
  struct check_points given = list(COLL_BCAST, (struct check_grid){.given.seed = 1, .bytes = {&nbytes, 1}});
  for (size_t i = 0; i < given.n; i++) {
    ck_assert_uint_eq(given.calls[i].nbytes, 128);
  }
}

TEST(what_is_asked_for_is_taken) {
  uint64_t ranks[] = {5, 9}, bytes[] = {20, 1000};
  struct check_grid grid = {
    .ranks = {ranks, 2}, .bytes = {bytes, 2}, .given = {.root = 3, .seed = 1}, .fixed = 1u << CHECK_ROOT};
  struct check_points points = list(COLL_GATHER, grid);
  ck_assert_uint_eq(points.n, 8); /* half of them with more calls */
  ck_assert(has(&points, 5, 20, 3) && has(&points, 5, 1000, 3) && has(&points, 9, 20, 3));
  points = list(COLL_ALLGATHER, grid); /* has no root */
  ck_assert(points.n == 32 && has(&points, 9, 1000, 0));
  for (size_t i = 0; i < points.n; i++) { /* all delays */
    ck_assert(i % 4 == 0 || points.calls[i].skew > points.calls[i - 1].skew);
  }
  points = list(COLL_BARRIER, grid); /* has no data */
  ck_assert(points.n == 8 && points.calls[7].nbytes == 0 && points.calls[7].root == 0);
}

/* Every size in common use is met, on some number of ranks, with every seed, and other sizes besides. */
TEST(sizes_between_the_usual_ones_are_checked) {
  static const size_t usual[] = {0, 1, 4, 16, 20, 128, 4096, 16384, 16400, 65536};
  size_t sizes[CHECK_ROUND_SIZES_MAX], n = check_round_sizes(sizes);
  ck_assert(sizes[0] == 1 && sizes[n - 1] == 65536); /* a power of two as well */
  for (uint64_t seed = 1; seed <= 3; seed++) {
    struct check_points points = drawn(COLL_BCAST, seed);
    size_t others = 0;
    for (size_t i = 0; i < n; i++) {
      size_t found = 0;
      for (size_t k = 0; k < points.n; k++) {
        found += points.calls[k].nbytes == sizes[i];
      }
      ck_assert_msg(found > 0, "%zu bytes", sizes[i]);
    }
    for (size_t k = 0; k < points.n; k++) {
      size_t known = 0;
      for (size_t i = 0; i < n; i++) {
        known += points.calls[k].nbytes == sizes[i];
      }
      for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        known += points.calls[k].nbytes == usual[i];
      }
      others += known == 0;
    }
    ck_assert_uint_gt(others, 3);
  }
}

/* With calls, delays and placement given, a point equals its columns. */
TEST(nothing_is_random_of_what_is_given) {
  uint64_t nranks = 6, nbytes = 24, spes[] = {3, 1, 12, 5, 15, 0};
  struct placement placement = {PLACEMENT_LIST, {spes, 6}};
  struct check_grid grid = {.ranks = {&nranks, 1},
                            .bytes = {&nbytes, 1},
                            .given = {.root = 2,
                                      .seed = 77,
                                      .op = OP_MAX,
                                      .type = TYPE_FLOAT64,
                                      .repeat = 5,
                                      .skew = 10,
                                      .skew_seed = 8,
                                      .placement = placement},
                            .fixed = 1u << CHECK_ROOT | 1u << CHECK_PLACEMENT | 1u << FIELD_repeat |
                                     1u << FIELD_skew | 1u << FIELD_skew_seed | 1u << FIELD_op |
                                     1u << FIELD_type};
  struct check_points points = list(COLL_REDUCE, grid);
  const struct call *call = &points.calls[0];
  ck_assert_uint_eq(points.n, 1);
  ck_assert(call->nranks == 6 && call->nbytes == 24 && call->root == 2 && call->seed == 77);
  ck_assert(call->repeat == 5 && call->op == OP_MAX && call->type == TYPE_FLOAT64);
  ck_assert(call->skew == 10 && call->skew_seed == 8 && call->placement.kind == PLACEMENT_LIST);
  ck_assert_mem_eq(call->placement.list.values, spes, sizeof spes);
  points = list(COLL_BARRIER, grid);
  ck_assert_uint_eq(points.n, 1);
}

/* A quarter of the points is shuffled, no two neighbours by the same seed; of the four points of a size
 * exactly one. With nothing left to draw none is; --shuffle is for all. */
TEST(a_quarter_is_shuffled) {
  struct check_points points = drawn(COLL_BCAST, 4);
  unsigned shuffled = 0, of_size[17] = {0};
  for (size_t i = 0; i < points.n; i++) {
    const struct call *call = &points.calls[i];
    shuffled += call->shuffle > 0;
    ck_assert(!call->shuffle || !i || call->shuffle != points.calls[i - 1].shuffle);
    if (call->nbytes == 128 && call->nranks <= 16 && call->repeat <= 8) {
      of_size[call->nranks] += call->shuffle > 0;
    }
  }
  for (unsigned n = 4; n <= 16; n++) {
    ck_assert_msg(of_size[n] == 1, "%u ranks: %u points", n, of_size[n]);
  }
  ck_assert(shuffled > points.n / 5 && shuffled < points.n / 3);
  uint64_t nranks = 4, nbytes = 128;
  struct check_grid grid = {.ranks = {&nranks, 1},
                            .bytes = {&nbytes, 1},
                            .given = {.seed = 4, .repeat = 2},
                            .fixed = 1u << CHECK_PLACEMENT | 1u << FIELD_repeat | 1u << FIELD_skew |
                                     1u << FIELD_skew_seed};
  points = list(COLL_BCAST, grid);
  ck_assert_uint_eq(points.n, 4);
  for (size_t i = 0; i < points.n; i++) {
    ck_assert(!points.calls[i].shuffle);
    grid.given.algorithm = points.calls[i].algorithm;
    ck_assert(check_grid_asks(&grid, &points.calls[i], bed.platform));
  }
  grid.fixed |= 1u << FIELD_shuffle;
  grid.given.shuffle = 9;
  ck_assert(!check_grid_asks(&grid, &points.calls[0], bed.platform));
  points = list(COLL_BCAST, grid);
  for (size_t i = 0; i < points.n; i++) {
    ck_assert_uint_eq(points.calls[i].shuffle, 9);
  }
}

/* A quarter of the points with a root and several ranks gives each call another root: never as many ranks
 * further on as there are. Points with a given root, points without a root and points with nothing left to
 * draw keep the root; --root-step is for all. */
TEST(a_quarter_has_another_root_in_each_call) {
  struct check_points points = drawn(COLL_GATHER, 5);
  size_t turned = 0, of_two = 0;
  for (size_t i = 0; i < points.n; i++) {
    const struct call *call = &points.calls[i];
    turned += call->root_step > 0;
    of_two += call->nranks == 2 && call->root_step == 1;
    ck_assert(call->root_step < call->nranks && (call->repeat > 1 || !call->root_step));
  }
  ck_assert(turned > points.n / 5 && turned < points.n / 3 && of_two > 0);
  struct check_grid asked = {.given.seed = 5, .fixed = 1u << CHECK_ROOT}, none = {.given.seed = 5},
                    exact = {.given = {.seed = 5, .repeat = 3},
                             .fixed = 1u << CHECK_PLACEMENT | 1u << FIELD_repeat | 1u << FIELD_skew};
  const struct check_grid grids[] = {asked, none, exact};
  static const enum collective collectives[] = {COLL_GATHER, COLL_SCAN, COLL_GATHER};
  for (size_t k = 0; k < 3; k++) {
    points = list(collectives[k], grids[k]);
    for (size_t i = 0; i < points.n; i++) {
      ck_assert(!points.calls[i].root_step);
    }
  }
  asked.fixed |= 1u << CHECK_ROOT_STEP;
  asked.given.root_step = 6;
  points = list(COLL_GATHER, asked);
  for (size_t i = 0; i < points.n; i++) {
    ck_assert_uint_eq(points.calls[i].root_step, 6);
  }
  asked.given.algorithm = points.calls[0].algorithm;
  ck_assert(check_grid_asks(&asked, &points.calls[0], bed.platform));
  asked.given.root_step = 5;
  ck_assert(!check_grid_asks(&asked, &points.calls[0], bed.platform));
}

/* A quarter of the points with data, 188 of 750 with standard deviation 12, has fewer bytes in every second
 * call, whole elements; not where sizes are given, or nothing is left to draw. Points of the smallest size
 * have nothing to lose, and needs refuse some. */
TEST(a_quarter_has_another_size_in_every_second_call) {
  static const enum collective collectives[] = {COLL_GATHER, COLL_ALLREDUCE};
  for (size_t k = 0; k < 2; k++) {
    struct check_points points = drawn(collectives[k], 5);
    size_t resized = 0;
    for (size_t i = 0; i < points.n; i++) {
      const struct call *call = &points.calls[i];
      resized += call->byte_step > 0;
      ck_assert(call->byte_step <= call->nbytes);
      ck_assert(k == 0 || call->byte_step % combine_size(call->type) == 0);
    }
    ck_assert_msg(resized > points.n / 7 && resized < points.n / 3, "%zu of %zu", resized, points.n);
  }
  uint64_t nbytes = 4096;
  struct check_grid asked = {.given.seed = 5, .bytes = {&nbytes, 1}};
  struct check_points points = list(COLL_GATHER, asked);
  for (size_t i = 0; i < points.n; i++) {
    ck_assert(!points.calls[i].byte_step);
  }
  asked.fixed |= 1u << CHECK_BYTE_STEP;
  asked.given.byte_step = 96;
  points = list(COLL_GATHER, asked);
  for (size_t i = 0; i < points.n; i++) {
    ck_assert_uint_eq(points.calls[i].byte_step, 96);
  }
  asked.given.algorithm = points.calls[0].algorithm;
  asked.given.byte_step = 95;
  ck_assert(!check_grid_asks(&asked, &points.calls[0], bed.platform));
}

static bool same(const struct call *a, const struct call *b) {
  return a->nranks == b->nranks && a->root == b->root && a->nbytes == b->nbytes && a->op == b->op &&
         a->type == b->type && a->skew == b->skew && a->skew_seed == b->skew_seed && a->repeat == b->repeat &&
         a->seed == b->seed && a->shuffle == b->shuffle && a->root_step == b->root_step &&
         a->byte_step == b->byte_step;
}

/* The same point, alone and among all others. */
TEST(a_point_does_not_depend_on_the_others) {
  uint64_t nranks = 6, nbytes = 20;
  struct check_grid grid = {
    .ranks = {&nranks, 1}, .bytes = {&nbytes, 1}, .given = {.root = 5, .seed = 9}, .fixed = 1u << CHECK_ROOT};
  struct check_points alone = list(COLL_REDUCE, grid);
  struct check_points all = drawn(COLL_REDUCE, 9);
  size_t found = 0;
  for (size_t i = 0; i < all.n; i++) {
    found += same(&all.calls[i], &alone.calls[0]);
  }
  ck_assert_uint_eq(alone.n, 2); /* and one with more calls */
  ck_assert_uint_eq(found, 1);
  grid.given.seed = 10;
  struct check_points other = list(COLL_REDUCE, grid);
  ck_assert_uint_ne(other.calls[0].seed, alone.calls[0].seed);
}

/* On one node, on some with equal and with unequal numbers of ranks, on a number of nodes other than a power
 * of two; ranks dealt or anywhere; on four nodes of a machine of many. */
TEST(points_on_several_nodes_vary) {
  static const char *const platforms[] = {"blades", "roadrunner"};
  for (size_t p = 0; p < 2; p++) {
    bed_use(platforms[p], "");
    struct check_grid grid = {.given = {.seed = 1, .profile = bed_profile()}};
    bool nodes[17] = {false}, kinds[PLACEMENT_LIST + 1] = {false}, uneven = false, roots = false;
    SUCCEEDS(catalogue_find("gather:hierarchical", &grid.given.algorithm, &failure));
    struct check_points points = list(COLL_GATHER, grid);
    for (size_t i = 0; i < points.n; i++) {
      const struct call *call = &points.calls[i];
      ck_assert_uint_le(call->nranks, call->nbytes == 4 ? 256 : 64);
      kinds[call->placement.kind] = true;
      nodes[(call->nranks + 15) / 16] |= call->placement.kind == PLACEMENT_PACKED;
      uneven |= call->nranks > 16 && call->nranks % 16 != 0;
      roots |= call->root >= 16;
      struct placement_shape shape = placement_shape(bed.platform, true);
      SUCCEEDS(placement_check(&call->placement, &shape, call->nranks, &failure));
    }
    ck_assert(nodes[1] && nodes[2] && nodes[3] && nodes[4] && uneven && roots);
    unsigned more[] = {0, 0, 0, 0};
    for (size_t i = 0; i < points.n; i++) {
      static const unsigned ranks[] = {5 * 16, 7 * 16 - 1, 8 * 16, 16 * 16 - 1};
      for (size_t k = 0; k < 4; k++) {
        more[k] += points.calls[i].nranks == ranks[k];
      }
    }
    for (size_t k = 0; k < 4; k++) {
      static const unsigned numbers[] = {5, 7, 8, 16};
      ck_assert_msg((more[k] > 0) == (numbers[k] <= placement_machine_nodes(bed.platform)), "%u nodes",
                    numbers[k]);
    }
    ck_assert(kinds[PLACEMENT_PACKED] && kinds[PLACEMENT_ROUND_ROBIN] && kinds[PLACEMENT_LIST]);
    /* these four numbers of nodes, and one drawn */
    for (grid.given.seed = 1; p == 1 && grid.given.seed <= 16; grid.given.seed++) {
      unsigned count = 0;
      points = (struct check_points){0};
      check_grid_list(&points, &grid, bed.platform);
      for (size_t i = 0; i < points.n; i++) {
        ck_assert_uint_le(points.calls[i].nranks, 16 * 16);
        count += points.calls[i].nranks > 4 * 16;
      }
      ck_assert_uint_eq(count, 5);
      check_points_fini(&points);
    }
  }
}
