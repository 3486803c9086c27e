/* SPDX-License-Identifier: BSD-3-Clause
 * See net.h: the links as servers, and messages cut into packets that are served one after the other.
 *
 * A packet has one event for each server on its way: the bus of the sender's NIC if there is one, the links of the route, the bus
 * of the receiver's NIC. A server serves first come, first served; an event is the claim of a packet to a server, which is
 * occupied from when it is free for the time of the packet's bytes. The head of a packet goes on after the delay of the link
 * (cut-through), but no server sends bytes before they can have arrived: a packet claims a faster server so late that its
 * last byte is there when it is to be sent. The next packet of a message claims the first server when the one before has left
 * it: messages of one host share their NIC packet by packet.
 * source: QsNetII, InfiniBand: credits and packets; that servers have no limit of packets that wait is an assumption. */
#include "sim/net/net.h"

#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/pool.h"
#include "sim/base/rate_server.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A link, the bus of a NIC, or the memory of a host. */
struct server {
  struct rate_server pace;
  uint64_t byte_ucyc; /* millionths of a cycle for one byte */
  uint64_t latency;   /* cycles, after it */
  bool shared;        /* false: no packet waits for another one */
};

/* What goes over one rail of a message. */
struct part {
  struct net_message *message;
  struct fabric_route route;
  size_t nbytes; /* that have not left yet */
  unsigned rail;
  unsigned npackets; /* that have not arrived yet */
};

/* A packet. */
struct packet {
  struct event event; /* it claims its next server */
  struct part *part;
  unsigned hop; /* servers behind it */
  bool first;   /* of its part */
  size_t nbytes;
};

struct net {
  struct des_node *node;
  struct fabric *fabric;
  struct server
    *servers; /* rail by rail the links, then host by host and rail by rail their buses, or their memories */
  size_t nservers;
  struct pool parts, packets;
  unsigned nrails;
  bool has_buses;
  size_t packet_bytes, header_bytes, stripe_bytes;
  uint64_t send, receive, gap; /* cycles */
};

/* --- a packet on its way --- */

/* Return how many servers a packet of PART passes. */
static unsigned
way_length(const struct part *part)
{
  const struct net_message *message = part->message;
  bool here = message->from == message->to;
  return message->net->has_buses ? part->route.n + 2 : here ? 1 : part->route.n;
}

/* Return server HOP on the way of PART. */
static struct server *
server_at(const struct part *part, unsigned hop)
{
  const struct net_message *message = part->message;
  const struct net *net = message->net;
  size_t nlinks = net->fabric->nlinks;
  if (net->has_buses || message->from == message->to) {
    if (hop == 0 || hop > part->route.n) {
      unsigned host = hop == 0 ? message->from : message->to;
      return &net->servers[net->nrails * nlinks + (size_t)host * net->nrails + part->rail];
    }
    hop--;
  }
  return &net->servers[part->rail * nlinks + part->route.links[hop]];
}

/* Return how long SERVER takes for NBYTES. */
static struct rate_interval
service_time(const struct server *server, size_t nbytes)
{
  return rate_interval((nbytes * server->byte_ucyc + 500) / 1000);
}

static void claim(struct event *event);

/* Let PACKET, which has passed a server or begins, claim the next one at cycle AT. */
static void
let_claim(struct packet *packet, uint64_t at)
{
  const struct net_message *message = packet->part->message;
  packet->event.run = claim;
  des_schedule_on(message->net->node, &packet->event, at, des_order(DES_LINK, message->from));
}

/* Make the next packet of PART, which claims its first server at cycle AT. */
static void
begin_packet(struct part *part, uint64_t at, bool first)
{
  struct net *net = part->message->net;
  struct packet *packet = pool_take(&net->packets);
  size_t nbytes = part->nbytes < net->packet_bytes ? part->nbytes : net->packet_bytes;
  *packet = (struct packet){.part = part, .first = first, .nbytes = nbytes};
  part->nbytes -= nbytes;
  part->npackets++;
  let_claim(packet, at);
}

static void
tell_arrival(struct event *event)
{
  struct net_message *message = EVENT_OWNER(event, struct net_message, event);
  message->arrived(message);
}

/* PACKET has passed its last server: its last byte reaches the NIC at cycle AT. */
static void
end_packet(struct packet *packet, uint64_t at)
{
  struct part *part = packet->part;
  struct net_message *message = part->message;
  struct net *net = message->net;
  message->arrival = at > message->arrival ? at : message->arrival;
  pool_give(&net->packets, packet);
  if (--part->npackets > 0 || part->nbytes > 0) {
    return;
  }
  pool_give(&net->parts, part);
  if (--message->under_way == 0) {
    message->event.run = tell_arrival;
    des_schedule_on(message->receiver, &message->event, message->arrival + net->receive,
                    des_order(DES_ARRIVE, message->from));
  }
}

/* A packet claims a server. */
static void
claim(struct event *event)
{
  struct packet *packet = EVENT_OWNER(event, struct packet, event);
  struct part *part = packet->part;
  struct net *net = part->message->net;
  struct server *server = server_at(part, packet->hop);
  size_t nbytes = packet->nbytes + net->header_bytes;
  struct rate_interval time = service_time(server, nbytes);
  uint64_t begin = des_now(), end = begin + time.cycles + (time.rest_mcyc > 0);
  uint64_t gap = packet->first && packet->hop == 0 ? net->gap : 0;
  if (server->shared) {
    begin = rate_server_ready(&server->pace, begin);
    rate_server_take(&server->pace, begin, rate_interval(rate_interval_mcyc(time) + 1000 * gap));
    end = server->pace.ready;
  }
  if (packet->hop == 0 && part->nbytes > 0) {
    begin_packet(part, end, false);
  }
  if (++packet->hop == way_length(part)) {
    end_packet(packet, end + server->latency);
    return;
  }
  uint64_t next = service_time(server_at(part, packet->hop), nbytes).cycles;
  uint64_t head = begin + gap, tail = end > next ? end - next : 0;
  let_claim(packet, (head > tail ? head : tail) + server->latency);
}

/* --- a message --- */

/* Let NBYTES of MESSAGE go over RAIL. */
static void
begin_part(struct net_message *message, unsigned rail, size_t nbytes)
{
  struct net *net = message->net;
  struct part *part = pool_take(&net->parts);
  *part = (struct part){.message = message, .nbytes = nbytes, .rail = rail};
  part->route = fabric_route(net->fabric, message->from, message->to);
  message->under_way++;
  begin_packet(part, des_now(), true);
}

/* A message leaves the processor of its sender. */
static void
begin_message(struct event *event)
{
  struct net_message *message = EVENT_OWNER(event, struct net_message, event);
  const struct net *net = message->net;
  size_t n = net->nrails, nbytes = message->nbytes;
  if (n == 1 || nbytes <= net->stripe_bytes) {
    begin_part(message, message->port % net->nrails, nbytes);
    return;
  }
  for (unsigned rail = 0; rail < n; rail++) {
    begin_part(message, rail, nbytes / n + (rail < nbytes % n));
  }
}

void
net_send(struct net *net, struct net_message *message, uint64_t at)
{
  assert(message->from < net->fabric->nhosts && message->to < net->fabric->nhosts);
  assert(message->from != message->to || message->receiver == net->node);
  message->net = net;
  message->under_way = 0;
  message->arrival = 0;
  message->event = (struct event){.run = begin_message};
  des_schedule_on(net->node, &message->event, at + net->send, des_order(DES_ISSUE, message->from));
}

/* --- the network --- */

/* Return US microseconds in cycles of PLATFORM. */
static uint64_t
cycles_of(const struct platform *platform, double us)
{
  return (uint64_t)llround(us * 1e3 * platform->clock.spu);
}

/* Make the server of a link, bus or memory of BANDWIDTH MB/s, behind which a delay of LATENCY microseconds lies. */
static struct server
make_server(const struct platform *platform, double bandwidth, double latency)
{
  return (struct server){.byte_ucyc = (uint64_t)llround(1e9 * platform->clock.spu / bandwidth),
                         .latency = cycles_of(platform, latency),
                         .shared = true};
}

static void
make_servers(struct net *net, const struct platform *platform)
{
  const struct fabric *fabric = net->fabric;
  size_t n = 0;
  net->nservers = net->nrails * (fabric->nlinks + fabric->nhosts);
  net->servers = xcalloc(net->nservers, sizeof *net->servers);
  for (unsigned rail = 0; rail < net->nrails; rail++) {
    for (size_t i = 0; i < fabric->nlinks; i++) {
      const struct fabric_link *link = &fabric->links[i];
      net->servers[n] = make_server(platform, link->bandwidth, link->latency);
      net->servers[n++].shared = link->shared;
    }
  }
  double bandwidth = net->has_buses ? platform->nic.bus : platform->host.copy;
  while (n < net->nservers) {
    net->servers[n++] = make_server(platform, bandwidth, 0);
  }
}

struct net *
net_new(const struct platform *platform, uint64_t seed, struct err *err)
{
  struct fabric *fabric = fabric_new(platform, seed, err);
  if (!fabric) {
    return NULL;
  }
  struct net *net = xcalloc(1, sizeof *net);
  *net = (struct net){.node = des_node_new(),
                      .fabric = fabric,
                      .nrails = platform->nic.rails,
                      .has_buses = platform->nic.bus > 0,
                      .packet_bytes = platform->network.packet,
                      .header_bytes = platform->network.header,
                      .stripe_bytes = platform->network.stripe,
                      .send = cycles_of(platform, platform->nic.send),
                      .receive = cycles_of(platform, platform->nic.receive),
                      .gap = cycles_of(platform, platform->nic.gap)};
  pool_init(&net->parts, sizeof(struct part));
  pool_init(&net->packets, sizeof(struct packet));
  make_servers(net, platform);
  return net;
}

void
net_free(struct net *net)
{
  if (net) {
    pool_fini(&net->parts);
    pool_fini(&net->packets);
    free(net->servers);
    fabric_free(net->fabric);
    des_node_free(net->node);
    free(net);
  }
}

void
net_reset(struct net *net)
{
  pool_reset(&net->parts);
  pool_reset(&net->packets);
  for (size_t i = 0; i < net->nservers; i++) {
    net->servers[i].pace = (struct rate_server){0};
  }
}

struct des_node *
net_node(const struct net *net)
{
  return net->node;
}

const struct fabric *
net_fabric(const struct net *net)
{
  return net->fabric;
}

uint64_t
net_horizon(const struct net *net)
{
  uint64_t latency = UINT64_MAX;
  for (size_t i = 0; !net->has_buses && i < net->fabric->nlinks; i++) {
    latency = net->servers[i].latency < latency ? net->servers[i].latency : latency;
  }
  uint64_t last = net->receive + (latency == UINT64_MAX ? 0 : latency);
  return last < net->send ? last : net->send;
}

uint64_t
net_send_cycles(const struct net *net)
{
  return net->send;
}
