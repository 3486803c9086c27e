/* SPDX-License-Identifier: BSD-3-Clause
 * A machine from inside, for files of sim/node. */
#pragma once

#include "sim/hw/watch/probe.h"
#include "sim/node/machine.h"
#include "sim/node/message.h"

#include <stdint.h>

/* The functions of machine.h for one kind of nodes (blades, or processes). */
struct machine_kind {
  void (*free)(struct machine *machine);
  void (*connect)(struct machine *machine, struct probe *probe, bool on); /* or disconnect */
  void (*reset)(struct machine *machine, const struct machine_memory *memory);
  void (*start)(struct machine *machine, struct place place, struct machine_program *program);
  uint8_t *(*memory)(const struct machine *machine, struct place place);
  struct blade_result (*run)(struct machine *machine);
};

/* Messages to a node, in the order of sending. */
struct messages {
  struct message *first, **end; /* end: the last pointer, NULL */
};

/* One direction of a link between a blade and the blade's host. */
struct pcie {
  uint64_t free_at;
  char *name; /* NULL: nobody has watched */
};

enum { PCIE_UP, PCIE_DOWN, PCIE_DIRECTIONS };

struct machine {
  const struct machine_kind *kind;
  const struct platform *platform;
  struct net *net;     /* NULL: a blade alone */
  uint64_t look_ahead; /* see struct machine_nodes */

  /* blades */
  unsigned nblades, nhosts; /* hosts of triblades */
  struct blade **blades;    /* [node]: blades, then hosts; NULL: processes */
  struct messages *inboxes; /* [node]: messages to the node, in transit or arrived and not yet taken */
  struct platform *own;     /* see machine_owning; NULL: none */
  struct machine *twin;     /* see machine_on_rates; NULL: nobody has asked for the twin */

  /* triblades */
  unsigned blades_per_host; /* 0: there are no hosts, each blade has a NIC */
  struct platform *host_platform;
  struct pcie (*links)[PCIE_DIRECTIONS]; /* one per blade */
  uint64_t pcie_latency, pcie_byte_ucyc; /* cycles, and millionths of one for each byte, at least 1 */

  /* processes */
  unsigned nprocesses;
  uint64_t ntransfers, ncrossing, calls; /* see struct machine_traffic */
};

/* Build a machine of blades, or of processes, around the network NET; NULL: no network, for one blade. */
struct machine *blades_new(const struct platform *platform, unsigned nnodes, struct net *net,
                           struct err *err);
struct machine *hosts_new(const struct platform *platform, struct net *net);
