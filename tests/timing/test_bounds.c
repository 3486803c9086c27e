/* SPDX-License-Identifier: BSD-3-Clause
 * Time grows with size, and nothing is faster than ramps, rings and links allow. */
#include "tests/call_bed.h"

enum { HERE = 0x10000, NSPES = 8, LONG = 16384, LINES = LONG / 128 };

static double ramp, link;

static void start(void) {
  bed_begin_unwatched();
  ramp = bed.platform->eib.ramp_interval * bed.platform->clock.bus_divider;
  link = (bed.platform->eib.request_bytes + bed.platform->bif.overhead) * bed.platform->clock.spu /
         bed.platform->bif.bandwidth;
}

/* Some DMAs of one SPE, all queued at once. */
struct load {
  unsigned peer, count;
  uint32_t nbytes;
  bool put;
};

static void carry(void *argument) {
  const struct load *load = argument;
  for (unsigned i = 0; i < load->count; i++) {
    (load->put ? mfc_put : mfc_get)(spu_ls(HERE), spu_ls_ea(load->peer, HERE), load->nbytes, 0, 0, 0);
  }
  bed_finish(1);
}

/* Let SPEs FIRST .. END - 1 carry LOAD from or to SPE LOAD.peer, plus STEP for each next SPE.
 * returns: cycles until the last SPE is through. */
static double time_loads(struct load load, unsigned first, unsigned end, unsigned step) {
  struct load loads[2 * NSPES];
  struct spu spus[2 * NSPES];
  for (unsigned i = 0; i < end - first; i++) {
    loads[i] = load;
    loads[i].peer += i * step;
    spus[i] = (struct spu){.spe = first + i, .main = carry, .argument = &loads[i], .name = "carrier"};
  }
  blade_reset(bed.blade);
  return (double)bed_run(spus, end - first);
}

TESTS(bounds, .start = start, .stop = bed_end);

TEST(time_grows_with_size) {
  for (unsigned i = 0; i < 4; i++) {
    double before = 0;
    for (uint32_t nbytes = 16; nbytes <= LONG; nbytes += 16) {
      struct load load = {.peer = i < 2 ? 5 : 13, .count = 1, .nbytes = nbytes, .put = i % 2};
      double time = time_loads(load, 0, 1, 0);
      ck_assert_msg(time >= before, "%u bytes: %g cycles, less than %g", nbytes, time, before);
      before = time;
    }
  }
}

/* On one blade. From 128 bytes on: up to 128 bytes a transfer is one bus request, as long for any size, so
 * that turns at the arbiters can fall better by chance. */
TEST(collectives_take_longer_for_more_bytes) {
  for (size_t i = 0; i < catalogue_size; i++) {
    double before = 0;
    bool measured = catalogue[i]->collective != COLL_BARRIER && !catalogue[i]->spans_nodes &&
                    !(catalogue[i]->needs & NEED_HOSTS);
    for (size_t nbytes = 128; nbytes <= 65536 && measured; nbytes *= 2) {
      struct call call = {.algorithm = catalogue_call(catalogue[i]),
                          .nranks = 16,
                          .nbytes = nbytes,
                          .repeat = 1,
                          .profile = bed_profile()};
      if (rig_check(bed.platform, &call, &failure) != 0) {
        ck_assert_msg(nbytes > 2048, "%s", failure.text); /* the least of all limits */
        break;
      }
      double cycles = call_bed_cycles(&call);
      ck_assert_msg(cycles >= before, "%s, %zu bytes", catalogue[i]->name, nbytes);
      before = cycles;
    }
  }
}

/* One ramp moves a line in 17.3 cycles, on both sides and for any number of sharers; a queue of 4 DMAs comes
 * close: only the start-up of fewer than 400 cycles is lost. */
TEST(a_ramp_is_never_faster_than_its_interval) {
  for (unsigned n = 1; n < NSPES; n++) {
    for (unsigned put = 0; put < 2; put++) {
      double lines = 4.0 * LINES * n;
      double time = time_loads((struct load){.peer = 0, .count = 4, .nbytes = LONG, .put = put}, 1, 1 + n, 0);
      ck_assert_double_ge(time, (lines - 1) * ramp);
      ck_assert_double_le(time, lines * ramp + 400);
    }
  }
}

/* Eight pairs read across the link in one direction: 39.36 cycles a line (10.4 GB/s of payload). Start-up is
 * below the 1100 cycles of one get, and so is the loss of the last SPE, which cannot fill the link alone. */
TEST(a_link_is_never_faster_than_its_rate_and_reaches_it) {
  for (unsigned put = 0; put < 2; put++) {
    double lines = 2.0 * LINES * NSPES;
    double time =
      time_loads((struct load){.peer = NSPES, .count = 2, .nbytes = LONG, .put = put}, 0, NSPES, 1);
    ck_assert_double_ge(time, (lines - 1) * link);
    ck_assert_double_le(time, lines * link + 2 * 1100);
  }
}

/* A slower link, a slower ramp, a narrower window: never faster. The entries of a window of w lines return
 * after at least the command phase, the read and the beats (136 cycles), so that no more than w lines pass in
 * this time. */
TEST(a_window_bounds_what_is_in_flight) {
  static const char *const settings[] = {"mfc.window=1", "mfc.window=2", "mfc.window=4", "mfc.window=8"};
  for (unsigned i = 0; i < 4; i++) {
    bed_use("qs20", settings[i]);
    double least = bed.platform->eib.command_phase + bed.platform->ls.read + bed.platform->mfc.retire + 16;
    double time = time_loads((struct load){.peer = 0, .count = 1, .nbytes = LONG}, 1, 2, 0);
    ck_assert_double_ge(time, (double)LINES / (1U << i) * least);
  }
}

/* The command bus takes one command per bus cycle: 7 SPEs with 128 commands of one line
 * each cannot be done before 7 x 128 bus cycles. */
TEST(the_command_bus_takes_one_command_per_interval) {
  double interval = bed.platform->eib.command_interval * bed.platform->clock.bus_divider;
  double time = time_loads((struct load){.peer = 1, .count = 128, .nbytes = 16}, 0, NSPES - 1, 1);
  ck_assert_double_ge(time, 128.0 * (NSPES - 1) * interval);
}
