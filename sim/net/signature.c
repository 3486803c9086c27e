/* SPDX-License-Identifier: BSD-3-Clause
 * A transport for users with measurements of a network: the contention signature of Steffenel et al.
 *
 * A host sends one message after the other. Without contention a message of m bytes takes alpha + m beta.
 * Contention means that another message waits or is in transit at the sender's or the receiver's port; the
 * message then takes alpha + m beta gamma, plus delta if m >= network.threshold. alpha comes from the
 * latencies of links and processors, beta from the bandwidth of the slowest link. A message that waited in
 * the queue occupies the sender's port for all of this time. A message that found the port free occupies the
 * port for this time without the sender's processor time.
 * source: Steffenel, Martinasso, Trystram 2007, equation 5. */
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"
#include "sim/net/net_state.h"

#include <math.h>
#include <stdlib.h>

/* A message that waits or is in transit. */
struct turn {
  struct event event; /* the begin, then the end */
  struct turn *next;  /* the next message that waits at the same port */
  struct signature *state;
  struct net_message *message; /* invalid after the begin */
  unsigned from, to;
  uint64_t came;
  /* met: another message was at a port of this message on arrival; waited: another message was at the
   * sender's port */
  bool met, waited;
};

struct port {
  struct turn *first, *last; /* the first one is under way, or about to begin */
  unsigned nout, nin;        /* messages from and to this host that wait or are in transit */
};

struct signature {
  struct net *net;
  struct pool turns;
  struct port *ports;
};

/* Return for how many cycles MESSAGE occupies the port of the sender; with contention (MET) including the
 * receiving processor's time. */
static uint64_t time_of(const struct signature *state, const struct net_message *message, bool met) {
  const struct net *net = state->net;
  const struct platform *platform = net->platform;
  struct fabric_route route = fabric_route(net->fabric, message->from, message->to);
  double beta = 0;
  uint64_t latency = 0;
  for (unsigned i = 0; i < route.n; i++) {
    const struct server *server = &net->servers[route.links[i]];
    double byte = 1e-6 * (double)server->byte_ucyc;
    RAISE(beta, byte);
    latency += server->latency;
  }
  bool late = met && message->nbytes >= platform->network.threshold;
  double data = (double)message->nbytes * beta * (met ? platform->network.gamma : 1);
  return latency + (uint64_t)llround(data) + (late ? net_cycles(net, platform->network.delta) : 0) +
         (met ? net->receive : 0);
}

static void begin_turn(struct event *event);

/* Let TURN, the first message at the port, begin in this cycle, after all messages sent in this cycle have
 * come to the port. */
static void let_begin(struct turn *turn) {
  turn->event.run = begin_turn;
  des_schedule_on(turn->state->net->node, &turn->event, des_now(), des_order(DES_LINK, turn->from));
}

static void end(struct event *event) {
  struct turn *turn = EVENT_OWNER(event, struct turn, event);
  struct signature *state = turn->state;
  struct port *port = &state->ports[turn->from];
  port->first = turn->next;
  port->nout--;
  state->ports[turn->to].nin--;
  pool_give(&state->turns, turn);
  if (port->first) {
    let_begin(port->first);
  }
}

/* Tell the observers of TURN of STATE, which begins now and ends at cycle END, as a service of the first link
 * on the route. */
static void tell(const struct signature *state, const struct turn *turn, uint64_t end) {
  struct net *net = state->net;
  struct fabric_route route = fabric_route(net->fabric, turn->from, turn->to);
  uint64_t step = ++net->nsteps;
  if (net->probes.n && route.n) {
    net_tell_packet(turn->message, step, turn->message->after,
                    &(struct probe_packet){.server.number = route.links[0],
                                           .nbytes = turn->message->nbytes,
                                           .came = turn->came,
                                           .begin = des_now(),
                                           .end = end});
  }
}

static void begin_turn(struct event *event) {
  struct turn *turn = EVENT_OWNER(event, struct turn, event);
  struct signature *state = turn->state;
  bool met = turn->met || state->ports[turn->from].nout > 1 || state->ports[turn->to].nin > 1;
  uint64_t time = time_of(state, turn->message, met) + (turn->waited ? state->net->send : 0);
  turn->event.run = end;
  des_schedule_on(state->net->node, &turn->event, des_now() + time, des_order(DES_ISSUE, turn->from));
  uint64_t end = des_now() + time - (met ? state->net->receive : 0);
  tell(state, turn, end);
  net_arrive(turn->message, end, state->net->nsteps);
}

static void begin_message(void *argument, struct net_message *message) {
  struct signature *state = argument;
  struct port *port = &state->ports[message->from], *target = &state->ports[message->to];
  struct turn *turn = pool_take(&state->turns);
  *turn = (struct turn){
    .state = state, .message = message, .from = message->from, .to = message->to, .came = des_now()};
  turn->met = port->nout > 0 || target->nin > 0;
  port->nout++;
  target->nin++;
  turn->waited = port->first != NULL;
  if (turn->waited) {
    port->last->next = turn;
  } else {
    port->first = turn;
    let_begin(turn);
  }
  port->last = turn;
}

static void *signature_new(struct net *net) {
  struct signature *state = xcalloc(1, sizeof *state);
  state->net = net;
  state->ports = xcalloc(net->fabric->nhosts, sizeof *state->ports);
  pool_init(&state->turns, sizeof(struct turn));
  return state;
}

static void signature_free(void *argument) {
  struct signature *state = argument;
  pool_fini(&state->turns);
  free(state->ports);
  free(state);
}

const struct transport transport_signature = {signature_new, signature_free, begin_message};
