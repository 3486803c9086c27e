/* SPDX-License-Identifier: BSD-3-Clause
 * See record.h.
 *
 * When the first rank enters a call, all activities already over are forgotten, whatever call had them:
 * nothing before that cycle is part of the new call. Commands under way are kept. */
#include "traces/record/record.h"

#include "sim/base/vec.h"
#include "traces/record/record_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct record_interval) <= 32, "there are many");
_Static_assert(sizeof(struct record_service) <= 32, "there are many");
_Static_assert(sizeof(struct record_dma) <= 96, "there are many");

static void see(struct probe *probe, const struct probe_event *event);

/* --- room --- */

/* Return how many bus requests of an MFC can be under way. */
static size_t entries(const struct record *record) {
  return (size_t)record->parameters.mfc_windows * record->parameters.mfc_window;
}

/* Forget the contents of RECORD. */
static void forget(struct record *record) {
  for (unsigned i = 0; i < record->nprograms; i++) {
    free(record->programs[i].intervals);
    free(record->programs[i].steps);
  }
  free(record->programs);
  record->programs = NULL;
  record->nprograms = record->programs_room = 0;
  for (unsigned i = 0; i < record->parameters.nspes; i++) {
    free(record->dmas[i].dmas);
    free(record->atomics[i].atomics);
    free(record->flags[i].spans);
    record->dmas[i] = (struct record_dmas){.first = 1};
    record->atomics[i] = (struct record_atomics){.first = 1};
    record->flags[i] = (struct record_flags){0};
    record->wakers[i] = (struct record_waker){.server = RECORD_NOBODY};
  }
  memset(record->flights, 0, record->parameters.nspes * entries(record) * sizeof *record->flights);
  for (unsigned i = 0; i < record->nservers; i++) {
    free(record->logs[i].services);
    record->logs[i] = (struct record_log){0};
  }
  free(record->writes);
  record->writes = NULL;
  record->nwrites = record->writes_room = 0;
  record->share->nbytes -= record->nbytes;
  record->nbytes = 0;
  record->calls = 0;
  record->begin = record->end = 0;
}

bool record_share_take(struct record_share *share, uint64_t more) {
  share->full |= share->nbytes + more > share->nbytes_max;
  share->nbytes += share->full ? 0 : more;
  return !share->full;
}

void *record_add(struct record *record, void *array, size_t *n, size_t *room, size_t size) {
  char *items;
  memcpy(&items, array, sizeof items);
  if (*n == *room) {
    size_t more = *room + 16;
    if (!record_share_take(record->share, more * size)) {
      forget(record);
      return NULL;
    }
    record->nbytes += more * size;
    *room += more;
    items = xrealloc(items, *room, size);
    memcpy(array, &items, sizeof items);
  }
  return items + size * (*n)++;
}

void record_init(struct record *record, const struct platform *platform, struct record_share *share) {
  *record = (struct record){.probe = {.see = see, .details = true}, .share = share};
  parameters_init(&record->parameters, platform);
  size_t nspes = record->parameters.nspes, nchips = record->parameters.nchips;
  record->nservers = (unsigned)(nchips * (record->parameters.ring.nunits + 1 + nchips));
  record->dmas = xcalloc(nspes, sizeof *record->dmas);
  record->atomics = xcalloc(nspes, sizeof *record->atomics);
  record->flags = xcalloc(nspes, sizeof *record->flags);
  record->wakers = xcalloc(nspes, sizeof *record->wakers);
  record->flights = xcalloc(nspes * entries(record), sizeof *record->flights);
  record->logs = xcalloc(record->nservers, sizeof *record->logs);
  forget(record);
}

void record_fini(struct record *record) {
  forget(record);
  free(record->dmas);
  free(record->atomics);
  free(record->flags);
  free(record->wakers);
  free(record->flights);
  free(record->logs);
}

/* --- forgetting --- */

/* Forget the intervals of PROGRAM before cycle BEGIN. */
static void drop_intervals(struct record_program *program, uint64_t begin) {
  size_t old = VEC_INDEX(program->intervals, program->nintervals, item->to > begin);
  if (old) {
    program->nintervals -= old;
    memmove(program->intervals, program->intervals + old, program->nintervals * sizeof *program->intervals);
  }
}

/* Forget the completed commands of SPE, up to the first incomplete one. */
static void drop_commands(struct record *record, unsigned spe) {
  struct record_dmas *dmas = &record->dmas[spe];
  struct record_atomics *atomics = &record->atomics[spe];
  size_t old = VEC_INDEX(dmas->dmas, dmas->n, item->completed == RECORD_NEVER);
  if (old) {
    dmas->n -= old;
    dmas->first += old;
    memmove(dmas->dmas, dmas->dmas + old, dmas->n * sizeof *dmas->dmas);
  }
  if (atomics->n > 1) { /* the last one may be under way */
    atomics->first += atomics->n - 1;
    atomics->atomics[0] = atomics->atomics[atomics->n - 1];
    atomics->n = 1;
  }
}

/* The first rank enters a call at cycle BEGIN. */
static void begin_call(struct record *record, uint64_t begin) {
  record->begin = begin;
  record->end = begin;
  record->calls++;
  if (record->keeps_all) {
    return;
  }
  for (unsigned i = 0; i < record->nprograms; i++) {
    drop_intervals(&record->programs[i], begin);
  }
  for (unsigned i = 0; i < record->parameters.nspes; i++) {
    drop_commands(record, i);
  }
  for (unsigned i = 0; i < record->nservers; i++) {
    record->logs[i].first += (uint32_t)record->logs[i].n;
    record->logs[i].n = 0;
  }
}

/* --- programs --- */

static void see_start(struct record *record, const struct probe_event *event) {
  const struct probe_start *start = &event->start;
  while (start->program >= record->nprograms) {
    struct record_program *program =
      record_add(record, &record->programs, &record->nprograms, &record->programs_room, sizeof *program);
    if (!program) {
      return;
    }
    *program = (struct record_program){.is_known = false};
  }
  struct record_program *program = &record->programs[start->program];
  if (!program->is_known) {
    *program = (struct record_program){.is_known = true, .rank = RECORD_NOBODY};
    program->entered = program->left = RECORD_NEVER;
  }
  snprintf(program->name, sizeof program->name, "%s", start->name);
  program->spe = start->spe == PROBE_NOBODY ? RECORD_NOBODY : (uint16_t)start->spe;
  program->chip = (uint16_t)start->chip;
  program->starter = start->by.kind == PROBE_BY_PROGRAM ? (uint16_t)start->by.who : RECORD_NOBODY;
}

static void add_interval(struct record *record, unsigned number, struct record_interval interval) {
  struct record_program *program = &record->programs[number];
  struct record_interval *added =
    record_add(record, &program->intervals, &program->nintervals, &program->room, sizeof *added);
  if (added) {
    *added = interval;
  }
}

static void see_compute(struct record *record, const struct probe_event *event) {
  const struct probe_compute *compute = &event->compute;
  add_interval(record, compute->program,
               (struct record_interval){.from = compute->at,
                                        .to = compute->at + compute->cycles,
                                        .server = RECORD_NOBODY,
                                        .who = RECORD_NOBODY,
                                        .activity = RECORD_COMPUTES,
                                        .what = (uint8_t)compute->reason});
}

static void see_wake(struct record *record, const struct probe_event *event) {
  const struct probe_wake *wake = &event->wake;
  struct record_interval interval = {.from = wake->since,
                                     .to = event->cycle,
                                     .number = (uint32_t)wake->cause.number,
                                     .server = RECORD_NOBODY,
                                     .who = (uint16_t)wake->cause.who,
                                     .cause = (uint8_t)wake->cause.kind,
                                     .activity = RECORD_WAITS,
                                     .what = (uint8_t)wake->subject};
  if (wake->cause.kind == PROBE_BY_DELIVERY && wake->program < record->parameters.nspes) {
    const struct record_waker *waker = &record->wakers[wake->program];
    if (waker->spe == wake->cause.who && waker->command == wake->cause.number) {
      interval.server = waker->server;
      interval.service = waker->service;
    }
  }
  if (interval.from < interval.to) {
    add_interval(record, wake->program, interval);
  }
}

static void see_step(struct record *record, const struct probe_event *event) {
  const struct probe_step *step = &event->step;
  struct record_program *program = &record->programs[step->program];
  if (!step->name || (program->nsteps && program->steps[program->nsteps - 1].name == step->name)) {
    return;
  }
  struct record_step *added =
    record_add(record, &program->steps, &program->nsteps, &program->steps_room, sizeof *added);
  if (added) {
    *added = (struct record_step){step->at, step->name};
  }
}

const char *record_step(const struct record_program *program, uint64_t at) {
  size_t n = VEC_COUNT_BEFORE(program->steps, program->nsteps, item->at > at);
  return n ? program->steps[n - 1].name : NULL;
}

static void see_enter(struct record *record, const struct probe_event *event) {
  const struct probe_call *call = &event->call;
  struct record_program *program = &record->programs[call->program];
  if (call->rank != PROBE_NOBODY && call->call >= record->calls) {
    begin_call(record, call->at);
  }
  program->rank = call->rank == PROBE_NOBODY ? RECORD_NOBODY : (uint16_t)call->rank;
  program->entered = call->at;
  program->left = RECORD_NEVER;
  program->calls = call->call + 1;
  program->nsteps = 0;
}

static void see_leave(struct record *record, const struct probe_event *event) {
  const struct probe_call *call = &event->call;
  record->programs[call->program].left = call->at;
  if (call->rank != PROBE_NOBODY && call->call + 1 == record->calls && call->at > record->end) {
    record->end = call->at;
  }
}

static void see_reset(struct record *record, const struct probe_event *event) {
  (void)event;
  forget(record);
}

static void see(struct probe *probe, const struct probe_event *event) {
  static record_handler *const handlers[PROBE_KINDS] = {
    [PROBE_RESET] = see_reset,
    [PROBE_COMPUTE] = see_compute,
    [PROBE_WAKE] = see_wake,
    [PROBE_START] = see_start,
    [PROBE_STEP] = see_step,
    [PROBE_ENTER] = see_enter,
    [PROBE_LEAVE] = see_leave,
    [PROBE_ENQUEUE] = record_see_enqueue,
    [PROBE_COMMAND] = record_see_arrival,
    [PROBE_ELEMENT] = record_see_element,
    [PROBE_ISSUE] = record_see_issue,
    [PROBE_GRANT] = record_see_grant,
    [PROBE_DELIVER] = record_see_delivery,
    [PROBE_COMPLETE] = record_see_complete,
    [PROBE_RESUME] = record_see_resume,
    [PROBE_FLAGS] = record_see_flags,
    [PROBE_ATOMIC_ENQUEUE] = record_see_atomic_enqueue,
    [PROBE_ATOMIC_EFFECT] = record_see_effect,
    [PROBE_CROSS] = record_see_cross,
    [PROBE_MEMORY] = record_see_memory,
  };
  struct record *record = (struct record *)probe;
  if (handlers[event->kind] && !record->share->full) {
    handlers[event->kind](record, event);
  }
}
