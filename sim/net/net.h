/* SPDX-License-Identifier: BSD-3-Clause
 * A network between hosts: messages pass the NICs and the links in packets, in simulated time, in parallel
 * with the nodes.
 *
 * The network is a node of the event core (des.h) with a clock of its own. A program on another node sends at
 * the cycle of its own clock; the message arrives by an event on the node of the receiver. A send has no
 * effect on another node for at least net_horizon cycles: the look-ahead of des_run_all. The network moves no
 * data: the bytes of a message stay with the sender, and the network tells when the message has arrived. */
#pragma once

#include "sim/base/engine/wheel.h"
#include "sim/hw/watch/probe.h"
#include "sim/net/fabric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct des_node;

/* A message: a member of a structure of the sender, which must exist until the message has arrived. */
struct net_message {
  unsigned from, to;         /* hosts */
  unsigned port;             /* of the sender: a message on one rail takes rail port mod rails */
  bool one_rail;             /* the message is never striped over the rails */
  size_t nbytes;             /* 0 is allowed */
  struct des_node *receiver; /* the node on which the message arrives; may be the network's own node */
  /* called on the node of the receiver in the cycle in which the last byte has reached the program */
  void (*arrived)(struct net_message *message);
  /* 0: net_send calls net_number. Otherwise the sender has done so: the message goes from node `from_node` to
   * node `to_node`, and `after` is the number of the latest step told of the message */
  uint64_t number, after;
  unsigned from_node, to_node;
  bool relayed; /* the arrival at the host is not the end: the host passes the message on */

  /* the network's own */
  struct net *net;
  struct event event;
  unsigned under_way; /* parts of the message that have not arrived */
  uint64_t arrival;   /* of the last part up to now */
};

/* Totals of a network since net_new or net_reset. */
struct net_totals {
  uint64_t nmessages, nbytes;           /* sent */
  uint64_t nretransmissions, ntimeouts; /* of TCP; packets */
  uint64_t ndrops;                      /* packets dropped for lack of room */
};

/* A network. Other folders only read, except the number of steps (sim/node). */
struct net {
  struct des_node *node; /* part of each run of sending nodes */
  struct fabric *fabric;
  struct net_totals totals;
  /* cycles for which sending a message occupies the sending processor (nic.send). The message leaves after
   * this time; the sending program adds the time to its own clock */
  uint64_t send, receive;     /* receive: cycles of nic.receive, before the arrival */
  uint64_t nmessages, nsteps; /* the latest number of a message, and of a step of a message */
  struct probes probes;
  size_t nservers; /* the number of servers in events */

  /* for this folder only, see net_state.h: */
  struct platform *platform; /* a copy */
  const struct transport *transport;
  /* `state`: of the transport; `local`: of the lossless transport for messages of a host to itself */
  void *state, *local;
  /* first the links, rail by rail; then for each host and rail the bus or the memory */
  struct server *servers;
  char **names; /* of servers; NULL: nobody has watched */
  unsigned nrails;
  bool has_buses;
  size_t packet_bytes, header_bytes, stripe_bytes;
  uint64_t gap; /* cycles */
};

/* Make the network of PLATFORM, a platform of nodes. Random choices of the topology and the transport come
 * from SEED.
 * errors: as fabric_new.
 * owner: the caller, with net_free. */
struct net *net_new(const struct platform *platform, uint64_t seed, struct err *err);

/* Release NET, which must not be running; NULL is allowed. */
void net_free(struct net *net);

/* Make NET as new before another run; messages under way are forgotten. */
void net_reset(struct net *net);

/* Return the look-ahead of des_run_all, at least 1: the minimum number of cycles between a send and the
 * earliest effect on another node, and between the cycle at which the network computes an arrival and the
 * arrival. */
uint64_t net_horizon(const struct net *net);

/* Return US microseconds in cycles of NET. */
uint64_t net_cycles(const struct net *net, double us);

/* Number MESSAGE, sent by a program at cycle AT, and tell the observers of the send, described by HOW. */
void net_number(struct net *net, struct net_message *message, uint64_t at, struct probe_send how);

/* Send MESSAGE at cycle AT; the clock of the network must not be ahead of AT by more than the look-ahead.
 * Messages of one host in one cycle leave in the order of the calls. Arrivals on a node in one cycle happen
 * in ascending order of the sender; messages of one sender over the same route arrive in the order of the
 * sends. */
void net_send(struct net *net, struct net_message *message, uint64_t at);

/* --- observers --- */

/* Attach PROBE: from now on PROBE sees the events of messages; net_detach ends the observation. */
void net_attach(struct net *net, struct probe *probe);
void net_detach(struct net *net, struct probe *probe);

/* Tell the observers of NET of EVENT of MESSAGE; `step` and `after` of EVENT are set. */
void net_tell(const struct net *net, const struct net_message *message, struct probe_event event);

/* net_tell with an event that is built only if somebody observes. */
#define net_see(net, message, ...) \
  do { \
    if ((net)->probes.n) { \
      net_tell((net), (message), __VA_ARGS__); \
    } \
  } while (0)
