/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_tracks.h: bus requests on rings, links and in main memory, and the counters of bus requests. */
#include "sim/hw/probe.h"
#include "traces/viewers/trace_tracks.h"

static void show_requests(struct trace_tracks *tracks, const struct trace_mfc *mfc) {
  const struct trace_track *spe = &trace_tracks_program(tracks, mfc->spe)->track;
  tracks->writer->value(tracks->file, &(struct trace_value){COUNTER_REQUESTS, spe, spe->node, spe->chip,
                                                            tracks->now, mfc->in_flight});
}

static void show_transfers(struct trace_tracks *tracks, unsigned chip) {
  tracks->writer->value(tracks->file, &(struct trace_value){COUNTER_TRANSFERS, NULL, tracks->node, chip,
                                                            tracks->now, tracks->transfers[chip]});
}

void trace_requests_free(struct trace_tracks *tracks, struct trace_mfc *mfc) {
  mfc->in_flight--;
  show_requests(tracks, mfc);
}

void trace_requests_land(struct trace_tracks *tracks, unsigned chip) {
  tracks->transfers[chip]--;
  show_transfers(tracks, chip);
}

/* Show the slice of OP in a place of PLACES on TRACK; the slice ends with OP's action. */
static void show(struct trace_tracks *tracks, struct trace_places *places, const struct trace_track *track,
                 struct trace_op *op) {
  struct trace_place *place = trace_places_take(tracks, places, track, op->slice.from);
  enum trace_action ends = op->action;
  place->free_at = op->slice.to;
  op->track = &place->track;
  if (tracks->writer->begin) {
    op->action = ACTION_BEGIN;
    op->at = op->slice.from;
    trace_tracks_act(tracks, op, tracks->now);
  }
  op->action = ends;
  op->at = op->slice.to;
  trace_tracks_act(tracks, op, tracks->now);
}

/* Return the end of a slice of REQUEST in STATE, from cycle FROM on, for CYCLES cycles. */
static struct trace_op stay(enum trace_state state, const struct probe_request *request, uint64_t from,
                            uint64_t cycles) {
  return (struct trace_op){.action = ACTION_END,
                           .slice = {.state = state,
                                     .from = from,
                                     .to = from + cycles,
                                     .number = request->command,
                                     .spe = request->spe,
                                     .offset = request->offset,
                                     .tag = request->tag}};
}

static void see_grant(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  const struct ring_parameters *ring = &tracks->parameters.ring;
  struct trace_places *places = &tracks->rings[(size_t)grant->chip * tracks->parameters.nrings + grant->ring];
  struct trace_track track = {.owner = TRACK_RING, .chip = grant->chip, .number = grant->ring};
  struct trace_op op =
    stay(STATE_TRANSFER, &grant->request, event->cycle, grant->hops * ring->hop + ring->beats);
  op.action = ACTION_LAND;
  tracks->transfers[grant->chip]++;
  show_transfers(tracks, grant->chip);
  show(tracks, places, &track, &op);
}

static void see_cross(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_cross *cross = &event->cross;
  struct trace_places *places =
    &tracks->links[(size_t)cross->chip * tracks->parameters.nchips + cross->next_chip];
  struct trace_track track = {.owner = TRACK_LINK, .chip = cross->chip, .number = cross->next_chip};
  uint64_t mcyc = parameters_link_mcyc(&tracks->parameters, cross->request.nbytes);
  struct trace_op op = stay(STATE_CROSSING, &cross->request, event->cycle, (mcyc + 500) / 1000);
  show(tracks, places, &track, &op);
}

static void see_memory(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_memory *memory = &event->memory;
  const struct parameters *parameters = &tracks->parameters;
  struct trace_track track = {.owner = TRACK_MEMORY, .chip = memory->chip};
  uint64_t mcyc = memory->is_write ? parameters->memory_write_mcyc : parameters->memory_read_mcyc;
  struct trace_op op =
    stay(STATE_MEMORY, &memory->request, event->cycle + memory->waited, (mcyc + 500) / 1000);
  show(tracks, &tracks->memories[memory->chip], &track, &op);
}

void trace_requests_see(struct trace_tracks *tracks, const struct probe_event *event) {
  struct trace_mfc *mfc;
  switch (event->kind) {
  case PROBE_ISSUE:
    mfc = &tracks->mfcs[event->issue.request.spe];
    mfc->in_flight++;
    show_requests(tracks, mfc);
    break;
  case PROBE_DELIVER:
    trace_tracks_act(tracks,
                     &(struct trace_op){.action = ACTION_FREE,
                                        .at = event->deliver.free_at,
                                        .mfc = &tracks->mfcs[event->deliver.request.spe]},
                     tracks->now);
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
