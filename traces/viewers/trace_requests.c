/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_tracks.h: bus requests on rings, links and in main memory, and the counters of bus requests. */
#include "sim/hw/probe.h"
#include "traces/viewers/trace_tracks.h"

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

void trace_requests_see(struct trace_tracks *tracks, const struct probe_event *event) {
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
