/* SPDX-License-Identifier: BSD-3-Clause
 * Round trip of a word through mailboxes: between the PPE and an SPE; and between two SPEs, by puts into the
 * partner's inbound mailbox. A barrier: the PPE collects a word from each SPE of a chip and then answers all
 * SPEs. Only the calls themselves are charged to the SPEs.
 * source: Velamati et al. 2007, section 5.3 (barrier: tens of microseconds). */
#include "platform/parameters.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "sim/spu/ppe_api.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/bench/bench.h"
#include "validate/lab/rig.h"

#include <assert.h>
#include <stdlib.h>

/* Round trips; the first is not counted. */
enum { ROUNDS = 4 };

/* One side of the measurement. */
struct side {
  unsigned peer;  /* partner SPE; on the PPE: number of partners, from SPE 0 on */
  bool first;     /* this side begins */
  uint32_t place; /* address in the local store of the word to put */
  double cycles;  /* time of one round */
};

static void put_word(const struct side *side, uint32_t word) {
  uint32_t *cell = spu_ls(side->place);
  mfc_write_tag_mask(1);
  mfc_read_tag_status_all();
  spu_catch_up();
  *cell = word;
  mfc_put(cell, spu_mailbox_ea(side->peer), sizeof *cell, 0, 0, 0);
}

static void play_spe(void *argument) {
  struct side *side = argument;
  uint64_t start = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    start = i == 1 ? spu_cycles() : start;
    if (side->first) {
      put_word(side, i);
      spu_read_in_mbox();
    } else {
      put_word(side, spu_read_in_mbox());
    }
  }
  side->cycles = (double)(spu_cycles() - start) / (ROUNDS - 1);
}

/* Send each word back to the PPE. */
static void answer_ppe(void *argument) {
  (void)argument;
  for (unsigned i = 0; i < ROUNDS; i++) {
    spu_write_out_mbox(spu_read_in_mbox());
  }
}

static void play_ppe(void *argument) {
  struct side *side = argument;
  uint64_t start = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint32_t word = i;
    start = i == 1 ? ppe_cycles() : start;
    spe_in_mbox_write(0, &word, 1, SPE_MBOX_ALL_BLOCKING);
    ppe_wait_out_mbox(&(unsigned){0}, 1);
    spe_out_mbox_read(0, &word, 1);
  }
  side->cycles = (double)(ppe_cycles() - start) / (ROUNDS - 1);
}

static void enter_barrier(void *argument) {
  struct side *side = argument;
  for (unsigned i = 0; i < ROUNDS; i++) {
    uint64_t start = spu_cycles();
    spu_write_out_mbox(i);
    spu_read_in_mbox();
    side->cycles = (double)(spu_cycles() - start);
  }
}

static void answer_barrier(void *argument) {
  const struct side *side = argument;
  unsigned *spes = xcalloc(side->peer, sizeof *spes);
  for (unsigned i = 0; i < ROUNDS; i++) {
    unsigned left = side->peer;
    uint32_t word;
    for (unsigned spe = 0; spe < left; spe++) {
      spes[spe] = spe;
    }
    while (left) {
      unsigned place = ppe_wait_out_mbox(spes, left);
      spe_out_mbox_read(spes[place], &word, 1);
      spes[place] = spes[--left];
    }
    for (unsigned spe = 0; spe < side->peer; spe++) {
      spe_in_mbox_write(spe, &word, 1, SPE_MBOX_ALL_BLOCKING);
    }
  }
  free(spes);
}

static void run_sound(struct bench_run *run, const struct spu_programs *programs) {
  struct blade_result result = spu_run_all(run->blade, programs);
  assert(!result.faults && !result.stuck);
  blade_result_fini(&result);
}

static double between_spes(struct bench_run *run, unsigned peer) {
  uint32_t place = blade_parameters(run->blade)->ls_reserve / 16 * 16 + 12;
  struct side sides[] = {{.peer = peer, .first = true, .place = place}, {.peer = 0, .place = place}};
  struct spu spus[] = {{.spe = 0, .main = play_spe, .argument = &sides[0], .name = "first"},
                       {.spe = peer, .main = play_spe, .argument = &sides[1], .name = "second"}};
  blade_reset(run->blade);
  run_sound(run, &(struct spu_programs){.spus = spus, .nspus = 2});
  return sides[0].cycles;
}

static double with_ppe(struct bench_run *run) {
  struct side side = {0};
  struct spu spu = {.spe = 0, .main = answer_ppe, .name = "SPE"};
  struct ppu ppu = {.main = play_ppe, .argument = &side, .name = "PPE"};
  blade_reset(run->blade);
  run_sound(run, &(struct spu_programs){.spus = &spu, .nspus = 1, .ppus = &ppu, .nppus = 1});
  return side.cycles;
}

/* Return the time of one barrier, from the entry of an SPE to its exit: the maximum over the SPEs. */
static double barrier(struct bench_run *run, unsigned nspes) {
  struct side *sides = xcalloc(nspes + 1, sizeof *sides);
  struct spu *spus = xcalloc(nspes, sizeof *spus);
  double longest = 0;
  for (unsigned i = 0; i < nspes; i++) {
    spus[i] = (struct spu){.spe = i, .main = enter_barrier, .argument = &sides[i], .name = "SPE"};
  }
  sides[nspes].peer = nspes;
  struct ppu ppu = {.main = answer_barrier, .argument = &sides[nspes], .name = "PPE"};
  blade_reset(run->blade);
  run_sound(run, &(struct spu_programs){.spus = spus, .nspus = nspes, .ppus = &ppu, .nppus = 1});
  for (unsigned i = 0; i < nspes; i++) {
    longest = sides[i].cycles > longest ? sides[i].cycles : longest;
  }
  free(spus);
  free(sides);
  return longest;
}

static int run(struct bench_run *run) {
  unsigned chip = blade_spes_per_chip(run->blade);
  bench_report_ns(run, (struct bench_row){"round-trip-ppe", 1, 4, with_ppe(run), "cycles"});
  bench_report_ns(run, (struct bench_row){"round-trip-same-chip", 2, 4, between_spes(run, 1), "cycles"});
  if (blade_nchips(run->blade) > 1) {
    unsigned peer = rig_next_chip(run->blade) * chip;
    bench_report_ns(run, (struct bench_row){"round-trip-across", 2, 4, between_spes(run, peer), "cycles"});
  }
  bench_report_ns(run, (struct bench_row){"barrier-ppe", chip, 4, barrier(run, chip), "cycles"});
  return 0;
}

const struct bench bench_mailbox = {
  .name = "mailbox",
  .source = "velamati2007",
  .doc = "round trip of a word through mailboxes of PPE and SPEs; a barrier through those of the PPE",
  .least_spes = 2,
  .least_chips = 1,
  .run = run,
};
