/* SPDX-License-Identifier: BSD-3-Clause
 * How fast the simulator itself is, per second of processor time. Every load is repeated for a while on a fresh machine.
 *
 *   stream      every SPE reads 16 KiB DMAs from the next SPE of its chip
 *   hot-spot    all other SPEs of each chip read from its first
 *   bif-pairs   every SPE reads from its counterpart on the next chip
 *   small-dma   every SPE reads 128 bytes at a time from the next SPE of its chip and waits for them
 *   all-pairs   every SPE reads 32 KiB from each other SPE, on large machines from the 63 that follow
 *   barrier     recursive-doubling barriers back to back
 *   start       process start to the first simulated cycle, in seconds
 *   naive-loop  one SimGrid sleep per bus request, as fast as SimGrid can: the yardstick */
#include "algos/catalogue.h"
#include "platform/parameters.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/seconds.h"
#include "sim/base/xalloc.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/bench/bench.h"
#include "validate/bench/naive_loop.h"
#include "validate/lab/rig.h"

#include <assert.h>
#include <stdlib.h>

/* Processor time for which a load is repeated, in seconds. */
static const double long_enough = 0.3;

/* What every SPE does: COUNT times, get NBYTES from each of its peers, at most DEPTH of these under way. */
struct load {
  const char *name;
  /* Return the I-th peer of SPE on BLADE, or SPE itself when there are no more. */
  unsigned (*peer)(const struct blade *blade, unsigned spe, unsigned i);
  uint32_t nbytes;
  unsigned depth, count;
};

/* The load of one SPE. */
struct worker {
  const struct load *load;
  const struct blade *blade;
  unsigned spe;
};

/* --- peers --- */

static unsigned
next_on_chip(const struct blade *blade, unsigned spe, unsigned i)
{
  unsigned chip = blade_spes_per_chip(blade), first = spe / chip * chip;
  return i == 0 ? first + (spe - first + 1) % chip : spe;
}

static unsigned
first_on_chip(const struct blade *blade, unsigned spe, unsigned i)
{
  return i == 0 ? spe / blade_spes_per_chip(blade) * blade_spes_per_chip(blade) : spe;
}

static unsigned
on_next_chip(const struct blade *blade, unsigned spe, unsigned i)
{
  return i == 0 ? (spe + blade_spes_per_chip(blade)) % blade_nspes(blade) : spe;
}

static unsigned
every_other(const struct blade *blade, unsigned spe, unsigned i)
{
  return i + 1 < blade_nspes(blade) && i < 63 ? (spe + i + 1) % blade_nspes(blade) : spe;
}

/* --- programs --- */

static void
work(void *argument)
{
  const struct worker *worker = argument;
  const struct load *load = worker->load;
  uint32_t here = blade_parameters(worker->blade)->ls_reserve, serial = 0;
  for (unsigned n = 0; n < load->count; n++) {
    unsigned peer;
    for (unsigned i = 0; (peer = load->peer(worker->blade, worker->spe, i)) != worker->spe; i++, serial++) {
      uint32_t tag = serial % load->depth;
      mfc_write_tag_mask(UINT32_C(1) << tag);
      mfc_read_tag_status_all();
      mfc_get(spu_ls(here + tag * load->nbytes), spu_ls_ea(peer, here), load->nbytes, tag, 0, 0);
    }
  }
  mfc_write_tag_mask(UINT32_MAX);
  mfc_read_tag_status_all();
}

/* Run LOAD once on all SPEs of BLADE.
 * returns: how many bus requests that took. */
static double
run_load(struct blade *blade, const struct load *load)
{
  struct worker *workers = xcalloc(blade_nspes(blade), sizeof *workers);
  struct spu *programs = xcalloc(blade_nspes(blade), sizeof *programs);
  double gets = 0;
  blade_reset(blade);
  for (unsigned i = 0; i < blade_nspes(blade); i++) {
    workers[i] = (struct worker){.load = load, .blade = blade, .spe = i};
    programs[i] = (struct spu){.spe = i, .main = work, .argument = &workers[i], .name = "worker"};
    for (unsigned n = 0; load->peer(blade, i, n) != i; n++) {
      gets += load->count;
    }
  }
  struct blade_result result = spu_run(blade, programs, blade_nspes(blade));
  assert(!result.faults && !result.stuck);
  blade_result_fini(&result);
  free(programs);
  free(workers);
  return gets * load->nbytes / blade_parameters(blade)->request_bytes;
}

/* Return how many barriers SPEC makes. */
static double
run_barriers(struct blade *blade, const struct rig_spec *spec)
{
  struct rig rig;
  rig_init_known(&rig, blade, spec);
  rig_set_calls(&rig);
  rig_run_sound(&rig);
  rig_fini(&rig);
  return spec->nrepeats;
}

/* --- rates --- */

static void
report(struct bench_run *run, const char *parameter, double value, const char *unit)
{
  bench_report(run,
               (struct bench_row){
                 .parameter = parameter, .ranks = blade_nspes(run->blade), .value = value, .unit = unit});
}

static void
measure_load(struct bench_run *run, const struct load *load)
{
  double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID), requests = 0, seconds;
  do {
    requests += run_load(run->blade, load);
    seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
  } while (seconds < long_enough && !des_interrupted());
  report(run, load->name, requests / seconds, "bus_requests/s");
}

static void
measure_barriers(struct bench_run *run)
{
  enum { BARRIERS = 500 };
  struct err err = {""};
  struct rig_spec spec = {.nranks = blade_nspes(run->blade), .nrepeats = BARRIERS, .profile = run->profile};
  int status = catalogue_find("barrier:recursive-doubling", &spec.call, &err);
  assert(status == 0);
  (void)status;
  double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID), barriers = 0, seconds;
  do {
    barriers += run_barriers(run->blade, &spec);
    seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
  } while (seconds < long_enough && !des_interrupted());
  report(run, "barrier", barriers / seconds, "barriers/s");
}

static void
measure_naive_loop(struct bench_run *run)
{
  enum { SLEEPS = 10000 };
  double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID), sleeps = 0, seconds;
  do {
    naive_loop_run(blade_nspes(run->blade), SLEEPS);
    sleeps += (double)SLEEPS * blade_nspes(run->blade);
    seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
  } while (seconds < long_enough && !des_interrupted());
  report(run, "naive-loop", sleeps / seconds, "bus_requests/s");
}

static int
run(struct bench_run *run)
{
  double start =
    seconds_of(CLOCK_PROCESS_CPUTIME_ID); /* what this process has taken so far: it has not simulated yet */
  const struct load loads[] = {{"stream", next_on_chip, 16384, 4, 32},
                               {"hot-spot", first_on_chip, 16384, 4, 8},
                               {"bif-pairs", on_next_chip, 16384, 4, 16},
                               {"small-dma", next_on_chip, 128, 1, 200},
                               {"all-pairs", every_other, 16384, 4, 2}};
  for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
    measure_load(run, &loads[i]);
  }
  measure_barriers(run);
  report(run, "start", start, "s");
  measure_naive_loop(run);
  return 0;
}

const struct bench bench_simulator_speed = {
  .name = "simulator-speed",
  .source = "ali2010",
  .doc = "bus requests and barriers simulated per second of processor time",
  .least_spes = 2,
  .least_chips = 1,
  .of_host = true,
  .run = run,
};
