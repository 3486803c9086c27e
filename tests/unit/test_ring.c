/* SPDX-License-Identifier: BSD-3-Clause
 * One data ring: when a transfer may start. */
#include "sim/hw/bus/ring.h"
#include "tests/bed.h"

/* A ring of 12 units; in SPU cycles 2 per hop, 16 for the 8 beats, 6 between starts. */
static const struct ring_parameters figures = {
  .nunits = 12, .hops_max = 6, .transfers_max = 3, .start_interval = 6, .hop = 2, .beats = 16};
static struct ring_plan *plan;
static struct ring ring;

static void start(void) {
  plan = ring_plan_new(&figures);
  ring_init(&ring);
}

static void stop(void) {
  free(plan);
}

static uint64_t ready(uint8_t from, uint8_t hops, uint64_t at) {
  struct ring_path path = ring_path(&figures, from, hops);
  return ring_ready(plan, &ring, &path, at);
}

static uint64_t run(uint8_t from, uint8_t hops, uint64_t at) {
  struct ring_path path = ring_path(&figures, from, hops);
  return ring_start(plan, &ring, &path, at);
}

TESTS(ring, .start = start, .stop = stop);

/* The first beat needs 2 cycles a hop, the other seven follow 2 cycles apart: 2 h + 16. */
TEST(a_transfer_lasts_its_hops_and_its_beats) {
  ck_assert_uint_eq(ready(0, 3, 7), 7);
  ck_assert_uint_eq(run(0, 3, 7), 7 + 3 * 2 + 16);
}

TEST(starts_keep_their_interval) {
  run(0, 1, 10);
  ck_assert_uint_eq(ready(6, 1, 10), 10 + 6);
  ck_assert_uint_eq(ready(6, 1, 12), 10 + 6);
  ck_assert_uint_eq(ready(6, 1, 40), 40);
}

/* A path that begins d hops behind the start of an earlier transfer follows that transfer: the last beat
 * leaves the place at start + 2 d + 16, long before the transfer is over. */
TEST(a_place_is_free_once_the_transfer_has_passed_it) {
  run(0, 6, 0);
  ck_assert_uint_eq(ready(0, 1, 0), 16);
  ck_assert_uint_eq(ready(2, 1, 0), 2 * 2 + 16);
  ck_assert_uint_eq(ready(5, 6, 0), 5 * 2 + 16);
  ck_assert_uint_eq(ready(6, 6, 0), 6); /* only the interval: the path begins where the other ends */
}

/* A path that comes to the start of an earlier transfer after d hops gets there 2 d cycles after its own
 * start, and the place is free 16 cycles after the earlier transfer's start. */
TEST(a_transfer_may_start_before_the_place_ahead_is_free) {
  run(3, 2, 0);
  ck_assert_uint_eq(ready(3, 2, 0), 16);
  ck_assert_uint_eq(ready(1, 6, 0), 16 - 2 * 2);
  ck_assert_uint_eq(ready(10, 6, 0), 6); /* 5 hops ahead: 16 - 10 = 6 */
  ck_assert_uint_eq(ready(1, 2, 0), 6);  /* the path ends where the other begins */
}

TEST(paths_wrap_round_the_ring) {
  run(11, 2, 0); /* places 11 and 0 */
  ck_assert_uint_eq(ready(0, 2, 0), 2 + 16);
  ck_assert_uint_eq(ready(10, 2, 0), 16 - 2);
  ck_assert_uint_eq(ready(1, 2, 0), 6);
}

/* Three short transfers start at 0, 6 and 12; the first is over at 0 + 2 + 16 = 18, the time of the next
 * start. The fourth then waits for the second, over at 6 + 12 + 16. */
TEST(no_more_than_three_transfers_run_at_a_time) {
  ck_assert_uint_eq(run(0, 1, 0), 18);
  ck_assert_uint_eq(run(1, 6, 6), 34);
  ck_assert_uint_eq(run(7, 5, 12), 38);
  ck_assert_uint_eq(ready(0, 1, 12), 18);
  ck_assert_uint_eq(run(0, 1, 18), 36);
  ck_assert_uint_eq(ready(1, 1, 24), 34);
}

/* A question about a later cycle is a question only: transfers over by that cycle still run now. */
TEST(a_question_about_the_future_changes_nothing) {
  run(0, 6, 0);
  ck_assert_uint_eq(ready(4, 1, 100), 100);
  ck_assert_uint_eq(ready(4, 1, 6), 4 * 2 + 16);
}

/* --- a naive model: every place and every cycle is booked --- */

enum { CYCLES = 4096 };

struct table {
  bool taken[RING_UNITS_MAX][CYCLES];
  uint8_t running[CYCLES];
  uint64_t next_start;
};

struct way {
  unsigned from, hops;
};

static bool may_start(const struct table *table, const struct ring_parameters *f, struct way way,
                      uint64_t at) {
  if (at < table->next_start || table->running[at] >= f->transfers_max) {
    return false;
  }
  for (unsigned d = 0; d < way.hops; d++) {
    for (uint64_t t = at + d * f->hop; t < at + d * f->hop + f->beats; t++) {
      if (table->taken[(way.from + d) % f->nunits][t]) {
        return false;
      }
    }
  }
  return true;
}

static void book(struct table *table, const struct ring_parameters *f, struct way way, uint64_t at) {
  for (unsigned d = 0; d < way.hops; d++) {
    for (uint64_t t = at + d * f->hop; t < at + d * f->hop + f->beats; t++) {
      table->taken[(way.from + d) % f->nunits][t] = true;
    }
  }
  for (uint64_t t = at; t < at + way.hops * f->hop + f->beats; t++) {
    table->running[t]++;
  }
  table->next_start = at + f->start_interval;
}

/* Rings of 5 to 13 units with paths of at most half a ring. Figures are such that no transfer can start in
 * the gap before an earlier transfer comes by: hops times hop below start interval plus beats. Questions
 * about all paths at random cycles are mixed in. Loop test: the index is the seed; 40 rings of about 100
 * transfers each. */
TEST_EACH(a_table_of_places_agrees_over_random_transfers, 1, 6) {
  static struct table table;
  struct dice dice = {(uint64_t)_i};
  for (unsigned round = 0; round < 40; round++) {
    unsigned n = 5 + (unsigned)dice_below(&dice, 9);
    struct ring_parameters f = {.nunits = n,
                                .hops_max = n / 2,
                                .transfers_max = 1 + (unsigned)dice_below(&dice, 4),
                                .start_interval = 1 + dice_below(&dice, 8),
                                .hop = 1 + dice_below(&dice, 3),
                                .beats = 18 + dice_below(&dice, 9)};
    table = (struct table){0};
    free(plan);
    plan = ring_plan_new(&f);
    ring_init(&ring);
    for (uint64_t now = 0; now < CYCLES - 200; now += dice_below(&dice, 30)) {
      struct way way = {.from = (unsigned)dice_below(&dice, f.nunits),
                        .hops = 1 + (unsigned)dice_below(&dice, f.nunits / 2)};
      struct ring_path path = ring_path(&f, way.from, way.hops);
      uint64_t ask = now + dice_below(&dice, 40), expected = ask;
      while (!may_start(&table, &f, way, expected)) {
        expected++;
      }
      uint64_t found = ring_ready(plan, &ring, &path, ask);
      ck_assert_msg(found == expected, "seed %d, round %u, cycle %llu: %llu, expected %llu", _i, round,
                    (unsigned long long)ask, (unsigned long long)found, (unsigned long long)expected);
      if (may_start(&table, &f, way, now)) {
        ck_assert_uint_eq(ring_start(plan, &ring, &path, now), now + way.hops * f.hop + f.beats);
        book(&table, &f, way, now);
      }
    }
  }
}
