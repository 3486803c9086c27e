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
tell(struct timeline_lines *lines, uint64_t at, unsigned node, const char *format, ...) {
  char what[256], before[TIMELINE_NODE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  timeline_name_node(lines, node, before);
  timeline_lines_keep(lines, at, xasprintf("%12llu  %snetwork    %s\n", (ull)at, before, what));
}

static void see_packet(struct timeline_lines *lines, const struct probe_event *event) {
  const struct probe_packet *packet = &event->packet;
  char text[48];
  if (packet->is_answer) {
    snprintf(text, sizeof text, "#%llu acknowledged up to packet %u", (ull)event->message.number,
             packet->number);
  } else {
    snprintf(text, sizeof text, "#%llu.%u%s", (ull)event->message.number, packet->number,
             packet->again ? " again" : "");
  }
  tell(lines, event->cycle, packet->is_answer ? event->message.to : event->message.from,
       "  %s on %s from cycle %llu to %llu, after %llu cycles: %zu bytes", text, packet->server.name,
       (ull)packet->begin, (ull)packet->end, (ull)(packet->begin - packet->came), packet->nbytes);
}

void timeline_net_see(struct timeline_lines *lines, const struct probe_event *event) {
  char from[NODE_NAME_SIZE], to[NODE_NAME_SIZE];
  node_name(&lines->names, event->message.from, from);
  node_name(&lines->names, event->message.to, to);
  ull number = event->message.number;
  char *const *hosts = lines->names.hosts;
  switch (event->kind) {
  case PROBE_MESSAGE_SEND:
    if (event->send.asks) {
      tell(lines, event->cycle, event->message.from, "message #%llu asks %s for %zu bytes", number, to,
           event->message.nbytes);
      break;
    }
    tell(lines, event->cycle, event->message.from, "message #%llu to %s%s: %zu bytes", number, to,
         event->send.near ? " through shared memory" : "", event->message.nbytes);
    break;
  case PROBE_MESSAGE_LEAVE:
    tell(lines, event->cycle, event->message.from, "  #%llu leaves the processor of host %u%s%s", number,
         event->message.from_host, hosts ? " " : "", hosts ? hosts[event->message.from_host] : "");
    break;
  case PROBE_PACKET:
    see_packet(lines, event);
    break;
  case PROBE_PACKET_DROP:
    tell(lines, event->cycle, event->message.from, "  #%llu: a packet is lost, no room at %s", number,
         event->drop.server.name);
    break;
  case PROBE_PACKET_TIMEOUT:
    tell(lines, event->cycle, event->message.from, "  #%llu: nothing acknowledged since cycle %llu, timeout",
         number, (ull)event->timer.since);
    break;
  case PROBE_PACKET_DELAY:
    tell(lines, event->cycle, event->message.to, "  #%llu: acknowledgement held back since cycle %llu",
         number, (ull)event->timer.since);
    break;
  case PROBE_MESSAGE_ARRIVE:
    tell(lines, event->cycle, event->message.to,
         event->arrive.at_host ? "  #%llu from %s has come to the host, told at cycle %llu"
                               : "message #%llu from %s has arrived, told at cycle %llu",
         number, from, (ull)event->arrive.told);
    break;
  default:
    break;
  }
}
