/* SPDX-License-Identifier: BSD-3-Clause
 * Messages between the machines of a cluster, nodes and hosts, as their programs send and find them. */
#pragma once

#include "sim/net/net.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cluster;

/* A message that is under way, or has arrived and is not yet taken. */
struct message {
  unsigned from, to; /* machines */
  size_t nbytes;
  /* only for the cluster: */
  struct net_message way; /* through the network */
  struct event hop;       /* over the link between a blade and the host of its triblade */
  struct cluster *cluster;
  bool arrived;
  struct message *next,
    *before; /* to the same machine, those from one machine in the order in which they were sent */
  uint8_t bytes[];
};

/* Tell whether a program of machine FROM of CLUSTER can send messages to machine TO: between two nodes,
 * between two hosts, and between the blade of a triblade and its host. */
bool message_can_be(const struct cluster *cluster, unsigned from, unsigned to);

/* Send the message that HEAD describes with BYTES, which may be changed afterwards, between machines of
 * CLUSTER, now, the cycle of the one that runs. */
void message_send(struct cluster *cluster, const struct message *head, const void *bytes);

/* Return the next message from machine FROM to MACHINE of CLUSTER if it has arrived; NULL: it has not. Those
 * from one machine come in the order in which they were sent, even if a later one has arrived. */
const struct message *message_look(const struct cluster *cluster, unsigned machine, unsigned from);

/* Take that message, which must have arrived.
 * owner: the caller, with free. */
struct message *message_take(struct cluster *cluster, unsigned machine, unsigned from);

/* Return for how many cycles a program of machine FROM is busy that sends a message to TO: nic.send if that
 * is the way of the message, else 0. */
uint64_t message_send_cycles(const struct cluster *cluster, unsigned from, unsigned to);
