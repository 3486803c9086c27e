/* SPDX-License-Identifier: BSD-3-Clause
 * Bandwidth of streams of DMAs between local stores, with the queue of the MFC kept full: one pair on a chip and across
 * chips, and several SPEs that read from one.
 * source: Velamati et al. 2007, section 2; cellmark (public measurements on a PS3, 2026). */
#include "algos/coll.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/bench.h"
#include "validate/rig.h"

/* DMAs of one stream, in groups of which two are under way. */
enum { GROUP = 4, GROUPS = 16 };

static void
stream(struct rig_rank *rank, bool put)
{
  coll_enter(&rank->c);
  uint64_t ea = spu_ls_ea(rank->peer, coll_buffer_address(rank->c.group));
  uint32_t nbytes = (uint32_t)rank->nbytes;
  uint64_t start = spu_cycles();
  for (uint32_t group = 0; group < GROUPS; group++) {
    mfc_write_tag_mask(UINT32_C(1) << group % 2);
    mfc_read_tag_status_all();
    for (unsigned i = 0; i < GROUP; i++) {
      if (put) {
        mfc_put(rank->c.buffer, ea, nbytes, group % 2, 0, 0);
      } else {
        mfc_get(rank->c.buffer, ea, nbytes, group % 2, 0, 0);
      }
    }
  }
  mfc_write_tag_mask(3);
  mfc_read_tag_status_all();
  rank->cycles = (double)(spu_cycles() - start);
}

static void
stream_put(void *argument)
{
  stream(argument, true);
}

static void
stream_get(void *argument)
{
  stream(argument, false);
}

/* Some streams between local stores. */
struct streams {
  void (*program)(void *);
  unsigned first, end; /* ranks that stream to or from rank 0 */
  size_t nbytes;       /* of a DMA */
};

/* Return what all STREAMS together move until the last one is through, in GB/s. */
static double
total_bandwidth(const struct bench_run *run, const struct streams *streams)
{
  struct rig rig;
  struct rig_spec spec = {
    .nranks = streams->end, .nbytes = streams->nbytes, .nrepeats = 1, .profile = run->profile};
  rig_init_known(&rig, run->blade, &spec);
  for (unsigned r = streams->first; r < streams->end; r++) {
    rig.ranks[r].peer = rig.group.spe_of[0];
    rig.ranks[r].nbytes = streams->nbytes;
    rig_set(&rig, r, streams->program);
  }
  rig_run_sound(&rig);
  double longest = 0;
  for (unsigned r = streams->first; r < streams->end; r++) {
    longest = rig.ranks[r].cycles > longest ? rig.ranks[r].cycles : longest;
  }
  rig_fini(&rig);
  unsigned count = streams->end - streams->first;
  return bench_gigabytes(run, (double)streams->nbytes * GROUP * GROUPS * count, longest);
}

static void
report(struct bench_run *run, const char *parameter, const struct streams *streams)
{
  bench_report(run, (struct bench_row){.parameter = parameter,
                                       .ranks = streams->end - streams->first + 1,
                                       .bytes = streams->nbytes,
                                       .value = total_bandwidth(run, streams),
                                       .unit = "GB/s"});
}

static int
run(struct bench_run *run)
{
  uint64_t own[] = {128, 1024, 16384};
  const struct units_list *sizes = bench_sizes(run, &(struct units_list){.values = own, .n = 3});
  unsigned chip = run->blade->spes_per_chip;
  if (bench_check_dma_sizes(run, sizes) != 0) {
    return -1;
  }
  for (size_t i = 0; i < sizes->n; i++) {
    struct streams streams = {.first = 1, .end = 2, .nbytes = sizes->values[i]};
    streams.program = stream_put;
    report(run, "put-same-chip", &streams);
    streams.program = stream_get;
    report(run, "get-same-chip", &streams);
    for (streams.end = 3; streams.end <= chip; streams.end++) {
      report(run, "get-same-chip-readers", &streams);
    }
    if (run->blade->nchips > 1) {
      streams.first = chip;
      streams.end = chip + 1;
      report(run, "get-across", &streams);
      streams.program = stream_put;
      report(run, "put-across", &streams);
    }
  }
  return 0;
}

const struct bench bench_dma_bandwidth = {
  .name = "dma-bandwidth",
  .source = "velamati2007",
  .doc = "streams of DMAs between local stores: one pair and several readers of one",
  .run = run,
};
