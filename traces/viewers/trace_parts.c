/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_parts.h. */
#include "traces/viewers/trace_parts.h"

#include "sim/base/vec.h"
#include "sim/hw/probe.h"

#include <stdlib.h>

/* --- writing --- */

/* Let the next text belong to CYCLE, or to the latest cycle written so far. A process of a host goes ahead of
 * its messages: the lines of such processes are all held and sorted by cycle. */
static void reach(struct trace_parts *parts, uint64_t cycle) {
  parts->now = cycle > parts->now ? cycle : parts->now;
  trace_text_reach(&parts->file->text, parts->file->spec.names.processes ? cycle : parts->now);
}

/* Write OP at its cycle. */
static void write_op(struct trace_parts *parts, const struct trace_op *op) {
  reach(parts, op->at);
  switch (op->action) {
  case ACTION_BEGIN:
    parts->writer->begin(parts->file, op->track, &op->slice);
    break;
  case ACTION_END:
    parts->writer->end(parts->file, op->track, &op->slice);
    break;
  case ACTION_TAKE:
    trace_commands_begin(parts, op);
    break;
  case ACTION_FREE:
    trace_requests_free(parts, op->mfc);
    break;
  case ACTION_LAND:
    parts->writer->end(parts->file, op->track, &op->slice);
    trace_requests_land(parts, op->track->chip);
    break;
  }
}

void trace_parts_act(struct trace_parts *parts, const struct trace_op *op, uint64_t cycle) {
  if (op->at <= cycle) {
    write_op(parts, op);
  } else {
    struct trace_op *kept = pool_take(&parts->ops);
    *kept = *op;
    cycle_queue_add(&parts->queue, op->at, kept);
  }
}

void trace_parts_show(struct trace_parts *parts, struct trace_track *track) {
  track->index = parts->file->ntracks++;
  parts->writer->track(parts->file, track, parts->now);
}

/* --- places --- */

struct trace_place *trace_places_take(struct trace_parts *parts, struct trace_places *places,
                                      const struct trace_track *track, uint64_t from) {
  unsigned i = 0;
  while (i < places->n && places->items[i]->free_at > from) {
    i++;
  }
  if (i == places->n) {
    VEC_ADD(places->items, places->n) = xcalloc(1, sizeof **places->items);
    places->items[i]->track = *track;
    places->items[i]->track.node = parts->node;
    places->items[i]->track.place = i;
    trace_parts_show(parts, &places->items[i]->track);
  }
  return places->items[i];
}

struct trace_place *trace_places_find(const struct trace_places *places, uint64_t number) {
  for (unsigned i = 0; i < places->n; i++) {
    if (places->items[i]->slice.number == number) {
      return places->items[i];
    }
  }
  return NULL;
}

/* --- a whole node --- */

void trace_parts_catch_up(struct trace_parts *parts, uint64_t cycle) {
  for (struct trace_op *op; (op = cycle_queue_take(&parts->queue, cycle));) {
    write_op(parts, op);
    pool_give(&parts->ops, op);
  }
}

void trace_parts_reach(struct trace_parts *parts, uint64_t cycle) {
  trace_parts_catch_up(parts, cycle);
  reach(parts, cycle);
}

void trace_parts_see(struct trace_parts *parts, const struct probe_event *event) {
  trace_parts_reach(parts, event->cycle);
  if (!trace_programs_see(parts, event) && !trace_commands_see(parts, event) &&
      parts->file->spec.level == TRACE_BUS) {
    trace_requests_see(parts, event);
  }
}

void trace_parts_init(struct trace_parts *parts, struct trace_file *file, const struct trace_writer *writer,
                      unsigned node) {
  bool is_host = node_is_host(&file->spec.names, node);
  *parts = (struct trace_parts){.file = file, .writer = writer, .node = node};
  pool_init(&parts->ops, sizeof(struct trace_op));
  parameters_init(&parts->parameters, is_host ? file->spec.host_platform : file->spec.platform);
  if (file->spec.names.processes) {
    parts->parameters.nspes = 0; /* a process has one program, number 0 */
  }
  size_t nchips = parts->parameters.nchips;
  parts->mfcs = xcalloc(parts->parameters.nspes, sizeof *parts->mfcs);
  for (unsigned i = 0; i < parts->parameters.nspes; i++) {
    parts->mfcs[i].spe = i;
  }
  parts->rings = xcalloc(nchips * parts->parameters.nrings, sizeof *parts->rings);
  parts->links = xcalloc(nchips * nchips, sizeof *parts->links);
  parts->memories = xcalloc(nchips, sizeof *parts->memories);
  parts->transfers = xcalloc(nchips, sizeof *parts->transfers);
  file->nchips = is_host ? file->nchips : parts->parameters.nchips;
}

/* Release N PLACES. */
static void free_places(struct trace_places *places, size_t n) {
  for (size_t i = 0; i < n; i++) {
    for (unsigned j = 0; j < places[i].n; j++) {
      free(places[i].items[j]);
    }
    free(places[i].items);
  }
}

void trace_parts_end(struct trace_parts *parts) {
  trace_parts_reach(parts, parts->now);
  trace_parts_catch_up(parts, UINT64_MAX);
  trace_commands_end(parts);
  trace_messages_end(parts);
  trace_programs_end(parts);
}

void trace_parts_fini(struct trace_parts *parts) {
  size_t nchips = parts->parameters.nchips;
  for (unsigned i = 0; i < parts->nprograms; i++) {
    free(parts->programs[i]);
  }
  free(parts->programs);
  for (unsigned i = 0; i < parts->parameters.nspes; i++) {
    free_places(&parts->mfcs[i].commands, 1);
    free_places(&parts->mfcs[i].atomics, 1);
  }
  free_places(parts->rings, nchips * parts->parameters.nrings);
  free_places(parts->links, nchips * nchips);
  free_places(parts->memories, nchips);
  free_places(&parts->messages, 1);
  free_places(parts->servers, parts->nservers);
  free(parts->mfcs);
  free(parts->rings);
  free(parts->links);
  free(parts->memories);
  free(parts->transfers);
  free(parts->servers);
  free(parts->queue.heap);
  pool_fini(&parts->ops);
}
