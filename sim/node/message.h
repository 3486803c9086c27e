/* SPDX-License-Identifier: BSD-3-Clause
 * Messages between the nodes of a machine, blades and hosts of triblades, as their programs send and find
 * them. */
#pragma once

#include "sim/net/net.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;

/* A message that is under way, or has arrived and is not yet taken. */
struct message {
  unsigned from, to; /* nodes */
  size_t nbytes;
  /* only for the machine: */
  struct net_message way; /* through the network */
  struct event hop;       /* over the link between a blade and the host of its triblade */
  struct machine *machine;
  bool arrived;
  struct message *next,
    *before; /* to the same node, those from one node in the order in which they were sent */
  uint8_t bytes[];
};

/* Tell whether a program of node FROM of MACHINE can send messages to node TO: between two blades,
 * between two hosts, and between the blade of a triblade and its host. */
bool message_can_be(const struct machine *machine, unsigned from, unsigned to);

/* Send the message that HEAD describes with BYTES, which may be changed afterwards, between nodes of
 * MACHINE, now, the cycle of the one that runs.
 * returns: the number of the message. */
uint64_t message_send(struct machine *machine, const struct message *head, const void *bytes);

/* Return the next message from node FROM to NODE of MACHINE if it has arrived; NULL: it has not. Those
 * from one node come in the order in which they were sent, even if a later one has arrived. */
const struct message *message_look(const struct machine *machine, unsigned node, unsigned from);

/* Take that message, which must have arrived.
 * owner: the caller, with free. */
struct message *message_take(struct machine *machine, unsigned node, unsigned from);

/* Return for how many cycles a program of node FROM is busy that sends a message to TO: nic.send if that
 * is the way of the message, else 0. */
uint64_t message_send_cycles(const struct machine *machine, unsigned from, unsigned to);
