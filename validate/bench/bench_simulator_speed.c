/* SPDX-License-Identifier: BSD-3-Clause
 * The speed of the simulator itself, per second of processor time. Every load is repeated for a while on a
 * fresh machine.
 *
 *   stream      every SPE reads 16 KiB DMAs from the next SPE of its chip
 *   hot-spot    all other SPEs of each chip read from its first
 *   bif-pairs   every SPE reads from its counterpart on the next chip
 *   small-dma   every SPE repeatedly reads 128 bytes from the next SPE of its chip and waits
 *   all-pairs   every SPE reads 32 KiB from each other SPE, on large machines from the 63 that follow
 *   barrier     recursive-doubling barriers back to back
 *   collectives, checks, predictions: see speed_calls.h
 *   barrier-32-chips, -64-chips, -64-blades: see there
 *   start       process start to the first simulated cycle, in seconds
 *   naive-loop  one SimGrid sleep per bus request, as fast as SimGrid can: the yardstick */
#include "algos/catalogue.h"
#include "platform/parameters.h"
#include "sim/base/err.h"
#include "sim/base/seconds.h"
#include "sim/base/xalloc.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/bench/bench.h"
#include "validate/bench/naive_loop.h"
#include "validate/bench/speed_calls.h"
#include "validate/lab/rig.h"

#include <assert.h>
#include <stdlib.h>

/* Bytes and number of concurrent DMAs of loads with long DMAs; the local stores have room for LONG_DEPTH. */
enum { LONG_BYTES = 16384, LONG_DEPTH = 4 };

/* The load of every SPE: COUNT times, get NBYTES from each of the SPE's peers, with at most DEPTH gets under
 * way. */
struct load {
  const char *name;
  /* Return the I-th peer of SPE on BLADE; SPE itself after the last peer. */
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

static unsigned next_on_chip(const struct blade *blade, unsigned spe, unsigned i) {
  unsigned chip = blade_spes_per_chip(blade), first = spe / chip * chip;
  return i == 0 ? first + (spe - first + 1) % chip : spe;
}

static unsigned first_on_chip(const struct blade *blade, unsigned spe, unsigned i) {
  return i == 0 ? spe / blade_spes_per_chip(blade) * blade_spes_per_chip(blade) : spe;
}

static unsigned on_next_chip(const struct blade *blade, unsigned spe, unsigned i) {
  return i == 0 ? (spe + blade_spes_per_chip(blade)) % blade_nspes(blade) : spe;
}

static unsigned every_other(const struct blade *blade, unsigned spe, unsigned i) {
  return i + 1 < blade_nspes(blade) && i < 63 ? (spe + i + 1) % blade_nspes(blade) : spe;
}

/* --- programs --- */

static void work(void *argument) {
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

/* A load on a machine. */
struct loaded {
  struct blade *blade;
  const struct load *load;
};

/* Run a load once on all SPEs.
 * returns: the number of bus requests. */
static double run_load(void *context) {
  struct blade *blade = ((struct loaded *)context)->blade;
  const struct load *load = ((struct loaded *)context)->load;
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

/* Barriers back to back on all SPEs of a machine. */
struct barriers {
  struct blade *blade;
  struct rig_spec spec;
};

static double run_barriers(void *context) {
  struct barriers *barriers = context;
  struct rig rig;
  rig_init_known(&rig, barriers->blade, &barriers->spec);
  rig_set_calls(&rig);
  rig_run_sound(&rig);
  rig_fini(&rig);
  return barriers->spec.nrepeats;
}

static double run_naive_loop(void *context) {
  enum { SLEEPS = 10000 };
  const unsigned *nspes = context;
  naive_loop_run(*nspes, SLEEPS);
  return (double)SLEEPS * *nspes;
}

static void measure_barriers(struct bench_run *run) {
  enum { BARRIERS = 500 };
  unsigned nspes = blade_nspes(run->blade);
  struct err err = {""};
  struct barriers barriers = {.blade = run->blade,
                              .spec = {.nranks = nspes, .nrepeats = BARRIERS, .profile = run->profile}};
  int status = catalogue_find("barrier:recursive-doubling", &barriers.spec.call, &err);
  assert(status == 0);
  (void)status;
  speed_measure(run, &(struct speed){.parameter = "barrier",
                                     .ranks = nspes,
                                     .unit = "barriers/s",
                                     .work = run_barriers,
                                     .context = &barriers});
}

static int run(struct bench_run *run) {
  double start =
    /* processor time of this process up to here: before any simulation */
    seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  unsigned nspes = blade_nspes(run->blade);
  const struct load loads[] = {{"stream", next_on_chip, LONG_BYTES, LONG_DEPTH, 32},
                               {"hot-spot", first_on_chip, LONG_BYTES, LONG_DEPTH, 8},
                               {"bif-pairs", on_next_chip, LONG_BYTES, LONG_DEPTH, 16},
                               {"small-dma", next_on_chip, 128, 1, 200},
                               {"all-pairs", every_other, LONG_BYTES, LONG_DEPTH, 2}};
  uint64_t room = LONG_DEPTH * LONG_BYTES;
  if (bench_check_sizes(run, &(struct units_list){.values = &room, .n = 1}) != 0) {
    return -1;
  }
  for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
    speed_measure(run, &(struct speed){.parameter = loads[i].name,
                                       .ranks = nspes,
                                       .unit = "bus_requests/s",
                                       .work = run_load,
                                       .context = &(struct loaded){run->blade, &loads[i]}});
  }
  measure_barriers(run);
  speed_of_calls(run);
  int status = speed_of_barriers(run);
  bench_report(run, (struct bench_row){.parameter = "start", .ranks = nspes, .value = start, .unit = "s"});
  speed_measure(run, &(struct speed){.parameter = "naive-loop",
                                     .ranks = nspes,
                                     .unit = "bus_requests/s",
                                     .work = run_naive_loop,
                                     .context = &nspes});
  return status;
}

const struct bench bench_simulator_speed = {
  .name = "simulator-speed",
  .source = "ali2010",
  .doc = "bus requests, calls, checks and predictions per second of processor time",
  .least_spes = 2,
  .least_chips = 1,
  .of_host = true,
  .run = run,
};
