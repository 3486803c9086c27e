/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_tracks.h: DMA and atomic commands. */
#include "traces/viewers/trace_tracks.h"

#include "sim/base/units.h"
#include "sim/hw/ea.h"
#include "sim/hw/probe.h"
#include "traces/trace_words.h"

static void show_queue(struct trace_tracks *tracks, const struct trace_mfc *mfc) {
  const struct trace_track *spe = &trace_tracks_program(tracks, mfc->spe)->track;
  tracks->writer->value(
    tracks->file, &(struct trace_value){COUNTER_QUEUE, spe, spe->node, spe->chip, tracks->now, mfc->queued});
}

void trace_commands_begin(struct trace_tracks *tracks, const struct trace_op *op) {
  struct trace_places *places = op->is_atomic ? &op->mfc->atomics : &op->mfc->commands;
  const struct trace_track *spe = &trace_tracks_program(tracks, op->mfc->spe)->track;
  struct trace_track track = {.owner = op->is_atomic ? TRACK_ATOMIC : TRACK_DMA,
                              .chip = spe->chip,
                              .number = spe->number,
                              .parent = spe};
  struct trace_place *place = trace_places_take(tracks, places, &track, op->at);
  place->slice = op->slice;
  place->free_at = UINT64_MAX;
  place->issuer = op->issuer;
  if (tracks->writer->begin) {
    tracks->writer->begin(tracks->file, &place->track, &place->slice);
  }
  if (!op->is_atomic) {
    op->mfc->queued++;
    show_queue(tracks, op->mfc);
  }
}

/* The command in PLACE ends at CYCLE. */
static void leave_place(struct trace_tracks *tracks, struct trace_place *place, uint64_t cycle) {
  place->slice.to = place->free_at = cycle;
  tracks->writer->end(tracks->file, &place->track, &place->slice);
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

static void see_enqueue(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_enqueue *enqueue = &event->enqueue;
  const char *what = trace_dma_word(enqueue);
  struct trace_op op = {.action = ACTION_TAKE,
                        .at = enqueue->at,
                        .mfc = &tracks->mfcs[enqueue->dma.spe],
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
  trace_tracks_act(tracks, &op, event->cycle);
}

static void see_complete(struct trace_tracks *tracks, const struct probe_event *event) {
  struct trace_mfc *mfc = &tracks->mfcs[event->complete.dma.spe];
  struct trace_place *place = trace_places_find(&mfc->commands, event->complete.dma.command);
  if (place) {
    leave_place(tracks, place, event->cycle);
    mfc->queued--;
    show_queue(tracks, mfc);
  }
}

static void see_atomic_enqueue(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_enqueue.atomic;
  struct trace_op op = {
    .action = ACTION_TAKE,
    .at = event->atomic_enqueue.at,
    .mfc = &tracks->mfcs[atomic->spe],
    .issuer = &trace_tracks_program(tracks, atomic->spe)->track,
    .is_atomic = true,
    .slice = {.state = STATE_ATOMIC, .from = event->atomic_enqueue.at, .number = atomic->number}};
  snprintf(op.slice.name, TRACE_NAME_SIZE, "%s", atomic->what);
  trace_tracks_act(tracks, &op, event->cycle);
}

static void see_atomic_complete(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_complete.atomic;
  struct trace_place *place = trace_places_find(&tracks->mfcs[atomic->spe].atomics, atomic->number);
  if (place) {
    leave_place(tracks, place, event->cycle);
  }
}

bool trace_commands_see(struct trace_tracks *tracks, const struct probe_event *event) {
  switch (event->kind) {
  case PROBE_ENQUEUE:
    see_enqueue(tracks, event);
    return true;
  case PROBE_COMPLETE:
    see_complete(tracks, event);
    return true;
  case PROBE_ATOMIC_ENQUEUE:
    see_atomic_enqueue(tracks, event);
    return true;
  case PROBE_ATOMIC_COMPLETE:
    see_atomic_complete(tracks, event);
    return true;
  default:
    return false;
  }
}

/* End the commands under way in PLACES. */
static void leave_places(struct trace_tracks *tracks, const struct trace_places *places) {
  for (unsigned i = 0; i < places->n; i++) {
    if (places->items[i]->free_at == UINT64_MAX) {
      leave_place(tracks, places->items[i], tracks->now);
    }
  }
}

void trace_commands_end(struct trace_tracks *tracks) {
  for (unsigned i = 0; i < tracks->parameters.nspes; i++) {
    leave_places(tracks, &tracks->mfcs[i].commands);
    leave_places(tracks, &tracks->mfcs[i].atomics);
  }
}
