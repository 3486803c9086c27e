/* SPDX-License-Identifier: BSD-3-Clause
 * Round trip of a word through mailboxes: between the PPE and an SPE; and between two SPEs, by puts into the
 * partner's inbound mailbox. A barrier: the PPE collects a word from each SPE of a chip and then answers all
 * SPEs. Only the calls themselves are charged to the SPEs.
 * source: Velamati et al. 2007, section 5.3 (barrier: tens of microseconds). */
#include "algos/step/coll.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "sim/spu/ppe_api.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/bench/bench.h"
#include "validate/lab/rig/rig.h"

#include <math.h>

/* Round trips; the first is not counted. */
enum { ROUNDS = 4, WORD_BYTES = 4, BUFFER_BYTES = 16 };

/* --- programs --- */

/* Put WORD into the inbound mailbox of the peer of RANK, from a place with the same offset in a line of 16
 * bytes. */
static void put_word(const struct rig_rank *rank, uint32_t word) {
  uint32_t *cell = (uint32_t *)(rank->c->buffer + BUFFER_BYTES - WORD_BYTES);
  mfc_write_tag_mask(1);
  mfc_read_tag_status_all();
  spu_catch_up();
  *cell = word;
  mfc_put(cell, spu_mailbox_ea(rank->c->group->spe_of[rank->peer]), WORD_BYTES, 0, 0, 0);
}

static void play_spe(struct rig_rank *rank) {
  uint64_t start = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    start = i == 1 ? spu_cycles() : start;
    if (rank->c->rank == 0) {
      put_word(rank, i);
      spu_read_in_mbox();
    } else {
      put_word(rank, spu_read_in_mbox());
    }
  }
  rank->cycles = (double)(spu_cycles() - start) / (ROUNDS - 1);
}

/* Send each word back to the PPE. */
static void answer_ppe(struct rig_rank *rank) {
  (void)rank;
  for (unsigned i = 0; i < ROUNDS; i++) {
    spu_write_out_mbox(spu_read_in_mbox());
  }
}

static void enter_barrier(struct rig_rank *rank) {
  for (unsigned i = 0; i < ROUNDS; i++) {
    uint64_t start = spu_cycles();
    spu_write_out_mbox(i);
    spu_read_in_mbox();
    rank->cycles = (double)(spu_cycles() - start);
  }
}

/* The work of the PPE with the first SPEs. */
struct ppe_job {
  unsigned nspes;
  double cycles; /* time of one round; 0: not measured */
};

static void play_ppe(void *argument) {
  struct ppe_job *job = argument;
  uint64_t start = 0;
  for (unsigned i = 0; i < ROUNDS; i++) {
    uint32_t word = i;
    start = i == 1 ? ppe_cycles() : start;
    spe_in_mbox_write(0, &word, 1, SPE_MBOX_ALL_BLOCKING);
    ppe_wait_out_mbox(&(unsigned){0}, 1);
    spe_out_mbox_read(0, &word, 1);
  }
  job->cycles = (double)(ppe_cycles() - start) / (ROUNDS - 1);
}

static void answer_barrier(void *argument) {
  const struct ppe_job *job = argument;
  SCOPED unsigned *spes = xcalloc(job->nspes, sizeof *spes);
  for (unsigned i = 0; i < ROUNDS; i++) {
    unsigned left = job->nspes;
    uint32_t word;
    for (unsigned spe = 0; spe < left; spe++) {
      spes[spe] = spe;
    }
    while (left) {
      unsigned place = ppe_wait_out_mbox(spes, left);
      spe_out_mbox_read(spes[place], &word, 1);
      spes[place] = spes[--left];
    }
    for (unsigned spe = 0; spe < job->nspes; spe++) {
      spe_in_mbox_write(spe, &word, 1, SPE_MBOX_ALL_BLOCKING);
    }
  }
}

/* --- measurements --- */

static double between_spes(const struct bench_run *run, unsigned spe) {
  return rig_measure_pair(run->machine, &(struct rig_pair){.spe = spe,
                                                           .nbytes = BUFFER_BYTES,
                                                           .programs = {play_spe, play_spe},
                                                           .profile = run->profile});
}

/* Let the first NSPES SPEs and the PPE run their programs.
 * returns: the measurement of the PPE; without one, the longest of the SPEs. */
static double with_ppe(const struct bench_run *run, unsigned nspes, rig_program *spe, void (*ppe)(void *)) {
  struct rig rig;
  struct call call = {.nranks = nspes, .nbytes = BUFFER_BYTES, .repeat = 1, .profile = run->profile};
  struct ppe_job job = {.nspes = nspes};
  double longest = 0;
  rig_init_known(&rig, run->machine, &call);
  rig.parts->ppe.main = ppe;
  rig.parts->ppe.argument = &job;
  for (unsigned i = 0; i < nspes; i++) {
    rig_set(&rig, i, spe);
  }
  rig_run_sound(&rig);
  VEC_EACH(rank, rig.ranks, nspes) {
    longest = fmax(longest, rank->cycles);
  }
  rig_fini(&rig);
  return job.cycles > 0 ? job.cycles : longest;
}

static int run(struct bench_run *run) {
  unsigned chip = machine_platform(run->machine)->spes_per_chip;
  bench_report_ns(run, "round-trip-ppe", 1, WORD_BYTES, with_ppe(run, 1, answer_ppe, play_ppe));
  bench_report_ns(run, "round-trip-same-chip", 2, WORD_BYTES, between_spes(run, 1));
  if (machine_platform(run->machine)->blade.chips > 1) {
    double across = between_spes(run, rig_next_chip(run->machine) * chip);
    bench_report_ns(run, "round-trip-across", 2, WORD_BYTES, across);
  }
  bench_report_ns(run, "barrier-ppe", chip, WORD_BYTES, with_ppe(run, chip, enter_barrier, answer_barrier));
  return 0;
}

const struct bench bench_mailbox = {
  .name = "mailbox",
  .source = "velamati2007",
  .doc = "round trip of a word through mailboxes of PPE and SPEs; a barrier through those of the PPE",
  .least_spes = 2,
  .run = run,
};
