/* SPDX-License-Identifier: BSD-3-Clause
 * A machine, by its front door: nodes that run side by side, and the network between them.
 *
 * Nodes have numbers. A node is a blade, the host of triblades, or a process of a host without SPEs. Blades
 * come first, hosts of triblades behind them; processes are the only nodes of their machine, and process p is
 * on host p / node.processes. A blade alone has no network.
 *
 * PPE programs of chip 0 send messages between blades (sim/spu/ppe_net.h); the blades of triblades reach one
 * another through their hosts, which relay messages. A process puts data into the memory of another process
 * and gets data from there (sim/spu/host_api.h). Nodes run in windows of the shortest time that a message
 * takes, so that a message reaches its receiver before the receiver has gone past that cycle. */
#pragma once

#include "sim/base/node_name.h"
#include "sim/hw/blade.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct machine;
struct platform;
struct probe;

/* Build the first NNODES blades of PLATFORM, which must outlive the machine, and the network between them; of
 * a platform without SPEs all processes of all hosts. SEED decides what the network leaves to chance.
 * errors: as blade_new and for a network that cannot be built.
 * owner: the caller, with machine_free. */
struct machine *machine_new(const struct platform *platform, unsigned nnodes, uint64_t seed, struct err *err);

/* Make a machine of BLADE alone, which stays the caller's and must outlive the machine.
 * owner: the caller, with machine_free. */
struct machine *machine_alone(struct blade *blade);

/* Release MACHINE; NULL is allowed. */
void machine_free(struct machine *machine);

/* --- nodes --- */

/* What the nodes of a machine are. */
struct machine_nodes {
  const struct platform *platform;      /* of blades or processes */
  const struct platform *host_platform; /* of hosts of triblades; NULL: there are none */
  struct node_names names;
  unsigned n;       /* nodes */
  unsigned nblades; /* nodes that are blades; 0: all are processes */
  unsigned nspes;   /* of each blade */
  bool has_network; /* else the machine is a blade alone */
  uint64_t
    look_ahead; /* maximum of cycles by which the events of one part, a node or the network, can be told
                         * ahead of the events of another part; UINT64_MAX: any number */
};

struct machine_nodes machine_nodes(const struct machine *machine);

/* Return blade or host of triblades NODE; NULL: a process. */
struct blade *machine_blade(const struct machine *machine, unsigned node);

/* Return the number of the cluster of the network in which process NODE is, less than the number of hosts. */
unsigned machine_cluster(const struct machine *machine, unsigned node);

/* --- runs --- */

/* The memory of each process below NPROCESSES. Without DATA transfers take their time and move nothing. */
struct machine_memory {
  unsigned nprocesses;
  size_t nbytes;
  bool has_data;
};

/* Make MACHINE as new before a run: idle, all memory zero. MEMORY is of processes; NULL: there are none.
 * Observers stay. */
void machine_reset(struct machine *machine, const struct machine_memory *memory);

/* Where a program runs. */
struct place {
  enum place_kind { PLACE_SPE, PLACE_PPE, PLACE_PROCESS } kind;
  unsigned node, number; /* SPE counted over the blade; chip of the PPE */
};

/* A program. All of it must outlive the run. */
struct machine_program {
  void (*main)(void *argument);
  void *argument;
  const char *name; /* for messages */
  uint64_t start;   /* cycle, of an SPE or a PPE */
};

/* Let PROGRAM run at PLACE in the next run. */
void machine_start(struct machine *machine, struct place place, const struct machine_program *program);

/* Return the bytes of the local store of an SPE, or of the memory of a process, which PLACE is. */
uint8_t *machine_memory(const struct machine *machine, struct place place);

/* Run the programs that have been started on MACHINE, which has been reset since the last run. With several
 * blades each line about a program of a blade begins with its node.
 * owner: the caller frees the texts with blade_result_fini. */
struct blade_result machine_run(struct machine *machine);

/* What has passed through a machine since its reset. */
struct machine_traffic {
  struct bus_traffic bus; /* of all blades */
  uint64_t messages, bytes, retransmissions;
  uint64_t drops, timeouts; /* packets for which there was no room; of TCP */
  uint64_t transfers;       /* puts and gets of data that processes asked for */
  uint64_t crossing;        /* transfers between clusters of the network */
};

struct machine_traffic machine_traffic(const struct machine *machine);

/* --- observers --- */

/* Who watches a machine; embedded in what it serves. */
struct observer {
  struct observer *next; /* in a list; NULL: the last one */
  /* makes what OBSERVER needs for NODES, and `probe`, unless that is set; NULL: nothing to make */
  void (*begin)(struct observer *observer, const struct machine_nodes *nodes);
  struct probe *probe;
  void (*end)(struct observer *observer); /* all is over; NULL: nothing to do */
  bool whole; /* sees all runs of an experiment, else only the timed run (validate/lab/runner.h) */
};

/* Let OBSERVER see the events of all nodes of MACHINE and of its network from now on, each with its node; or
 * no more.
 *
 * On processes a probe that looks only at accesses to memory sees other events than the others: all processes
 * are one node, whose local stores are the memories of the processes (EA_PROCESS_BASE). A DMA command is a
 * transfer, its SPE the process that asked for the transfer, its number the number of the first message.
 *
 *   ENQUEUE             a put or a get begins; what is told is a put with a fence for all tags, whose bytes
 *                       have been taken already
 *   DELIVER             the bytes of a put have come; its acknowledgement has not
 *   COMPLETE            it is over
 *   STORE, LOAD, FLAGS  a program touches its own memory, as far as it tells
 *   PPE_STORE, PPE_LOAD a program copies from memory that it shares
 *   RESET               all is as new
 *
 * To other probes a process is a node with one program, on a PPE: number 0. */
void machine_attach(struct machine *machine, struct observer *observer);
void machine_detach(struct machine *machine, struct observer *observer);
