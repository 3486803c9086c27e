/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks in an order, and the complete d-ary tree over these ranks. */
#include "algos/shape/neighbours.h"
#include "algos/shape/tree.h"
#include "tests/asserts.h"
#include "tests/suite.h"

enum { MOST = 40 };

/* Seven ranks on three chips: 1 4 6, 0 3, 2 5. */
static unsigned chip_of[] = {1, 0, 2, 1, 0, 2, 0}, by_chip[] = {1, 4, 6, 0, 3, 2, 5};
static unsigned place_of[] = {3, 0, 5, 4, 1, 6, 2}, chip_first[] = {0, 3, 5, 7};
static const struct coll_group seven = {.nranks = 7,
                                        .chip_of = chip_of,
                                        .nchips = 3,
                                        .by_chip = by_chip,
                                        .place_of = place_of,
                                        .chip_first = chip_first};

TESTS(team);

TEST(all_ranks_are_in_the_order_of_their_numbers) {
  struct team team = team_part(team_of_all(MOST), 5, 8);
  ck_assert_uint_eq(team.n, 8);
  for (unsigned member = 0; member < 8; member++) {
    ck_assert_uint_eq(team_rank(team, member), 5 + member);
    ck_assert_uint_eq(team_member(team, 5 + member), member);
  }
}

TEST(ranks_of_a_chip_are_members_of_its_team) {
  for (unsigned chip = 0; chip < seven.nchips; chip++) {
    struct team team = team_of_chip(&seven, chip);
    ck_assert_uint_eq(team.n, chip_first[chip + 1] - chip_first[chip]);
    for (unsigned member = 0; member < team.n; member++) {
      unsigned rank = team_rank(team, member);
      ck_assert_uint_eq(chip_of[rank], chip);
      ck_assert_uint_eq(team_member(team, rank), member);
      ck_assert(member == 0 || rank > team_rank(team, member - 1));
    }
  }
}

TEST(leaders_sit_in_the_same_place_as_the_root) {
  static const unsigned leaders[7][3] = {{1, 0, 2}, {1, 0, 2}, {1, 0, 2}, {4, 3, 5},
                                         {4, 3, 5}, {4, 3, 5}, {6, 3, 5}};
  for (unsigned root = 0; root < 7; root++) {
    for (unsigned chip = 0; chip < 3; chip++) {
      ck_assert_uint_eq(team_leader(&seven, chip, root), leaders[root][chip]);
    }
  }
}

/* Count in SEEN the ranks reached from RANK downwards, and return the number of levels below RANK. */
static unsigned walk(struct tree dary, unsigned rank, unsigned seen[]) {
  unsigned depth = 0;
  seen[rank]++;
  ck_assert_uint_le(dary_nchildren(dary, rank), dary.degree);
  for (unsigned i = 0; i < dary_nchildren(dary, rank); i++) {
    unsigned child = dary_child(dary, rank, i);
    ck_assert_uint_eq(dary_parent(dary, child), rank);
    unsigned levels = 1 + walk(dary, child, seen);
    depth = levels > depth ? levels : depth;
  }
  return depth;
}

/* Return the levels below the root of a complete tree of N members. */
static unsigned levels_of(unsigned degree, unsigned n) {
  unsigned levels = 0;
  for (unsigned room = 1, row = 1; room < n; levels++) {
    row *= degree;
    room += row;
  }
  return levels;
}

/* Loop test: the index is the degree. */
TEST_EACH(every_rank_is_reached_once_on_the_shortest_paths, 1, 9) {
  for (unsigned n = 1; n <= MOST; n++) {
    for (unsigned root = 0; root < n; root++) {
      unsigned seen[MOST] = {0};
      struct tree dary = {.team = team_of_all(n), .root = root, .degree = (unsigned)_i};
      ck_assert_uint_eq(tree_number(dary, root), 0);
      ck_assert_uint_eq(walk(dary, root, seen), levels_of(dary.degree, n));
      for (unsigned rank = 0; rank < n; rank++) {
        ck_assert_msg(seen[rank] == 1, "rank %u of %u, root %u: reached %u times", rank, n, root, seen[rank]);
        ck_assert_uint_eq(tree_rank(dary, tree_number(dary, rank)), rank);
      }
    }
  }
}

TEST(trees_over_a_chip_stay_on_it) {
  for (unsigned root = 0; root < 7; root++) {
    unsigned seen[7] = {0};
    walk((struct tree){.team = team_of_chip(&seven, chip_of[root]), .root = root, .degree = 2}, root, seen);
    for (unsigned rank = 0; rank < 7; rank++) {
      ck_assert_uint_eq(seen[rank], chip_of[rank] == chip_of[root]);
    }
  }
}
