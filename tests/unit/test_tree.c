/* SPDX-License-Identifier: BSD-3-Clause
 * The binomial tree and the arithmetic on ranks below the root. */
#include "algos/shape/tree.h"
#include "tests/asserts.h"
#include "tests/suite.h"

enum { MOST = 64 };

TESTS(tree);

TEST(logarithms_and_powers_are_right) {
  for (unsigned n = 1; n <= 1024; n++) {
    unsigned floor = ranks_floor_log2(n), ceil = ranks_ceil_log2(n);
    ck_assert(1U << floor <= n && n < 2U << floor);
    ck_assert(n <= 1U << ceil && (ceil == 0 || n > 1U << (ceil - 1)));
    ck_assert_uint_eq(ranks_floor_power(n), 1U << floor);
    ck_assert_int_eq(ranks_is_power(n), floor == ceil);
  }
  ck_assert(!ranks_is_power(0));
}

TEST(virtual_numbers_are_a_renumbering_with_the_root_first) {
  for (unsigned n = 1; n <= MOST; n++) {
    for (unsigned root = 0; root < n; root++) {
      ck_assert_uint_eq(ranks_to_virtual(root, root, n), 0);
      for (unsigned rank = 0; rank < n; rank++) {
        unsigned number = ranks_to_virtual(rank, root, n);
        ck_assert_uint_lt(number, n);
        ck_assert_uint_eq(ranks_from_virtual(number, root, n), rank);
      }
    }
  }
}

/* Count in SEEN the ranks reached from RANK downwards, and return the number of levels below RANK. */
static unsigned walk(struct tree tree, unsigned rank, unsigned seen[]) {
  unsigned depth = 0, weight_before = 2 * MOST;
  seen[rank]++;
  TREE_EACH(child, tree, rank) {
    unsigned below = tree_child_rank(child);
    ck_assert(below >= tree.team.first && below < tree.team.first + tree.team.n);
    ck_assert_uint_eq(tree_parent(tree, below), rank);
    ck_assert_uint_le(child.weight, weight_before); /* heaviest first */
    ck_assert(tree_base(tree) > 2 || child.weight < weight_before);
    ck_assert_uint_eq(tree_weight(tree, below), child.weight);
    weight_before = child.weight;
    unsigned levels = 1 + walk(tree, below, seen);
    depth = levels > depth ? levels : depth;
  }
  return depth;
}

/* Return the maximum number of digits of the numbers below N to the base of DEGREE (0: 2). */
static unsigned ceil_log(unsigned degree, unsigned n) {
  unsigned base = degree ? degree : 2, digits = 0;
  for (unsigned reached = 1; reached < n; reached *= base) {
    digits++;
  }
  return digits;
}

/* Every rank is reached once, every child knows its parent, and no path is longer than the ceil(log n)
 * phases. Loop test: the index is the degree. */
TEST_EACH(every_rank_is_reached_once_from_every_root, 0, 9) {
  unsigned degree = (unsigned)_i;
  for (unsigned n = 1; n <= MOST; n++) {
    for (unsigned root = 0; root < n; root++) {
      unsigned seen[MOST] = {0};
      unsigned depth =
        walk((struct tree){.team = team_of_all(n), .root = root, .degree = degree}, root, seen);
      ck_assert_uint_le(depth, degree == 1 ? n - 1 : ceil_log(degree, n));
      for (unsigned rank = 0; rank < n; rank++) {
        ck_assert_msg(seen[rank] == 1, "rank %u of %u, root %u: reached %u times", rank, n, root, seen[rank]);
      }
    }
  }
}

TEST(trees_over_a_part_of_the_ranks_stay_inside) {
  for (unsigned n = 1; n <= 16; n++) {
    for (unsigned base = 0; base <= 24; base += 8) {
      for (unsigned root = base; root < base + n; root++) {
        unsigned seen[MOST] = {0};
        struct team team = team_part(team_of_all(MOST), base, n);
        walk((struct tree){.team = team, .root = root}, root, seen);
        for (unsigned rank = 0; rank < MOST; rank++) {
          ck_assert_uint_eq(seen[rank], rank >= base && rank < base + n);
        }
      }
    }
  }
}

/* The tree of 8 ranks as drawn in the papers. */
TEST(the_tree_of_eight_is_the_one_in_the_papers) {
  static const unsigned parents[] = {0, 0, 0, 2, 0, 4, 4, 6};
  struct tree tree = {.team = team_of_all(8)};
  for (unsigned rank = 1; rank < 8; rank++) {
    ck_assert_uint_eq(tree_parent(tree, rank), parents[rank]);
  }
  struct tree_child child = tree_first(tree, 0);
  ck_assert_uint_eq(tree_child_rank(child), 4);
  child = tree_next(child);
  ck_assert_uint_eq(tree_child_rank(child), 2);
  child = tree_next(child);
  ck_assert_uint_eq(tree_child_rank(child), 1);
  ck_assert_uint_eq(tree_next(child).weight, 0);
}

/* With 16 ranks on two chips of 8, the children of ranks on a chip lie on the same chip, but for one link,
 * with any root. */
TEST(a_tree_over_two_chips_crosses_once) {
  for (unsigned root = 0; root < 16; root++) {
    struct tree tree = {.team = team_of_all(16), .root = root};
    unsigned crossings = 0;
    for (unsigned rank = 0; rank < 16; rank++) {
      crossings += rank != root && rank / 8 != tree_parent(tree, rank) / 8;
    }
    ck_assert_uint_eq(crossings, 1);
  }
}
