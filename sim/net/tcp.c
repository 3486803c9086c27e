/* SPDX-License-Identifier: BSD-3-Clause
 * The transport of Ethernet: TCP over switches that drop what finds no room.
 *
 * Each message is a flow of segments of a packet each, over servers that store a packet before they forward it. A port holds
 * network.buffer bytes, that of the sender network.queue packets; what does not fit is lost. The sender begins with a window of
 * network.initial-window segments (0: it is warm and begins with the whole window), doubles it until a loss and grows by a segment in
 * each round trip after one. The third acknowledgement that brings nothing new sends what is missing again, as selective
 * acknowledgements tell; a segment for which nothing comes back in the retransmission timeout begins all anew, with twice the timeout.
 * Every second segment that comes in order is acknowledged, a single one after network.delayed-ack.
 * source: RFC 2018, 2581, 2988; the values of Linux are in the platforms. */
#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/xalloc.h"
#include "sim/net/net_state.h"
#include "sim/net/port_room.h"
#include "sim/net/tcp_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DUPLICATES = 3, BACKOFFS_MOST = 6, SEGMENT_NONE = -1 };

/* --- packets --- */

/* Return the bytes of PACKET on a link. */
static size_t
wire_bytes(const struct packet *packet)
{
  const struct flow *flow = packet->flow;
  const struct net *net = flow->state->net;
  size_t before = (size_t)packet->number * net->packet_bytes;
  if (!packet->is_segment) {
    return net->header_bytes;
  }
  size_t left = flow->nbytes - before;
  return net->header_bytes + (left < net->packet_bytes ? left : net->packet_bytes);
}

static void come(struct event *event);

/* Let PACKET come to its next server, or to its end, at cycle AT. */
static void
let_come(struct packet *packet, uint64_t at)
{
  const struct flow *flow = packet->flow;
  packet->event.run = come;
  des_schedule_on(flow->state->net->node, &packet->event, at,
                  des_order(DES_LINK, packet->is_segment ? flow->from : flow->to));
}

/* Release FLOW once nothing of it is left. */
static void
release(struct flow *flow)
{
  struct tcp *state = flow->state;
  if (!flow->done || flow->message || flow->npackets || flow->timer.pending || flow->acknowledge.pending) {
    return;
  }
  if (flow->before) {
    flow->before->next = flow->next;
  } else {
    state->flows = flow->next;
  }
  if (flow->next) {
    flow->next->before = flow->before;
  }
  free(flow->come);
  pool_give(&state->flow_pool, flow);
}

/* PACKET is lost or has come to its end. */
static void
drop_packet(struct packet *packet)
{
  struct flow *flow = packet->flow;
  flow->npackets--;
  pool_give(&flow->state->packets, packet);
}

/* Let the first server of PACKET, a copy of which is made, take it. */
static void
send_packet(struct packet packet)
{
  struct flow *flow = packet.flow;
  struct packet *copy = pool_take(&flow->state->packets);
  *copy = packet;
  copy->step = flow->state->now;
  flow->npackets++;
  let_come(copy, des_now());
}

/* --- the sender --- */

static void
send_segment(struct flow *flow, int number)
{
  if (flow->timed == SEGMENT_NONE) {
    flow->timed = number;
    flow->timed_at = des_now();
  }
  send_packet((struct packet){.flow = flow, .number = number, .is_segment = true});
}

/* Send segment NUMBER once more; nobody could tell which one an acknowledgement is for, so that no round trip is measured. */
static void
send_again(struct flow *flow, int number)
{
  flow->timed = SEGMENT_NONE;
  flow->state->net->totals.nretransmissions++;
  send_packet((struct packet){.flow = flow, .number = number, .is_segment = true, .again = true});
}

/* Wait for an acknowledgement from now on. */
static void
start_timer(struct flow *flow)
{
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

/* Send what the window allows. */
static void
pump(struct flow *flow)
{
  double most = flow->state->window_most;
  int window = (int)(flow->window < most ? flow->window : most);
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
static void
halve(struct flow *flow)
{
  flow->threshold = flow->window / 2 < 2 ? 2 : flow->window / 2;
}

/* Nothing has come back for too long: begin anew behind what is acknowledged. */
static void
time_out(struct event *event)
{
  struct flow *flow = EVENT_OWNER(event, struct flow, timer);
  if (flow->done || !flow->deadline) {
    release(flow);
    return;
  }
  if (flow->deadline > des_now()) {
    des_schedule_on(flow->state->net->node, &flow->timer, flow->deadline, des_order(DES_PROGRAM, flow->from));
    return;
  }
  flow->state->net->totals.ntimeouts++;
  tcp_tell(flow,
           &(struct net_event){.kind = NET_TIMEOUT, .after = flow->timer_after, .since = flow->timer_set});
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
static void
advance(struct flow *flow, int number)
{
  struct tcp *state = flow->state;
  if (flow->timed >= 0 && number > flow->timed) {
    uint64_t time = des_now() - flow->timed_at;
    flow->round_trip = flow->round_trip ? (7 * flow->round_trip + time) / 8 : time;
    uint64_t timeout = 3 * flow->round_trip;
    flow->timeout = timeout > state->timeout_least ? timeout : state->timeout_least;
    flow->timed = SEGMENT_NONE;
  }
  int nnew = number - flow->unacknowledged;
  flow->unacknowledged = number;
  flow->duplicates = 0;
  flow->backoffs = 0;
  flow->next_segment = flow->next_segment < number ? number : flow->next_segment;
  if (flow->recovering && number >= flow->recover) {
    flow->recovering = false;
    flow->window = flow->threshold;
  }
  if (!flow->recovering) {
    flow->window += flow->window < flow->threshold ? nnew : nnew / flow->window;
    flow->window = flow->window < state->window_most ? flow->window : state->window_most;
  }
  flow->done = number >= flow->nsegments;
  if (flow->done) {
    flow->deadline = 0;
  } else {
    start_timer(flow);
  }
}

/* In a recovery each acknowledgement lets one segment leave: the first hole, else a new one if the window allows it. */
static void
fill_hole(struct flow *flow)
{
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

/* An acknowledgement of all before segment NUMBER has come. */
static void
hear(struct flow *flow, int number)
{
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

/* --- the receiver --- */

static void
send_acknowledgement(struct flow *flow)
{
  flow->ndelayed = 0;
  send_packet((struct packet){.flow = flow, .number = flow->expected});
}

/* An acknowledgement has waited long enough. */
static void
acknowledge(struct event *event)
{
  struct flow *flow = EVENT_OWNER(event, struct flow, acknowledge);
  if (flow->ndelayed > 0 && !flow->done) {
    if (flow->acknowledge_at > des_now()) {
      des_schedule_on(flow->state->net->node, &flow->acknowledge, flow->acknowledge_at,
                      des_order(DES_PROGRAM, flow->to));
      return;
    }
    tcp_tell(flow, &(struct net_event){
                     .kind = NET_DELAY, .after = flow->acknowledge_after, .since = flow->acknowledge_set});
    send_acknowledgement(flow);
  }
  release(flow);
}

/* Let the acknowledgement of what has come wait for another segment. */
static void
delay(struct flow *flow)
{
  flow->acknowledge_at = des_now() + flow->state->delay;
  flow->acknowledge_set = des_now();
  flow->acknowledge_after = flow->state->now;
  if (!flow->acknowledge.pending) {
    des_schedule_on(flow->state->net->node, &flow->acknowledge, flow->acknowledge_at,
                    des_order(DES_PROGRAM, flow->to));
  }
}

/* Segment NUMBER has come. */
static void
take_segment(struct flow *flow, int number)
{
  bool in_order = number == flow->expected;
  flow->come[number] = 1;
  flow->end = number + 1 > flow->end ? number + 1 : flow->end;
  while (flow->expected < flow->nsegments && flow->come[flow->expected]) {
    flow->expected++;
  }
  bool complete = flow->expected == flow->nsegments;
  if (complete && flow->message) {
    net_arrive(flow->message, des_now(), flow->state->now);
    flow->message = NULL;
  }
  if (in_order && !complete && flow->end == flow->expected && flow->state->delay && ++flow->ndelayed < 2) {
    delay(flow);
  } else {
    send_acknowledgement(flow);
  }
}

/* --- all of it --- */

/* A packet has come to its next server, where there may be no room for it, or to its end. */
static void
come(struct event *event)
{
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
      hear(flow, number);
    }
    release(flow);
    return;
  }
  unsigned link = route->links[packet->hop];
  struct server *server = &state->net->servers[link];
  struct port_room *room = &state->rooms[link];
  size_t nbytes = wire_bytes(packet), most = packet->hop == 0 ? state->queue_bytes : state->buffer_bytes;
  if (server->shared && port_room_used(room, des_now()) + nbytes > most) {
    server->count.ndrops++;
    state->net->totals.ndrops++;
    tcp_tell_drop(packet, link);
    drop_packet(packet);
    release(flow);
    return;
  }
  uint64_t begin, end = server_take(server, nbytes, 0, des_now(), &begin);
  tcp_tell_service(packet, link, &(struct net_service){.nbytes = nbytes, .begin = begin, .end = end});
  if (server->shared) {
    port_room_add(room, nbytes, end);
  }
  packet->hop++;
  let_come(packet, end + server->latency);
}

static void
begin_message(void *argument, struct net_message *message)
{
  struct tcp *state = argument;
  struct net *net = state->net;
  struct flow *flow = pool_take(&state->flow_pool);
  size_t n = (message->nbytes + net->packet_bytes - 1) / net->packet_bytes;
  unsigned initial = net->platform->network.initial_window;
  *flow = (struct flow){.state = state,
                        .next = state->flows,
                        .message = message,
                        .known = *message,
                        .from = message->from,
                        .to = message->to,
                        .nbytes = message->nbytes,
                        .nsegments = n ? (int)n : 1,
                        .window = initial ? initial : state->window_most,
                        .threshold = INFINITY,
                        .timeout = state->timeout_least,
                        .timed = SEGMENT_NONE,
                        .timer.run = time_out,
                        .acknowledge.run = acknowledge};
  flow->forth = fabric_route(net->fabric, message->from, message->to);
  flow->back = fabric_route(net->fabric, message->to, message->from);
  flow->come = xcalloc(2 * (size_t)flow->nsegments, 1);
  flow->again = flow->come + flow->nsegments;
  if (flow->next) {
    flow->next->before = flow;
  }
  state->flows = flow;
  state->now = message->after;
  pump(flow);
}

static void
tcp_reset(void *argument)
{
  struct tcp *state = argument;
  for (struct flow *flow = state->flows; flow; flow = flow->next) {
    free(flow->come);
  }
  state->flows = NULL;
  state->now = 0;
  for (size_t i = 0; i < state->net->fabric->nlinks; i++) {
    port_room_reset(&state->rooms[i]);
  }
  pool_reset(&state->packets);
  pool_reset(&state->flow_pool);
}

static void *
tcp_new(struct net *net)
{
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
  return state;
}

static void
tcp_free(void *argument)
{
  struct tcp *state = argument;
  tcp_reset(state);
  for (size_t i = 0; i < state->net->fabric->nlinks; i++) {
    port_room_fini(&state->rooms[i]);
  }
  free(state->rooms);
  pool_fini(&state->packets);
  pool_fini(&state->flow_pool);
  free(state);
}

const struct transport transport_tcp = {tcp_new, tcp_free, tcp_reset, begin_message};
