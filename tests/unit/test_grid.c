/* SPDX-License-Identifier: BSD-3-Clause
 * The collecting ranks in all-to-alls between clusters. */
#include "algos/shape/grid.h"
#include "algos/step/group.h"
#include "algos/step/layout.h"
#include "tests/suite.h"

enum { MOST = 12 };

TESTS(grid);

/* Loop tests: the index is the size of the own cluster. For all sizes of the other cluster: relays exist,
 * every block lies in the expected message, and no two blocks share a place. */
TEST_EACH(every_block_has_a_place_of_its_own_in_one_message, 1, MOST + 1) {
  for (unsigned far = 1; far <= MOST; far++) {
    struct grid grid = {(unsigned)_i, far};
    bool taken[MOST][2 * MOST] = {{false}};
    for (unsigned to = 0; to < far; to++) {
      for (unsigned from = 0; from < grid.near; from++) {
        unsigned relay = grid_relay(grid, from, to), place = grid_place(grid, from, to);
        ck_assert_uint_lt(relay, grid.near);
        ck_assert(grid_first(grid, relay) <= from && from < grid_end(grid, relay));
        ck_assert_uint_eq(place,
                          grid_place(grid, grid_first(grid, relay), to) + from - grid_first(grid, relay));
        ck_assert_uint_lt(place, 2 * MOST);
        ck_assert(!taken[relay][place]);
        taken[relay][place] = true;
      }
    }
  }
}

/* In both directions together 2 max(n1, n2) messages cross, and both directions need the same pairs. */
TEST_EACH(few_messages_cross_between_the_same_pairs, 1, MOST + 1) {
  for (unsigned far = 1; far <= MOST; far++) {
    struct grid grid = {(unsigned)_i, far}, back = {far, grid.near};
    bool there[MOST][MOST] = {{false}}, here[MOST][MOST] = {{false}};
    unsigned messages = 0;
    for (unsigned near = 0; near < grid.near; near++) {
      for (unsigned to = 0; to < far; to++) {
        there[grid_relay(grid, near, to)][to] = true;
        here[near][grid_relay(back, to, near)] = true;
      }
    }
    for (unsigned near = 0; near < grid.near; near++) {
      for (unsigned to = 0; to < far; to++) {
        ck_assert(there[near][to] == here[near][to]);
        messages += there[near][to] + here[near][to];
      }
    }
    ck_assert_uint_eq(messages, 2 * (grid.near > far ? grid.near : far));
  }
}

/* Chips of 3, 5 and 1 ranks: the blocks collected by each chip for the others lie in areas one after the
 * other, as large as needed. */
TEST(areas_hold_what_is_collected) {
  static unsigned chip_first[] = {0, 3, 8, 9};
  struct algo algo = {.collective = COLL_ALLTOALL};
  struct coll_group group = {
    .call.algo = &algo, .nranks = 9, .nbytes = 20, .nchips = 3, .chip_first = chip_first};
  unsigned most = 0;
  for (unsigned near = 0; near < 3; near++) {
    for (unsigned far = 0; far < 3; far++) {
      struct grid grid = {chip_first[near + 1] - chip_first[near], chip_first[far + 1] - chip_first[far]};
      unsigned end = 0;
      for (unsigned i = 0; far != near && i < grid.near * grid.far; i++) {
        unsigned place = grid_place(grid, i % grid.near, i / grid.near);
        end = place >= end ? place + 1 : end;
      }
      ck_assert_uint_eq(grid_area(&group, near, far + 1), grid_area(&group, near, far) + end);
    }
    unsigned all = grid_area(&group, near, 3);
    most = all > most ? all : most;
  }
  ck_assert_uint_eq(grid_scratch(&group), most * layout_stride(&group));
}
