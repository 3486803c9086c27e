/* SPDX-License-Identifier: BSD-3-Clause
 * Atomic commands: a line that bounces between two SPEs, with alternating increments of the line's first
 * word; and increments of one word by one SPE alone or by several contending SPEs. Only the calls themselves
 * are charged.
 * source: cellmark (public measurements on a PS3, 2026) (150 ns per bounce); Velamati et al. 2007, section
 * 5.3 (increments: well under a microsecond alone, of the order of microseconds with several). */
#include "platform/parameters.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/bench/bench.h"
#include "validate/lab/rig.h"

#include <assert.h>
#include <stdlib.h>

/* Increments of each SPE; bytes of an atomic command. */
enum { INCREMENTS = 100, LINE_BYTES = 128 };

struct party {
  uint64_t ea;
  uint32_t line;  /* address in the local store */
  uint32_t turns; /* parity of the word at this SPE's turns: 0 or 1; others: every turn */
  double cycles;  /* mean time of one of this SPE's increments */
};

/* Load the line until this SPE has its turn; then increment the first word, repeatedly until the store
 * succeeds. */
static void increment(const struct party *party, uint32_t *line) {
  do {
    do {
      mfc_getllar(line, party->ea, 0, 0);
      mfc_read_atomic_status();
    } while (party->turns < 2 && line[0] % 2 != party->turns);
    line[0]++;
    mfc_putllc(line, party->ea, 0, 0);
  } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
}

static void work(void *argument) {
  struct party *party = argument;
  uint32_t *line = spu_ls(party->line);
  mfc_getllar(line, party->ea, 0, 0);
  mfc_read_atomic_status();
  uint64_t start = spu_cycles();
  for (unsigned i = 0; i < INCREMENTS; i++) {
    increment(party, line);
  }
  party->cycles = (double)(spu_cycles() - start) / INCREMENTS;
}

/* Let COUNT SPEs increment one word, in TURNS or not; the SPEs are 0, STRIDE, 2 STRIDE ...
 * returns: the longest mean time of an increment, over the SPEs. */
static double measure(struct bench_run *run, unsigned count, unsigned stride, bool turns) {
  struct party *parties = xcalloc(count, sizeof *parties);
  struct spu *spus = xcalloc(count, sizeof *spus);
  double longest = 0;
  blade_reset(run->blade);
  uint64_t ea = blade_allocate(run->blade, 0, LINE_BYTES);
  uint32_t line = (blade_parameters(run->blade)->ls_reserve + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  assert(ea);
  for (unsigned i = 0; i < count; i++) {
    parties[i] = (struct party){.ea = ea, .line = line, .turns = turns ? i : 2};
    spus[i] = (struct spu){.spe = i * stride, .main = work, .argument = &parties[i], .name = "SPE"};
  }
  struct blade_result result = spu_run(run->blade, spus, count);
  assert(!result.faults && !result.stuck);
  blade_result_fini(&result);
  for (unsigned i = 0; i < count; i++) {
    longest = parties[i].cycles > longest ? parties[i].cycles : longest;
  }
  free(spus);
  free(parties);
  return longest;
}

static int run(struct bench_run *run) {
  unsigned chip = blade_spes_per_chip(run->blade);
  bench_report_ns(
    run, (struct bench_row){"bounce-same-chip", 2, LINE_BYTES, measure(run, 2, 1, true) / 2, "cycles"});
  if (blade_nchips(run->blade) > 1) {
    unsigned peer = rig_next_chip(run->blade) * chip;
    bench_report_ns(
      run, (struct bench_row){"bounce-across", 2, LINE_BYTES, measure(run, 2, peer, true) / 2, "cycles"});
  }
  for (unsigned n = 1; n <= chip; n++) {
    bench_report_ns(run, (struct bench_row){"increment", n, LINE_BYTES, measure(run, n, 1, false), "cycles"});
  }
  return 0;
}

const struct bench bench_atomic = {
  .name = "atomic",
  .source = "velamati2007",
  .doc = "a line bounced between two SPEs; atomic increments of one SPE and of several that contend",
  .least_spes = 2,
  .least_chips = 1,
  .run = run,
};
