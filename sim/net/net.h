/* SPDX-License-Identifier: BSD-3-Clause
 * A network between hosts: messages go through the NICs and over the links in packets, in simulated time,
 * beside the nodes.
 *
 * The network is a node of the event core (des.h) with a clock of its own. A program on another node sends at
 * its own cycle; the message arrives by an event on the node of its receiver. Between a send and anything
 * that it causes elsewhere lie at least net_horizon cycles: the look-ahead of des_run_all. The bytes of a
 * message are its sender's; the network only tells when they are there. */
#pragma once

#include "sim/base/wheel.h"
#include "sim/net/fabric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct des_node;
struct err;
struct net;
struct platform;
struct probe;
struct probe_event;

/* A message: part of something of its sender, which keeps it until it has arrived. */
struct net_message {
  unsigned from, to;         /* hosts */
  unsigned port;             /* of the sender: a message that is not striped takes rail port mod rails */
  bool one_rail;             /* it is not striped, whatever its size */
  size_t nbytes;             /* 0 is allowed */
  struct des_node *receiver; /* the node on which it arrives; that of the network is allowed */
  void (*arrived)(struct net_message
                    *message); /* called there in the cycle in which its last byte has reached the program */
  /* 0: net_send numbers the message and tells that it is sent; else its sender, the host of triblades, has
   * done both, between the nodes `from_node` and `to_node`, and `after` is the number of the latest thing
   * that it has told of it */
  uint64_t number, after;
  unsigned from_node, to_node;
  bool relayed; /* it is not there when it has arrived: a host passes it on */

  /* the network's own */
  struct net *net;
  struct event event;
  unsigned under_way; /* parts that have not arrived */
  uint64_t arrival;   /* of the last part up to now */
};

/* Make the network of PLATFORM, which has nodes. What its topology and transport leave to chance comes from
 * SEED.
 * errors: as fabric_new.
 * owner: the caller, with net_free. */
struct net *net_new(const struct platform *platform, uint64_t seed, struct err *err);

/* Release NET, which does not run; NULL is allowed. */
void net_free(struct net *net);

/* Make NET as new before another run; messages under way are forgotten. */
void net_reset(struct net *net);

/* Return the node of NET; runs of others that send include it.
 * owner: the network. */
struct des_node *net_node(const struct net *net);

/* Return the links of NET and the ways over them. */
struct fabric *net_fabric(const struct net *net);

/* Return the least number of cycles, at least 1, between a send and what it can cause on another node, and
 * between the cycle at which the network knows of an arrival and that arrival: the look-ahead of
 * des_run_all. */
uint64_t net_horizon(const struct net *net);

/* Return for how many cycles sending a message occupies the processor that sends it: nic.send. The message
 * leaves after them; the program of the sender charges them to itself. */
uint64_t net_send_cycles(const struct net *net);

/* Send MESSAGE at cycle AT, which the clock of the network has not passed by more than it may. Messages of
 * one host in one cycle leave in the order of the calls; arrivals on a node in one cycle happen in ascending
 * order of the sender, and those of one sender in that in which they were sent, as far as they took the same
 * way. */
void net_send(struct net *net, struct net_message *message, uint64_t at);

/* What a network has done since it was made or made as new. */
struct net_totals {
  uint64_t nmessages, nbytes;           /* sent */
  uint64_t nretransmissions, ntimeouts; /* of TCP; packets */
  uint64_t ndrops;                      /* packets for which there was no room */
};

/* Return the totals of NET. */
const struct net_totals *net_totals(const struct net *net);

/* --- observers --- */

/* Let PROBE see what becomes of messages from now on; or no more. */
void net_attach(struct net *net, struct probe *probe);
void net_detach(struct net *net, struct probe *probe);

/* Return a number for a message that has not been sent yet, or for something that is told of one. */
uint64_t net_number(struct net *net);
uint64_t net_step(struct net *net);

/* Tell whether anybody watches NET. */
bool net_is_seen(const struct net *net);

/* Tell the observers of NET of EVENT of MESSAGE; `step` and `after` of EVENT are set. */
void net_tell(const struct net *net, const struct net_message *message, struct probe_event event);

/* The same for an event that is not even filled in without an observer. */
#define net_see(net, message, ...) \
  do { \
    if (net_is_seen(net)) { \
      net_tell((net), (message), __VA_ARGS__); \
    } \
  } while (0)

/* Return how many servers the events of NET can name. */
size_t net_nservers(const struct net *net);
