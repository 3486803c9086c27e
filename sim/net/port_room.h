/* SPDX-License-Identifier: BSD-3-Clause
 * The room of a port: which packets are in there until their last byte has left; for this folder only. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct port_room {
  struct port_packet *packets; /* a ring, in the order in which they leave */
  unsigned first, n, size;     /* size: a power of two */
  size_t nbytes;               /* of all */
};

/* Release what ROOM, which was zero at first, has allocated. */
void port_room_fini(struct port_room *room);

/* Make ROOM empty. */
void port_room_reset(struct port_room *room);

/* Return the bytes that are in ROOM at cycle NOW; time goes only forward. */
size_t port_room_used(struct port_room *room, uint64_t now);

/* Put a packet of NBYTES into ROOM, which leaves it at cycle END, no earlier than those in there. */
void port_room_add(struct port_room *room, size_t nbytes, uint64_t end);
