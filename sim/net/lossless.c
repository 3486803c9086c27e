/* SPDX-License-Identifier: BSD-3-Clause
 * The transport without losses: links as servers, and messages cut into packets that are served one after the other.
 *
 * A packet has one event for each server on its way: the bus of the sender's NIC if there is one, the links of the route, the bus
 * of the receiver's NIC. A server serves first come, first served; an event is the claim of a packet to a server, which is
 * occupied from when it is free for the time of the packet's bytes. The head of a packet goes on after the delay of the link
 * (cut-through), but no server sends bytes before they can have arrived: a packet claims a faster server so late that its
 * last byte is there when it is to be sent. The next packet of a message claims the first server when the one before has left
 * it: messages of one host share their NIC packet by packet.
 * source: QsNetII, InfiniBand: credits and packets; that servers have no limit of packets that wait is an assumption. */
#include "sim/base/des.h"
#include "sim/base/xalloc.h"
#include "sim/net/net_state.h"

#include <stdlib.h>

struct lossless {
  struct pool parts, packets;
};

/* What goes over one rail of a message. */
struct part {
  struct net_message *message;
  struct lossless *state;
  struct fabric_route route;
  size_t nbytes; /* that have not left yet */
  unsigned rail;
  uint64_t after;    /* what its next packet follows from */
  unsigned npackets; /* that have not arrived yet */
  unsigned nbegun;
};

/* A packet. */
struct packet {
  struct event event; /* it claims its next server */
  struct part *part;
  unsigned hop; /* servers behind it */
  bool first;   /* of its part */
  size_t nbytes;
  unsigned number; /* of its part */
  uint64_t step;   /* the latest thing that was told of it */
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
  struct lossless *state = part->state;
  const struct net *net = part->message->net;
  struct packet *packet = pool_take(&state->packets);
  size_t nbytes = part->nbytes < net->packet_bytes ? part->nbytes : net->packet_bytes;
  *packet = (struct packet){
    .part = part, .first = first, .nbytes = nbytes, .number = part->nbegun++, .step = part->after};
  part->nbytes -= nbytes;
  part->npackets++;
  let_claim(packet, at);
}

/* PACKET has passed its last server: its last byte reaches the NIC at cycle AT. */
static void
end_packet(struct packet *packet, uint64_t at)
{
  struct part *part = packet->part;
  struct lossless *state = part->state;
  struct net_message *message = part->message;
  if (at >= message->arrival) {
    message->arrival = at;
    message->after = packet->step;
  }
  pool_give(&state->packets, packet);
  if (--part->npackets > 0 || part->nbytes > 0) {
    return;
  }
  pool_give(&state->parts, part);
  if (--message->under_way == 0) {
    net_arrive(message, message->arrival, message->after);
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
  uint64_t begin, gap = packet->first && packet->hop == 0 ? net->gap : 0;
  uint64_t end = server_take(server, nbytes, gap, des_now(), &begin);
  uint64_t after = packet->step;
  part->after = packet->step = ++net->nsteps;
  if (net->probes) {
    net_tell_service(part->message, packet->step, after,
                     &(struct net_service){.server = (size_t)(server - net->servers),
                                           .nbytes = nbytes,
                                           .packet = packet->number,
                                           .hop = packet->hop,
                                           .came = des_now(),
                                           .begin = begin + gap,
                                           .end = end,
                                           .gap = gap,
                                           .same_server = packet->hop == 0 && !packet->first});
  }
  if (packet->hop == 0 && part->nbytes > 0) {
    begin_packet(part, end, false);
  }
  if (++packet->hop == way_length(part)) {
    end_packet(packet, end + server->latency);
    return;
  }
  uint64_t next = server_time(server_at(part, packet->hop), nbytes).cycles;
  uint64_t head = begin + gap, tail = end > next ? end - next : 0;
  let_claim(packet, (head > tail ? head : tail) + server->latency);
}

/* --- a message --- */

/* Let NBYTES of MESSAGE go over RAIL. */
static void
begin_part(struct lossless *state, struct net_message *message, unsigned rail, size_t nbytes)
{
  struct part *part = pool_take(&state->parts);
  *part = (struct part){
    .message = message, .state = state, .nbytes = nbytes, .rail = rail, .after = message->after};
  part->route = fabric_route(message->net->fabric, message->from, message->to);
  message->under_way++;
  begin_packet(part, des_now(), true);
}

static void
begin_message(void *state, struct net_message *message)
{
  const struct net *net = message->net;
  size_t n = net->nrails, nbytes = message->nbytes;
  if (n == 1 || message->one_rail || nbytes <= net->stripe_bytes) {
    begin_part(state, message, message->port % net->nrails, nbytes);
    return;
  }
  for (unsigned rail = 0; rail < n; rail++) {
    begin_part(state, message, rail, nbytes / n + (rail < nbytes % n));
  }
}

static void *
lossless_new(struct net *net)
{
  (void)net;
  struct lossless *state = xcalloc(1, sizeof *state);
  pool_init(&state->parts, sizeof(struct part));
  pool_init(&state->packets, sizeof(struct packet));
  return state;
}

static void
lossless_free(void *argument)
{
  struct lossless *state = argument;
  pool_fini(&state->parts);
  pool_fini(&state->packets);
  free(state);
}

static void
lossless_reset(void *argument)
{
  struct lossless *state = argument;
  pool_reset(&state->parts);
  pool_reset(&state->packets);
}

const struct transport transport_lossless = {lossless_new, lossless_free, lossless_reset, begin_message};
