/* SPDX-License-Identifier: BSD-3-Clause
 * Signals between SPE programs. */
#include "tests/bed.h"

/* Signals are sent from addresses ending in 0xc, like the addresses of the registers. */
enum { CELL = 0x1000c };

/* A sender of one word, and the observations of the receiver, SPE 0. */
struct send {
  uint32_t word;
  unsigned which; /* register */
  uint64_t pause;
};

static struct seen {
  uint32_t before, words[2], after;
  uint64_t at[2];
} seen;

static void send(void *argument) {
  const struct send *s = argument;
  uint32_t *cell = spu_ls(CELL);
  spu_compute(s->pause);
  *cell = s->word;
  mfc_sndsig(cell, spu_signal_ea(0, s->which), 0, 0, 0);
  bed_finish(1);
}

/* Look (one channel read), sleep until all signals are there, then read once. */
static void read_late(void *argument) {
  seen.before = spu_stat_signal1();
  spu_compute(5000);
  seen.words[0] = spu_read_signal1();
  seen.at[0] = spu_cycles();
  seen.after = spu_stat_signal1();
}

static struct seen run(void (*receiver)(void *), struct send *first, struct send *second) {
  bed_run_all(&SPES(ON_SPE(0, receiver, NULL), ON_SPE(1, send, first), ON_SPE(9, send, second)));
  return seen;
}

TESTS(signals, .start = bed_begin, .stop = bed_end);

TEST(or_mode_collects_what_several_send) {
  struct send a = {.word = 0x10, .which = 1}, b = {.word = 0x3, .which = 1};
  spu_config_signal_or(bed.blade, 0, 1);
  run(read_late, &a, &b);
  ck_assert_uint_eq(seen.before, 0);
  ck_assert_uint_eq(seen.words[0], 0x13);
  ck_assert_uint_eq(seen.at[0], 5000 + (uint64_t)bed.platform->mfc.channel_read);
  ck_assert_uint_eq(seen.after, 0);
}

/* The one from the other chip (SPE 9) arrives last. */
TEST(overwrite_mode_keeps_the_last) {
  struct send a = {.word = 0x10, .which = 1}, b = {.word = 0x3, .which = 1};
  ck_assert_uint_eq(run(read_late, &a, &b).words[0], 0x3);
  blade_reset(bed.blade);
  a.pause = 2000;
  ck_assert_uint_eq(run(read_late, &a, &b).words[0], 0x10);
  ck_assert_uint_eq(bed_take_hazards(), 2);
}

static void read_both(void *argument) {
  seen.words[1] = spu_read_signal2();
  seen.at[1] = spu_cycles();
  seen.words[0] = spu_read_signal1();
  seen.at[0] = spu_cycles();
}

/* Reading stalls until a signal comes: 3000 + 10 to issue + 30 to the bus + 100 + 20 + hops + 16 + 34 to be
 * visible, with 3 hops of 2 cycles from SPE1 to SPE0. */
TEST(the_two_registers_are_apart_and_reading_stalls) {
  struct send a = {.word = 0x10, .which = 1, .pause = 3000}, b = {.word = 0x3, .which = 2};
  const struct platform *p = bed.platform;
  run(read_both, &a, &b);
  uint64_t one_way =
    (uint64_t)(p->mfc.issue + p->mfc.to_bus + p->eib.command_phase + p->ls.read + p->mfc.visible) +
    2 * bed_hops(p, "SPE1", "SPE0") + 16;
  ck_assert_uint_eq(seen.words[0], 0x10);
  ck_assert_uint_eq(seen.words[1], 0x3);
  ck_assert_uint_eq(seen.at[0], 3000 + one_way);
  ck_assert_uint_lt(seen.at[1], 3000);
}

TEST(or_mode_does_not_outlive_a_reset) {
  struct send a = {.word = 0x10, .which = 1}, b = {.word = 0x3, .which = 1};
  spu_config_signal_or(bed.blade, 0, 1);
  blade_reset(bed.blade);
  ck_assert_uint_eq(run(read_late, &a, &b).words[0], 0x3);
  ck_assert_uint_eq(bed_take_hazards(), 1);
}

/* A put with a fenced signal behind: a receiver of the signal has the data. */
static void put_then_signal(void *argument) {
  bool fenced = *(bool *)argument;
  uint32_t *cell = spu_ls(CELL), *data = spu_ls(0x20000);
  *cell = 1;
  data[4095] = 77;
  mfc_put(data, spu_ls_ea(0, 0x20000), 16384, 5, 0, 0);
  if (fenced) {
    mfc_sndsigf(cell, spu_signal_ea(0, 1), 5, 0, 0);
  } else {
    mfc_sndsig(cell, spu_signal_ea(0, 1), 5, 0, 0);
  }
  bed_finish(1U << 5);
}

PROGRAM(read_data_after_signal, spu_read_signal1(); seen.words[0] = ((uint32_t *)spu_ls(0x20000))[4095])

TEST(a_fenced_signal_comes_after_the_data) {
  for (unsigned fenced = 0; fenced < 2; fenced++) {
    bool flag = fenced;
    blade_reset(bed.blade);
    bed_run_all(&SPES(ON_SPE(0, read_data_after_signal, NULL), ON_SPE(9, put_then_signal, &flag)));
    ck_assert_uint_eq(seen.words[0], fenced ? 77 : 0);
  }
}
