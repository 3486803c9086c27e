/* SPDX-License-Identifier: BSD-3-Clause
 * Without observers an event costs nothing: an event without an observer is not even filled in. */
#include "tests/bed.h"

/* An observer with a counter. */
struct counter {
  struct probe probe;
  unsigned seen;
};

static void count(struct probe *probe, const struct probe_event *event) {
  ((struct counter *)probe)->seen++;
}

/* Return an event, and note the filling in. */
static struct probe_event *fill_in(struct probe_event *event, unsigned *filled) {
  ++*filled;
  return event;
}

TESTS(probe, .start = bed_begin_unwatched, .stop = bed_end);

TEST(events_are_filled_in_only_for_those_who_look) {
  struct counter plain = {.probe.see = count}, curious = {.probe = {.see = count, .details = true}};
  struct probe_event event = {.kind = PROBE_ISSUE}, detail = {.kind = PROBE_MEMORY};
  unsigned events = 0, details = 0;
  for (unsigned i = 0; i < 4; i++) {
    if (i == 1 || i == 3) {
      blade_attach(bed.blade, &(i == 1 ? &plain : &curious)->probe);
    }
    board_see(blade_board(bed.blade), fill_in(&event, &events));
    board_see_detail(blade_board(bed.blade), fill_in(&detail, &details));
    if (i == 1 || i == 3) {
      blade_detach(bed.blade, &(i == 1 ? &plain : &curious)->probe);
    }
    ck_assert_uint_eq(events, (i + 1) / 2);
    ck_assert_uint_eq(details, i / 3);
  }
  ck_assert_uint_eq(plain.seen, 1);
  ck_assert_uint_eq(curious.seen, 2);
}
