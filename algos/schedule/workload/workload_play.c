/* SPDX-License-Identifier: BSD-3-Clause
 * The player of programs, and a program as an algorithm of the catalogue. */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload_run.h"
#include "algos/step/call_map.h"
#include "algos/step/coll.h"
#include "algos/step/driver.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "sim/base/random.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN_SEED = 1 };

/* The calls of a rank in a group: the rank's view of the calls, and the present call. */
struct workload_inner {
  struct coll *c;
  struct coll_group now;
  struct workload_turn turn;
};

/* Return the bytes of messages of RUN, made once. */
static const uint8_t *pattern_of(struct workload_run *run) {
  size_t nwords = (messages_pattern_bytes(&run->places) + 7) / 8;
  if (!run->pattern && run->workload->nconnections) {
    uint64_t *words = xcalloc(nwords, sizeof *words);
    for (size_t i = 0; i < nwords; i++) {
      words[i] = random_at(PATTERN_SEED, i);
    }
    run->pattern = (uint8_t *)words;
  }
  return run->pattern;
}

/* Prepare the rank of C for the first turn. */
static void begin(struct workload_run *run, struct coll *c) {
  const struct workload *workload = run->workload;
  struct workload_placed_rank *rank = &run->ranks[c->rank];
  rank->inners = xcalloc(workload->ngroups, sizeof *rank->inners);
  for (size_t g = 0; g < workload->ngroups; g++) {
    const struct workload_group *group = &workload->groups[g];
    unsigned r = (unsigned)VEC_INDEX(group->ranks, group->n, *item == c->rank);
    if (r < group->n && run->groups[g].nalgorithms) {
      struct workload_inner *inner = rank->inners[g] = xcalloc(1, sizeof *inner);
      inner->now = run->groups[g].base;
      inner->c = driver_new(&inner->now, r);
      driver_enter(inner->c);
    }
  }
  rank->messages = (struct messages){.player = {.c = c, .links = &run->links},
                                     .places = &run->places,
                                     .pattern = driver_has_data(c) ? pattern_of(run) : NULL};
}

void workload_run_end(struct workload_run *run, unsigned rank) {
  struct workload_placed_rank *of = &run->ranks[rank];
  for (size_t g = 0; of->inners && g < run->workload->ngroups; g++) {
    driver_free(of->inners[g] ? of->inners[g]->c : NULL);
    free(of->inners[g]);
  }
  free(of->inners);
  messages_fini(&of->messages);
}

/* Let the rank of C make call INDEX. */
static void make_call(struct coll *c, size_t index) {
  struct workload_run *run = c->group->workload;
  const struct workload_call *call = &run->workload->calls[index];
  struct workload_placed_call *placed = &run->calls[index];
  struct workload_placed_rank *rank = &run->ranks[c->rank];
  struct workload_inner *inner = rank->inners[call->group];
  unsigned n = run->workload->groups[call->group].n;
  inner->now = workload_run_call(c->group, index, c->ncalls, &inner->turn);
  if (group_in_memory(&inner->now)) {
    size_t buffer = call_map_line(layout_buffer_bytes(&inner->now) + CALL_MAP_GUARD);
    inner->c->buffer_ea = rank->memory_ea;
    inner->c->in_ea = rank->memory_ea + (layout_in_bytes(&inner->now) ? buffer : 0);
  }
  if (!placed->times) {
    placed->times = xcalloc((size_t)run->nturns * n, sizeof *placed->times);
  }
  driver_call_as(inner->c, &inner->now, c, placed->times[(size_t)c->ncalls * n + inner->c->rank]);
}

/* Let the rank of C do ACTION, of messages. */
static void pass_message(struct messages *messages, const struct workload_action *action) {
  bool sends = action->kind == WORKLOAD_SEND || action->kind == WORKLOAD_ISEND;
  size_t request = SIZE_MAX;
  messages->line = action->line;
  switch (action->kind) {
  case WORKLOAD_WAITALL:
    messages_wait_all(messages);
    return;
  case WORKLOAD_TEST:
    messages_test(messages, messages_oldest(messages, action->index));
    return;
  case WORKLOAD_WAIT:
    messages_wait(messages, messages_oldest(messages, action->index));
    return;
  default:
    request = messages_add(messages, action->index, action->amount, sends);
    messages_start(messages, request);
    if (action->kind == WORKLOAD_SEND || action->kind == WORKLOAD_RECV) {
      messages_wait(messages, request);
    }
  }
}

/* Return the cycles of ACTION, computing or a sleep, of the rank of C. */
static uint64_t cycles_of(const struct coll *c, const struct workload_action *action) {
  const unsigned *values = c->group->call.values;
  bool has_rate = action->kind == PROGRAM_FLOPS || action->kind == PROGRAM_FLOPS_OF_CALL;
  if (action->kind == WORKLOAD_COMPUTE) {
    return action->amount;
  }
  if (action->amount == 0 || (action->kind == PROGRAM_FLOPS_OF_CALL && !values[PROGRAM_PARAM_REDUCTIONS])) {
    return 0; /* without flops a trace needs no rate */
  }
  /* a millionth of a flop takes a nanosecond at 1 kflop/s */
  unsigned rate = has_rate ? values[PROGRAM_PARAM_KFLOPS] : 1;
  double cycles = (double)action->amount * c->group->ghz / rate + 0.5;
  if (cycles > (double)COMPUTE_MAX) {
    spu_fault(COMPUTE_FAULT);
  }
  return (uint64_t)cycles;
}

static void workload_main(struct coll *c) {
  struct workload_run *run = c->group->workload;
  const struct workload_rank *workload = &run->workload->ranks[c->rank];
  struct workload_placed_rank *rank = &run->ranks[c->rank];
  if (!rank->inners) {
    begin(run, c);
  }
  uint64_t start = spu_cycles();
  if (run->workload->nconnections) {
    messages_begin(&rank->messages);
  }
  rank->computing = 0;
  rank->messaging = spu_cycles() - start;
  VEC_EACH(action, workload->actions, workload->n) {
    uint64_t before = spu_cycles();
    rank->present = action;
    const char *replaced = action->kind == WORKLOAD_CALL ? run->calls[action->index].name : NULL;
    spu_note_step(0, replaced ? replaced : action->name);
    if (action->kind == WORKLOAD_CALL) {
      make_call(c, action->index);
    } else if (action->kind <= PROGRAM_SLEEP) {
      spu_compute_for(COMPUTE_WORK, cycles_of(c, action));
      rank->computing += spu_cycles() - before;
    } else {
      pass_message(&rank->messages, action);
      rank->messaging += spu_cycles() - before;
    }
  }
  uint64_t before = spu_cycles();
  messages_wait_all(&rank->messages);
  rank->messaging += spu_cycles() - before;
}

/* --- the algorithm --- */

static const char *refuse(const struct coll_group *group, char *text, size_t size) {
  const char *refusal = group->workload ? group->workload->refusal.text : "";
  snprintf(text, size, "%s", refusal);
  return *refusal ? text : NULL;
}

static size_t scratch(const struct coll_group *group) {
  return group->workload ? group->workload->scratch : 0;
}

const struct workload *workload_of_algo(const struct algo *algo) {
  return algo->refuse == refuse ? (const struct workload *)(const void *)algo : NULL;
}

const struct algo *workload_add(struct workload *workload, const char *name, uint64_t sum, struct err *err) {
  struct coll_param *params = workload->algo.params;
  workload->algo = (struct algo){.collective = COLL_BARRIER,
                                 .name = name,
                                 .source = ALGO_SOURCE_OWN,
                                 .idea = "a program of several calls",
                                 .kind = "program",
                                 .ranks = workload->nranks,
                                 .is_open = true,
                                 .params = {[WORKLOAD_PARAM_EAGER] = {.name = "eager",
                                                                      .most = WORKLOAD_EAGER_MAX,
                                                                      .initial = workload->eager,
                                                                      .is_asked = true}},
                                 .refuse = refuse,
                                 .scratch = scratch,
                                 .run = workload_main};
  if (workload->is_trace) {
    params[PROGRAM_PARAM_KFLOPS] = (struct coll_param){.name = "kflops", .most = UINT_MAX, .is_asked = true};
    params[PROGRAM_PARAM_REDUCTIONS] = (struct coll_param){.name = "reductions", .most = 1, .is_asked = true};
    params[PROGRAM_PARAM_MEAN] = (struct coll_param){.name = "mean", .most = 1, .is_asked = true};
  }
  sum = workload->sum ? random_mix(sum ^ workload->sum) : sum;
  return catalogue_add(&workload->algo, sum, err) == 0 ? &workload->algo : NULL;
}
