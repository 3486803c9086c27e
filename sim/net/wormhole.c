/* SPDX-License-Identifier: BSD-3-Clause
 * The transport of switches without room for packets: a packet holds the links that its head has won, while
 * the head waits for the next link.
 *
 * A host sends one packet at a time, message after message. The head of a packet wins a free link, in the
 * order of the heads' arrival, and reaches the next link after the delay of the won link. When the head has
 * won the last link, the whole packet passes at the rate of the slowest link of the route; then all links are
 * free again.
 * source: Boden et al. 1995 (Myrinet): source routes, cut-through and flow control from link to link. */
#include "sim/base/engine/des.h"
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"
#include "sim/net/net_state.h"

#include <stdlib.h>

/* The messages of a host, and the packet in transit. */
struct host {
  struct event event; /* the head of the packet moves on, or the tail has passed */
  struct wormhole *state;
  struct order *first, *last; /* messages; the packet is of the first one */
  struct host *next;          /* the next host that waits for the same link */
  unsigned hop;               /* links won by the head */
  struct fabric_route route;
  size_t nbytes;       /* of the packet */
  uint64_t wait_begin; /* for the next link */
  unsigned number;     /* of the packet */
  uint64_t gap;        /* cycles of the NIC before the head of the packet leaves */
  uint64_t after;      /* the number of the step from which the packet follows */
};

/* A message that has not left. */
struct order {
  struct order *next;
  struct net_message *message;
  size_t nbytes;  /* bytes not yet cut into packets */
  uint64_t begun; /* the cycle in which the message left the processor */
};

struct link {
  struct host *owner;
  struct host *first, *last; /* the hosts whose heads wait */
  /* cycles in which the head of the owner's packet has come and has won the link */
  uint64_t came, won;
};

struct wormhole {
  struct net *net;
  struct host *hosts;
  struct link *links;
  struct pool orders;
};

/* Let the event of HOST happen at cycle AT. */
static void schedule(struct host *host, uint64_t at, void (*run)(struct event *)) {
  host->event.run = run;
  unsigned number = (unsigned)(host - host->state->hosts);
  des_schedule_on(host->state->net->node, &host->event, at, des_order(DES_LINK, number));
}

static void begin_packet(struct host *host);
static void pass(struct event *event);
static void advance(struct event *event);

/* Give LINK of STATE, which is free, to HOST. */
static void win(struct wormhole *state, size_t link, struct host *host) {
  state->links[link].owner = host;
  state->links[link].came = host->wait_begin;
  state->links[link].won = des_now();
  host->hop++;
  host->wait_begin = des_now();
  schedule(host, des_now() + state->net->servers[link].latency, advance);
}

/* The head of a packet has come to the next link, or to the receiver. */
static void advance(struct event *event) {
  struct host *host = EVENT_OWNER(event, struct host, event);
  struct wormhole *state = host->state;
  if (host->hop == host->route.n) {
    uint64_t longest = 0;
    for (unsigned i = 0; i < host->route.n; i++) {
      struct rate_interval time =
        server_time(&state->net->servers[host->route.links[i]], host->nbytes + state->net->header_bytes);
      uint64_t cycles = time.cycles + (time.rest_mcyc > 0);
      RAISE(longest, cycles);
    }
    schedule(host, des_now() + longest, pass);
    return;
  }
  struct link *link = &state->links[host->route.links[host->hop]];
  host->wait_begin = des_now();
  if (!link->owner) {
    win(state, host->route.links[host->hop], host);
    return;
  }
  host->next = NULL;
  if (link->first) {
    link->last->next = host;
  } else {
    link->first = host;
  }
  link->last = host;
}

/* Tell the observers of the links that the packet of HOST has passed. */
static void tell_links(struct host *host) {
  struct net *net = host->state->net;
  struct order *order = host->first;
  for (unsigned i = 0; i < host->route.n; i++) {
    const struct link *link = &host->state->links[host->route.links[i]];
    uint64_t after = host->after, gap = i == 0 ? host->gap : 0;
    bool first = order->begun != UINT64_MAX;
    host->after = ++net->nsteps;
    if (net->probes.n) {
      net_tell_packet(order->message, host->after, after,
                      &(struct probe_packet){.server.number = host->route.links[i],
                                             .nbytes = host->nbytes + net->header_bytes,
                                             .number = host->number,
                                             .hop = i,
                                             .came = i == 0 && first ? order->begun : link->came - gap,
                                             .begin = link->won,
                                             .end = des_now(),
                                             .gap = gap});
    }
  }
  order->begun = UINT64_MAX;
}

/* Free the links of the packet of HOST; the first waiting host wins each link. */
static void free_links(struct host *host) {
  struct wormhole *state = host->state;
  for (unsigned i = 0; i < host->route.n; i++) {
    struct link *link = &state->links[host->route.links[i]];
    link->owner = NULL;
    struct host *next = link->first;
    if (next) {
      link->first = next->next;
      win(state, host->route.links[i], next);
    }
  }
}

/* The tail of a packet has passed all links. */
static void pass(struct event *event) {
  struct host *host = EVENT_OWNER(event, struct host, event);
  struct wormhole *state = host->state;
  struct order *order = host->first;
  tell_links(host);
  free_links(host);
  if (order->nbytes == 0) {
    net_arrive(order->message, des_now(), host->after);
    host->first = order->next;
    pool_give(&state->orders, order);
  }
  if (host->first) {
    begin_packet(host);
  }
}

/* Let the head of the next packet of HOST, which has messages, leave. */
static void begin_packet(struct host *host) {
  struct order *order = host->first;
  const struct net *net = host->state->net;
  bool first = order->nbytes == order->message->nbytes;
  host->nbytes = MIN(order->nbytes, net->packet_bytes);
  order->nbytes -= host->nbytes;
  host->route = fabric_route(net->fabric, order->message->from, order->message->to);
  host->hop = 0;
  host->number = first ? 0 : host->number + 1;
  host->gap = first ? net->gap : 0;
  host->after = first ? order->message->after : host->after;
  schedule(host, des_now() + host->gap, advance);
}

static void begin_message(void *argument, struct net_message *message) {
  struct wormhole *state = argument;
  struct host *host = &state->hosts[message->from];
  struct order *order = pool_take(&state->orders);
  *order = (struct order){.message = message, .nbytes = message->nbytes, .begun = des_now()};
  if (host->first) {
    host->last->next = order;
    host->last = order;
  } else {
    host->first = host->last = order;
    begin_packet(host);
  }
}

static void *wormhole_new(struct net *net) {
  struct wormhole *state = xcalloc(1, sizeof *state);
  state->net = net;
  state->hosts = xcalloc(net->fabric->nhosts, sizeof *state->hosts);
  state->links = xcalloc(net->fabric->nlinks, sizeof *state->links);
  pool_init(&state->orders, sizeof(struct order));
  for (unsigned i = 0; i < net->fabric->nhosts; i++) {
    state->hosts[i].state = state;
  }
  return state;
}

static void wormhole_free(void *argument) {
  struct wormhole *state = argument;
  pool_fini(&state->orders);
  free(state->hosts);
  free(state->links);
  free(state);
}

const struct transport transport_wormhole = {wormhole_new, wormhole_free, begin_message};
