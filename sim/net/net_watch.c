/* SPDX-License-Identifier: BSD-3-Clause
 * The observers of a network. */
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/xalloc.h"
#include "sim/net/net_state.h"

#include <stdio.h>
#include <stdlib.h>

/* Room for the name of a link or a bus. */
enum { NET_NAME_SIZE = 256 };

/* Write the name of server INDEX of NET, without the rail, into NAME. */
static void name_server(const struct net *net, size_t index, char name[NET_NAME_SIZE]) {
  size_t nlinks = net->fabric->nlinks, place = index - net->nrails * nlinks;
  if (index < net->nrails * nlinks) {
    snprintf(name, NET_NAME_SIZE, "%s", net->fabric->links[index % nlinks].name);
  } else {
    const char *const *hosts = net->platform->host_names;
    const char *what = net->has_buses ? "bus" : "memory";
    if (hosts) {
      snprintf(name, NET_NAME_SIZE, "%s-%s", hosts[place / net->nrails], what);
    } else {
      snprintf(name, NET_NAME_SIZE, "n%zu-%s", place / net->nrails, what);
    }
  }
}

/* Return the rail of server INDEX of NET. */
static unsigned rail_of(const struct net *net, size_t index) {
  size_t nlinks = net->fabric->nlinks;
  bool is_link = index < net->nrails * nlinks;
  return (unsigned)(is_link ? index / nlinks : (index - net->nrails * nlinks) % net->nrails);
}

/* --- observers --- */

void net_attach(struct net *net, struct probe *probe) {
  probes_add(&net->probes, probe);
  if (!net->names) {
    net->names = xcalloc(net->nservers, sizeof *net->names);
    for (size_t i = 0; i < net->nservers; i++) {
      char name[NET_NAME_SIZE];
      name_server(net, i, name);
      net->names[i] = net->nrails > 1 ? xasprintf("%s rail %u", name, rail_of(net, i)) : xstrdup(name);
    }
  }
}

void net_detach(struct net *net, struct probe *probe) {
  probes_remove(&net->probes, probe);
}

uint64_t net_number(struct net *net) {
  return ++net->nmessages;
}

uint64_t net_step(struct net *net) {
  return ++net->nsteps;
}

bool net_is_seen(const struct net *net) {
  return net->probes.n != 0;
}

void net_tell(const struct net *net, const struct net_message *message, struct probe_event event) {
  event.node = message->from_node;
  event.message.number = message->number;
  event.message.from = message->from_node;
  event.message.to = message->to_node;
  event.message.from_host = message->from;
  event.message.to_host = message->to;
  event.message.nbytes = message->nbytes;
  probes_tell(&net->probes, &event);
}

void net_tell_packet(const struct net_message *message, uint64_t step, uint64_t after,
                     const struct probe_packet *packet) {
  const struct net *net = message->net;
  const struct server *server = &net->servers[packet->server.number];
  struct probe_event event = {.kind = PROBE_PACKET, .cycle = des_now(), .packet = *packet};
  uint64_t waited = packet->begin - packet->gap - packet->came;
  event.message.step = step;
  event.message.after = after;
  event.packet.server.name = net->names[packet->server.number];
  event.packet.server.kind = packet->server.number < net->nrails * net->fabric->nlinks ? PROBE_SERVER_LINK
                             : net->has_buses                                          ? PROBE_SERVER_BUS
                                                                                       : PROBE_SERVER_MEMORY;
  event.packet.latency = server->latency;
  event.packet.queued = (size_t)(waited * 1000000 / server->byte_ucyc);
  net_tell(net, message, event);
}

size_t net_nservers(const struct net *net) {
  return net->nservers;
}

void net_forget_watch(struct net *net) {
  for (size_t i = 0; net->names && i < net->nservers; i++) {
    free(net->names[i]);
  }
  free(net->names);
  free(net->probes.items);
}
