/* SPDX-License-Identifier: BSD-3-Clause
 * A network: the part that all transports share. A message of a host to itself is copied in the memory of
 * the host, or passes the bus of the NIC twice. */
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/net/net_state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void tell_arrival(struct event *event) {
  struct net_message *message = EVENT_OWNER(event, struct net_message, event);
  message->arrived(message);
}

void net_arrive(struct net_message *message, uint64_t at, uint64_t after) {
  const struct net *net = message->net;
  uint64_t told = at + net->receive + des_lateness();
  message->event.run = tell_arrival;
  message->after = after;
  net_see(
    net, message,
    (struct probe_event){.kind = PROBE_MESSAGE_ARRIVE,
                         .cycle = at,
                         .arrive = {.message.after = after, .told = told, .at_host = message->relayed}});
  des_schedule_on(message->receiver, &message->event, told, des_order(DES_ARRIVE, message->from));
}

/* A message leaves the processor of the sending host. */
static void begin_message(struct event *event) {
  struct net_message *message = EVENT_OWNER(event, struct net_message, event);
  struct net *net = message->net;
  net->totals.nmessages++;
  net->totals.nbytes += message->nbytes;
  net_see(net, message, (struct probe_event){.kind = PROBE_MESSAGE_LEAVE, .cycle = des_now()});
  if (message->from == message->to) {
    transport_lossless.begin(net->local, message);
  } else {
    net->transport->begin(net->state, message);
  }
}

void net_number(struct net *net, struct net_message *message, uint64_t at, struct probe_send how) {
  message->number = ++net->nmessages;
  net_see(net, message, (struct probe_event){.kind = PROBE_MESSAGE_SEND, .cycle = at, .send = how});
}

void net_send(struct net *net, struct net_message *message, uint64_t at) {
  assert(message->from < net->fabric->nhosts && message->to < net->fabric->nhosts);
  assert(message->from != message->to || message->receiver == net->node);
  message->net = net;
  if (message->number == 0) {
    message->after = 0;
    message->from_node = message->from;
    message->to_node = message->to;
    net_number(net, message, at, (struct probe_send){.asks = false});
  }
  message->under_way = 0;
  message->arrival = 0;
  message->event = (struct event){.run = begin_message};
  des_schedule_on(net->node, &message->event, at + net->send, des_order(DES_ISSUE, message->from));
}

/* --- the network --- */

uint64_t net_cycles(const struct net *net, double us) {
  return (uint64_t)llround(us * 1e3 * net->platform->clock.spu);
}

/* Make the server of a link, bus or memory of BANDWIDTH MB/s, followed by a delay of LATENCY microseconds. */
static struct server make_server(const struct net *net, double bandwidth, double latency) {
  return (struct server){.byte_ucyc = (uint64_t)llround(1e9 * net->platform->clock.spu / bandwidth),
                         .latency = net_cycles(net, latency),
                         .shared = true};
}

static void make_servers(struct net *net) {
  const struct fabric *fabric = net->fabric;
  size_t n = 0;
  net->nservers = net->nrails * (fabric->nlinks + fabric->nhosts);
  net->servers = xcalloc(net->nservers, sizeof *net->servers);
  for (unsigned rail = 0; rail < net->nrails; rail++) {
    for (size_t i = 0; i < fabric->nlinks; i++) {
      const struct network_link *link = &fabric->links[i];
      net->servers[n] = make_server(net, link->bandwidth, link->latency);
      net->servers[n++].shared = link->shared;
    }
  }
  double bandwidth = net->has_buses ? net->platform->nic.bus : net->platform->host.copy;
  while (n < net->nservers) {
    net->servers[n++] = make_server(net, bandwidth, 0);
  }
}

static const struct transport *find_transport(const char *name) {
  static const struct {
    const char *name;
    const struct transport *transport;
  } transports[] = {{"lossless", &transport_lossless},
                    {"tcp", &transport_tcp},
                    {"wormhole", &transport_wormhole},
                    {"signature", &transport_signature}};
  size_t n = VEC_LENGTH(transports), i = VEC_INDEX(transports, n, strcmp(item->name, name) == 0);
  assert(i < n);
  return transports[i].transport;
}

static void make_state(struct net *net) {
  net->state = net->transport->new (net);
  net->local = transport_lossless.new(net);
}

static void drop_state(const struct net *net) {
  net->transport->free(net->state);
  transport_lossless.free(net->local);
}

struct net *net_new(const struct platform *platform, uint64_t seed, struct err *err) {
  struct fabric *fabric = fabric_new(platform, seed, err);
  if (!fabric) {
    return NULL;
  }
  struct net *net = xcalloc(1, sizeof *net);
  *net = (struct net){.node = des_node_new(),
                      .fabric = fabric,
                      .platform = platform_copy(platform),
                      .transport = find_transport(platform->network.transport),
                      .nrails = platform->nic.rails,
                      .has_buses = platform->nic.bus > 0,
                      .packet_bytes = platform->network.packet,
                      .header_bytes = platform->network.header,
                      .stripe_bytes = platform->network.stripe};
  net->send = net_cycles(net, platform->nic.send);
  net->receive = net_cycles(net, platform->nic.receive);
  net->gap = net_cycles(net, platform->nic.gap);
  make_servers(net);
  make_state(net);
  return net;
}

void net_free(struct net *net) {
  if (net) {
    drop_state(net);
    for (size_t i = 0; net->names && i < net->nservers; i++) {
      free(net->names[i]);
    }
    free(net->names);
    free(net->probes.items);
    free(net->servers);
    fabric_free(net->fabric);
    platform_free(net->platform);
    des_node_free(net->node);
    free(net);
  }
}

void net_reset(struct net *net) {
  drop_state(net);
  make_state(net);
  for (size_t i = 0; i < net->nservers; i++) {
    net->servers[i].pace = (struct rate_server){0};
  }
  net->totals = (struct net_totals){0};
  net->nmessages = net->nsteps = 0;
  probes_tell(&net->probes, &(struct probe_event){.kind = PROBE_RESET, .node = PROBE_NOBODY});
}

uint64_t net_horizon(const struct net *net) {
  uint64_t latency = UINT64_MAX;
  for (size_t i = 0; !net->has_buses && i < net->fabric->nlinks; i++) {
    LOWER(latency, net->servers[i].latency);
  }
  uint64_t last = net->receive + (latency == UINT64_MAX ? 0 : latency);
  return MIN(last, net->send);
}

/* --- names of servers --- */

/* Return the name of server INDEX of NET.
 * owner: the caller. */
static char *name_server(const struct net *net, size_t index) {
  size_t nlinks = net->fabric->nlinks, place = index - net->nrails * nlinks;
  const char *const *hosts = net->platform->host_names;
  const char *what = net->has_buses ? "bus" : "memory";
  bool is_link = index < net->nrails * nlinks;
  char *name = NULL;
  if (is_link) {
    name = xstrdup(net->fabric->links[index % nlinks].name);
  } else if (hosts) {
    name = xasprintf("%s-%s", hosts[place / net->nrails], what);
  } else {
    name = xasprintf("n%zu-%s", place / net->nrails, what);
  }
  if (net->nrails > 1) {
    xappend(&name, " rail %zu", is_link ? index / nlinks : place % net->nrails);
  }
  return name;
}

/* --- observers --- */

void net_attach(struct net *net, struct probe *probe) {
  probes_add(&net->probes, probe);
  if (!net->names) {
    net->names = xcalloc(net->nservers, sizeof *net->names);
    for (size_t i = 0; i < net->nservers; i++) {
      net->names[i] = name_server(net, i);
    }
  }
}

void net_detach(struct net *net, struct probe *probe) {
  probes_remove(&net->probes, probe);
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
  event.packet.server.kind = net->has_buses ? PROBE_SERVER_BUS : PROBE_SERVER_MEMORY;
  if (packet->server.number < net->nrails * net->fabric->nlinks) {
    event.packet.server.kind = PROBE_SERVER_LINK;
  }
  event.packet.latency = server->latency;
  event.packet.queued = (size_t)(waited * 1000000 / server->byte_ucyc);
  net_tell(net, message, event);
}
