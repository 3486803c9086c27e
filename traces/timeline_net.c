/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline_net.h. */
#include "traces/timeline_net.h"

#include "sim/base/xalloc.h"

#include <stdarg.h>
#include <stdio.h>

typedef unsigned long long ull;

void timeline_name_node(const struct timeline_lines *lines, unsigned node, char text[TIMELINE_NODE_SIZE]) {
  char name[NODE_NAME_SIZE];
  node_name(&lines->names, node, name);
  snprintf(text, TIMELINE_NODE_SIZE, "%-*s ", lines->names.processes ? 12 : 9, name);
}

/* Write a line about NODE at cycle AT. */
static void __attribute__((format(printf, 4, 5)))
tell(struct timeline_net *timeline, uint64_t at, unsigned node, const char *format, ...) {
  char what[256], before[TIMELINE_NODE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  timeline_name_node(timeline->lines, node, before);
  timeline_lines_keep(timeline->lines, at, xasprintf("%12llu  %snetwork    %s\n", (ull)at, before, what));
}

static void see_service(struct timeline_net *timeline, const struct net_event *event) {
  const struct net_service *service = &event->service;
  char packet[48];
  if (service->is_answer) {
    snprintf(packet, sizeof packet, "#%llu acknowledged up to packet %u", (ull)event->message,
             service->packet);
  } else {
    snprintf(packet, sizeof packet, "#%llu.%u%s", (ull)event->message, service->packet,
             service->again ? " again" : "");
  }
  tell(timeline, event->cycle, service->is_answer ? event->to : event->from,
       "  %s on %s from cycle %llu to %llu, after %llu cycles: %zu bytes", packet, service->name,
       (ull)service->begin, (ull)service->end, (ull)(service->begin - service->came), service->nbytes);
}

static void see(struct net_probe *probe, const struct net_event *event) {
  struct timeline_net *timeline = (struct timeline_net *)probe;
  char from[NODE_NAME_SIZE], to[NODE_NAME_SIZE];
  node_name(&timeline->lines->names, event->from, from);
  node_name(&timeline->lines->names, event->to, to);
  ull number = event->message;
  switch (event->kind) {
  case NET_SEND:
    if (event->asks) {
      tell(timeline, event->cycle, event->from, "message #%llu asks %s for %zu bytes", number, to,
           event->nbytes);
      break;
    }
    tell(timeline, event->cycle, event->from, "message #%llu to %s%s: %zu bytes", number, to,
         event->near ? " through shared memory" : "", event->nbytes);
    break;
  case NET_LEAVE:
    tell(timeline, event->cycle, event->from, "  #%llu leaves the processor of host %u", number,
         event->from_host);
    break;
  case NET_SERVICE:
    see_service(timeline, event);
    break;
  case NET_DROP:
    tell(timeline, event->cycle, event->from, "  #%llu: a packet is lost, no room at %s", number,
         event->service.name);
    break;
  case NET_TIMEOUT:
    tell(timeline, event->cycle, event->from, "  #%llu: nothing acknowledged since cycle %llu, timeout",
         number, (ull)event->since);
    break;
  case NET_DELAY:
    tell(timeline, event->cycle, event->to, "  #%llu: acknowledgement held back since cycle %llu", number,
         (ull)event->since);
    break;
  case NET_ARRIVE:
    tell(timeline, event->cycle, event->to,
         event->at_host ? "  #%llu from %s has come to the host, told at cycle %llu"
                        : "message #%llu from %s has arrived, told at cycle %llu",
         number, from, (ull)event->told);
    break;
  case NET_RESET:
    break;
  }
}

void timeline_net_init(struct timeline_net *timeline, struct timeline_lines *lines) {
  *timeline = (struct timeline_net){.probe.see = see, .lines = lines};
}
