/* SPDX-License-Identifier: BSD-3-Clause
 * Reservations, and the lines kept by atomic units. */
#include "sim/hw/spe/reservation.h"
#include "tests/suite.h"

enum { UNITS = 3, A = 0x1000, B = 0x2000 };

static struct reservation_units units;
static struct reservation *of;

static void start(void) {
  reservation_init(&units, UNITS);
  of = units.of;
}

static void finish(void) {
  reservation_fini(&units);
}

/* Let WRITER write line EA. */
static void write_to(uint64_t ea, unsigned writer) {
  reservation_written(&units, ea, &(struct reservation_write){writer, {100, UNITS}, NULL});
}

TESTS(reservation, .start = start, .stop = finish);

/* Several copies come at once: the unit of the lowest number counts, in any order of reports. */
TEST(of_copies_that_came_at_once_the_lowest_unit_counts) {
  reservation_keep(&of[2], A, 5);
  reservation_keep(&of[0], A, 5);
  reservation_keep(&of[1], A, 5);
  ck_assert_uint_eq(reservation_keeper(&units, A, (struct reservation_moment){100, UNITS}), 0);
  ck_assert_uint_eq(reservation_keeper(&units, A, (struct reservation_moment){100, 0}), 1);
  reservation_keep(&of[2], A, 9);
  ck_assert_uint_eq(reservation_keeper(&units, A, (struct reservation_moment){100, 0}), 2);
  reservation_keep(&of[2], A, 1);
  ck_assert_uint_eq(reservation_keeper(&units, A, (struct reservation_moment){100, 0}), 1);
}

TEST(a_write_ends_all_reservations_of_its_line) {
  reservation_take(&of[0], A);
  reservation_take(&of[1], A);
  reservation_take(&of[2], B);
  write_to(A, 0);
  ck_assert(!of[0].held && !of[1].held && of[2].held);
}

TEST(one_unit_holds_one_reservation) {
  reservation_take(&of[0], A);
  reservation_take(&of[0], B);
  write_to(A, UNITS);
  ck_assert(of[0].held);
  write_to(B, UNITS);
  ck_assert(!of[0].held);
}

TEST(only_the_writer_keeps_its_line) {
  for (unsigned i = 0; i < UNITS; i++) {
    reservation_keep(&of[i], A, 10 * i);
    reservation_keep(&of[i], B, 0);
  }
  ck_assert_uint_eq(reservation_keeper(&units, A, (struct reservation_moment){100, 0}), 2);
  ck_assert_uint_eq(reservation_keeper(&units, A, (struct reservation_moment){100, 2}), 1);
  ck_assert_uint_eq(reservation_settled(reservation_line(&units, A)), 20);
  write_to(A, 1);
  ck_assert(!reservation_keeps(&of[0], A) && reservation_keeps(&of[1], A) && !reservation_keeps(&of[2], A));
  ck_assert(reservation_keeps(&of[0], B));
  ck_assert_uint_eq(reservation_keeper(&units, A, (struct reservation_moment){100, 1}), UNITS);
  write_to(A, UNITS);
  ck_assert(!reservation_keeps(&of[1], A));
}

TEST(the_line_used_least_recently_makes_room) {
  for (unsigned i = 1; i <= RESERVATION_LINES; i++) {
    reservation_keep(&of[0], i * A, 0);
  }
  reservation_keep(&of[0], A, 0);
  reservation_keep(&of[0], 9 * A, 0);
  ck_assert(reservation_keeps(&of[0], A) && !reservation_keeps(&of[0], 2 * A));
  ck_assert(reservation_keeps(&of[0], 3 * A) && reservation_keeps(&of[0], 9 * A));
}
