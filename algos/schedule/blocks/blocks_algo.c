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

enum {
  QUADWORD = 16,
  CHIP_SPES = 8,
  EAGER = 65535 /* as in LogGOPSim */,
  DEPTH_MAX = 64,
  DEPTH = 2 /* as Simple in RCCL */,
  SLOT_MAX = 16384,
  SLOT = 2048
};

/* A schedule of thread blocks, or in GOAL. */
struct loaded {
  struct algo algo; /* first */
  struct blocks *schedule;
  struct judgement judgement;
  struct goal *goal;
  struct goal_judgement of_goal;
};

static const struct loaded *loaded_of(const struct algo *algo) {
  return (const struct loaded *)(const void *)algo;
}

static size_t scratch(const struct coll_group *group) {
  const struct loaded *loaded = loaded_of(group->call.algo);
  if (loaded->goal) {
    return goal_scratch(loaded->goal, group);
  }
  struct blocks_layout layout = blocks_layout_new(loaded->schedule, group);
  size_t nbytes = layout.nbytes;
  blocks_layout_fini(&layout);
  return nbytes;
}

static void run(struct coll *c) {
  const struct loaded *loaded = loaded_of(c->group->call.algo);
  if (loaded->goal) {
    goal_run(loaded->goal, c);
  } else {
    blocks_run(loaded->schedule, c);
  }
}

static const char *refuse(const struct coll_group *group, char *text, size_t size) {
  unsigned nranks = group->call.algo->ranks;
  snprintf(text, size,
           "%u ranks, expected the %u of the file: -n %u, on a machine with as many SPEs or hosts, such as "
           "-p qs20 --set blade.chips=%u",
           group->nranks, nranks, nranks, (nranks + CHIP_SPES - 1) / CHIP_SPES);
  return group->nranks == nranks ? NULL : text;
}

/* Tell how many slots a call in a deadlock lacks. */
static const char *advise(const struct coll_group *group, char *text, size_t size) {
  const struct loaded *loaded = loaded_of(group->call.algo);
  size_t slot = group->call.values[BLOCKS_SLOT],
         chunk = loaded->goal ? 0 : blocks_chunk(loaded->schedule, group->nbytes);
  unsigned depth =
    loaded->goal
      ? goal_depth(loaded->goal, (struct goal_slots){.slot = slot, .eager = group->call.values[GOAL_EAGER]})
      : judge_depth(loaded->schedule, chunk && chunk < slot ? (unsigned)(slot / chunk) : 1);
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

const struct goal *goal_of_algo(const struct algo *algo, const struct goal_judgement **judgement) {
  if (algo->run != run) {
    return NULL;
  }
  *judgement = &loaded_of(algo)->of_goal;
  return loaded_of(algo)->goal;
}

/* Add LOADED to the catalogue: KIND:NAME, NRANKS ranks; the contents of the file have checksum SUM.
 * returns: NULL after an error; LOADED is released then. */
static const struct algo *add(struct loaded *loaded, const char *name, uint64_t sum, struct err *err) {
  struct algo *algo = &loaded->algo;
  algo->name = name;
  algo->source = ALGO_SOURCE_OWN;
  algo->params[BLOCKS_DEPTH] =
    (struct coll_param){.name = "depth", .least = 1, .most = DEPTH_MAX, .initial = DEPTH, .is_asked = true};
  algo->params[BLOCKS_SLOT] = (struct coll_param){.name = "slot",
                                                  .least = QUADWORD,
                                                  .most = SLOT_MAX,
                                                  .initial = SLOT,
                                                  .multiple = QUADWORD,
                                                  .is_asked = true};
  algo->refuse = refuse;
  algo->advise = advise;
  algo->scratch = scratch;
  algo->run = run;
  if (catalogue_add(algo, sum, err) == 0) {
    return algo;
  }
  judgement_fini(&loaded->judgement);
  goal_judgement_fini(&loaded->of_goal);
  free(loaded->goal ? loaded->goal->names : loaded->schedule->names);
  free(loaded);
  return NULL;
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
  schedule->names = xcalloc(BLOCK_NAMES * schedule->nsteps + 1, sizeof *schedule->names);
  *loaded = (struct loaded){.schedule = schedule, .judgement = judge_blocks(schedule)};
  const struct judged_result *results = loaded->judgement.results; /* the wrong one of two is done */
  schedule->is_apart =
    schedule->out_of_place &&
    (!schedule->in_place || (results[JUDGED_OUT_OF_PLACE].wrong.n && !results[JUDGED_IN_PLACE].wrong.n));
  loaded->algo = (struct algo){
    .collective = collective,
    .idea = "a schedule of thread blocks",
    .kind = "msccl",
    .ranks = schedule->nranks,
    .unit = QUADWORD * (collective_has_blocks(collective) ? blocks_each(schedule) : schedule->nchunks),
    .is_apart = collective != COLL_ALLTOALL && schedule->is_apart,
    .takes_input = blocks_take_input(schedule)};
  return add(loaded, name, sum, err);
}

const struct algo *goal_add(struct goal *goal, const char *name, uint64_t sum, struct err *err) {
  struct loaded *loaded = xcalloc(1, sizeof *loaded);
  goal->names = xcalloc(2 * goal->noperations + 1, sizeof *goal->names);
  *loaded = (struct loaded){.goal = goal, .of_goal = judge_goal(goal)};
  loaded->algo = (struct algo){.collective = COLL_BARRIER,
                               .idea = "a schedule in GOAL",
                               .kind = "goal",
                               .ranks = goal->nranks,
                               .is_open = loaded->of_goal.least < goal->nranks};
  loaded->algo.params[GOAL_EAGER] =
    (struct coll_param){.name = "eager", .most = INT_MAX, .initial = EAGER, .is_asked = true};
  return add(loaded, name, sum, err);
}
