/* SPDX-License-Identifier: BSD-3-Clause
 * Atomic commands: a line that bounces between two SPEs, with alternating increments of the line's first
 * word; and increments of one word by one SPE alone or by several contending SPEs. Only the calls themselves
 * are charged.
 * source: cellmark (public measurements on a PS3, 2026) (150 ns per bounce); Velamati et al. 2007, section
 * 5.3 (increments: well under a microsecond alone, of the order of microseconds with several). */
#include "algos/step/coll.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/bench/bench.h"
#include "validate/lab/rig/rig.h"

#include <assert.h>
#include <math.h>

/* Increments of each SPE; bytes of an atomic command. */
enum { INCREMENTS = 100, LINE_BYTES = 128 };

/* The common work of all SPEs. */
struct job {
  uint64_t ea; /* of the line */
  bool turns;  /* the SPEs take turns: of two, each has every second turn */
};

/* Load the line until RANK has its turn; then increment the first word, repeatedly until the store
 * succeeds. */
static void increment(const struct rig_rank *rank, uint32_t *line) {
  const struct job *job = rank->job;
  do {
    do {
      mfc_getllar(line, job->ea, 0, 0);
      mfc_read_atomic_status();
    } while (job->turns && line[0] % 2 != rank->c->rank);
    line[0]++;
    mfc_putllc(line, job->ea, 0, 0);
  } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
}

static void work(struct rig_rank *rank) {
  const struct job *job = rank->job;
  uint32_t *line = (uint32_t *)rank->c->buffer;
  mfc_getllar(line, job->ea, 0, 0);
  mfc_read_atomic_status();
  uint64_t start = spu_cycles();
  for (unsigned i = 0; i < INCREMENTS; i++) {
    increment(rank, line);
  }
  rank->cycles = (double)(spu_cycles() - start) / INCREMENTS;
}

/* Let COUNT SPEs increment one word, in TURNS or not; the SPEs are 0, STRIDE, 2 STRIDE ...
 * returns: the longest mean time of an increment, over the SPEs. */
static double measure(struct bench_run *run, unsigned count, unsigned stride, bool turns) {
  struct rig rig;
  struct call call = {.nranks = count, .nbytes = LINE_BYTES, .repeat = 1, .profile = run->profile};
  double longest = 0;
  call.placement = (struct placement){PLACEMENT_LIST, {xcalloc(count, sizeof(uint64_t)), count}};
  for (unsigned i = 0; i < count; i++) {
    call.placement.list.values[i] = i * stride;
  }
  rig_init_known(&rig, run->machine, &call);
  units_list_fini(&call.placement.list);
  struct job job = {blade_allocate(machine_blade(run->machine, 0), 0, LINE_BYTES), turns};
  assert(job.ea);
  for (unsigned i = 0; i < count; i++) {
    rig.ranks[i].job = &job;
    rig_set(&rig, i, work);
  }
  rig_run_sound(&rig);
  VEC_EACH(rank, rig.ranks, count) {
    longest = fmax(longest, rank->cycles);
  }
  rig_fini(&rig);
  return longest;
}

static int run(struct bench_run *run) {
  unsigned chip = machine_platform(run->machine)->spes_per_chip;
  bench_report_ns(run, "bounce-same-chip", 2, LINE_BYTES, measure(run, 2, 1, true) / 2);
  if (machine_platform(run->machine)->blade.chips > 1) {
    unsigned peer = rig_next_chip(run->machine) * chip;
    bench_report_ns(run, "bounce-across", 2, LINE_BYTES, measure(run, 2, peer, true) / 2);
  }
  for (unsigned n = 1; n <= chip; n++) {
    bench_report_ns(run, "increment", n, LINE_BYTES, measure(run, n, 1, false));
  }
  return 0;
}

const struct bench bench_atomic = {
  .name = "atomic",
  .source = "velamati2007",
  .doc = "a line bounced between two SPEs; atomic increments of one SPE and of several that contend",
  .least_spes = 2,
  .run = run,
};
