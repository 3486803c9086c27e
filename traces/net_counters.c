/* SPDX-License-Identifier: BSD-3-Clause
 * See utilisation.h. A NIC is busy while the first server on the way of a packet serves the packet. That
 * server is the bus of the NIC or its link. A copy inside a host is no packet of the host's NIC. */
#include "traces/utilisation.h"

#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <stdio.h>
#include <stdlib.h>

/* --- counting --- */

/* Return the counters of SERVER. */
static struct net_counters_server *server_of(struct net_counters *counters,
                                             const struct probe_server *server) {
  struct net_counters_server *found = VEC_REACH(counters->servers, counters->nservers, server->number);
  if (!found->name) {
    found->name = xstrdup(server->name);
    found->kind = server->kind;
  }
  return found;
}

/* Return the counters of host NUMBER. */
static struct net_counters_host *host(struct net_counters *counters, size_t number) {
  return VEC_REACH(counters->hosts, counters->nhosts, number);
}

/* Something goes on until CYCLE. */
static void extend(struct net_counters *counters, uint64_t cycle) {
  RAISE(counters->end, cycle);
}

static void see_packet(struct net_counters *counters, const struct probe_event *event) {
  const struct probe_packet *packet = &event->packet;
  struct net_counters_server *used = server_of(counters, &packet->server);
  uint64_t busy = packet->end - packet->begin + packet->gap;
  used->packets++;
  used->nbytes += packet->nbytes;
  used->busy += busy;
  used->waited += packet->begin - packet->gap - packet->came;
  RAISE(used->longest_queue, packet->queued);
  extend(counters, packet->end + packet->latency);
  if (packet->hop == 0 && packet->server.kind != PROBE_SERVER_PCIE) {
    counters->all.packets++;
    counters->all.retransmissions += packet->again;
  }
  if (packet->hop == 0 &&
      (packet->server.kind == PROBE_SERVER_LINK || packet->server.kind == PROBE_SERVER_BUS)) {
    struct net_counters_host *sender =
      host(counters, packet->is_answer ? event->message.to_host : event->message.from_host);
    sender->packets++;
    sender->busy += busy;
    sender->nics += !used->is_first;
    used->is_first = true;
    RAISE(sender->longest_queue, packet->queued);
    sender->retransmissions += packet->again;
  }
}

static void see_leave(struct net_counters *counters, const struct probe_event *event) {
  struct net_counters_host *sender = host(counters, event->message.from_host);
  sender->sent++;
  sender->bytes_sent += event->message.nbytes;
  struct net_counters_host *receiver = host(counters, event->message.to_host);
  receiver->received++;
  receiver->bytes_received += event->message.nbytes;
  counters->all.sent++;
  counters->all.bytes_sent += event->message.nbytes;
}

void net_counters_clear(struct net_counters *counters) {
  VEC_EACH(server, counters->servers, counters->nservers) {
    free(server->name);
  }
  free(counters->servers);
  free(counters->hosts);
  *counters = (struct net_counters){.probe = counters->probe, .names = counters->names};
}

static void see_drop(struct net_counters *counters, const struct probe_event *event) {
  server_of(counters, &event->drop.server)->drops++;
  host(counters, event->message.from_host)->drops++;
  counters->all.drops++;
}

static void see_timeout(struct net_counters *counters, const struct probe_event *event) {
  host(counters, event->message.from_host)->timeouts++;
  counters->all.timeouts++;
}

static void see_arrive(struct net_counters *counters, const struct probe_event *event) {
  extend(counters, event->arrive.told);
}

static void see(struct probe *probe, const struct probe_event *event) {
  static void (*const handlers[PROBE_KINDS])(struct net_counters *, const struct probe_event *) = {
    [PROBE_MESSAGE_LEAVE] = see_leave,    [PROBE_PACKET] = see_packet,         [PROBE_PACKET_DROP] = see_drop,
    [PROBE_PACKET_TIMEOUT] = see_timeout, [PROBE_MESSAGE_ARRIVE] = see_arrive,
  };
  struct net_counters *counters = (struct net_counters *)probe;
  extend(counters, event->cycle);
  if (event->kind == PROBE_RESET) {
    net_counters_clear(counters);
  } else if (handlers[event->kind]) {
    handlers[event->kind](counters, event);
  }
}

void net_counters_init(struct net_counters *counters) {
  *counters = (struct net_counters){.probe = {.see = see, .details = true}};
}

/* --- results --- */

static void show_busy(const struct utilisation_show *show, uint64_t busy) {
  utilisation_show_busy(show, show->cycles > 0 ? 100 * (double)busy / show->cycles : 0);
}

static void show_losses(const struct utilisation_show *show, const struct net_counters_host *host) {
  utilisation_show_count(show, "drops", host->drops, "packets");
  utilisation_show_count(show, "retransmissions", host->retransmissions, "packets");
  utilisation_show_count(show, "timeouts", host->timeouts, "1");
}

static void list_host(struct utilisation_show *show, const struct net_counters *counters, size_t number) {
  const struct net_counters_host *host = &counters->hosts[number];
  snprintf(show->where, sizeof show->where, "nic %s",
           counters->names ? counters->names[number] : text_brief("n%zu", number));
  utilisation_show_count(show, "messages-sent", host->sent, "1");
  utilisation_show_count(show, "bytes-sent", host->bytes_sent, "B");
  utilisation_show_count(show, "messages-received", host->received, "1");
  utilisation_show_count(show, "bytes-received", host->bytes_received, "B");
  utilisation_show_count(show, "packets-sent", host->packets, "1");
  show_busy(show, host->nics > 1 ? host->busy / host->nics : host->busy);
  utilisation_show_count(show, "longest-queue", host->longest_queue, "B");
  show_losses(show, host);
}

static void list_server(struct utilisation_show *show, const struct net_counters_server *server) {
  static const char *const kinds[] = {[PROBE_SERVER_LINK] = "link",
                                      [PROBE_SERVER_BUS] = "bus",
                                      [PROBE_SERVER_MEMORY] = "copies",
                                      [PROBE_SERVER_PCIE] = "pcie"};
  snprintf(show->where, sizeof show->where, "%s %.80s", kinds[server->kind], server->name);
  utilisation_show_count(show, "packets", server->packets, "1");
  utilisation_show_count(show, "bytes", server->nbytes, "B");
  show_busy(show, server->busy);
  utilisation_show_count(show, "waiting", server->waited, "cycles");
  utilisation_show_count(show, "longest-queue", server->longest_queue, "B");
  utilisation_show_count(show, "drops", server->drops, "packets");
}

void net_counters_list(const struct net_counters *counters, double cycles,
                       void (*show)(void *context, const struct utilisation_row *row), void *context) {
  struct utilisation_show listing = {.show = show, .context = context, .cycles = cycles, .where = "network"};
  utilisation_show_count(&listing, "messages", counters->all.sent, "1");
  utilisation_show_count(&listing, "bytes", counters->all.bytes_sent, "B");
  utilisation_show_count(&listing, "packets", counters->all.packets, "1");
  show_losses(&listing, &counters->all);
  for (size_t i = 0; i < counters->nhosts; i++) {
    if (counters->hosts[i].sent || counters->hosts[i].received) {
      list_host(&listing, counters, i);
    }
  }
  VEC_EACH(server, counters->servers, counters->nservers) {
    if (server->name) {
      list_server(&listing, server);
    }
  }
}
