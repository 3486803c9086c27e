/* SPDX-License-Identifier: BSD-3-Clause
 * Latency of one DMA between two local stores on an idle machine, from issue to tag status, without any
 * software cost; averaged over all partners of SPE 0.
 * source: Kistler, Perrone, Petrini 2006, table 1. */
#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/bench/bench.h"
#include "validate/lab/rig/rig.h"

static void time_one(struct rig_rank *rank) {
  const bool *put = rank->job;
  uint64_t ea = spu_ls_ea(rank->c->group->spe_of[rank->peer], call_map_buffer(rank->c->group));
  uint32_t nbytes = (uint32_t)rank->nbytes;
  mfc_write_tag_mask(1);
  uint64_t start = spu_cycles();
  if (*put) {
    mfc_put(rank->c->buffer, ea, nbytes, 0, 0, 0);
  } else {
    mfc_get(rank->c->buffer, ea, nbytes, 0, 0, 0);
  }
  mfc_read_tag_status_all();
  rank->cycles = (double)(spu_cycles() - start);
}

static int run(struct bench_run *run) {
  const struct units_list *sizes = run->bytes;
  for (size_t i = 0; i < sizes->n; i++) {
    for (unsigned way = 0; way < 4; way++) {
      static const char *const names[] = {"put-same-chip", "get-same-chip", "put-across", "get-across"};
      bool across = way >= 2, put = way % 2 == 0;
      if (across && machine_platform(run->machine)->blade.chips < 2) {
        break;
      }
      struct rig_pair pair = {
        .nbytes = sizes->values[i], .programs = {time_one}, .job = &put, .profile = run->profile};
      bench_report(run, .parameter = names[way], .ranks = 2, .bytes = sizes->values[i],
                   .value = rig_mean_of_pairs(run->machine, pair, across), .unit = "cycles");
    }
  }
  return 0;
}

const struct bench bench_dma_latency = {
  .name = "dma-latency",
  .source = "ali2010",
  .doc = "time of one DMA between two local stores seen by its issuer",
  .least_spes = 2,
  .sizes = &(const struct units_list)UNITS_OF(16, 128, 1024, 16384),
  .check = bench_check_dma_sizes,
  .run = run,
};
