/* SPDX-License-Identifier: BSD-3-Clause
 * The transport without losses: links as servers, and messages cut into packets that are served one after the
 * other.
 *
 * A packet has one event for each server on its way: the bus of the sender's NIC if there is one, the links
 * of the route, the bus of the receiver's NIC. A server serves first come, first served; an event is the
 * claim of a packet to a server, which is occupied from when it is free for the time of the packet's bytes.
 * The head of a packet goes on after the delay of the link (cut-through), but no server sends bytes before
 * they can have arrived: a packet claims a faster server so late that its last byte is there when it is to be
 * sent. So a link that is faster than those before and behind it holds a lone packet for the time of its
 * bytes on the link before, as a switch does whose ports must not run dry; as fast as they are it holds only
 * its head. The next packet of a message claims the first server when the one before has left
 * it: messages of one host share their NIC packet by packet.
 * With network.buffer there is room for so many bytes behind each link that leads to another one: a packet
 * begins on a link when there is room for all of it, and gives it back when its tail has left on the next
 * one; packets take a link in the order in which they came there. What a NIC receives has room in its host.
 * Without network.buffer the room has no limit.
 * source: QsNetII, InfiniBand: packets, and credits from link to link. */
#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/xalloc.h"
#include "sim/net/net_state.h"

#include <stdlib.h>

/* What waits for a link, and what lies behind it. */
struct gate {
  struct event event; /* the link may be free */
  struct lossless *state;
  struct packet *first, *last;
  size_t held; /* bytes behind it, or on it */
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
  uint64_t came;       /* to its next server */
  struct packet *next; /* that waits for the same link */
  struct gate *behind; /* the link behind which it lies; NULL: none that counts */
  unsigned number;     /* of its part */
  uint64_t step;       /* the latest thing that was told of it */
};

/* --- a packet on its way --- */

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

/* Let PACKET, which has passed a server or begins, claim the next one at cycle AT. */
static void let_claim(struct packet *packet, uint64_t at) {
  const struct net_message *message = packet->part->message;
  packet->event.run = claim;
  des_schedule_on(message->net->node, &packet->event, at, des_order(DES_LINK, message->from));
}

/* Make the next packet of PART, which claims its first server at cycle AT. */
static void begin_packet(struct part *part, uint64_t at, bool first) {
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
static void end_packet(struct packet *packet, uint64_t at) {
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

/* Return the gate of server HOP on the way of PART; NULL: it is no link, or takes everything at any time. */
static struct gate *gate_at(const struct part *part, unsigned hop) {
  const struct lossless *state = part->state;
  const struct server *server = hop < way_length(part) ? server_at(part, hop) : NULL;
  size_t number = server ? (size_t)(server - part->message->net->servers) : state->ngates;
  return number < state->ngates && server->shared ? &state->gates[number] : NULL;
}

/* Tell those who watch that SERVER serves PACKET from BEGIN to END, after a GAP. */
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

/* PACKET of NBYTES begins on the link of GATE, or on what has none, and leaves the room where it was at cycle
 * END. */
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

/* The next server of PACKET takes it as soon as it can. */
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
  let_claim(packet, (head > tail ? head : tail) + server->latency);
}

/* Let the packets that wait at GATE begin, as far as the link is free and there is room behind it. */
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

static void lossless_reset(void *argument) {
  struct lossless *state = argument;
  pool_reset(&state->parts);
  pool_reset(&state->packets);
  pool_reset(&state->leavings);
  for (size_t i = 0; i < state->ngates; i++) {
    state->gates[i] = (struct gate){.event.run = look, .state = state};
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
  pool_init(&state->parts, sizeof(struct part));
  pool_init(&state->packets, sizeof(struct packet));
  pool_init(&state->leavings, sizeof(struct leaving));
  lossless_reset(state);
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

const struct transport transport_lossless = {lossless_new, lossless_free, lossless_reset, begin_message};
