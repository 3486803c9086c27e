/* SPDX-License-Identifier: BSD-3-Clause
 * The observer interface of the network: whoever wants to see what becomes of messages; no transport knows
 * who watches.
 *
 * What happens to packets has numbers from 1 on, in the order in which it is told. Each says what it followed
 * from, so that whoever goes from the arrival of a message backwards comes to its beginning, and no cycle
 * between them is left out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum net_event_kind {
  NET_RESET,   /* the network was made as new */
  NET_SEND,    /* a program sends a message */
  NET_LEAVE,   /* it leaves the processor of its sender, for the NIC */
  NET_SERVICE, /* a link, a bus or a memory has taken a packet; told no later than it ends */
  NET_DROP,    /* there was no room for a packet */
  NET_TIMEOUT, /* TCP: nothing was acknowledged for too long; what is missing is sent again */
  NET_DELAY,   /* TCP: an acknowledgement was held back for another segment */
  NET_ARRIVE,  /* the last byte of a message has reached the NIC of its receiver */
};

enum net_server_kind {
  NET_LINK,   /* of the network, in one direction */
  NET_BUS,    /* of a NIC */
  NET_MEMORY, /* of a host whose processes send to one another */
  NET_PCIE,   /* a link between a blade and the host of its triblade, in one direction */
};

/* A packet and a server. Of a packet that follows another one in the same server `came` is when that one had
 * left. */
struct net_service {
  size_t server;    /* its number: from 0 on, those of the network first */
  const char *name; /* of the server; the network's */
  enum net_server_kind kind;
  size_t nbytes; /* with its header */
  size_t queued; /* bytes before it when it came */
  unsigned
    packet; /* of the message from 0 on, on its rail; of an acknowledgement the next one that is expected */
  unsigned hop;        /* servers behind it */
  uint64_t came;       /* it is at the server; until `begin` it waits, or the NIC begins */
  uint64_t begin, end; /* it is served */
  uint64_t gap;        /* of the cycles before `begin` so many at the end are the work of the NIC */
  uint64_t latency;    /* its head, or it, is at the next server so long after */
  bool same_server;    /* it followed a packet that left this server, without its latency */
  bool is_answer;      /* an acknowledgement: it goes from `to` to `from` */
  bool again;          /* it was sent before */
};

struct net_event {
  enum net_event_kind kind;
  uint64_t cycle;    /* of the network, or of the node that sends */
  uint64_t message;  /* number of the message, from 1 on */
  unsigned from, to; /* nodes; on hosts processes */
  unsigned from_host, to_host;
  /* of NET_ARRIVE: it is at the host of a triblade, and not yet at the blade; of a message that asks: what is
   * asked is */
  bool at_host;
  bool asks;      /* of NET_SEND: `from` asks `to` for its bytes, which come back under the same number */
  bool near;      /* of NET_SEND and NET_ARRIVE: through memory that both share, past the network */
  size_t nbytes;  /* of the message */
  uint64_t step;  /* own number of NET_SERVICE, NET_TIMEOUT, NET_DELAY */
  uint64_t after; /* what it followed from; 0: the message was sent */
  union {
    struct net_service service; /* of NET_SERVICE; of NET_DROP only server, name and kind */
    uint64_t since;             /* of NET_TIMEOUT, NET_DELAY: the timer was set */
    uint64_t told;              /* of NET_ARRIVE: cycle in which the program is told */
  };
};

/* An observer; embedded in what it serves. */
struct net_probe {
  void (*see)(struct net_probe *probe, const struct net_event *event);
  struct net_probe *next;
};
