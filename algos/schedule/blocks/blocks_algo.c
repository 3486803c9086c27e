/* SPDX-License-Identifier: BSD-3-Clause
 * See blocks_algo.h. */
#include "algos/schedule/blocks/blocks_algo.h"

#include "algos/catalogue.h"
#include "algos/schedule/blocks/player.h"
#include "algos/step/coll.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>

enum { QUADWORD = 16, DEPTH_MAX = 64, DEPTH = 2 /* as Simple in RCCL */, SLOT_MAX = 16384, SLOT = 2048 };

struct loaded {
  struct algo algo; /* first */
  struct blocks *schedule;
  struct judgement judgement;
};

static const struct loaded *loaded_of(const struct algo *algo) {
  return (const struct loaded *)(const void *)algo;
}

static size_t scratch(const struct coll_group *group) {
  struct blocks_layout layout = blocks_layout_new(loaded_of(group->call.algo)->schedule, group);
  size_t nbytes = layout.nbytes;
  blocks_layout_fini(&layout);
  return nbytes;
}

static void run(struct coll *c) {
  blocks_run(loaded_of(c->group->call.algo)->schedule, c);
}

static const char *refuse(const struct coll_group *group, char *text, size_t size) {
  unsigned nranks = loaded_of(group->call.algo)->schedule->nranks;
  snprintf(text, size,
           "%u ranks, expected the %u of the file: -n %u, on a machine with as many SPEs or hosts",
           group->nranks, nranks, nranks);
  return group->nranks == nranks ? NULL : text;
}

/* Tell how many slots a call in a deadlock lacks. */
static const char *advise(const struct coll_group *group, char *text, size_t size) {
  const struct blocks *schedule = loaded_of(group->call.algo)->schedule;
  size_t chunk = blocks_chunk(schedule, group->nbytes), slot = group->call.values[BLOCKS_SLOT];
  unsigned depth = judge_depth(schedule, chunk && chunk < slot ? (unsigned)(slot / chunk) : 1);
  snprintf(text, size, depth ? "with depth=%u it ends" : "with no depth it ends", depth);
  return text;
}

const struct blocks *blocks_of_algo(const struct algo *algo, const struct judgement **judgement) {
  if (algo->run != run) {
    return NULL;
  }
  *judgement = &loaded_of(algo)->judgement;
  return loaded_of(algo)->schedule;
}

/* Find a step of SCHEDULE with chunks beyond the buffers of the collective. */
static int check_buffers(const struct blocks *schedule, struct err *err) {
  for (size_t i = 0; i < schedule->nsteps; i++) {
    const struct block_step *step = &schedule->steps[i];
    const struct step_traits *traits = &step_traits[step->kind];
    const struct block_chunks *chunks[] = {traits->reads_src ? &step->src : NULL,
                                           traits->writes ? &step->dst : NULL};
    for (unsigned k = 0; k < 2; k++) {
      unsigned room = chunks[k] ? blocks_natural(schedule, chunks[k]->buffer) : 0;
      if (chunks[k] && chunks[k]->buffer != BUFFER_SCRATCH &&
          (unsigned)chunks[k]->offset + step->count > room) {
        return err_set(err, "line %u: chunks beyond the %u of buffer %c in the collective, expected none",
                       step->line, room, BUFFER_LETTERS[chunks[k]->buffer]);
      }
    }
  }
  return 0;
}

const struct algo *blocks_add(struct blocks *schedule, const char *name, uint64_t sum, struct err *err) {
  static const enum collective collectives[BLOCKS_COLLECTIVES] = {[BLOCKS_allreduce] = COLL_ALLREDUCE,
                                                                  [BLOCKS_reducescatter] = COLL_REDUCESCATTER,
                                                                  [BLOCKS_reduce_scatter] =
                                                                    COLL_REDUCESCATTER,
                                                                  [BLOCKS_allgather] = COLL_ALLGATHER,
                                                                  [BLOCKS_alltoall] = COLL_ALLTOALL};
  enum collective collective = collectives[schedule->collective];
  if (collective == COLL_BARRIER) {
    err_set(err, "a schedule of %s, expected allreduce, reducescatter, allgather or alltoall",
            blocks_traits[schedule->collective].word);
    return NULL;
  }
  if (check_buffers(schedule, err) != 0) {
    return NULL;
  }
  struct loaded *loaded = xcalloc(1, sizeof *loaded);
  schedule->waits = xcalloc(2 * schedule->nsteps + 1, sizeof *schedule->waits);
  *loaded = (struct loaded){.schedule = schedule, .judgement = judge_blocks(schedule)};
  const struct judged_result *in_place = &loaded->judgement.results[JUDGED_IN_PLACE];
  loaded->algo = (struct algo){
    .collective = collective,
    .name = name,
    .source = ALGO_SOURCE_OWN,
    .idea = "a schedule of thread blocks",
    .params =
      {[BLOCKS_DEPTH] = {.name = "depth", .least = 1, .most = DEPTH_MAX, .initial = DEPTH, .is_asked = true},
       [BLOCKS_SLOT] = {.name = "slot",
                        .least = QUADWORD,
                        .most = SLOT_MAX,
                        .initial = SLOT,
                        .multiple = QUADWORD,
                        .is_asked = true}},
    .kind = "msccl",
    .ranks = schedule->nranks,
    .unit = QUADWORD * (collective_has_blocks(collective) ? blocks_each(schedule) : schedule->nchunks),
    .is_apart = schedule->out_of_place && (!schedule->in_place || in_place->wrong.n > 0),
    .refuse = refuse,
    .advise = advise,
    .scratch = scratch,
    .run = run};
  if (catalogue_add(&loaded->algo, sum, err) != 0) {
    judgement_fini(&loaded->judgement);
    free(schedule->waits);
    free(loaded);
    return NULL;
  }
  return &loaded->algo;
}
