/* SPDX-License-Identifier: BSD-3-Clause
 * Small cases on the idle blade take exactly the cycles derived from the parameters of the platform, on the
 * exact bus and on the bus of rates. Most cases take the same on both buses; three derivations have a part
 * for rates.
 *
 * In all derivations: I = mfc.issue (10), B = mfc.to-bus (30), C = eib.command-phase (100), R = ls.read
 * (20), H = cycles of one hop (2), T = cycles of the 8 beats (16), V = mfc.visible (74), D = mfc.complete
 * (98), W = mfc.retire (86); the interval of a ramp is 16.66 cycles, of a link 0.16 cycles for each of (128
 * + 118) bytes = 39.36 cycles; h is a number of hops, counted in chip.units. */
#include "tests/bed.h"

enum { HERE = 0x10000, NSPES = 8 };

/* The machine of a test, by the loop index _i. */
enum { EXACT, RATES, BUSES };

static const struct platform *p;
static double I, B, C, R, H, T, V, D, W, ramp, link;

static void start_on(int bus) {
  if (bus == RATES) {
    setenv("BED_BUS", "rates", 1);
  }
  bed_begin_unwatched();
  p = bed.platform;
  I = p->mfc.issue, B = p->mfc.to_bus, C = p->eib.command_phase, R = p->ls.read;
  V = p->mfc.visible, D = p->mfc.complete, W = p->mfc.retire;
  H = p->eib.hop * p->clock.bus_divider;
  T = (double)p->eib.request_bytes / p->eib.beat_bytes * p->clock.bus_divider;
  ramp = p->eib.ramp_interval * p->clock.bus_divider;
  link = (p->eib.request_bytes + p->bif.overhead) * p->clock.spu / p->bif.bandwidth;
}

/* Return the hops between SPE (of the blade) and UNIT of the SPE's chip. */
static unsigned hops(unsigned spe, const char *unit) {
  char name[8];
  snprintf(name, sizeof name, "SPE%u", spe % NSPES);
  return bed_hops(p, name, unit);
}

static unsigned hops_between(unsigned a, unsigned b) {
  char name[8];
  snprintf(name, sizeof name, "SPE%u", b % NSPES);
  return hops(a, name);
}

/* One DMA, from the issue to the tag status. */
struct one {
  unsigned peer;
  uint32_t nbytes, shift; /* of the far address */
  bool put;
  uint64_t done;
};

static void move_one(void *argument) {
  struct one *one = argument;
  (one->put ? mfc_put : mfc_get)(spu_ls(HERE), spu_ls_ea(one->peer, HERE + one->shift), one->nbytes, 0, 0, 0);
  bed_finish(1);
  one->done = spu_cycles();
}

static uint64_t time_one(unsigned spe, struct one one) {
  struct spu spu = {.spe = spe, .main = move_one, .argument = &one, .name = "one"};
  blade_reset(bed.blade);
  bed_run(&spu, 1);
  return one.done;
}

TESTS(exact, .stop = bed_end);

/* I + B + C + R + H h + T + D: 276 cycles to a neighbour, 286 to the other side of the ring. */
TEST_EACH(one_dma_on_a_chip, EXACT, BUSES) {
  start_on(_i);
  static const uint32_t sizes[] = {1, 16, 128};
  for (unsigned spe = 0; spe < NSPES; spe++) {
    for (unsigned peer = 0; peer < NSPES; peer++) {
      for (unsigned i = 0; i < 6 && peer != spe; i++) {
        double expected = I + B + C + R + H * hops_between(spe, peer) + T + D;
        struct one one = {.peer = peer, .nbytes = sizes[i % 3], .put = i >= 3};
        ck_assert_double_eq((double)time_one(spe, one), expected);
      }
    }
  }
  ck_assert_uint_eq(time_one(0, (struct one){.peer = 2, .nbytes = 128}), 276);
  ck_assert_uint_eq(time_one(0, (struct one){.peer = 7, .nbytes = 128}), 286);
}

/* I + B + (C + bif.command) + R + (H h + T) + bif.data + (H h' + T) + D with h hops to the BIF's unit and h'
 * hops from there; for a put also bif.put-complete. The payload is one line: no request waits for the
 * link. */
TEST_EACH(one_dma_across_chips, EXACT, BUSES) {
  start_on(_i);
  for (unsigned spe = 0; spe < NSPES; spe++) {
    for (unsigned i = 0; i < 4; i++) {
      unsigned peer = NSPES + (3 * spe + i) % NSPES;
      double ways = H * (hops(spe, p->chip.bif) + hops(peer, p->chip.bif)) + 2 * T;
      double expected = I + B + C + p->bif.command + R + ways + p->bif.data + D;
      struct one one = {.peer = peer, .nbytes = i < 2 ? 16 : 128, .put = i % 2};
      ck_assert_double_eq((double)time_one(spe, one), expected + (one.put ? p->bif.put_complete : 0));
    }
  }
}

/* 128 bytes from the middle of a line on are two bus requests of 64 bytes; each takes the ramp for a whole
 * interval. */
TEST_EACH(a_line_across_a_boundary_costs_two_requests, EXACT, BUSES) {
  start_on(_i);
  for (unsigned put = 0; put < 2; put++) {
    double expected = I + B + C + R + ceil(ramp) + H * hops_between(0, 3) + T + D;
    struct one one = {.peer = 3, .nbytes = 128, .put = put, .shift = 64};
    ck_assert_double_eq((double)time_one(0, one), expected);
  }
}

/* --- signals --- */

static uint64_t arrived;

PROGRAM(send_signal, mfc_sndsig(spu_ls(HERE + 12), spu_signal_ea(*(unsigned *)argument, 1), 0, 0, 0))

PROGRAM(receive_signal, spu_read_signal1(); arrived = spu_cycles())

/* To the target program's read: V instead of D. */
TEST_EACH(one_way_of_a_signal, EXACT, BUSES) {
  start_on(_i);
  for (unsigned peer = 1; peer < 2 * NSPES; peer++) {
    bool across = peer >= NSPES;
    double ways =
      across ? H * (hops(0, p->chip.bif) + hops(peer, p->chip.bif)) + 2 * T : H * hops_between(0, peer) + T;
    blade_reset(bed.blade);
    bed_run_all(&SPES(ON_SPE(0, send_signal, &peer), ON_SPE(peer, receive_signal, NULL)));
    ck_assert_double_eq((double)arrived,
                        I + B + C + R + ways + V + (across ? p->bif.command + p->bif.data : 0));
  }
}

/* --- contention --- */

/* SPE1 and SPE3 get a line from SPE0 at the same time. The command bus serves SPE1 first (the next unit after
 * the last one, MIC), and SPE0's on-ramp sends SPE1's line at I + B + C + R = 160. The ramp is free again
 * 16.66 cycles later, so that SPE3's line, ready at 162, starts at 160 + 17. */
TEST_EACH(two_gets_share_the_on_ramp_of_their_source, EXACT, BUSES) {
  start_on(_i);
  struct one ones[] = {{.peer = 0, .nbytes = 128}, {.peer = 0, .nbytes = 128}};
  bed_run_all(&SPES(ON_SPE(1, move_one, &ones[0]), ON_SPE(3, move_one, &ones[1])));
  ck_assert_double_eq((double)ones[0].done, I + B + C + R + H * hops_between(0, 1) + T + D);
  ck_assert_double_eq((double)ones[1].done, I + B + C + R + ceil(ramp) + H * hops_between(0, 3) + T + D);
}

/* SPE1 puts to SPE0 and SPE3 to SPE0: the off-ramp of SPE0 takes the first line at the line's first beat,
 * at 160 + H h, and the second not before 16.66 cycles later. SPE1 is 3 hops away, SPE3 4 hops: 160 + 6 +
 * 16.66 is 183 - 8 = 175 at the start. */
TEST_EACH(two_puts_share_the_off_ramp_of_their_target, EXACT, BUSES) {
  start_on(_i);
  struct one ones[] = {{.peer = 0, .nbytes = 128, .put = true}, {.peer = 0, .nbytes = 128, .put = true}};
  bed_run_all(&SPES(ON_SPE(1, move_one, &ones[0]), ON_SPE(3, move_one, &ones[1])));
  double first_beat = I + B + C + R + H * hops_between(0, 1);
  ck_assert_double_eq((double)ones[0].done, first_beat + T + D);
  ck_assert_double_eq((double)ones[1].done, ceil(first_beat + ramp) + T + D);
}

/* Two puts from SPE0 and SPE2 to different chips' SPEs leave through one BIF unit: the unit's off-ramp parts
 * the puts by 16.66 cycles, the link by 39.36. The second request comes to the link at most 2 + 17 cycles
 * after the first and leaves the link 40 after.
 * On rates the command bus serves the MFCs in the order of SPEs: SPE4 is first. The second piece comes to the
 * link 17 cycles after the first, and also leaves the link 40 after. */
TEST_EACH(two_puts_share_the_link, EXACT, BUSES) {
  start_on(_i);
  struct one ones[] = {{.peer = 8, .nbytes = 128, .put = true}, {.peer = 10, .nbytes = 128, .put = true}};
  bed_run_all(&SPES(ON_SPE(6, move_one, &ones[0]), ON_SPE(4, move_one, &ones[1])));
  unsigned first = _i == RATES ? 1 : 0, second = 1 - first, senders[] = {6, 4}, targets[] = {8, 10};
  double at_link = I + B + C + p->bif.command + R + H * hops(senders[first], p->chip.bif) + T;
  double after = p->bif.data + T + D + p->bif.put_complete;
  ck_assert_double_eq((double)ones[first].done, at_link + after + H * hops(targets[first], p->chip.bif));
  ck_assert_double_eq((double)ones[second].done,
                      at_link + ceil(link) + after + H * hops(targets[second], p->chip.bif));
}

/* --- streams --- */

/* 16 KiB are 128 lines. On a chip a window entry is free again C + R + H h + T + W cycles after its
 * command, 234 with the 6 hops of the longest way. The ramp needs more, 16 x 16.66 = 267, for the other
 * lines: the ramp decides, and line k (from 0) starts at I + B + C + R + 16.66 k, rounded up.
 * On rates the last of 8 pieces of 16 lines starts 7 x 16 x 16.66 later, rounded up, and the piece's last
 * line another 15 x 16.66 later, rounded down. */
TEST_EACH(a_long_get_on_a_chip_is_paced_by_the_ramp, EXACT, BUSES) {
  start_on(_i);
  ck_assert_double_gt(p->mfc.window * ramp, C + R + 6 * H + T + W + 1);
  for (unsigned peer = 1; peer < NSPES; peer++) {
    double last = I + B + C + R + (_i == RATES ? ceil(112 * ramp) + floor(15 * ramp) : ceil(127 * ramp));
    ck_assert_double_eq((double)time_one(0, (struct one){.peer = peer, .nbytes = 16384}),
                        last + H * hops_between(0, peer) + T + D);
  }
}

/* Across chips the MFC may have N = bif.mfc-requests (10) bus requests under way. A request counts for L =
 * C + bif.command + R + H h + T + bif.data + H h' + T + W = 965 cycles, while N lines need N x 39.36 = 394
 * on the link: the limit decides. The first N lines reach the link together (the first at I + B + C +
 * bif.command + R + H h + T) and leave the link 39.36 cycles apart; from then on each line goes out L
 * cycles after the line N before it and meets no queue. The last one, line 127 from 0 on, has 127 / N lines
 * before it in its row of lines N apart (12), and the row begins with line 127 % N (7).
 * On rates pieces have N lines: the last line is line 127 % N of its piece, as many times 39.36 cycles,
 * rounded down, after the piece's first line. */
TEST_EACH(a_long_get_across_chips_is_bounded_by_the_limit, EXACT, BUSES) {
  start_on(_i);
  double there = H * hops(8, p->chip.bif) + T, here = H * hops(0, p->chip.bif) + T;
  double counts = C + p->bif.command + R + there + p->bif.data + here + W;
  double first_at_link = I + B + C + p->bif.command + R + there;
  unsigned rounds = 127 / p->bif.mfc_requests, row = 127 % p->bif.mfc_requests;
  double others = _i == RATES ? floor(row * link) : ceil(row * link);
  double expected = first_at_link + others + p->bif.data + here + rounds * counts + D;
  ck_assert_double_gt(counts, p->bif.mfc_requests * link);
  ck_assert_double_eq((double)time_one(0, (struct one){.peer = 8, .nbytes = 16384}), expected);
}
