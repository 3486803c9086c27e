/* SPDX-License-Identifier: BSD-3-Clause
 * Latency of one DMA between two local stores on an idle machine, from its issue to its tag status, without any cost of
 * software around it; averaged over all partners of SPE 0.
 * source: Kistler, Perrone, Petrini 2006, table 1. */
#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/bench/bench.h"
#include "validate/lab/rig.h"

static void
time_one(struct rig_rank *rank, bool put)
{
  driver_enter(rank->c);
  uint64_t ea = spu_ls_ea(rank->peer, call_map_buffer(rank->c->group));
  uint32_t nbytes = (uint32_t)rank->nbytes;
  mfc_write_tag_mask(1);
  uint64_t start = spu_cycles();
  if (put) {
    mfc_put(rank->c->buffer, ea, nbytes, 0, 0, 0);
  } else {
    mfc_get(rank->c->buffer, ea, nbytes, 0, 0, 0);
  }
  mfc_read_tag_status_all();
  rank->cycles = (double)(spu_cycles() - start);
}

static void
time_put(void *argument)
{
  time_one(argument, true);
}

static void
time_get(void *argument)
{
  time_one(argument, false);
}

static double
mean_latency(const struct bench_run *run, void (*program)(void *), bool across, size_t nbytes)
{
  unsigned chip = run->blade->spes_per_chip;
  unsigned first = across ? chip : 1, end = across ? 2 * chip : chip;
  double sum = 0;
  for (unsigned peer = first; peer < end; peer++) {
    struct rig rig;
    struct rig_spec spec = {.nranks = peer + 1, .nbytes = nbytes, .nrepeats = 1, .profile = run->profile};
    rig_init_known(&rig, run->blade, &spec);
    rig.ranks[0].peer = rig.group.spe_of[peer];
    rig.ranks[0].nbytes = nbytes;
    rig_set(&rig, 0, program);
    rig_run_sound(&rig);
    sum += rig.ranks[0].cycles;
    rig_fini(&rig);
  }
  return sum / (end - first);
}

static int
run(struct bench_run *run)
{
  uint64_t own[] = {16, 128, 1024, 16384};
  const struct units_list *sizes = bench_sizes(run, &(struct units_list){.values = own, .n = 4});
  if (bench_check_dma_sizes(run, sizes) != 0) {
    return -1;
  }
  for (size_t i = 0; i < sizes->n; i++) {
    for (unsigned way = 0; way < 4; way++) {
      static const char *const names[] = {"put-same-chip", "get-same-chip", "put-across", "get-across"};
      bool across = way >= 2;
      if (across && run->blade->nchips < 2) {
        break;
      }
      bench_report(run, (struct bench_row){
                          .parameter = names[way],
                          .ranks = 2,
                          .bytes = sizes->values[i],
                          .value = mean_latency(run, way % 2 ? time_get : time_put, across, sizes->values[i]),
                          .unit = "cycles"});
    }
  }
  return 0;
}

const struct bench bench_dma_latency = {
  .name = "dma-latency",
  .source = "ali2010",
  .doc = "time of one DMA between two local stores seen by its issuer",
  .least_spes = 2,
  .least_chips = 1,
  .run = run,
};
