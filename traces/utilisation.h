/* SPDX-License-Identifier: BSD-3-Clause
 * Observers that measure the use of every part of a machine and the waits of bus requests for each part; of
 * a network the use of links and NICs, and the losses of TCP. */
#pragma once

#include "platform/parameters.h"
#include "sim/base/engine/rate_server.h"
#include "sim/hw/watch/probe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part that serves one bus request after the other. */
struct utilisation_server {
  uint64_t served, nbytes;
  uint64_t busy_mcyc; /* thousandths of a cycle */
  struct rate_server pace;
  uint64_t waited, waited_max;
};

/* Causes of a wait of a bus request at an on-ramp. */
enum utilisation_cause {
  WAITED_OWN_RAMP, /* earlier requests from the same unit */
  WAITED_RECEIVER, /* the off-ramp of the target, after the own ramp */
  WAITED_RING,     /* a ring, or its turn, after the receiver */
  WAITED_CAUSES
};

/* The two ramps of a unit. */
struct utilisation_ramps {
  struct utilisation_server out, in;
  uint64_t conflicts[WAITED_CAUSES]; /* transfers by the last cause of their wait */
  uint64_t cycles[WAITED_CAUSES];    /* of waiting, by cause */
  unsigned queued_max;
};

struct utilisation_ring {
  uint64_t served, nbytes;
  uint64_t passed[RING_UNITS_MAX]; /* transfers over the place behind a position in the ring's direction */
};

struct utilisation_mfc {
  uint64_t commands, requests, nbytes;
  unsigned queued, queued_max; /* commands */
  unsigned flying_max;         /* bus requests */
  uint64_t cycles_in;          /* the sum of the times in the window over all delivered bus requests */
};

struct utilisation {
  struct probe probe;
  const struct platform *platform;
  struct parameters parameters;
  uint64_t end_mcyc;                        /* end of the last event seen */
  struct utilisation_ring *rings;           /* [chip * rings + ring] */
  struct utilisation_ramps *ramps;          /* [chip * units + unit] */
  struct utilisation_server *links;         /* [chip * chips + neighbour] */
  struct utilisation_server *memories;      /* [chip] */
  struct utilisation_server *command_buses; /* [chip] */
  struct utilisation_mfc *mfcs;             /* [spe] */
};

/* One counter. */
struct utilisation_row {
  const char *where;   /* "chip 0 ring 2", "chip 1 SPE 11 out", "link 0-1", "memory 0" */
  const char *counter; /* "busy" is the share of time without room for another service */
  double value;
  const char *unit;
};

/* Return how many decimals the value of ROW has in print: a share or a mean two, a count none. */
int utilisation_decimals(const struct utilisation_row *row);

/* The function that is shown counters, and the part of the machine with the counters. */
struct utilisation_show {
  void (*show)(void *context, const struct utilisation_row *row);
  void *context;
  double cycles; /* in all */
  char where[96];
};

/* Show a counter of the part, or the busy share. */
void utilisation_show_count(const struct utilisation_show *show, const char *counter, uint64_t value,
                            const char *unit);
void utilisation_show_busy(const struct utilisation_show *show, double percent);

/* Make UTILISATION ready to be attached to a blade of PLATFORM, just reset; PLATFORM must outlive
 * UTILISATION. */
void utilisation_init(struct utilisation *utilisation, const struct platform *platform);
void utilisation_fini(struct utilisation *utilisation);

/* Return the cycles at the base of shares: from the reset to the end of all programs and all traffic. */
double utilisation_cycles(const struct utilisation *utilisation);

/* Return the busy share of SERVER's time. */
double utilisation_share(const struct utilisation *utilisation, const struct utilisation_server *server);

/* Return the share of time for which the busiest place of RING (its number among the rings of all chips) was
 * taken. */
double utilisation_ring_share(const struct utilisation *utilisation, size_t ring);

/* Call SHOW with every counter of every part used. */
void utilisation_list(const struct utilisation *utilisation,
                      void (*show)(void *context, const struct utilisation_row *row), void *context);

/* --- a network, in net_counters.c --- */

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
