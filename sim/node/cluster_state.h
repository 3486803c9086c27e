/* SPDX-License-Identifier: BSD-3-Clause
 * A cluster from inside; for this folder only. Its machines have numbers: node i is machine i, and the hosts
 * of triblades follow. */
#pragma once

#include "sim/hw/blade.h"
#include "sim/node/message.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct platform;

/* Messages in some order. */
struct messages {
  struct message *first, *last;
};

/* One direction of a link between a blade and its host. */
struct pcie {
  uint64_t free_at;
  char *name; /* NULL: nobody has watched */
};

enum { PCIE_UP, PCIE_DOWN, PCIE_DIRECTIONS };

struct cluster {
  unsigned nnodes, nhosts;
  struct blade **machines; /* the blades of the nodes, and the hosts */
  struct messages
    *inboxes; /* one per machine: what is on its way there, or has arrived and is not yet taken */
  struct net *net;

  /* triblades */
  unsigned blades_per_host;              /* 0: there are no hosts, each blade has a NIC */
  struct platform *host_platform;        /* of the machine that stands for a host */
  struct pcie (*links)[PCIE_DIRECTIONS]; /* one per blade */
  uint64_t pcie_latency, pcie_byte_ucyc; /* cycles, and millionths of one for each byte, at least 1 */
};

/* Let MESSAGE be in the main memory of its receiver, now. */
void message_arrive(struct message *message);

/* Return the message whose way through the network WAY is. */
struct message *message_of_way(struct net_message *way);

/* Give CLUSTER, which has its blades, the hosts and links of the triblades of PLATFORM.
 * errors: a link without latency; a machine that cannot be built. */
int triblade_init(struct cluster *cluster, const struct platform *platform, struct err *err);

/* Release what triblade_init has made of CLUSTER. */
void triblade_fini(struct cluster *cluster);

/* Make the links of CLUSTER as new before another run; name them for those who watch. */
void triblade_reset(struct cluster *cluster);
void triblade_name_links(struct cluster *cluster);

/* Let MESSAGE, which message_can_be allows, go on its way between machines of triblades. */
void triblade_send(struct message *message);
