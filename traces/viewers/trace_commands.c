/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_tracks.h: DMA and atomic commands. */
#include "traces/viewers/trace_tracks.h"

#include "sim/base/units.h"
#include "sim/hw/ea.h"
#include "traces/trace_words.h"

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

/* Write the command, its bytes and the place at the effective address of ENQUEUE into NAME. */
static void name_target(char name[TRACE_NAME_SIZE], const struct probe_enqueue *enqueue, const char *what) {
  char size[UNITS_TEXT_SIZE];
  uint64_t area = (enqueue->ea - EA_SPE_BASE) / EA_SPE_STRIDE,
           offset = (enqueue->ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  const char *way = enqueue->is_put ? "to" : "from";
  units_format_bytes(enqueue->dma.nbytes, size);
  if (enqueue->ea >= EA_MEMORY_BASE) {
    snprintf(name, TRACE_NAME_SIZE, "%s %s %s memory", what, size, way);
  } else {
    const char *where = offset < EA_PROBLEM_STATE ? ""
                        : offset == EA_MAILBOX_IN ? "mailbox of "
                        : offset == EA_SIGNAL_1   ? "signal 1 of "
                                                  : "signal 2 of ";
    snprintf(name, TRACE_NAME_SIZE, "%s %s %s %sSPE %u", what, size, way, where, (unsigned)area);
  }
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
  if (enqueue->is_sync) {
    snprintf(op.slice.name, TRACE_NAME_SIZE, "%s", what);
  } else if (enqueue->is_list) {
    snprintf(op.slice.name, TRACE_NAME_SIZE, "%s of %u elements", what, enqueue->dma.nbytes / 8);
  } else {
    name_target(op.slice.name, enqueue, what);
  }
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

bool trace_commands_see(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_dma *dma = &event->complete.dma;
  const struct probe_atomic *atomic = &event->atomic_complete.atomic;
  switch (event->kind) {
  case PROBE_ENQUEUE:
    see_enqueue(tracks, &event->enqueue);
    return true;
  case PROBE_COMPLETE:
    if (complete(tracks, TRACK_DMA, dma->spe, dma->command)) {
      trace_tracks_count(tracks, COUNTER_QUEUE, dma->spe, -1);
    }
    return true;
  case PROBE_ATOMIC_ENQUEUE:
    see_atomic_enqueue(tracks, &event->atomic_enqueue);
    return true;
  case PROBE_ATOMIC_COMPLETE:
    complete(tracks, TRACK_ATOMIC, atomic->spe, atomic->number);
    return true;
  default:
    return false;
  }
}
