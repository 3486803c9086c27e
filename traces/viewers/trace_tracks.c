/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_tracks.h. */
#include "traces/viewers/trace_tracks.h"

#include "sim/base/vec.h"
#include "sim/hw/probe.h"

#include <stdlib.h>

/* --- writing --- */

/* Let the next text belong to CYCLE, or to the latest cycle written so far. A process of a host goes ahead of
 * its messages: the lines of such processes are all held and sorted by cycle. */
static void reach(struct trace_tracks *tracks, uint64_t cycle) {
  tracks->now = cycle > tracks->now ? cycle : tracks->now;
  trace_text_reach(&tracks->file->text, tracks->file->spec.names.processes ? cycle : tracks->now);
}

/* Write OP at its cycle. */
static void write_op(struct trace_tracks *tracks, const struct trace_op *op) {
  reach(tracks, op->at);
  switch (op->action) {
  case ACTION_BEGIN:
    tracks->writer->begin(tracks->file, op->track, &op->slice);
    break;
  case ACTION_END:
    tracks->writer->end(tracks->file, op->track, &op->slice);
    break;
  case ACTION_TAKE:
    trace_commands_begin(tracks, op);
    break;
  case ACTION_FREE:
    trace_requests_free(tracks, op->mfc);
    break;
  case ACTION_LAND:
    tracks->writer->end(tracks->file, op->track, &op->slice);
    trace_requests_land(tracks, op->track->chip);
    break;
  }
}

void trace_tracks_act(struct trace_tracks *tracks, const struct trace_op *op, uint64_t cycle) {
  if (op->at <= cycle) {
    write_op(tracks, op);
  } else {
    struct trace_op *kept = pool_take(&tracks->ops);
    *kept = *op;
    cycle_queue_add(&tracks->queue, op->at, kept);
  }
}

void trace_tracks_show(struct trace_tracks *tracks, struct trace_track *track) {
  track->index = tracks->file->ntracks++;
  tracks->writer->track(tracks->file, track, tracks->now);
}

/* --- places --- */

struct trace_place *trace_places_take(struct trace_tracks *tracks, struct trace_places *places,
                                      const struct trace_track *track, uint64_t from) {
  unsigned i = 0;
  while (i < places->n && places->items[i]->free_at > from) {
    i++;
  }
  if (i == places->n) {
    VEC_ADD(places->items, places->n) = xcalloc(1, sizeof **places->items);
    places->items[i]->track = *track;
    places->items[i]->track.node = tracks->node;
    places->items[i]->track.place = i;
    trace_tracks_show(tracks, &places->items[i]->track);
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

void trace_tracks_catch_up(struct trace_tracks *tracks, uint64_t cycle) {
  for (struct trace_op *op; (op = cycle_queue_take(&tracks->queue, cycle));) {
    write_op(tracks, op);
    pool_give(&tracks->ops, op);
  }
}

void trace_tracks_reach(struct trace_tracks *tracks, uint64_t cycle) {
  trace_tracks_catch_up(tracks, cycle);
  reach(tracks, cycle);
}

void trace_tracks_see(struct trace_tracks *tracks, const struct probe_event *event) {
  trace_tracks_reach(tracks, event->cycle);
  if (!trace_programs_see(tracks, event) && !trace_commands_see(tracks, event) &&
      tracks->file->spec.level == TRACE_BUS) {
    trace_requests_see(tracks, event);
  }
}

void trace_tracks_init(struct trace_tracks *tracks, struct trace_file *file,
                       const struct trace_writer *writer, unsigned node) {
  bool is_host = node_is_host(&file->spec.names, node);
  *tracks = (struct trace_tracks){.file = file, .writer = writer, .node = node};
  pool_init(&tracks->ops, sizeof(struct trace_op));
  parameters_init(&tracks->parameters, is_host ? file->spec.host_platform : file->spec.platform);
  if (file->spec.names.processes) {
    tracks->parameters.nspes = 0; /* a process has one program, number 0 */
  }
  size_t nchips = tracks->parameters.nchips;
  tracks->mfcs = xcalloc(tracks->parameters.nspes, sizeof *tracks->mfcs);
  for (unsigned i = 0; i < tracks->parameters.nspes; i++) {
    tracks->mfcs[i].spe = i;
  }
  tracks->rings = xcalloc(nchips * tracks->parameters.nrings, sizeof *tracks->rings);
  tracks->links = xcalloc(nchips * nchips, sizeof *tracks->links);
  tracks->memories = xcalloc(nchips, sizeof *tracks->memories);
  tracks->transfers = xcalloc(nchips, sizeof *tracks->transfers);
  file->nchips = is_host ? file->nchips : tracks->parameters.nchips;
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

void trace_tracks_end(struct trace_tracks *tracks) {
  trace_tracks_reach(tracks, tracks->now);
  trace_tracks_catch_up(tracks, UINT64_MAX);
  trace_commands_end(tracks);
  trace_messages_end(tracks);
  trace_programs_end(tracks);
}

void trace_tracks_fini(struct trace_tracks *tracks) {
  size_t nchips = tracks->parameters.nchips;
  for (unsigned i = 0; i < tracks->nprograms; i++) {
    free(tracks->programs[i]);
  }
  free(tracks->programs);
  for (unsigned i = 0; i < tracks->parameters.nspes; i++) {
    free_places(&tracks->mfcs[i].commands, 1);
    free_places(&tracks->mfcs[i].atomics, 1);
  }
  free_places(tracks->rings, nchips * tracks->parameters.nrings);
  free_places(tracks->links, nchips * nchips);
  free_places(tracks->memories, nchips);
  free_places(&tracks->messages, 1);
  free_places(tracks->servers, tracks->nservers);
  free(tracks->mfcs);
  free(tracks->rings);
  free(tracks->links);
  free(tracks->memories);
  free(tracks->transfers);
  free(tracks->servers);
  free(tracks->queue.heap);
  pool_fini(&tracks->ops);
}
