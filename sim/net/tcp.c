/* SPDX-License-Identifier: BSD-3-Clause
 * The transport of Ethernet: TCP over switches that drop packets for lack of room.
 *
 * Each message is a flow of segments of one packet each, over servers that receive a whole packet before
 * forwarding (store and forward). A port of a switch holds network.buffer bytes, the port of the sender
 * network.queue packets; a packet without room is lost. The sender begins with a window of
 * network.initial-window segments (0: a warm connection, which begins with the full window). The window
 * doubles in each round trip until a loss and then grows by one segment in each round trip. The third
 * duplicate acknowledgement sends the missing segments again, as selective acknowledgements tell. A segment
 * without an acknowledgement within the retransmission timeout starts the window anew at one segment, with
 * twice the timeout. The receiver acknowledges every second segment that comes in order, and a single segment
 * after network.delayed-ack.
 * source: RFC 2018, 2581, 2988; the values of Linux are in the platforms. */
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/minmax.h"
#include "sim/base/pool.h"
#include "sim/base/xalloc.h"
#include "sim/net/net_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

/* A message in transit, from the first segment to the acknowledgement of the last segment. */
struct flow {
  struct tcp *state;
  LIST_ENTRY(flow) others;     /* in the list of all flows */
  struct net_message *message; /* NULL: the message has arrived */
  struct net_message known;    /* a copy of the message, for the observers */
  unsigned from, to;
  size_t nbytes;
  struct fabric_route forth, back;
  unsigned npackets; /* segments and acknowledgements of the flow in transit */

  /* the sender; segments are counted */
  int nsegments, unacknowledged, next_segment;
  int duplicates, recover; /* recover: the sender recovers from a loss until this segment is acknowledged */
  bool recovering, done;
  double window, threshold;
  struct event timer; /* no earlier than the deadline */
  uint64_t deadline;  /* 0: nothing is waited for */
  /* the cycle in which the timer was set, and the number of the step that set the timer */
  uint64_t timer_set, timer_after;
  uint64_t timeout, round_trip;
  unsigned backoffs;
  int timed; /* the segment that measures the round trip, or NOTHING_TIMED */
  uint64_t timed_at;

  /* the receiver */
  int expected, end;        /* the first missing segment; one after the highest segment that has come */
  unsigned ndelayed;        /* segments not acknowledged yet */
  struct event acknowledge; /* a delayed acknowledgement, no earlier than acknowledge_at */
  uint64_t acknowledge_at, acknowledge_set, acknowledge_after;
  /* of each segment: the segment has come; the segment has been sent again in this recovery */
  unsigned char *come, *again;
};

/* A segment or an acknowledgement. */
struct packet {
  struct event event; /* arrival at the next server, or at the destination */
  struct flow *flow;
  int number;             /* of the segment; of an acknowledgement: of the next one expected */
  bool is_segment, again; /* again: a segment sent before */
  unsigned hop;
  uint64_t step; /* the number of the packet's latest step told to observers */
};

struct tcp {
  struct net *net;
  struct pool packets, flow_pool, held;
  LIST_HEAD(, flow) flows;
  struct port_room *rooms; /* of each link */
  double window_most;      /* segments */
  uint64_t timeout_least, delay;
  size_t queue_bytes, buffer_bytes;
  uint64_t now; /* the number of the step from which packets sent now follow */
};

/* --- the room of a port --- */

/* A packet in the buffer of a port until the last byte leaves, at cycle END. */
struct held_packet {
  struct held_packet *next;
  uint64_t end;
  size_t nbytes;
};

/* The packets in the buffer of a port; initially zero. */
struct port_room {
  struct held_packet *first, *last; /* in the order of leaving */
  size_t nbytes;                    /* of all */
};

/* Return the bytes in ROOM of STATE now. The cycle in which a packet leaves is known on arrival, so that no
 * event is needed: this function removes the packets that have left. */
static size_t room_used(struct tcp *state, struct port_room *room) {
  for (struct held_packet *first; (first = room->first) && first->end <= des_now();) {
    room->nbytes -= first->nbytes;
    room->first = first->next;
    pool_give(&state->held, first);
  }
  return room->nbytes;
}

/* Put a packet of NBYTES into ROOM of STATE. The packet leaves at cycle END, no earlier than the packets in
 * ROOM. */
static void room_add(struct tcp *state, struct port_room *room, size_t nbytes, uint64_t end) {
  struct held_packet *packet = pool_take(&state->held);
  *packet = (struct held_packet){.end = end, .nbytes = nbytes};
  *(room->first ? &room->last->next : &room->first) = packet;
  room->last = packet;
  room->nbytes += nbytes;
}

/* --- packets --- */

/* Return the bytes of PACKET on a link. */
static size_t wire_bytes(const struct packet *packet) {
  const struct flow *flow = packet->flow;
  const struct net *net = flow->state->net;
  size_t before = (size_t)packet->number * net->packet_bytes;
  if (!packet->is_segment) {
    return net->header_bytes;
  }
  size_t left = flow->nbytes - before;
  return net->header_bytes + MIN(left, net->packet_bytes);
}

static void come(struct event *event);

/* Let PACKET reach the next server, or the destination, at cycle AT. */
static void let_come(struct packet *packet, uint64_t at) {
  const struct flow *flow = packet->flow;
  packet->event.run = come;
  des_schedule_on(flow->state->net->node, &packet->event, at,
                  des_order(DES_LINK, packet->is_segment ? flow->from : flow->to));
}

/* Release FLOW if nothing of the flow is left: no packet, no timer. */
static void release(struct flow *flow) {
  if (flow->message || flow->npackets || flow->timer.pending || flow->acknowledge.pending) {
    return;
  }
  LIST_REMOVE(flow, others);
  free(flow->come);
  pool_give(&flow->state->flow_pool, flow);
}

/* Release PACKET, which is lost or at the destination. */
static void drop_packet(struct packet *packet) {
  struct flow *flow = packet->flow;
  flow->npackets--;
  pool_give(&flow->state->packets, packet);
}

/* Let a copy of PACKET, whose flow, number and kind are set, go to the first server. */
static void send_packet(const struct packet *packet) {
  struct flow *flow = packet->flow;
  struct packet *copy = pool_take(&flow->state->packets);
  *copy = *packet;
  copy->step = flow->state->now;
  flow->npackets++;
  let_come(copy, des_now());
}

/* --- for observers --- */

/* Tell the observers of KIND: a timer of FLOW, set at cycle SINCE after step AFTER, has ended now. Packets
 * sent from now on follow from this end. */
static void tell_timer(const struct flow *flow, enum probe_kind kind, uint64_t since, uint64_t after) {
  struct tcp *state = flow->state;
  struct probe_event event = {.kind = kind, .cycle = des_now(), .timer.since = since};
  state->now = event.message.step = ++state->net->nsteps;
  event.message.after = after;
  net_tell(state->net, &flow->known, event);
}

/* Tell the observers that LINK serves PACKET of NBYTES, which comes now, from cycle FROM_TO[0] to
 * FROM_TO[1]. */
static void tell_packet(struct packet *packet, unsigned link, size_t nbytes, const uint64_t from_to[2]) {
  const struct flow *flow = packet->flow;
  struct net *net = flow->state->net;
  uint64_t after = packet->step;
  packet->step = ++net->nsteps;
  if (net->probes.n) {
    net_tell_packet(&flow->known, packet->step, after,
                    &(struct probe_packet){.server.number = link,
                                           .number = (unsigned)packet->number,
                                           .nbytes = nbytes,
                                           .hop = packet->hop,
                                           .came = des_now(),
                                           .begin = from_to[0],
                                           .end = from_to[1],
                                           .is_answer = !packet->is_segment,
                                           .again = packet->again});
  }
}

/* Tell the observers that LINK had no room for PACKET. */
static void tell_drop(const struct packet *packet, unsigned link) {
  const struct flow *flow = packet->flow;
  const struct net *net = flow->state->net;
  net_see(net, &flow->known,
          (struct probe_event){
            .kind = PROBE_PACKET_DROP,
            .cycle = des_now(),
            .drop = {.message.after = packet->step,
                     .server = {.number = link, .name = net->names[link], .kind = PROBE_SERVER_LINK}}});
}

/* --- the sender: the window, lost segments, timeouts --- */

enum { NOTHING_TIMED = -1 };
enum { DUPLICATES = 3, BACKOFFS_MOST = 6 };

static void send_segment(struct flow *flow, int number) {
  if (flow->timed == NOTHING_TIMED) {
    flow->timed = number;
    flow->timed_at = des_now();
  }
  send_packet(&(struct packet){.flow = flow, .number = number, .is_segment = true});
}

/* Send segment NUMBER once more. An acknowledgement could belong to either copy, so that no round trip is
 * measured. */
static void send_again(struct flow *flow, int number) {
  flow->timed = NOTHING_TIMED;
  flow->state->net->totals.nretransmissions++;
  send_packet(&(struct packet){.flow = flow, .number = number, .is_segment = true, .again = true});
}

/* Wait for an acknowledgement from now on. */
static void start_timer(struct flow *flow) {
  struct des_node *node = flow->state->net->node;
  flow->deadline = des_now() + (flow->timeout << flow->backoffs);
  flow->timer_set = des_now();
  flow->timer_after = flow->state->now;
  if (flow->timer.pending && flow->timer.at > flow->deadline) {
    des_cancel(&flow->timer);
  }
  if (!flow->timer.pending) {
    des_schedule_on(node, &flow->timer, flow->deadline, des_order(DES_PROGRAM, flow->from));
  }
}

/* Send the segments that the window of FLOW allows. */
static void pump(struct flow *flow) {
  double most = flow->state->window_most;
  int window = (int)MIN(flow->window, most);
  bool any = false;
  while (flow->next_segment < flow->nsegments && flow->next_segment - flow->unacknowledged < window) {
    if (!flow->come[flow->next_segment]) {
      send_segment(flow, flow->next_segment);
    }
    flow->next_segment++;
    any = true;
  }
  if (any && !flow->deadline) {
    start_timer(flow);
  }
}

/* The window shrinks by half. */
static void halve(struct flow *flow) {
  flow->threshold = MAX(2, flow->window / 2);
}

/* The timer of a flow: perhaps nothing has come back for too long. */
static void time_out(struct event *event) {
  struct flow *flow = EVENT_OWNER(event, struct flow, timer);
  if (flow->done) {
    release(flow);
    return;
  }
  if (flow->deadline > des_now()) {
    des_schedule_on(flow->state->net->node, &flow->timer, flow->deadline, des_order(DES_PROGRAM, flow->from));
    return;
  }
  flow->state->net->totals.ntimeouts++;
  tell_timer(flow, PROBE_PACKET_TIMEOUT, flow->timer_set, flow->timer_after);
  halve(flow);
  flow->window = 1;
  flow->recovering = false;
  flow->duplicates = 0;
  flow->next_segment = flow->unacknowledged;
  flow->backoffs += flow->backoffs < BACKOFFS_MOST;
  memset(flow->again, 0, (size_t)flow->nsegments);
  send_again(flow, flow->next_segment++);
  start_timer(flow);
}

/* All before segment NUMBER have come, for the first time. */
static void advance(struct flow *flow, int number) {
  struct tcp *state = flow->state;
  if (flow->timed >= 0 && number > flow->timed) {
    uint64_t time = des_now() - flow->timed_at;
    flow->round_trip = flow->round_trip ? (7 * flow->round_trip + time) / 8 : time;
    uint64_t timeout = 3 * flow->round_trip;
    flow->timeout = MAX(timeout, state->timeout_least);
    flow->timed = NOTHING_TIMED;
  }
  int nnew = number - flow->unacknowledged;
  flow->unacknowledged = number;
  flow->duplicates = 0;
  flow->backoffs = 0;
  RAISE(flow->next_segment, number);
  if (flow->recovering && number >= flow->recover) {
    flow->recovering = false;
    flow->window = flow->threshold;
  }
  if (!flow->recovering) {
    flow->window += flow->window < flow->threshold ? nnew : nnew / flow->window;
    LOWER(flow->window, state->window_most);
  }
  flow->done = number >= flow->nsegments;
  if (flow->done) {
    flow->deadline = 0;
  } else {
    start_timer(flow);
  }
}

/* In a recovery each acknowledgement lets one segment leave: the first missing segment, otherwise a new
 * segment if the window allows a new one. */
static void fill_hole(struct flow *flow) {
  for (int i = flow->unacknowledged; i < flow->end && i < flow->recover; i++) {
    if (!flow->come[i] && !flow->again[i]) {
      flow->again[i] = 1;
      send_again(flow, i);
      return;
    }
  }
  int out = 0;
  for (int i = flow->unacknowledged; i < flow->next_segment; i++) {
    out += !flow->come[i];
  }
  if (out < (int)flow->window && flow->next_segment < flow->nsegments) {
    send_segment(flow, flow->next_segment++);
  }
}

/* An acknowledgement of all before segment NUMBER of FLOW has come. */
static void receive_ack(struct flow *flow, int number) {
  if (flow->done) {
    return;
  }
  if (number > flow->unacknowledged) {
    advance(flow, number);
    if (flow->done) {
      return;
    }
  } else {
    flow->duplicates++;
  }
  if (!flow->recovering && flow->duplicates == DUPLICATES) {
    flow->recovering = true;
    flow->recover = flow->next_segment;
    halve(flow);
    flow->window = flow->threshold;
    memset(flow->again, 0, (size_t)flow->nsegments);
  }
  if (flow->recovering) {
    fill_hole(flow);
  } else {
    pump(flow);
  }
}

/* --- the receiver of a flow: segments in any order, acknowledgements at once or delayed --- */

static void send_acknowledgement(struct flow *flow) {
  flow->ndelayed = 0;
  send_packet(&(struct packet){.flow = flow, .number = flow->expected});
}

/* The event `acknowledge` of a flow: perhaps an acknowledgement has waited long enough. */
static void acknowledge_late(struct event *event) {
  struct flow *flow = EVENT_OWNER(event, struct flow, acknowledge);
  if (flow->ndelayed > 0 && !flow->done) {
    if (flow->acknowledge_at > des_now()) {
      des_schedule_on(flow->state->net->node, &flow->acknowledge, flow->acknowledge_at,
                      des_order(DES_PROGRAM, flow->to));
      return;
    }
    tell_timer(flow, PROBE_PACKET_DELAY, flow->acknowledge_set, flow->acknowledge_after);
    send_acknowledgement(flow);
  }
  release(flow);
}

/* Delay the acknowledgement of the segments that have come, until another segment comes or
 * network.delayed-ack is over. */
static void delay_acknowledgement(struct flow *flow) {
  flow->acknowledge_at = des_now() + flow->state->delay;
  flow->acknowledge_set = des_now();
  flow->acknowledge_after = flow->state->now;
  if (!flow->acknowledge.pending) {
    des_schedule_on(flow->state->net->node, &flow->acknowledge, flow->acknowledge_at,
                    des_order(DES_PROGRAM, flow->to));
  }
}

/* Segment NUMBER of FLOW has come. */
static void take_segment(struct flow *flow, int number) {
  bool in_order = number == flow->expected;
  flow->come[number] = 1;
  RAISE(flow->end, number + 1);
  while (flow->expected < flow->nsegments && flow->come[flow->expected]) {
    flow->expected++;
  }
  bool complete = flow->expected == flow->nsegments;
  if (complete && flow->message) {
    net_arrive(flow->message, des_now(), flow->state->now);
    flow->message = NULL;
  }
  if (in_order && !complete && flow->end == flow->expected && flow->state->delay && ++flow->ndelayed < 2) {
    delay_acknowledgement(flow);
  } else {
    send_acknowledgement(flow);
  }
}

/* --- the transport --- */

/* A packet has reached the next server, which may have no room, or the destination. */
static void come(struct event *event) {
  struct packet *packet = EVENT_OWNER(event, struct packet, event);
  struct flow *flow = packet->flow;
  struct tcp *state = flow->state;
  const struct fabric_route *route = packet->is_segment ? &flow->forth : &flow->back;
  if (packet->hop == route->n) {
    int number = packet->number;
    bool is_segment = packet->is_segment;
    state->now = packet->step;
    drop_packet(packet);
    if (is_segment) {
      take_segment(flow, number);
    } else {
      receive_ack(flow, number);
    }
    release(flow);
    return;
  }
  unsigned link = route->links[packet->hop];
  struct server *server = &state->net->servers[link];
  struct port_room *room = &state->rooms[link];
  size_t nbytes = wire_bytes(packet), most = packet->hop == 0 ? state->queue_bytes : state->buffer_bytes;
  if (server->shared && room_used(state, room) + nbytes > most) {
    state->net->totals.ndrops++;
    tell_drop(packet, link);
    drop_packet(packet);
    release(flow);
    return;
  }
  uint64_t begin, end = server_take(server, nbytes, 0, des_now(), &begin);
  tell_packet(packet, link, nbytes, (const uint64_t[]){begin, end});
  if (server->shared) {
    room_add(state, room, nbytes, end);
  }
  packet->hop++;
  let_come(packet, end + server->latency);
}

static void begin_message(void *argument, struct net_message *message) {
  struct tcp *state = argument;
  struct net *net = state->net;
  struct flow *flow = pool_take(&state->flow_pool);
  size_t n = (message->nbytes + net->packet_bytes - 1) / net->packet_bytes;
  unsigned initial = net->platform->network.initial_window;
  *flow = (struct flow){.state = state,
                        .message = message,
                        .known = *message,
                        .from = message->from,
                        .to = message->to,
                        .nbytes = message->nbytes,
                        .nsegments = n ? (int)n : 1,
                        .window = initial ? initial : state->window_most,
                        .threshold = INFINITY,
                        .timeout = state->timeout_least,
                        .timed = NOTHING_TIMED,
                        .timer.run = time_out,
                        .acknowledge.run = acknowledge_late};
  flow->forth = fabric_route(net->fabric, message->from, message->to);
  flow->back = fabric_route(net->fabric, message->to, message->from);
  flow->come = xcalloc(2 * (size_t)flow->nsegments, 1);
  flow->again = flow->come + flow->nsegments;
  LIST_INSERT_HEAD(&state->flows, flow, others);
  state->now = message->after;
  pump(flow);
}

static void *tcp_new(struct net *net) {
  const struct platform *platform = net->platform;
  struct tcp *state = xcalloc(1, sizeof *state);
  *state = (struct tcp){.net = net,
                        .window_most = platform->network.window * 1024 / platform->network.packet,
                        .timeout_least = net_cycles(net, 1e3 * platform->network.rto),
                        .delay = net_cycles(net, 1e3 * platform->network.delayed_ack),
                        .queue_bytes = platform->network.queue * (net->packet_bytes + net->header_bytes),
                        .buffer_bytes = (size_t)(platform->network.buffer * 1024)};
  state->rooms = xcalloc(net->fabric->nlinks, sizeof *state->rooms);
  pool_init(&state->packets, sizeof(struct packet));
  pool_init(&state->flow_pool, sizeof(struct flow));
  pool_init(&state->held, sizeof(struct held_packet));
  return state;
}

static void tcp_free(void *argument) {
  struct tcp *state = argument;
  struct flow *flow;
  LIST_FOREACH(flow, &state->flows, others) {
    free(flow->come);
  }
  free(state->rooms);
  pool_fini(&state->packets);
  pool_fini(&state->flow_pool);
  pool_fini(&state->held);
  free(state);
}

const struct transport transport_tcp = {tcp_new, tcp_free, begin_message};
