/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements of a network by messages alone, without programs; and the values of a network of hosts for
 * models: a message alone on the network, and the contention signature of complete exchanges. */
#pragma once

#include "validate/model/measured/signature.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;
struct err;
struct ledger;
struct platform;

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

/* Check that the network file of PLATFORM, if any, can be read.
 * errors: as fabric_new. */
int network_values_check_file(const struct platform *platform, struct err *err);

/* How long a message takes alone, in cycles: a short one, the work of the processors included; and each byte
 * more of a long one. */
struct network_message {
  double latency, byte;
};

/* Measure MESSAGE over one rail of PLATFORM, a platform of hosts, from the first host to the second.
 * errors: as net_new; one host; hosts of several clusters. */
int network_values_message(const struct platform *platform, struct network_message *message, struct err *err);

/* Ask LEDGER for the contention signature of the network of MACHINE, whose hosts are NCLUSTERS clusters: one,
 * the first one of AREA, or two. The values come from exchanges of five sizes, each on three random networks,
 * on 24 hosts of a cluster (or all hosts if fewer); `bench signature` measures more of each.
 * returns: whether the result is known. *WHY is then the reason for missing values; NULL: AREA is set. */
bool network_values_ask(struct ledger *ledger, struct machine *machine, unsigned nclusters,
                        struct signature_area *area, const char **why);
