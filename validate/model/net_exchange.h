/* SPDX-License-Identifier: BSD-3-Clause
 * Messages straight on a network, without programs: all of them begin at once. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct net;

/* A set of messages that begin together. */
struct net_exchange {
  unsigned ranks; /* rank r is on host first + r / per_host */
  unsigned first;
  unsigned per_host;
  size_t nbytes;   /* of a message */
  uint64_t jitter; /* cycles: each message begins at most so late, drawn from SEED */
  uint64_t seed;
  uint64_t *ntimeouts; /* is made the number of retransmission timeouts of TCP; NULL: not wanted */
};

/* Let each rank of EXCHANGE send a message to each other one on NET, which is as new, the nearest higher rank first.
 * returns: the cycle in which the last one arrives; NET is as new again. */
uint64_t net_exchange_all(struct net *net, const struct net_exchange *exchange);

/* Let host FROM send a message of NBYTES to host TO of NET, which is as new.
 * returns: as net_exchange_all. */
uint64_t net_exchange_one(struct net *net, size_t nbytes, unsigned from, unsigned to);

/* Let host 0 send COUNT messages of NBYTES to host 1 of NET, which is as new, and host 1 BACK messages to host 0.
 * returns: as net_exchange_all. */
uint64_t net_exchange_two(struct net *net, size_t nbytes, unsigned count, unsigned back);
