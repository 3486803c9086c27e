/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_parts.h: DMA and atomic commands. */
#include "traces/viewers/trace_parts.h"

#include "sim/base/units.h"
#include "sim/hw/ea.h"
#include "sim/hw/probe.h"
#include "traces/trace_words.h"

static void show_queue(struct trace_parts *parts, const struct trace_mfc *mfc) {
  const struct trace_track *spe = &trace_parts_program(parts, mfc->spe)->track;
  parts->writer->value(
    parts->file, &(struct trace_value){COUNTER_QUEUE, spe, spe->node, spe->chip, parts->now, mfc->queued});
}

void trace_commands_begin(struct trace_parts *parts, const struct trace_op *op) {
  struct trace_places *places = op->is_atomic ? &op->mfc->atomics : &op->mfc->commands;
  const struct trace_track *spe = &trace_parts_program(parts, op->mfc->spe)->track;
  struct trace_track track = {.owner = op->is_atomic ? TRACK_ATOMIC : TRACK_DMA,
                              .chip = spe->chip,
                              .number = spe->number,
                              .parent = spe};
  struct trace_place *place = trace_places_take(parts, places, &track, op->at);
  place->slice = op->slice;
  place->free_at = UINT64_MAX;
  place->issuer = op->issuer;
  if (parts->writer->begin) {
    parts->writer->begin(parts->file, &place->track, &place->slice);
  }
  if (!op->is_atomic) {
    op->mfc->queued++;
    show_queue(parts, op->mfc);
  }
}

/* The command in PLACE ends at CYCLE. */
static void leave_place(struct trace_parts *parts, struct trace_place *place, uint64_t cycle) {
  place->slice.to = place->free_at = cycle;
  parts->writer->end(parts->file, &place->track, &place->slice);
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

static void see_enqueue(struct trace_parts *parts, const struct probe_event *event) {
  const struct probe_enqueue *enqueue = &event->enqueue;
  const char *what = trace_dma_word(enqueue);
  struct trace_op op = {.action = ACTION_TAKE,
                        .at = enqueue->at,
                        .mfc = &parts->mfcs[enqueue->dma.spe],
                        .issuer = &trace_parts_program(parts, enqueue->program)->track,
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
  trace_parts_act(parts, &op, event->cycle);
}

static void see_complete(struct trace_parts *parts, const struct probe_event *event) {
  struct trace_mfc *mfc = &parts->mfcs[event->complete.dma.spe];
  struct trace_place *place = trace_places_find(&mfc->commands, event->complete.dma.command);
  if (place) {
    leave_place(parts, place, event->cycle);
    mfc->queued--;
    show_queue(parts, mfc);
  }
}

static void see_atomic_enqueue(struct trace_parts *parts, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_enqueue.atomic;
  struct trace_op op = {
    .action = ACTION_TAKE,
    .at = event->atomic_enqueue.at,
    .mfc = &parts->mfcs[atomic->spe],
    .issuer = &trace_parts_program(parts, atomic->spe)->track,
    .is_atomic = true,
    .slice = {.state = STATE_ATOMIC, .from = event->atomic_enqueue.at, .number = atomic->number}};
  snprintf(op.slice.name, TRACE_NAME_SIZE, "%s", atomic->what);
  trace_parts_act(parts, &op, event->cycle);
}

static void see_atomic_complete(struct trace_parts *parts, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_complete.atomic;
  struct trace_place *place = trace_places_find(&parts->mfcs[atomic->spe].atomics, atomic->number);
  if (place) {
    leave_place(parts, place, event->cycle);
  }
}

bool trace_commands_see(struct trace_parts *parts, const struct probe_event *event) {
  switch (event->kind) {
  case PROBE_ENQUEUE:
    see_enqueue(parts, event);
    return true;
  case PROBE_COMPLETE:
    see_complete(parts, event);
    return true;
  case PROBE_ATOMIC_ENQUEUE:
    see_atomic_enqueue(parts, event);
    return true;
  case PROBE_ATOMIC_COMPLETE:
    see_atomic_complete(parts, event);
    return true;
  default:
    return false;
  }
}

/* End the commands under way in PLACES. */
static void leave_places(struct trace_parts *parts, const struct trace_places *places) {
  for (unsigned i = 0; i < places->n; i++) {
    if (places->items[i]->free_at == UINT64_MAX) {
      leave_place(parts, places->items[i], parts->now);
    }
  }
}

void trace_commands_end(struct trace_parts *parts) {
  for (unsigned i = 0; i < parts->parameters.nspes; i++) {
    leave_places(parts, &parts->mfcs[i].commands);
    leave_places(parts, &parts->mfcs[i].atomics);
  }
}
