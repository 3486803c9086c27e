/* SPDX-License-Identifier: BSD-3-Clause
 * Streams at once on one chip: the effects of distance, direction, overlap, sharing and memory on bandwidth.
 * source: cellmark, public measurements on a PS3, 2026 (measured rates); Kistler et al. 2006 (rings and
 * paths). */
#include "tests/bed.h"
#include "validate/bench/bench.h"
#include "validate/bench/stream.h"
#include "validate/bench/pattern.h"

enum { NSPES = 8, STREAMS_MAX = 8 };

/* The traffic of a pattern. */
struct traffic {
  struct probe probe;
  unsigned n;
  double rates[STREAMS_MAX], total; /* GB/s */
  uint64_t grants[2];               /* clockwise, counter-clockwise */
  unsigned least_hops, most_hops;
};

static void take_row(struct traffic *traffic, const struct result_row *row) {
  if (strcmp(row->parameter, "total") == 0) {
    traffic->total = row->value;
  } else {
    ck_assert_uint_lt(traffic->n, STREAMS_MAX);
    traffic->rates[traffic->n++] = row->value;
  }
}

static void see(struct probe *probe, const struct probe_event *event) {
  struct traffic *traffic = (struct traffic *)((char *)probe - offsetof(struct traffic, probe));
  const struct probe_grant *grant = &event->grant;
  if (event->kind == PROBE_GRANT) {
    traffic->grants[grant->ring >= blade_parameters(bed.blade)->eib_rings_clockwise]++;
    traffic->least_hops = grant->hops < traffic->least_hops ? grant->hops : traffic->least_hops;
    traffic->most_hops = grant->hops > traffic->most_hops ? grant->hops : traffic->most_hops;
  }
}

/* Run the streams of TEXT with DMAs of NBYTES, DEPTH of each stream under way (0: as many as usual). */
static struct traffic measure_depth(const char *text, uint64_t nbytes, unsigned depth) {
  struct err err = {""};
  struct pattern pattern;
  const struct bench *bench = bench_find("eib-pattern", &err);
  struct traffic traffic = {.probe.see = see, .least_hops = UINT32_MAX};
  ck_assert_msg(bench && pattern_parse(text, &pattern, &err) == 0, "%s", err.text);
  struct bench_run run = {.machine = bed.machine,
                          .profile = bed_profile(),
                          .bytes = &(struct units_list){.values = &nbytes, .n = 1},
                          .pattern = &pattern,
                          .depth = depth,
                          .err = &err};
  blade_attach(bed.blade, &traffic.probe);
  ck_assert_msg(bench_run(bench, &run) == 0, "%s", err.text);
  for (struct result_row row; result_take(&run.rows, &row);) {
    take_row(&traffic, &row);
  }
  pack_fini(&run.rows);
  blade_detach(bed.blade, &traffic.probe);
  pattern_fini(&pattern);
  return traffic;
}

static struct traffic measure(const char *text, uint64_t nbytes) {
  return measure_depth(text, nbytes, 0);
}

static void start(const char *name) {
  bed_use(name, "");
}

TESTS(patterns, .start = bed_start, .stop = bed_end);

/* One-way streams on silicon have one rate for every ordered pair, here at most 128 bytes in 16.66 cycles:
 * 24.6 GB/s. The longest way is 6 of 12 hops: there, and only there, both directions are equally short. */
TEST(bandwidth_of_a_pair_does_not_depend_on_distance) {
  double least = INFINITY, most = 0;
  unsigned nlongest = 0;
  start("qs20");
  for (unsigned pair = 0; pair < NSPES * NSPES; pair++) {
    unsigned to = pair / NSPES, from = pair % NSPES;
    char text[16], names[2][8];
    if (to == from) {
      continue;
    }
    snprintf(text, sizeof text, "%u<-%u", to, from);
    snprintf(names[0], sizeof names[0], "SPE%u", from);
    snprintf(names[1], sizeof names[1], "SPE%u", to);
    struct traffic traffic = measure(text, 16384);
    unsigned hops = bed_hops(bed.platform, names[0], names[1]);
    least = fmin(least, traffic.total);
    most = fmax(most, traffic.total);
    nlongest += hops == 6;
    ck_assert_msg(traffic.least_hops == hops && traffic.most_hops == hops, "%s: %u to %u hops", text,
                  traffic.least_hops, traffic.most_hops);
    ck_assert_msg((traffic.grants[0] && traffic.grants[1]) == (hops == 6), "%s: %llu and %llu grants", text,
                  (unsigned long long)traffic.grants[0], (unsigned long long)traffic.grants[1]);
  }
  ck_assert_uint_eq(nlongest, 8); /* four opposite pairs of SPEs, both ways */
  ck_assert_msg(least >= 24.4 && most <= 24.6 && most <= 1.03 * least, "%g to %g GB/s", least, most);
}

/* Neighbours share no place of a ring with other neighbours: four pairs are four times one. Of the second
 * placement three streams, SPE3 to SPE6, SPE5 to SPE4, SPE7 to SPE2, run 5 hops in one direction and share
 * the places between SPE7 and SPE6: the two rings of that direction carry at most 2 x 25.6 GB/s there,
 * instead of 3 x 24.6. */
TEST(placement_decides_whether_rings_are_enough) {
  start("qs20");
  double one = measure("1<-3", 16384).total;
  double apart = measure("1<-3,5<-7,6<-4,2<-0", 16384).total;
  double crossing = measure("6<-3,4<-5,2<-7,0<-1", 16384).total;
  ck_assert_double_eq_tol(apart, 4 * one, 0.03 * 4 * one);
  ck_assert_double_le(measure("6<-3,4<-5,2<-7", 16384).total, 51.2 * 1.02);
  ck_assert_msg(crossing < 0.85 * apart, "%g, apart %g GB/s", crossing, apart);
}

/* Silicon: which way the data goes from SPE a to SPE b depends on (b - a) mod 6 alone: one way for 1 and 2,
 * the other way for 4 and 5, and both ways for 3 (cellmark, section 3.4). The 30 entries below follow from
 * that; which way is called + is free. */
TEST(every_pair_of_the_ps3_takes_its_direction) {
  static const char directions[] = ".++=--";
  start("ps3");
  for (unsigned pair = 0; pair < 6 * 6; pair++) {
    unsigned from = pair / 6, to = pair % 6;
    char text[16], taken;
    if (from == to) {
      continue;
    }
    snprintf(text, sizeof text, "%u<-%u", to, from);
    struct traffic traffic = measure(text, 16384);
    taken = traffic.grants[0] && traffic.grants[1] ? '=' : traffic.grants[0] ? '+' : '-';
    ck_assert_msg(taken == directions[(to + 6 - from) % 6], "%s: %c", text, taken);
  }
}

/* Silicon: six SPEs read 22.8 GB/s and write 22.1 GB/s, the same for chunks of 256 bytes to 16 KiB. */
TEST(six_spes_stream_from_memory_at_the_measured_rate) {
  start("ps3");
  for (uint64_t nbytes = 256; nbytes <= 16384; nbytes *= 2) {
    double get = measure("0<-mem,1<-mem,2<-mem,3<-mem,4<-mem,5<-mem", nbytes).total;
    double put = measure("0->mem,1->mem,2->mem,3->mem,4->mem,5->mem", nbytes).total;
    ck_assert_double_eq_tol(get, 22.8, 0.08 * 22.8);
    ck_assert_double_eq_tol(put, 22.1, 0.08 * 22.1);
  }
}

/* Silicon: 22.83 GB/s with two DMAs of each SPE under way and with eight (cellmark, section 2.3.2); all sizes
 * from 512 bytes to 8 KiB are alike with eight (2.3.1). */
TEST(six_spes_saturate_memory_with_two_dmas_or_eight) {
  static const char text[] = "0<-mem,1<-mem,2<-mem,3<-mem,4<-mem,5<-mem";
  start("ps3");
  double eight = measure_depth(text, 16384, 8).total;
  ck_assert_double_eq_tol(measure_depth(text, 16384, 2).total, eight, 0.005 * eight);
  for (uint64_t nbytes = 512; nbytes <= 8192; nbytes *= 2) {
    ck_assert_double_eq_tol(measure_depth(text, nbytes, 8).total, eight, 0.005 * eight);
  }
}

/* A local store serves its readers alike: none is starved or privileged (cellmark, section 3.3, in words: the
 * shares printed there are the total divided by the readers). */
TEST(readers_of_one_store_have_equal_shares) {
  static const char *const texts[] = {"1<-0,2<-0", "1<-0,2<-0,3<-0", "1<-0,2<-0,3<-0,4<-0",
                                      "1<-0,2<-0,3<-0,4<-0,5<-0"};
  start("ps3");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct traffic traffic = measure(texts[i], 16384);
    ck_assert_uint_eq(traffic.n, i + 2);
    for (unsigned k = 0; k < traffic.n; k++) {
      ck_assert_double_eq_tol(traffic.rates[k], traffic.total / traffic.n, 0.01 * traffic.total / traffic.n);
    }
  }
}

/* Silicon: three pairs of SPEs, each reading from its partner, move 114.7 GB/s; one way a stream keeps its
 * 23.0 to 23.6. */
TEST(an_spe_that_is_source_and_sink_is_slower_each_way) {
  start("ps3");
  struct traffic exchange = measure("0<-1,1<-0,2<-3,3<-2,4<-5,5<-4", 16384);
  ck_assert_double_eq_tol(exchange.total, 114.7, 0.02 * 114.7);
  for (unsigned i = 0; i < exchange.n; i++) {
    ck_assert_double_eq_tol(exchange.rates[i], 114.7 / 6, 0.03 * 114.7 / 6);
  }
  struct traffic one_way = measure("0<-1,2<-3,4<-5", 16384);
  for (unsigned i = 0; i < one_way.n; i++) {
    ck_assert(one_way.rates[i] >= 23.0 && one_way.rates[i] <= 23.7);
  }
}

/* A free port is no delay: lines read one by one take as long with a port as without. */
TEST(the_port_of_a_local_store_delays_only_what_meets_there) {
  start("qs20");
  double without = measure_depth("0<-1,2->3", 128, 1).total;
  bed_use("qs20", "ls.port-interval=5.35");
  ck_assert_double_eq(measure_depth("0<-1,2->3", 128, 1).total, without);
}

/* Silicon: the ramp of the read local store limits, and readers share the ramp equally. */
TEST(readers_of_one_local_store_share_its_rate_equally) {
  char text[64] = "0<-5";
  start("ps3");
  double one = measure(text, 16384).total;
  for (unsigned readers = 2; readers <= 5; readers++) {
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, ",%u<-5", readers - 1);
    struct traffic traffic = measure(text, 16384);
    ck_assert_uint_eq(traffic.n, readers);
    ck_assert_double_eq_tol(traffic.total, one, 0.03 * one);
    for (unsigned i = 0; i < readers; i++) {
      ck_assert_double_eq_tol(traffic.rates[i], traffic.total / readers, 0.03 * traffic.total / readers);
    }
  }
}

/* Writers to one local store share its rate too, at any distance, with any streams of others: the store's
 * off-ramp takes from each writer in turn. One turn for the whole chip, after the unit granted last, would
 * pass by the same writer whenever a stream of others keeps step with the writers: two writers had 2 to 1
 * then, four as many as 4 to 1. */
TEST_EACH(writers_of_one_local_store_share_its_rate_equally, 0, 5) {
  static const struct {
    const char *streams;
    unsigned writers; /* the first streams */
  } tried[] = {{"6->3,2->3,1->7", 2},
               {"6->0,2->0,5->7,7->3", 2},
               {"1->0,2->0,3->0,4->5,5->4,6->7", 3},
               {"7->2,0->2,5->2,6->2,1->3,3->4,4->1", 4},
               {"1->0,2->0,3->0,4->0,5->0,6->7,7->6", 5}};
  start("qs20");
  double one = measure("1->0", 16384).total;
  struct traffic traffic = measure(tried[_i].streams, 16384);
  for (unsigned i = 0; i < tried[_i].writers; i++) {
    ck_assert_double_eq_tol(traffic.rates[i], one / tried[_i].writers, 0.01 * one);
  }
}

/* A rank that reads and writes at once issues both streams in turn: both have the same number of DMAs at any
 * time. A window of 16 lines for both would bound the sum: an entry comes back after at least the command
 * phase, the read, the beats, one hop and the retirement (100 + 20 + 16 + 2 + 60 cycles), so 16 x 128 bytes
 * need 61.9 ns: 33.1 GB/s. With a window for each stream the ramps decide: 128 bytes in 16.66 cycles,
 * 24.6 GB/s. */
TEST_EACH(streams_of_one_rank_take_turns, 0, 2) {
  static const char *const windows[] = {"mfc.windows=1", "mfc.windows=2"};
  bed_use("qs20", windows[_i]);
  struct traffic traffic = measure("0<-1,0->2,3<-mem", 4096);
  double both = traffic.rates[0] + traffic.rates[1];
  ck_assert_uint_eq(traffic.n, 3);
  ck_assert_double_eq_tol(traffic.rates[0], traffic.rates[1], 0.03 * traffic.rates[0]);
  if (_i == 0) {
    ck_assert_double_le(both, 33.1);
  } else {
    ck_assert_double_eq_tol(both, 2 * 24.6, 0.03 * both);
  }
}

/* One SPE copies from memory to memory: 6.01 GB/s were published for such copies of large messages (Kumar et
 * al. 2007, Krishna et al. 2007). With one window for both directions the SPE moves no more bytes than an SPE
 * that only reads: 7.13 GB/s, and each byte of a copy counts twice. */
TEST_EACH(one_spe_copies_memory_at_the_published_rate, 0, 2) {
  static const char *const windows[] = {"mfc.windows=1", "mfc.windows=2"};
  static const double least[] = {0, 0.95 * 6.01}, most[] = {7.13 / 2, 1.05 * 6.01};
  bed_use("qs20", windows[_i]);
  double cycles =
    memory_copy_time(bed.machine, platform_profile(bed.platform, "velamati2007"),
                     &(struct memory_copy){.nbytes = 1 << 20, .buffer = 16384, .nbuffers = 2}, &failure);
  double rate = (1 << 20) / cycles * bed.platform->clock.spu;
  ck_assert_double_ge(rate, least[_i]);
  ck_assert_double_le(rate, most[_i]);
}
