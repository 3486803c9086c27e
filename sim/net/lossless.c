/* SPDX-License-Identifier: BSD-3-Clause
 * The transport without losses: links as servers; a message is cut into packets that are served one after the
 * other.
 *
 * A packet has one event for each server on its route: the bus of the sender's NIC if the platform has one,
 * the links, the bus of the receiver's NIC. A server serves packets first come, first served. The event is
 * the packet's claim of the server; from the moment when the server is free, the server is busy for the time
 * of the packet's bytes. The head of a packet reaches the next server after the delay of the link
 * (cut-through). A fast link behind a slow link starts a packet only when the last byte can follow without a
 * gap, as in a switch whose ports must not run dry. Between links of equal speed only the head is delayed.
 * The next packet of a message claims the first server when the packet before has left that server: messages
 * of one host share the NIC packet by packet.
 * With network.buffer each link to another link has a buffer of that size at the far end. A packet starts on
 * a link when the buffer has room for the whole packet, and frees the room when the packet's tail has left on
 * the next link. Packets take a link in the order of arrival. A NIC receives into the memory of the host,
 * without a limit. Without network.buffer all buffers are unlimited.
 * source: QsNetII, InfiniBand: packets, and credits from link to link. */
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"
#include "sim/net/net_state.h"

#include <stdlib.h>

/* The packets waiting for a link, and the buffer at the link's far end. */
struct gate {
  struct event event; /* the link may be free */
  struct lossless *state;
  struct packet *first, *last;
  size_t held; /* bytes in the buffer, or on the link */
};

/* NBYTES behind a link leave. */
struct leaving {
  struct event event;
  struct gate *gate;
  size_t nbytes;
};

struct lossless {
  struct net *net;
  struct pool parts, packets, leavings;
  struct gate *gates; /* of each link on each rail; NULL: there is room for everything */
  size_t ngates, room;
};

/* The share of a message that takes one rail. */
struct part {
  struct net_message *message;
  struct lossless *state;
  struct fabric_route route;
  size_t nbytes; /* bytes not sent yet */
  unsigned rail;
  uint64_t after;    /* the number of the step from which the next packet follows */
  unsigned npackets; /* packets not arrived yet */
  unsigned nbegun;
};

/* A packet. */
struct packet {
  struct event event; /* the claim of the next server */
  struct part *part;
  unsigned hop; /* servers already passed */
  bool first;   /* the first packet of the part */
  size_t nbytes;
  uint64_t came;       /* the cycle of arrival at the next server */
  struct packet *next; /* the next packet waiting for the same link */
  struct gate *behind; /* the link whose buffer holds the packet; NULL: no buffer counts the packet */
  unsigned number;     /* index of the packet within the part */
  uint64_t step;       /* the number of the packet's latest step told to observers */
};

/* --- a packet on the route --- */

/* Return how many servers a packet of PART passes. */
static unsigned way_length(const struct part *part) {
  const struct net_message *message = part->message;
  bool here = message->from == message->to;
  return message->net->has_buses ? part->route.n + 2 : here ? 1 : part->route.n;
}

/* Return server HOP on the way of PART. */
static struct server *server_at(const struct part *part, unsigned hop) {
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

/* Let PACKET, which has passed a server or begins, claim the next server at cycle AT. */
static void let_claim(struct packet *packet, uint64_t at) {
  const struct net_message *message = packet->part->message;
  packet->event.run = claim;
  des_schedule_on(message->net->node, &packet->event, at, des_order(DES_LINK, message->from));
}

/* Make the next packet of PART and let the packet claim the first server at cycle AT. */
static void begin_packet(struct part *part, uint64_t at, bool first) {
  struct lossless *state = part->state;
  const struct net *net = part->message->net;
  struct packet *packet = pool_take(&state->packets);
  size_t nbytes = MIN(part->nbytes, net->packet_bytes);
  *packet = (struct packet){
    .part = part, .first = first, .nbytes = nbytes, .number = part->nbegun++, .step = part->after};
  part->nbytes -= nbytes;
  part->npackets++;
  let_claim(packet, at);
}

/* PACKET has passed the last server: the last byte reaches the NIC at cycle AT. */
static void end_packet(struct packet *packet, uint64_t at) {
  struct part *part = packet->part;
  struct lossless *state = part->state;
  struct net_message *message = part->message;
  if (at >= message->arrival) {
    message->arrival = at;
    message->after = packet->step;
  }
  pool_give(&state->packets, packet);
  if (--part->npackets > 0) { /* never 0 while bytes are left: the next packet begins before a packet ends */
    return;
  }
  pool_give(&state->parts, part);
  if (--message->under_way == 0) {
    net_arrive(message, message->arrival, message->after);
  }
}

/* Return the gate of server HOP on the route of PART; NULL: the server is no link, or accepts a packet at any
 * time. */
static struct gate *gate_at(const struct part *part, unsigned hop) {
  const struct lossless *state = part->state;
  const struct server *server = hop < way_length(part) ? server_at(part, hop) : NULL;
  size_t number = server ? (size_t)(server - part->message->net->servers) : state->ngates;
  return number < state->ngates && server->shared ? &state->gates[number] : NULL;
}

/* Tell the observers that SERVER serves PACKET from cycle FROM_TO[0] to cycle FROM_TO[1], of which the first
 * GAP cycles are the gap of the NIC. */
static void tell(struct packet *packet, const struct server *server, const uint64_t from_to[2],
                 uint64_t gap) {
  struct part *part = packet->part;
  struct net *net = part->message->net;
  uint64_t after = packet->step;
  part->after = packet->step = ++net->nsteps;
  if (net->probes.n) {
    net_tell_packet(part->message, packet->step, after,
                    &(struct probe_packet){.server.number = (size_t)(server - net->servers),
                                           .nbytes = packet->nbytes + net->header_bytes,
                                           .number = packet->number,
                                           .hop = packet->hop,
                                           .came = packet->came,
                                           .begin = from_to[0] + gap,
                                           .end = from_to[1],
                                           .gap = gap,
                                           .same_server = packet->hop == 0 && !packet->first});
  }
}

static void leave(struct event *event);

/* PACKET of NBYTES starts on the link of GATE, or on a server without a gate (NULL). PACKET frees the room in
 * the previous buffer at cycle END. */
static void change_rooms(struct packet *packet, struct gate *gate, size_t nbytes, uint64_t end) {
  struct lossless *state = packet->part->state;
  const struct net_message *message = packet->part->message;
  if (packet->behind) {
    struct leaving *leaving = pool_take(&state->leavings);
    *leaving = (struct leaving){.event.run = leave, .gate = packet->behind, .nbytes = nbytes};
    des_schedule_on(state->net->node, &leaving->event, end, des_order(DES_COMPLETE, message->from));
  }
  packet->behind = gate && gate_at(packet->part, packet->hop + 1) ? gate : NULL;
  if (packet->behind) {
    gate->held += nbytes;
  }
}

/* Let the next server of PACKET serve PACKET as early as possible. */
static void serve(struct packet *packet) {
  struct part *part = packet->part;
  const struct net *net = part->message->net;
  struct server *server = server_at(part, packet->hop);
  size_t nbytes = packet->nbytes + net->header_bytes;
  uint64_t begin, gap = packet->first && packet->hop == 0 ? net->gap : 0;
  uint64_t end = server_take(server, nbytes, gap, des_now(), &begin);
  tell(packet, server, (const uint64_t[]){begin, end}, gap);
  if (part->state->gates) {
    change_rooms(packet, gate_at(part, packet->hop), nbytes, end);
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
  let_claim(packet, MAX(head, tail) + server->latency);
}

/* Start the packets waiting at GATE, while the link is free and the buffer has room. */
static void open_gate(struct gate *gate) {
  struct lossless *state = gate->state;
  while (gate->first) {
    struct packet *packet = gate->first;
    size_t nbytes = packet->nbytes + state->net->header_bytes;
    uint64_t ready = rate_server_ready(&server_at(packet->part, packet->hop)->pace, des_now());
    if (gate_at(packet->part, packet->hop + 1) && gate->held + nbytes > state->room) {
      return; /* until something leaves */
    }
    if (ready > des_now()) {
      if (!gate->event.pending) {
        des_schedule_on(state->net->node, &gate->event, ready,
                        des_order(DES_ARBITRATE, (unsigned)(gate - state->gates)));
      }
      return;
    }
    gate->first = packet->next;
    serve(packet);
  }
}

static void look(struct event *event) {
  open_gate(EVENT_OWNER(event, struct gate, event));
}

static void leave(struct event *event) {
  struct leaving *leaving = EVENT_OWNER(event, struct leaving, event);
  struct gate *gate = leaving->gate;
  gate->held -= leaving->nbytes;
  pool_give(&gate->state->leavings, leaving);
  open_gate(gate);
}

/* A packet claims a server. */
static void claim(struct event *event) {
  struct packet *packet = EVENT_OWNER(event, struct packet, event);
  struct gate *gate = packet->part->state->gates ? gate_at(packet->part, packet->hop) : NULL;
  packet->came = des_now();
  if (!gate) {
    serve(packet);
    return;
  }
  packet->next = NULL;
  *(gate->first ? &gate->last->next : &gate->first) = packet;
  gate->last = packet;
  open_gate(gate);
}

/* --- a message --- */

/* Let NBYTES of MESSAGE go over RAIL. */
static void begin_part(struct lossless *state, struct net_message *message, unsigned rail, size_t nbytes) {
  struct part *part = pool_take(&state->parts);
  *part = (struct part){
    .message = message, .state = state, .nbytes = nbytes, .rail = rail, .after = message->after};
  part->route = fabric_route(message->net->fabric, message->from, message->to);
  message->under_way++;
  begin_packet(part, des_now(), true);
}

static void begin_message(void *state, struct net_message *message) {
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

static void *lossless_new(struct net *net) {
  struct lossless *state = xcalloc(1, sizeof *state);
  state->net = net;
  state->room = (size_t)(net->platform->network.buffer * 1024);
  if (state->room && net->transport == &transport_lossless) {
    state->ngates = net->nrails * net->fabric->nlinks;
    state->gates = xcalloc(state->ngates, sizeof *state->gates);
  }
  for (size_t i = 0; i < state->ngates; i++) {
    state->gates[i] = (struct gate){.event.run = look, .state = state};
  }
  pool_init(&state->parts, sizeof(struct part));
  pool_init(&state->packets, sizeof(struct packet));
  pool_init(&state->leavings, sizeof(struct leaving));
  return state;
}

static void lossless_free(void *argument) {
  struct lossless *state = argument;
  pool_fini(&state->parts);
  pool_fini(&state->packets);
  pool_fini(&state->leavings);
  free(state->gates);
  free(state);
}

const struct transport transport_lossless = {lossless_new, lossless_free, begin_message};
