/* SPDX-License-Identifier: BSD-3-Clause
 * See port_room.h. When a packet leaves is known when it comes, so that nothing happens at that time: whoever
 * asks for the room takes those out that have left. */
#include "sim/net/port_room.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>

enum { FIRST_SIZE = 16 };

struct port_packet {
  uint64_t end;
  size_t nbytes;
};

void port_room_fini(struct port_room *room) {
  free(room->packets);
}

void port_room_reset(struct port_room *room) {
  room->first = room->n = 0;
  room->nbytes = 0;
}

size_t port_room_used(struct port_room *room, uint64_t now) {
  while (room->n && room->packets[room->first].end <= now) {
    room->nbytes -= room->packets[room->first].nbytes;
    room->first = (room->first + 1) & (room->size - 1);
    room->n--;
  }
  return room->nbytes;
}

static void grow(struct port_room *room) {
  unsigned size = room->size ? 2 * room->size : FIRST_SIZE;
  struct port_packet *packets = xcalloc(size, sizeof *packets);
  for (unsigned i = 0; i < room->n; i++) {
    packets[i] = room->packets[(room->first + i) & (room->size - 1)];
  }
  free(room->packets);
  room->packets = packets;
  room->first = 0;
  room->size = size;
}

void port_room_add(struct port_room *room, size_t nbytes, uint64_t end) {
  if (room->n == room->size) {
    grow(room);
  }
  room->packets[(room->first + room->n++) & (room->size - 1)] =
    (struct port_packet){.end = end, .nbytes = nbytes};
  room->nbytes += nbytes;
}
