/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_tracks.h: DMA and atomic commands, bus requests on rings, links and in main memory, and the
 * counters of both. */
#include "traces/viewers/trace_tracks.h"

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/watch/probe.h"
#include "traces/trace_words.h"

/* --- commands --- */

void trace_commands_begin(struct trace_tracks *tracks, const struct trace_op *op) {
  bool is_atomic = op->slice.state == STATE_ATOMIC;
  const struct trace_track *spe = &trace_tracks_program(tracks, op->spe)->track;
  struct trace_track track = {
    .owner = is_atomic ? TRACK_ATOMIC : TRACK_DMA, .chip = spe->chip, .number = spe->number, .parent = spe};
  trace_places_open(tracks, &track, &op->slice, op->issuer);
  if (!is_atomic) {
    trace_tracks_count(tracks, COUNTER_QUEUE, op->spe, 1);
  }
}

/* Return the command WHAT, its bytes and the place at the effective address of ENQUEUE; a text_brief. */
static const char *name_target(const struct probe_enqueue *enqueue, const char *what) {
  uint64_t area = (enqueue->ea - EA_SPE_BASE) / EA_SPE_STRIDE,
           offset = (enqueue->ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  const char *size = units_format_bytes(enqueue->dma.nbytes), *way = enqueue->is_put ? "to" : "from";
  const char *where = offset < EA_PROBLEM_STATE ? ""
                      : offset == EA_MAILBOX_IN ? "mailbox of "
                      : offset == EA_SIGNAL_1   ? "signal 1 of "
                                                : "signal 2 of ";
  return enqueue->ea >= EA_MEMORY_BASE
           ? text_brief("%s %s %s memory", what, size, way)
           : text_brief("%s %s %s %sSPE %u", what, size, way, where, (unsigned)area);
}

static void see_enqueue(struct trace_tracks *tracks, const struct probe_enqueue *enqueue) {
  const char *what = trace_dma_word(enqueue);
  struct trace_op op = {.action = ACTION_TAKE,
                        .at = enqueue->at,
                        .spe = enqueue->dma.spe,
                        .issuer = &trace_tracks_program(tracks, enqueue->program)->track,
                        .slice = {.state = enqueue->is_sync  ? STATE_SYNC
                                           : enqueue->is_put ? STATE_PUT
                                                             : STATE_GET,
                                  .from = enqueue->at,
                                  .number = enqueue->dma.command,
                                  .tag = enqueue->dma.tag}};
  snprintf(op.slice.name, TRACE_NAME_SIZE, "%s",
           enqueue->is_sync   ? what
           : enqueue->is_list ? text_brief("%s of %u elements", what, enqueue->dma.nbytes / 8)
                              : name_target(enqueue, what));
  trace_tracks_act(tracks, &op);
}

static void see_atomic_enqueue(struct trace_tracks *tracks, const struct probe_atomic_enqueue *enqueue) {
  const struct probe_atomic *atomic = &enqueue->atomic;
  struct trace_op op = {.action = ACTION_TAKE,
                        .at = enqueue->at,
                        .spe = atomic->spe,
                        .issuer = &trace_tracks_program(tracks, atomic->spe)->track,
                        .slice = {.state = STATE_ATOMIC, .from = enqueue->at, .number = atomic->number}};
  snprintf(op.slice.name, TRACE_NAME_SIZE, "%s", atomic->what);
  trace_tracks_act(tracks, &op);
}

/* Command NUMBER of SPE is complete, a command of OWNER.
 * returns: false if nothing is known of the command. */
static bool complete(struct trace_tracks *tracks, enum trace_owner owner, unsigned spe, uint64_t number) {
  struct trace_place *place = trace_places_find(tracks, owner, spe, number);
  if (place) {
    trace_places_close(tracks, place);
  }
  return place;
}

/* --- bus requests --- */

/* Return a slice of REQUEST in STATE, from cycle FROM on, for CYCLES cycles. */
static struct trace_slice stay(enum trace_state state, const struct probe_request *request, uint64_t from,
                               uint64_t cycles) {
  return (struct trace_slice){.state = state,
                              .from = from,
                              .to = from + cycles,
                              .number = request->command,
                              .spe = request->spe,
                              .offset = request->offset,
                              .tag = request->tag};
}

/* Show the slice of OP in a place of TRACK. */
static void show(struct trace_tracks *tracks, const struct trace_track *track, struct trace_op *op) {
  struct trace_place *place = trace_places_take(tracks, track, op->slice.from);
  place->free_at = op->slice.to;
  op->track = &place->track;
  trace_tracks_slice(tracks, op);
}

static void see_grant(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  const struct ring_parameters *ring = &tracks->parameters.ring;
  struct trace_track track = {.owner = TRACK_RING, .chip = grant->chip, .number = grant->ring};
  struct trace_op op = {
    .action = ACTION_LAND,
    .slice = stay(STATE_TRANSFER, &grant->request, event->cycle, grant->hops * ring->hop + ring->beats)};
  trace_tracks_count(tracks, COUNTER_TRANSFERS, grant->chip, 1);
  show(tracks, &track, &op);
}

static void see_cross(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_cross *cross = &event->cross;
  struct trace_track track = {.owner = TRACK_LINK, .chip = cross->chip, .number = cross->next_chip};
  uint64_t mcyc = parameters_link_mcyc(&tracks->parameters, cross->request.nbytes);
  struct trace_op op = {.action = ACTION_END,
                        .slice = stay(STATE_CROSSING, &cross->request, event->cycle, (mcyc + 500) / 1000)};
  show(tracks, &track, &op);
}

static void see_memory(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_memory *memory = &event->memory;
  const struct parameters *parameters = &tracks->parameters;
  struct trace_track track = {.owner = TRACK_MEMORY, .chip = memory->chip};
  uint64_t mcyc = memory->is_write ? parameters->memory_write_mcyc : parameters->memory_read_mcyc;
  struct trace_op op = {
    .action = ACTION_END,
    .slice = stay(STATE_MEMORY, &memory->request, event->cycle + memory->waited, (mcyc + 500) / 1000)};
  show(tracks, &track, &op);
}

/* Show a stage of a bus request. */
static void see_request(struct trace_tracks *tracks, const struct probe_event *event) {
  switch (event->kind) {
  case PROBE_ISSUE:
    trace_tracks_count(tracks, COUNTER_REQUESTS, event->issue.request.spe, 1);
    break;
  case PROBE_DELIVER:
    trace_tracks_act(tracks, &(struct trace_op){.action = ACTION_FREE,
                                                .at = event->deliver.free_at,
                                                .spe = event->deliver.request.spe});
    break;
  case PROBE_GRANT:
    see_grant(tracks, event);
    break;
  case PROBE_CROSS:
    see_cross(tracks, event);
    break;
  case PROBE_MEMORY:
    see_memory(tracks, event);
    break;
  default:
    break;
  }
}

/* --- all events --- */

void trace_commands_see(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_dma *dma = &event->complete.dma;
  const struct probe_atomic *atomic = &event->atomic_complete.atomic;
  switch (event->kind) {
  case PROBE_ENQUEUE:
    see_enqueue(tracks, &event->enqueue);
    break;
  case PROBE_COMPLETE:
    if (complete(tracks, TRACK_DMA, dma->spe, dma->command)) {
      trace_tracks_count(tracks, COUNTER_QUEUE, dma->spe, -1);
    }
    break;
  case PROBE_ATOMIC_ENQUEUE:
    see_atomic_enqueue(tracks, &event->atomic_enqueue);
    break;
  case PROBE_ATOMIC_COMPLETE:
    complete(tracks, TRACK_ATOMIC, atomic->spe, atomic->number);
    break;
  default:
    if (tracks->file->spec.level == TRACE_BUS) {
      see_request(tracks, event);
    }
  }
}
