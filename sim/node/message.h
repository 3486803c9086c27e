/* SPDX-License-Identifier: BSD-3-Clause
 * Messages between the nodes of a cluster, as the programs of PPEs send and find them. */
#pragma once

#include "sim/net/net.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cluster;

/* A message that is under way, or has arrived and is not yet taken. */
struct message {
  unsigned from, to; /* nodes */
  size_t nbytes;
  /* only for the cluster: */
  struct net_message way; /* through the network */
  struct event hop;       /* over the link between a blade and the host of its triblade */
  struct cluster *cluster;
  bool arrived;
  struct message *next,
    *before; /* to the same node, those from one node in the order in which they were sent */
  uint8_t bytes[];
};

/* Send the message that HEAD describes with BYTES, which may be changed afterwards, between different nodes of CLUSTER, now, the
 * cycle of the node that runs. */
void message_send(struct cluster *cluster, const struct message *head, const void *bytes);

/* Return the next message from node FROM to NODE of CLUSTER if it has arrived; NULL: it has not. Those from one node come in the order
 * in which they were sent, even if a later one has arrived. */
const struct message *message_look(const struct cluster *cluster, unsigned node, unsigned from);

/* Take that message, which must have arrived.
 * owner: the caller, with free. */
struct message *message_take(struct cluster *cluster, unsigned node, unsigned from);

/* Return for how many cycles a program is busy that sends a message: nic.send, on a triblade 0, where its host has that work. */
uint64_t message_send_cycles(const struct cluster *cluster);
