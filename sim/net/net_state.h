/* SPDX-License-Identifier: BSD-3-Clause
 * A network as its transports see it; for this folder only. */
#pragma once

#include "sim/base/pool.h"
#include "sim/base/rate_server.h"
#include "sim/hw/probe.h"
#include "sim/net/net.h"

#include <stdbool.h>

/* A link, the bus of a NIC, or the memory of a host. */
struct server {
  struct rate_server pace;
  uint64_t byte_ucyc; /* millionths of a cycle for one byte */
  uint64_t latency;   /* cycles, after it */
  bool shared;        /* false: no packet waits for another one */
};

/* How messages get over the links. */
struct transport {
  void *(*new)(struct net *net); /* its own state */
  void (*free)(void *state);
  void (*reset)(void *state); /* before another run */
  void (*begin)(void *state,
                struct net_message *message); /* MESSAGE, to another host, leaves its processor */
};

extern const struct transport transport_lossless, transport_wormhole, transport_tcp, transport_signature;

struct net {
  struct des_node *node;
  struct fabric *fabric;
  struct platform *platform; /* a copy */
  const struct transport *transport;
  void *state, *local; /* of the transport; of that of messages of a host to itself, which is lossless */
  struct server
    *servers; /* rail by rail the links, then host by host and rail by rail their buses, or their memories */
  size_t nservers;
  unsigned nrails;
  bool has_buses;
  size_t packet_bytes, header_bytes, stripe_bytes;
  uint64_t send, receive, gap; /* cycles */
  struct net_totals totals;
  uint64_t nmessages, nsteps; /* numbers that have been given */
  struct probes probes;       /* who watches */
  char **names;               /* of servers; NULL: nobody has watched */
};

/* Return US microseconds in cycles of NET. */
uint64_t net_cycles(const struct net *net, double us);

/* Let MESSAGE, all of which is in the NIC of its receiver at cycle AT, after what has number AFTER, arrive at
 * its program. */
void net_arrive(struct net_message *message, uint64_t at, uint64_t after);

/* Release the names of the servers of NET, and its list of observers. */
void net_forget_watch(struct net *net);

/* Tell the observers of the network of MESSAGE, which there are, of PACKET, in which the name and kind of the
 * server, its latency and the queue are left out; number STEP followed from number AFTER. */
void net_tell_packet(const struct net_message *message, uint64_t step, uint64_t after,
                     const struct probe_packet *packet);

/* Return how long SERVER takes for NBYTES. */
static inline struct rate_interval server_time(const struct server *server, size_t nbytes) {
  return rate_interval((nbytes * server->byte_ucyc + 500) / 1000);
}

/* Let SERVER serve NBYTES that are there at cycle AT, as soon as it can, and be occupied for GAP cycles
 * before: *BEGIN becomes the cycle in which it begins.
 * returns: when it has ended. */
static inline uint64_t server_take(struct server *server, size_t nbytes, uint64_t gap, uint64_t at,
                                   uint64_t *begin) {
  struct rate_interval time = server_time(server, nbytes);
  uint64_t mcyc = rate_interval_mcyc(time) + 1000 * gap;
  *begin = at;
  if (!server->shared) {
    return at + (mcyc + 999) / 1000;
  }
  *begin = rate_server_ready(&server->pace, at);
  rate_server_take(&server->pace, *begin, rate_interval(mcyc));
  return server->pace.ready;
}
