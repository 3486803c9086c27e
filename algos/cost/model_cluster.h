/* SPDX-License-Identifier: BSD-3-Clause
 * Model machines side by side: predicts how long a call on several nodes takes by running its programs, those
 * of the PPEs and of the hosts of triblades too, on one model machine for each. Of the network between them
 * only latencies and gaps are known: a message leaves when the one before it has left for a gap, and is there
 * after latency and gap, or later if others arrive there too (model_link.h). Of a message only a window
 * leaves at once; what is left queues again when the first acknowledgement has come. */
#pragma once

#include "algos/cost/model_machine.h"

#include <stddef.h>
#include <stdint.h>

struct step_port;

/* Effective addresses in the memory of chip 0: of what SPEs tell the PPE, of data, of room for as many. */
#define MODEL_WORDS_EA (UINT64_C(1) << 44)
#define MODEL_DATA_EA (MODEL_WORDS_EA + (UINT64_C(1) << 30))
#define MODEL_WORK_EA (MODEL_WORDS_EA + (UINT64_C(1) << 40))

/* The operations of the model machine: of the groups inside those of a call as well. */
extern const struct step_port model_port;

/* Nodes that one prediction can have, bytes of what SPEs tell the PPE. */
enum { MODEL_NODES_MAX = 256, MODEL_WORDS_BYTES = 8192 };

/* Where a message passes: from node to node, between a blade and its host, between hosts. */
enum model_hop { MODEL_HOP_NODES, MODEL_HOP_PCIE, MODEL_HOP_HOSTS, MODEL_HOPS };

/* SPU cycles; a message alone takes latency and gap. */
struct model_pass {
  double latency, gap;
  double into; /* the gap of messages of several senders at one receiver, at most that of one sender */
};

/* The network between nodes. */
struct model_network {
  struct model_pass (*pass)(void *context, enum model_hop hop, size_t nbytes);
  void *context;
  uint32_t packet;                  /* most bytes in one */
  uint32_t window;                  /* bytes of a message that leave before others of its node can; 0: all */
  bool acknowledged;                /* the rest waits for an acknowledgement; else until they have left */
  double host_sends, host_combines; /* cycles in which a host sends to another one, and combines a byte */
};

/* A call on N nodes and NHOSTS hosts, which follow them: the group of each, whose addresses above are set,
 * and its number for messages, ascending. */
struct model_parts {
  struct coll_group *groups;
  const unsigned *numbers;
  unsigned n, nhosts;
  void (*program)(void *);      /* of a rank; its argument is the struct coll */
  void (*host_program)(void *); /* of a host; its argument is the group */
};

/* Run the call of PARTS on as many machines like MACHINE, which NETWORK joins.
 * returns: as model_machine_run, with STOP. */
double model_cluster_run(struct model_machine *machine, const struct model_parts *parts,
                         const struct model_network *network, struct model_stop *stop);
