/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_parts.h: messages between nodes, and their packets on links. */
#include "sim/base/units.h"
#include "sim/base/xalloc.h"
#include "sim/net/net_probe.h"
#include "traces/viewers/trace_parts.h"

#include <string.h>

/* Return the track of the program of PARTS that sends messages: on the PPE of chip 0; NULL: none runs
 * there. */
static const struct trace_track *sender(const struct trace_parts *parts) {
  for (unsigned i = parts->parameters.nspes; i < parts->nprograms; i++) {
    const struct trace_program *program = parts->programs[i];
    if (program->depth > 0 && program->track.chip == 0) {
      return &program->track;
    }
  }
  return NULL;
}

/* A program sends a message. */
static void see_send(struct trace_parts *parts, const struct net_event *event) {
  const struct trace_track track = {.owner = TRACK_MESSAGES};
  struct trace_place *place = trace_places_take(parts, &parts->messages, &track, event->cycle);
  char size[UNITS_TEXT_SIZE], to[NODE_NAME_SIZE];
  units_format_bytes(event->nbytes, size);
  node_name(&parts->file->spec.names, event->to, to);
  place->slice = (struct trace_slice){.state = STATE_MESSAGE, .from = event->cycle, .number = event->message};
  snprintf(place->slice.name, TRACE_NAME_SIZE, "#%llu %s to %s", (unsigned long long)event->message, size,
           to);
  place->free_at = UINT64_MAX;
  place->issuer = sender(parts);
  if (parts->writer->begin) {
    parts->writer->begin(parts->file, &place->track, &place->slice);
  }
}

/* The receiver is told of a message; its place is free MARGIN cycles after that. */
static void see_arrive(struct trace_parts *parts, const struct net_event *event, uint64_t margin) {
  struct trace_place *place = trace_places_find(&parts->messages, event->message);
  if (place && !event->at_host) {
    place->slice.to = event->told;
    place->free_at = event->told + margin;
    trace_parts_act(parts,
                    &(struct trace_op){
                      .action = ACTION_END, .at = event->told, .track = &place->track, .slice = place->slice},
                    parts->now);
  }
}

/* A server of the network has a packet, which is written where it ends: packets of several nodes are not told
 * in the order of their cycles. */
static void see_service(struct trace_parts *parts, const struct net_event *event) {
  const struct net_service *service = &event->service;
  if (service->server >= parts->nservers) {
    size_t n = 2 * service->server + 16;
    parts->servers = xrealloc(parts->servers, n, sizeof *parts->servers);
    memset(parts->servers + parts->nservers, 0, (n - parts->nservers) * sizeof *parts->servers);
    parts->nservers = n;
  }
  const struct trace_track track = {
    .owner = TRACK_SERVER, .number = (unsigned)service->server, .name = service->name};
  trace_text_reach(&parts->file->text, service->end);
  struct trace_place *place =
    trace_places_take(parts, &parts->servers[service->server], &track, service->begin);
  struct trace_slice slice = {.state = STATE_PACKET, .from = service->begin, .to = service->end};
  snprintf(slice.name, TRACE_NAME_SIZE, service->is_answer ? "#%llu acknowledged" : "#%llu.%u%s",
           (unsigned long long)event->message, service->packet, service->again ? " again" : "");
  place->free_at = service->end;
  parts->now = service->end > parts->now ? service->end : parts->now;
  parts->writer->end(parts->file, &place->track, &slice);
}

void trace_messages_see(struct trace_parts *nodes, const struct net_event *event, uint64_t margin) {
  struct trace_parts *from = &nodes[event->from], *network = &nodes[from->file->nnodes];
  switch (event->kind) {
  case NET_SEND:
    trace_parts_reach(from, event->cycle);
    see_send(from, event);
    break;
  case NET_ARRIVE:
    trace_parts_reach(from, from->now);
    see_arrive(from, event, margin);
    break;
  case NET_SERVICE:
    if (network->writer->late && network->file->spec.level == TRACE_BUS) {
      see_service(network, event);
    }
    break;
  default:
    break;
  }
}

void trace_messages_end(struct trace_parts *parts) {
  for (unsigned i = 0; i < parts->messages.n; i++) {
    struct trace_place *place = parts->messages.items[i];
    if (place->free_at == UINT64_MAX) {
      place->slice.to = parts->now;
      parts->writer->end(parts->file, &place->track, &place->slice);
    }
  }
}
