/* SPDX-License-Identifier: BSD-3-Clause
 * Messages between the nodes of a machine (blades and hosts of triblades), as programs send and receive
 * messages. */
#pragma once

#include "sim/net/net.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;

/* A message in transit, or arrived and not yet taken. */
struct message {
  unsigned from, to; /* nodes */
  size_t nbytes;
  /* only for the machine: */
  struct net_message way;
  struct event hop; /* the passage of the link between a blade and the host of the triblade */
  struct machine *machine;
  bool arrived;
  struct message *next; /* to the same node, in the order of sending */
  uint8_t bytes[];
};

/* Tell whether a program of node FROM of MACHINE can send messages to node TO: between two blades, between
 * two hosts, and between the blade of a triblade and the host. */
bool message_can_be(const struct machine *machine, unsigned from, unsigned to);

/* Send the message described by HEAD with a copy of BYTES between nodes of MACHINE, now: in the current cycle
 * of the running node.
 * returns: the number of the message. */
uint64_t message_send(struct machine *machine, const struct message *head, const void *bytes);

/* Return the next message from node FROM to NODE of MACHINE; NULL: that message has not arrived. Messages
 * from one node come in the order of sending, even if a later message has arrived already. */
const struct message *message_look(const struct machine *machine, unsigned node, unsigned from);

/* Take the message that message_look returns; the message must have arrived.
 * owner: the caller, with free. */
struct message *message_take(struct machine *machine, unsigned node, unsigned from);

/* Return for how many cycles sending a message from node FROM to TO occupies the sending program: nic.send if
 * the message leaves through the NIC of FROM, otherwise 0. */
uint64_t message_send_cycles(const struct machine *machine, unsigned from, unsigned to);
