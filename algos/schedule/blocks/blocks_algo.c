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
  struct judged judged;
};

static const struct judged *judged_of(const struct algo *algo) {
  return &((const struct loaded *)(const void *)algo)->judged;
}

static size_t scratch(const struct coll_group *group) {
  const struct judged *judged = judged_of(group->call.algo);
  if (judged->goal) {
    return goal_scratch(judged->goal, group);
  }
  struct blocks_layout layout = blocks_layout_new(judged->schedule, group);
  size_t nbytes = layout.nbytes;
  blocks_layout_fini(&layout);
  return nbytes;
}

static void run(struct coll *c) {
  const struct judged *judged = judged_of(c->group->call.algo);
  if (judged->goal) {
    goal_run(judged->goal, c);
  } else {
    blocks_run(judged->schedule, c);
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
  const struct judged *judged = judged_of(group->call.algo);
  size_t slot = group->call.values[BLOCKS_SLOT],
         chunk = judged->goal ? 0 : blocks_chunk(judged->schedule, group->nbytes);
  unsigned depth =
    judged->goal
      ? goal_depth(judged->goal, (struct goal_slots){.slot = slot, .eager = group->call.values[GOAL_EAGER]})
      : judge_depth(judged->schedule, chunk && chunk < slot ? (unsigned)(slot / chunk) : 1);
  snprintf(text, size, depth ? "with depth=%u it ends" : "with no depth it ends", depth);
  return text;
}

const struct judged *judged_of_algo(const struct algo *algo) {
  return algo->run == run ? judged_of(algo) : NULL;
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

/* Fill ALGO for SCHEDULE. */
static int fill_blocks(struct algo *algo, const struct blocks *schedule, struct err *err) {
  enum collective collective = blocks_traits[schedule->collective].played;
  if (collective == COLL_BARRIER) {
    return err_set(err, "a schedule of %s, expected allreduce, reducescatter, allgather or alltoall",
                   blocks_traits[schedule->collective].word);
  }
  algo->collective = collective;
  algo->idea = "a schedule of thread blocks";
  algo->kind = "msccl";
  algo->ranks = schedule->nranks;
  algo->unit = QUADWORD * (collective_has_blocks(collective) ? blocks_each(schedule) : schedule->nchunks);
  algo->takes_input = blocks_take_input(schedule);
  return check_buffers(schedule, err);
}

/* Let the way of doing SCHEDULE, in place or apart, be the wrong one of two, by JUDGEMENT. */
static void choose_way(struct algo *algo, struct blocks *schedule, const struct judgement *judgement) {
  const struct findings *wrong = &judgement->found[FOUND_WRONG];
  schedule->is_apart =
    schedule->claims[BLOCKS_OUT_OF_PLACE] &&
    (!schedule->claims[BLOCKS_IN_PLACE] || (wrong[BLOCKS_OUT_OF_PLACE].n && !wrong[BLOCKS_IN_PLACE].n));
  schedule->names = xcalloc(BLOCK_NAMES * schedule->nsteps + 1, sizeof *schedule->names);
  algo->is_apart = algo->collective != COLL_ALLTOALL && schedule->is_apart;
}

/* Fill ALGO for GOAL, whose ranks depend on LEAST ranks or more. */
static void fill_goal(struct algo *algo, struct goal *goal, unsigned least) {
  goal->names = xcalloc(2 * goal->noperations + 1, sizeof *goal->names);
  algo->collective = COLL_BARRIER;
  algo->idea = "a schedule in GOAL";
  algo->kind = "goal";
  algo->ranks = goal->nranks;
  algo->is_open = least < goal->nranks;
  algo->params[GOAL_EAGER] =
    (struct coll_param){.name = "eager", .most = INT_MAX, .initial = EAGER, .is_asked = true};
}

const struct algo *judged_add(struct judged *judged, const char *name, uint64_t sum, struct err *err) {
  struct loaded *loaded = xcalloc(1, sizeof *loaded);
  struct algo *algo = &loaded->algo;
  struct goal *goal = judged->goal;
  *algo = (struct algo){
    .name = name,
    .source = ALGO_SOURCE_OWN,
    .params =
      {[BLOCKS_DEPTH] = {.name = "depth", .least = 1, .most = DEPTH_MAX, .initial = DEPTH, .is_asked = true},
       [BLOCKS_SLOT] = {.name = "slot",
                        .least = QUADWORD,
                        .most = SLOT_MAX,
                        .initial = SLOT,
                        .multiple = QUADWORD,
                        .is_asked = true}},
    .refuse = refuse,
    .advise = advise,
    .scratch = scratch,
    .run = run};
  int status = goal ? 0 : fill_blocks(algo, judged->schedule, err);
  if (status == 0) {
    judged_make(judged);
    if (goal) {
      fill_goal(algo, goal, judged->judgement.least);
    } else {
      choose_way(algo, judged->schedule, &judged->judgement);
    }
  }
  loaded->judged = *judged;
  if (status != 0 || catalogue_add(algo, sum, err) != 0) {
    judged_fini(judged);
    free(loaded);
    return NULL;
  }
  return algo;
}
