/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_tracks.h: messages between nodes, and packets on links. */
#include "sim/base/units.h"
#include "sim/hw/watch/probe.h"
#include "traces/viewers/trace_tracks.h"

/* Return the track of the program of TRACKS that sends messages: on the PPE of chip 0; NULL: no such
 * program. */
static const struct trace_track *sender(const struct trace_tracks *tracks) {
  for (size_t i = tracks->parameters.nspes; i < tracks->nprograms; i++) {
    const struct trace_program *program = tracks->programs[i];
    if (program && program->depth > 0 && program->track.chip == 0) {
      return &program->track;
    }
  }
  return NULL;
}

/* A program sends a message. */
static void see_send(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct trace_track track = {.owner = TRACK_MESSAGES};
  struct trace_slice slice = {.state = STATE_MESSAGE, .from = event->cycle, .number = event->message.number};
  snprintf(slice.name, TRACE_NAME_SIZE, "#%llu %s to %s", (unsigned long long)slice.number,
           units_format_bytes(event->message.nbytes),
           node_name(&tracks->file->spec.names, event->message.to));
  trace_places_open(tracks, &track, &slice, sender(tracks));
}

/* The receiver is told of a message; the message's place is free MARGIN cycles later. */
static void see_arrive(struct trace_tracks *tracks, const struct probe_event *event, uint64_t margin) {
  struct trace_place *place = trace_places_find(tracks, TRACK_MESSAGES, 0, event->message.number);
  if (place && !event->arrive.at_host) {
    place->slice.to = event->arrive.told;
    place->free_at = event->arrive.told + margin;
    trace_tracks_act(tracks, &(struct trace_op){.action = ACTION_END,
                                                .at = event->arrive.told,
                                                .track = &place->track,
                                                .slice = place->slice});
  }
}

/* A server of the network has a packet. The whole slice is written at once, ordered by its end: packets of
 * several nodes are not told in the order of cycles. */
static void see_packet(struct trace_tracks *tracks, const struct probe_event *event) {
  const struct probe_packet *packet = &event->packet;
  const struct trace_track track = {
    .owner = TRACK_SERVER, .number = (unsigned)packet->server.number, .name = packet->server.name};
  trace_text_reach(&tracks->file->text, packet->end);
  struct trace_place *place = trace_places_take(tracks, &track, packet->begin);
  struct trace_slice slice = {.state = STATE_PACKET, .from = packet->begin, .to = packet->end};
  snprintf(slice.name, TRACE_NAME_SIZE, packet->is_answer ? "#%llu acknowledged" : "#%llu.%u%s",
           (unsigned long long)event->message.number, packet->number, packet->again ? " again" : "");
  place->free_at = packet->end;
  tracks->now = packet->end > tracks->now ? packet->end : tracks->now;
  tracks->writer->end(tracks->file, &place->track, &slice);
}

void trace_messages_see(struct trace_tracks *nodes, const struct probe_event *event, uint64_t margin) {
  struct trace_tracks *from = &nodes[event->node], *network = &nodes[from->file->nnodes];
  switch (event->kind) {
  case PROBE_MESSAGE_SEND:
    trace_tracks_reach(from, event->cycle);
    see_send(from, event);
    break;
  case PROBE_MESSAGE_ARRIVE:
    trace_tracks_reach(from, from->now);
    see_arrive(from, event, margin);
    break;
  case PROBE_PACKET:
    if (network->writer->late && network->file->spec.level == TRACE_BUS) {
      see_packet(network, event);
    }
    break;
  default:
    break;
  }
}
