/* SPDX-License-Identifier: BSD-3-Clause
 * Utilisation of the links and NICs of a network, and the losses of TCP. */
#pragma once

#include "sim/hw/watch/probe.h"
#include "traces/utilisation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A link in one direction, the bus of a NIC, or the memory of a host. */
struct net_counters_server {
  char *name; /* NULL: the server was not used */
  enum probe_server_kind kind;
  uint64_t packets, nbytes; /* with headers */
  uint64_t busy, waited;    /* cycles in all */
  bool is_first;            /* packets begin here: the server belongs to a NIC */
  uint64_t drops;
  size_t longest_queue; /* bytes found by a packet ahead of the packet itself */
};

/* A host with its NICs. */
struct net_counters_host {
  uint64_t sent, received, bytes_sent, bytes_received; /* messages, and bytes of messages */
  uint64_t packets,
    busy;        /* packets sent by the NICs, with acknowledgements; cycles of sending, all NICs together */
  unsigned nics; /* with a packet sent */
  size_t longest_queue;                      /* bytes before a packet in a NIC */
  uint64_t drops, retransmissions, timeouts; /* of packets sent by the host */
};

struct net_counters {
  struct probe probe; /* first */
  uint64_t end;       /* last cycle of all that was seen */
  struct net_counters_server *servers;
  size_t nservers;
  struct net_counters_host *hosts, all;
  size_t nhosts;
  const char *const *names; /* of the hosts; NULL: n0, n1 and so on */
};

/* Make COUNTERS ready to be attached to a network just reset.
 * owner: the caller, with net_counters_clear. */
void net_counters_init(struct net_counters *counters);

/* Forget all that has been counted, but not the names of hosts. */
void net_counters_clear(struct net_counters *counters);

/* Call SHOW with every counter of the whole network, of every host that has sent or received, and of every
 * link or bus used. Shares refer to CYCLES. */
void net_counters_list(const struct net_counters *counters, double cycles,
                       void (*show)(void *context, const struct utilisation_row *row), void *context);
