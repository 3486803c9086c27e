/* SPDX-License-Identifier: BSD-3-Clause */
#include "traces/viewers/trace_tracks.h"

#include "sim/base/vec.h"
#include "sim/hw/watch/probe.h"

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
    trace_tracks_count(tracks, COUNTER_REQUESTS, op->spe, -1);
    break;
  case ACTION_LAND:
    tracks->writer->end(tracks->file, op->track, &op->slice);
    trace_tracks_count(tracks, COUNTER_TRANSFERS, op->track->chip, -1);
    break;
  }
}

void trace_tracks_act(struct trace_tracks *tracks, const struct trace_op *op) {
  if (op->at <= tracks->cycle) {
    write_op(tracks, op);
  } else {
    struct trace_op *kept = pool_take(&tracks->ops);
    *kept = *op;
    cycle_queue_add(&tracks->queue, op->at, kept);
  }
}

void trace_tracks_slice(struct trace_tracks *tracks, struct trace_op *op) {
  enum trace_action ends = op->action;
  if (tracks->writer->begin) {
    op->action = ACTION_BEGIN;
    op->at = op->slice.from;
    trace_tracks_act(tracks, op);
  }
  op->action = ends;
  op->at = op->slice.to;
  trace_tracks_act(tracks, op);
}

void trace_tracks_count(struct trace_tracks *tracks, enum trace_counter counter, unsigned unit, int change) {
  unsigned *count = VEC_REACH(tracks->counts[counter], tracks->ncounts[counter], unit);
  struct trace_value value = {
    .counter = counter, .node = tracks->node, .at = tracks->now, .value = *count += (unsigned)change};
  if (counter == COUNTER_TRANSFERS) {
    value.chip = unit;
  } else {
    value.spe = &trace_tracks_program(tracks, unit)->track;
  }
  tracks->writer->value(tracks->file, &value);
}

/* --- tracks --- */

char *trace_put_track(char *at, const struct trace_file *file, const struct trace_track *track) {
  /* before the numbers of the chip, of the unit, and of the place; NULL: the name has no such number */
  static const char *const words[][3] = {
    [TRACK_SPE] = {NULL, "SPE ", NULL},           [TRACK_PPE] = {NULL, "program ", NULL},
    [TRACK_DMA] = {NULL, "SPE ", " DMA "},        [TRACK_ATOMIC] = {NULL, "SPE ", " atomic "},
    [TRACK_RING] = {"ring ", ".", " place "},     [TRACK_LINK] = {"link ", "-", " place "},
    [TRACK_MEMORY] = {"memory ", ".", " place "}, [TRACK_MESSAGES] = {NULL, NULL, " place "}};
  const unsigned numbers[] = {track->chip, track->number, track->place};
  if (track->owner == TRACK_SERVER) {
    return trace_put_word(at, track->name, false);
  }
  if (track->owner == TRACK_MESSAGES) {
    at = trace_put_word(trace_put(at, "messages of "), node_name(&file->spec.names, track->node), false);
  }
  for (unsigned i = 0; i < 3; i++) {
    at = words[track->owner][i] ? trace_put_field(at, words[track->owner][i], numbers[i]) : at;
  }
  return track->name ? trace_put_word(trace_put_char(at, ' '), track->name, false) : at;
}

void trace_tracks_show(struct trace_tracks *tracks, struct trace_track *track) {
  track->index = tracks->file->ntracks++;
  tracks->writer->track(tracks->file, track, tracks->now);
}

/* --- places --- */

static struct trace_places *places_of(struct trace_tracks *tracks, enum trace_owner owner, unsigned unit) {
  return VEC_REACH(tracks->places[owner], tracks->nplaces[owner], unit);
}

struct trace_place *trace_places_take(struct trace_tracks *tracks, const struct trace_track *track,
                                      uint64_t from) {
  const struct parameters *parameters = &tracks->parameters;
  unsigned per_chip = parameters->nrings > parameters->nchips ? parameters->nrings : parameters->nchips;
  bool on_chip = track->owner >= TRACK_RING && track->owner <= TRACK_MEMORY;
  struct trace_places *places =
    places_of(tracks, track->owner, (on_chip ? track->chip * per_chip : 0) + track->number);
  unsigned i = (unsigned)VEC_INDEX(places->items, places->n, (*item)->free_at <= from);
  if (i == places->n) {
    VEC_ADD(places->items, places->n) = xcalloc(1, sizeof **places->items);
    places->items[i]->track = *track;
    places->items[i]->track.node = tracks->node;
    places->items[i]->track.place = i;
    trace_tracks_show(tracks, &places->items[i]->track);
  }
  return places->items[i];
}

void trace_places_open(struct trace_tracks *tracks, const struct trace_track *track,
                       const struct trace_slice *slice, const struct trace_track *issuer) {
  struct trace_place *place = trace_places_take(tracks, track, slice->from);
  place->slice = *slice;
  place->free_at = UINT64_MAX;
  place->issuer = issuer;
  if (tracks->writer->begin) {
    tracks->writer->begin(tracks->file, &place->track, slice);
  }
}

struct trace_place *trace_places_find(struct trace_tracks *tracks, enum trace_owner owner, unsigned unit,
                                      uint64_t number) {
  const struct trace_places *places = places_of(tracks, owner, unit);
  struct trace_place **found = VEC_FIND(places->items, places->n, (*item)->slice.number == number);
  return found ? *found : NULL;
}

void trace_places_close(struct trace_tracks *tracks, struct trace_place *place) {
  place->slice.to = place->free_at = tracks->now;
  tracks->writer->end(tracks->file, &place->track, &place->slice);
}

/* All open slices of UNIT (of OWNER) end now. */
static void end_places(struct trace_tracks *tracks, enum trace_owner owner, unsigned unit) {
  const struct trace_places *places = places_of(tracks, owner, unit);
  VEC_EACH(place, places->items, places->n) {
    if ((*place)->free_at == UINT64_MAX) {
      trace_places_close(tracks, *place);
    }
  }
}

/* --- a whole node --- */

void trace_tracks_catch_up(struct trace_tracks *tracks, uint64_t cycle) {
  for (struct trace_op *op; (op = cycle_queue_take(&tracks->queue, cycle));) {
    write_op(tracks, op);
    pool_give(&tracks->ops, op);
  }
}

void trace_tracks_reach(struct trace_tracks *tracks, uint64_t cycle) {
  tracks->cycle = cycle;
  trace_tracks_catch_up(tracks, cycle);
  reach(tracks, cycle);
}

void trace_tracks_see(struct trace_tracks *tracks, const struct probe_event *event) {
  trace_tracks_reach(tracks, event->cycle);
  if (!trace_programs_see(tracks, event)) {
    trace_commands_see(tracks, event);
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
  file->nchips = is_host ? file->nchips : tracks->parameters.nchips;
}

void trace_tracks_end(struct trace_tracks *tracks) {
  trace_tracks_catch_up(tracks, UINT64_MAX);
  trace_tracks_reach(tracks, tracks->now);
  for (unsigned spe = 0; spe < tracks->parameters.nspes; spe++) {
    end_places(tracks, TRACK_DMA, spe);
    end_places(tracks, TRACK_ATOMIC, spe);
  }
  end_places(tracks, TRACK_MESSAGES, 0);
  trace_programs_end(tracks);
}

void trace_tracks_fini(struct trace_tracks *tracks) {
  for (unsigned owner = 0; owner < TRACK_OWNERS; owner++) {
    VEC_EACH(places, tracks->places[owner], tracks->nplaces[owner]) {
      xfree_all(places->items, places->n);
    }
    free(tracks->places[owner]);
  }
  for (unsigned counter = 0; counter < TRACE_COUNTERS; counter++) {
    free(tracks->counts[counter]);
  }
  xfree_all(tracks->programs, tracks->nprograms);
  free(tracks->queue.heap);
  pool_fini(&tracks->ops);
}
