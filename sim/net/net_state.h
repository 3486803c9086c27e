/* SPDX-License-Identifier: BSD-3-Clause
 * A network as seen by the transports; for this folder only. */
#pragma once

#include "sim/base/pool.h"
#include "sim/base/engine/rate_server.h"
#include "sim/net/net.h"

#include <stdbool.h>

/* A link, the bus of a NIC, or the memory of a host. */
struct server {
  struct rate_server pace;
  uint64_t byte_ucyc; /* millionths of a cycle for one byte */
  uint64_t latency;   /* cycles after the service */
  bool shared;        /* false: no packet waits for another one */
};

/* How messages get over the links. */
struct transport {
  void *(*new)(struct net *net); /* returns the state of the transport */
  void (*free)(void *state);
  void (*begin)(void *state,
                struct net_message *message); /* MESSAGE, to another host, leaves the sending processor */
};

extern const struct transport transport_lossless, transport_wormhole, transport_tcp, transport_signature;

/* Let MESSAGE arrive at the receiving program. At cycle AT the whole message is in the NIC of the receiver;
 * AFTER is the number of the step that brought the last byte. */
void net_arrive(struct net_message *message, uint64_t at, uint64_t after);

/* Tell the observers of the network of MESSAGE (at least one) of PACKET with the number STEP; STEP followed
 * from step AFTER. This function fills in the name and kind of the server, the latency and the queue. */
void net_tell_packet(const struct net_message *message, uint64_t step, uint64_t after,
                     const struct probe_packet *packet);

/* Return how long SERVER takes for NBYTES. */
static inline struct rate_interval server_time(const struct server *server, size_t nbytes) {
  return rate_interval((nbytes * server->byte_ucyc + 500) / 1000);
}

/* Let SERVER serve NBYTES, present at cycle AT, as early as possible; before the service SERVER is occupied
 * for GAP cycles. Store the cycle in which the service (gap included) begins in *BEGIN.
 * returns: the cycle in which the service ends. */
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
