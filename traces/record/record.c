/* SPDX-License-Identifier: BSD-3-Clause
 * See record.h.
 *
 * When the first rank enters a call, all activities already over are forgotten, whatever call had them:
 * nothing before that cycle is part of the new call. Commands under way are kept. */
#include "traces/record/record.h"

#include "sim/base/vec.h"
#include "sim/hw/board/ea.h"
#include "sim/spu/spu_mfcio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct record_interval) <= 32, "there are many");
_Static_assert(sizeof(struct record_service) <= 32, "there are many");
_Static_assert(sizeof(struct record_dma) <= 96, "there are many");

/* A bus request under way, or the record of a free window entry. */
struct record_flight {
  uint64_t free_at; /* the entry is free since then */
  uint32_t service; /* the latest one */
  uint16_t server;  /* RECORD_NOBODY: no service yet */
  uint16_t late;    /* see struct record_service */
  bool starts;
};

/* A line was written by an atomic command. */
struct record_write {
  uint64_t ea, at;
  uint32_t number;
  uint16_t spe;
};

/* --- room --- */

/* Return how many bus requests of an MFC can be under way. */
static size_t entries(const struct record *record) {
  return (size_t)record->parameters.mfc_windows * record->parameters.mfc_window;
}

/* Forget the contents of RECORD. */
static void forget(struct record *record) {
  VEC_EACH(program, record->programs, record->nprograms) {
    free(program->intervals);
    free(program->steps);
  }
  free(record->programs);
  record->programs = NULL;
  record->nprograms = record->programs_room = 0;
  VEC_EACH(spe, record->spes, record->parameters.nspes) {
    free(spe->dmas.dmas);
    free(spe->atomics.atomics);
    free(spe->flags);
    *spe = (struct record_spe){.dmas.first = 1, .atomics.first = 1, .waker.server = RECORD_NOBODY};
  }
  memset(record->flights, 0, record->parameters.nspes * entries(record) * sizeof *record->flights);
  VEC_EACH(log, record->logs, record->nservers) {
    free(log->services);
    *log = (struct record_log){0};
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

/* Add an element to the array of the pointer at ARRAY, with *N elements of SIZE bytes and room for *ROOM.
 * returns: the element, not initialised; NULL: RECORD would become too large and has forgotten all. */
static void *add_item(struct record *record, void *array, size_t *n, size_t *room, size_t size) {
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

/* --- forgetting --- */

/* Forget the completed commands of SPE, up to the first incomplete one. */
static void drop_commands(struct record *record, unsigned spe) {
  struct record_dmas *dmas = &record->spes[spe].dmas;
  struct record_atomics *atomics = &record->spes[spe].atomics;
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
  VEC_EACH(program, record->programs, record->nprograms) {
    size_t old = VEC_INDEX(program->intervals, program->nintervals, item->to > begin);
    if (old) {
      program->nintervals -= old;
      memmove(program->intervals, program->intervals + old, program->nintervals * sizeof *program->intervals);
    }
  }
  for (unsigned i = 0; i < record->parameters.nspes; i++) {
    drop_commands(record, i);
  }
  VEC_EACH(log, record->logs, record->nservers) {
    log->first += (uint32_t)log->n;
    log->n = 0;
  }
}

/* --- programs --- */

static void see_start(struct record *record, const struct probe_event *event) {
  const struct probe_start *start = &event->start;
  while (start->program >= record->nprograms) {
    struct record_program *program =
      add_item(record, &record->programs, &record->nprograms, &record->programs_room, sizeof *program);
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
    add_item(record, &program->intervals, &program->nintervals, &program->room, sizeof *added);
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
    const struct record_spe *woken = &record->spes[wake->program];
    if (woken->waker.spe == wake->cause.who && woken->waker.command == wake->cause.number) {
      interval.server = woken->waker.server;
      interval.service = woken->waker.service;
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
    add_item(record, &program->steps, &program->nsteps, &program->steps_room, sizeof *added);
  if (added) {
    *added = (struct record_step){step->at, step->name};
  }
}

const char *record_step(const struct record_program *program, uint64_t at) {
  size_t n = VEC_COUNT_BEFORE(program->steps, program->nsteps, item->at > at);
  return n ? program->steps[n - 1].name : NULL;
}

bool record_stay(const struct record_program *program, size_t index, uint64_t *to) {
  unsigned call, line;
  *to = index + 1 < program->nsteps ? program->steps[index + 1].at : program->left;
  return sscanf(program->steps[index].name, "call %u line %u ", &call, &line) == 2;
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
  if (call->rank != PROBE_NOBODY && call->call + 1 == record->calls) {
    RAISE(record->end, call->at);
  }
}

/* --- DMA commands --- */

struct record_dma *record_dma(const struct record *record, unsigned spe, uint64_t number) {
  const struct record_dmas *dmas = &record->spes[spe].dmas;
  return number - dmas->first < dmas->n ? &dmas->dmas[number - dmas->first] : NULL;
}

/* Return the SPE of the area of EA; RECORD_NOBODY: main memory. */
static uint16_t spe_at(uint64_t ea) {
  return ea < EA_SPE_BASE || ea >= EA_MEMORY_BASE ? RECORD_NOBODY
                                                  : (uint16_t)((ea - EA_SPE_BASE) / EA_SPE_STRIDE);
}

/* Tell whether a put of SPE to EA notifies another SPE. A program may be ahead of the others at the
 * command: programs declare their polled bytes at the beginning. */
static bool is_notice(const struct record *record, unsigned spe, uint64_t ea) {
  unsigned peer = spe_at(ea);
  if (peer == RECORD_NOBODY || peer == spe || peer >= record->parameters.nspes) {
    return false;
  }
  uint64_t place = (ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  const struct record_spe *at = &record->spes[peer];
  return place >= EA_PROBLEM_STATE ||
         VEC_FIND(at->flags, at->nflags, place >= item->ls && place - item->ls < item->nbytes);
}

static unsigned flags_of(const struct probe_enqueue *enqueue) {
  return (enqueue->is_put ? RECORD_PUT : 0U) | (enqueue->is_list ? RECORD_LIST : 0U) |
         (enqueue->is_sync ? RECORD_SYNC : 0U) | (enqueue->is_proxy ? RECORD_PROXY : 0U) |
         (enqueue->fence || enqueue->barrier ? RECORD_ORDERED : 0U) |
         (enqueue->barrier ? RECORD_BARRIER : 0U) | (enqueue->all_tags ? RECORD_ALL_TAGS : 0U);
}

static void see_enqueue(struct record *record, const struct probe_event *event) {
  const struct probe_enqueue *enqueue = &event->enqueue;
  struct record_dmas *dmas = &record->spes[enqueue->dma.spe].dmas;
  struct record_dma *dma = add_item(record, &dmas->dmas, &dmas->n, &dmas->room, sizeof *dma);
  if (!dma) {
    return;
  }
  dmas->first = dmas->n == 1 ? enqueue->dma.command : dmas->first;
  bool moves = !enqueue->is_sync && !enqueue->is_list;
  *dma = (struct record_dma){.enqueued = enqueue->at,
                             .arrived = RECORD_NEVER,
                             .resumed = RECORD_NEVER,
                             .issued = RECORD_NEVER,
                             .granted = RECORD_NEVER,
                             .delivered = RECORD_NEVER,
                             .completed = RECORD_NEVER,
                             .ea = enqueue->ea,
                             .nbytes = moves ? enqueue->dma.nbytes : 0,
                             .server = RECORD_NOBODY,
                             .program = (uint16_t)enqueue->program,
                             .peer = moves ? spe_at(enqueue->ea) : RECORD_NOBODY,
                             .tag = (uint8_t)enqueue->dma.tag,
                             .flags = (uint16_t)flags_of(enqueue)};
}

static void see_element(struct record *record, const struct probe_event *event) {
  const struct probe_element *element = &event->element;
  struct record_dma *dma = record_dma(record, element->dma.spe, element->dma.command);
  uint16_t peer = spe_at(element->ea);
  if (!dma || element->nbytes == 0) {
    return;
  }
  if (dma->nbytes == 0) {
    bool notice = element->is_put && is_notice(record, element->dma.spe, element->ea);
    dma->peer = peer;
    dma->flags |= (uint16_t)(notice ? RECORD_NOTICE : 0);
  } else if (dma->peer != peer) {
    dma->flags |= RECORD_SEVERAL;
  }
  dma->element = element->offset;
  dma->nbytes = element->offset + element->nbytes;
}

/* Tell whether LATER, of the same MFC, had to wait for EARLIER, as the MFC decides (dma.c). */
static bool waits_for(const struct record_dma *later, const struct record_dma *earlier) {
  bool ordered = (later->flags & RECORD_ORDERED) || (earlier->flags & RECORD_BARRIER);
  bool all_tags = (later->flags | earlier->flags) & RECORD_ALL_TAGS;
  bool same_queue = (later->flags & RECORD_PROXY) == (earlier->flags & RECORD_PROXY);
  return same_queue && (all_tags || (ordered && later->tag == earlier->tag));
}

static void see_complete(struct record *record, const struct probe_event *event) {
  const struct record_dmas *dmas = &record->spes[event->complete.dma.spe].dmas;
  struct record_dma *dma = record_dma(record, event->complete.dma.spe, event->complete.dma.command);
  if (!dma) {
    return;
  }
  dma->completed = event->cycle;
  for (struct record_dma *later = dma + 1; later < dmas->dmas + dmas->n; later++) {
    later->after = waits_for(later, dma) ? (uint32_t)event->complete.dma.command : later->after;
  }
}

/* --- bus requests --- */

static struct record_flight *flight_of(struct record *record, const struct probe_request *request) {
  return &record->flights[request->spe * entries(record) + request->entry];
}

static void see_issue(struct record *record, const struct probe_event *event) {
  const struct probe_request *request = &event->issue.request;
  struct record_flight *flight = flight_of(record, request);
  struct record_dma *dma = record_dma(record, request->spe, request->command);
  uint64_t credited = event->issue.credited;
  uint64_t late = event->cycle - MAX(credited, flight->free_at);
  flight->server = RECORD_NOBODY;
  flight->service = 0;
  flight->late = late < RECORD_NEVER_LATE ? (uint16_t)late : RECORD_NEVER_LATE;
  flight->starts = false;
  if (dma) {
    flight->starts = (dma->flags & RECORD_LIST) && request->offset && request->offset == dma->element;
    dma->issued = dma->issued == RECORD_NEVER ? event->cycle : dma->issued;
  }
}

/* SERVER serves REQUEST: keep SERVICE, completed here. */
static void add_service(struct record *record, const struct probe_request *request, unsigned server,
                        const struct record_service *service) {
  struct record_log *log = &record->logs[server];
  struct record_flight *flight = flight_of(record, request);
  struct record_service *added = add_item(record, &log->services, &log->n, &log->room, sizeof *log->services);
  if (!added) {
    return;
  }
  *added = *service;
  added->command = (uint32_t)request->command;
  added->before = flight->service;
  added->before_server = flight->server;
  added->spe = (uint16_t)request->spe;
  added->late = flight->late;
  added->nbytes = (uint8_t)request->nbytes;
  added->starts = flight->starts;
  flight->server = (uint16_t)server;
  flight->service = log->first + (uint32_t)log->n - 1;
}

static void see_grant(struct record *record, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  struct record_dma *dma = record_dma(record, grant->request.spe, grant->request.command);
  if (dma && dma->granted == RECORD_NEVER) {
    dma->granted = event->cycle;
  }
  add_service(record, &grant->request, grant->chip * record->parameters.ring.nunits + grant->from,
              &(struct record_service){.at = event->cycle,
                                       .waited = (uint32_t)grant->waited,
                                       .ring = (uint8_t)grant->ring,
                                       .hops = (uint8_t)grant->hops,
                                       .to = (uint8_t)grant->to});
}

static void see_delivery(struct record *record, const struct probe_event *event) {
  const struct probe_deliver *deliver = &event->deliver;
  const struct probe_request *request = &deliver->request;
  struct record_flight *flight = flight_of(record, request);
  struct record_dma *dma = record_dma(record, request->spe, request->command);
  flight->free_at = deliver->free_at;
  if (dma) {
    dma->delivered = event->cycle;
    dma->server = flight->server;
    dma->service = flight->service;
  }
  if (deliver->wakes) {
    struct record_spe *woken = &record->spes[deliver->peer];
    woken->waker.command = request->command;
    woken->waker.service = flight->service;
    woken->waker.server = flight->server;
    woken->waker.spe = (uint16_t)request->spe;
  }
}

/* The list of EVENT goes on. */
static void see_resume(struct record *record, const struct probe_event *event) {
  struct record_dma *dma = record_dma(record, event->stall.dma.spe, event->stall.dma.command);
  if (dma) {
    dma->resumed = event->cycle;
  }
}

static void see_arrival(struct record *record, const struct probe_event *event) {
  struct record_dma *dma = record_dma(record, event->command.dma.spe, event->command.dma.command);
  if (dma) {
    bool is_put = (dma->flags & RECORD_PUT) && !(dma->flags & (RECORD_LIST | RECORD_SYNC));
    dma->arrived = event->cycle;
    dma->flags |=
      (uint16_t)(is_put && is_notice(record, event->command.dma.spe, dma->ea) ? RECORD_NOTICE : 0);
  }
}

static void see_cross(struct record *record, const struct probe_event *event) {
  unsigned server = record->parameters.nchips * (record->parameters.ring.nunits + event->cross.chip + 1) +
                    event->cross.next_chip;
  add_service(record, &event->cross.request, server,
              &(struct record_service){.at = event->cycle, .waited = (uint32_t)event->cross.waited});
}

static void see_memory(struct record *record, const struct probe_event *event) {
  unsigned server = record->parameters.nchips * record->parameters.ring.nunits + event->memory.chip;
  add_service(record, &event->memory.request, server,
              &(struct record_service){.at = event->cycle + event->memory.waited,
                                       .waited = (uint32_t)event->memory.waited,
                                       .to = event->memory.is_write});
}

/* --- servers --- */

const struct record_service *record_service(const struct record *record, unsigned server, uint32_t number) {
  const struct record_log *log = &record->logs[server];
  return number - log->first < log->n ? &log->services[number - log->first] : NULL;
}

struct record_server record_server(const struct record *record, unsigned server) {
  unsigned nchips = record->parameters.nchips, nunits = record->parameters.ring.nunits;
  if (server < nchips * nunits) {
    return (struct record_server){.kind = RECORD_RAMP, .chip = server / nunits, .other = server % nunits};
  }
  server -= nchips * nunits;
  if (server < nchips) {
    return (struct record_server){.kind = RECORD_MEMORY, .chip = server};
  }
  server -= nchips;
  return (struct record_server){.kind = RECORD_LINK, .chip = server / nchips, .other = server % nchips};
}

uint64_t record_interval_mcyc(const struct record *record, unsigned server,
                              const struct record_service *service) {
  const struct parameters *parameters = &record->parameters;
  switch (record_server(record, server).kind) {
  case RECORD_RAMP:
    return rate_interval_mcyc(parameters->ramp_interval);
  case RECORD_MEMORY:
    return service->to ? parameters->memory_write_mcyc : parameters->memory_read_mcyc;
  case RECORD_LINK:
    return parameters_link_mcyc(parameters, service->nbytes);
  }
  return 0;
}

uint64_t record_ring_cycles(const struct record *record, const struct record_service *service) {
  return service->hops * record->parameters.ring.hop + record->parameters.ring.beats;
}

/* --- polled bytes --- */

/* The program of an SPE declares bytes that it polls and others write. */
static void see_flags(struct record *record, const struct probe_event *event) {
  const struct probe_touch *touch = &event->touch;
  struct record_spe *spe = &record->spes[touch->spe];
  if (VEC_FIND(spe->flags, spe->nflags, item->ls == touch->ls && item->nbytes == touch->nbytes)) {
    return;
  }
  struct record_polled *span = add_item(record, &spe->flags, &spe->nflags, &spe->flags_room, sizeof *span);
  if (span) {
    *span = (struct record_polled){touch->ls, touch->nbytes};
  }
}

/* --- atomic commands --- */

struct record_atomic *record_atomic(const struct record *record, unsigned spe, uint64_t number) {
  const struct record_atomics *atomics = &record->spes[spe].atomics;
  return number - atomics->first < atomics->n ? &atomics->atomics[number - atomics->first] : NULL;
}

static void see_atomic_enqueue(struct record *record, const struct probe_event *event) {
  const struct probe_atomic_enqueue *enqueue = &event->atomic_enqueue;
  struct record_atomics *atomics = &record->spes[enqueue->atomic.spe].atomics;
  struct record_atomic *atomic =
    add_item(record, &atomics->atomics, &atomics->n, &atomics->room, sizeof *atomic);
  if (atomic) {
    atomics->first = atomics->n == 1 ? enqueue->atomic.number : atomics->first;
    *atomic = (struct record_atomic){.enqueued = enqueue->at,
                                     .came = RECORD_NEVER,
                                     .effected = RECORD_NEVER,
                                     .written = RECORD_NEVER,
                                     .ea = enqueue->atomic.ea,
                                     .writing = RECORD_NOBODY,
                                     .is_load = enqueue->atomic.what[0] == 'g'};
  }
}

/* Return the latest write of line EA, if missing a new one if MAKE; NULL: none. */
static struct record_write *latest_write(struct record *record, uint64_t ea, bool make) {
  struct record_write *write = VEC_FIND(record->writes, record->nwrites, item->ea == ea);
  return write || !make ? write
                        : add_item(record, &record->writes, &record->nwrites, &record->writes_room,
                                   sizeof *record->writes);
}

static void see_atomic_effect(struct record *record, const struct probe_event *event) {
  const struct probe_atomic_effect *effect = &event->atomic_effect;
  struct record_atomic *atomic = record_atomic(record, effect->atomic.spe, effect->atomic.number);
  if (!atomic) {
    return;
  }
  if (atomic->is_load) {
    const struct record_write *write = latest_write(record, atomic->ea, false);
    atomic->polls |= atomic->effected != RECORD_NEVER; /* after earlier loads of the line */
    if (write && atomic->effected != RECORD_NEVER && write->at >= atomic->effected) {
      atomic->written = write->at;
      atomic->writer = write->number;
      atomic->writing = write->spe;
    }
  } else if (!(effect->status & MFC_PUTLLC_STATUS)) {
    struct record_write *write = latest_write(record, atomic->ea, true);
    if (!write) {
      return;
    }
    *write = (struct record_write){.ea = atomic->ea,
                                   .at = event->cycle,
                                   .number = (uint32_t)effect->atomic.number,
                                   .spe = (uint16_t)effect->atomic.spe};
  }
  atomic->came = effect->came;
  atomic->effected = event->cycle;
}

/* --- the whole --- */

static void see(struct probe *probe, const struct probe_event *event) {
  static void (*const handlers[PROBE_KINDS])(struct record *, const struct probe_event *) = {
    [PROBE_COMPUTE] = see_compute,
    [PROBE_WAKE] = see_wake,
    [PROBE_START] = see_start,
    [PROBE_STEP] = see_step,
    [PROBE_ENTER] = see_enter,
    [PROBE_LEAVE] = see_leave,
    [PROBE_ENQUEUE] = see_enqueue,
    [PROBE_COMMAND] = see_arrival,
    [PROBE_ELEMENT] = see_element,
    [PROBE_ISSUE] = see_issue,
    [PROBE_GRANT] = see_grant,
    [PROBE_DELIVER] = see_delivery,
    [PROBE_COMPLETE] = see_complete,
    [PROBE_RESUME] = see_resume,
    [PROBE_FLAGS] = see_flags,
    [PROBE_ATOMIC_ENQUEUE] = see_atomic_enqueue,
    [PROBE_ATOMIC_EFFECT] = see_atomic_effect,
    [PROBE_CROSS] = see_cross,
    [PROBE_MEMORY] = see_memory,
  };
  struct record *record = (struct record *)probe;
  if (record->share->full) {
    return;
  }
  if (event->kind == PROBE_RESET) {
    forget(record);
  } else if (handlers[event->kind]) {
    handlers[event->kind](record, event);
  }
}

void record_init(struct record *record, const struct platform *platform, struct record_share *share) {
  *record = (struct record){.probe = {.see = see, .details = true}, .share = share};
  parameters_init(&record->parameters, platform);
  size_t nspes = record->parameters.nspes, nchips = record->parameters.nchips;
  record->nservers = (unsigned)(nchips * (record->parameters.ring.nunits + 1 + nchips));
  record->spes = xcalloc(nspes, sizeof *record->spes);
  record->flights = xcalloc(nspes * entries(record), sizeof *record->flights);
  record->logs = xcalloc(record->nservers, sizeof *record->logs);
  forget(record);
}

void record_fini(struct record *record) {
  forget(record);
  free(record->spes);
  free(record->flights);
  free(record->logs);
}
