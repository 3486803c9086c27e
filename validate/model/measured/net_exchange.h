/* SPDX-License-Identifier: BSD-3-Clause
 * Messages directly on a network, without programs: all messages begin at once. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct err;

/* A set of messages that begin together. */
struct net_exchange {
  const struct platform *platform; /* of the network */
  unsigned ranks, first;           /* the ranks fill host after host, from host `first` on */
  size_t nbytes;                   /* of a message */
  uint64_t seed;                   /* of the beginnings: each message begins at most host.jitter late */
  uint64_t *ntimeouts; /* is made the number of retransmission timeouts of TCP; NULL: not wanted */
};

/* Return the network of PLATFORM, of nodes, with NRAILS rails.
 * errors: as platform_set and net_new.
 * owner: the caller, with net_free. */
struct net *net_exchange_rails(const struct platform *platform, unsigned nrails, struct err *err);

/* Let each rank of EXCHANGE send a message to each other rank on NET, the nearest higher rank first. NET must
 * be as new, and is as new again afterwards.
 * returns: the cycle in which the last message arrives. */
uint64_t net_exchange_all(struct net *net, const struct net_exchange *exchange);

/* COUNT messages from host FROM to host TO. */
struct net_stream {
  unsigned from, to, count;
};

/* Let the N STREAMS of messages of NBYTES pass NET, which is as new.
 * returns: as net_exchange_all. */
uint64_t net_exchange_streams(struct net *net, size_t nbytes, const struct net_stream *streams, unsigned n);

/* The same for one message of NBYTES from host FROM to host TO. */
static inline uint64_t net_exchange_one(struct net *net, size_t nbytes, unsigned from, unsigned to) {
  return net_exchange_streams(net, nbytes, &(struct net_stream){from, to, 1}, 1);
}
