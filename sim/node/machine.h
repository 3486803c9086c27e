/* SPDX-License-Identifier: BSD-3-Clause
 * A machine, the front door of the simulator: nodes that run side by side, and the network between the nodes.
 *
 * Nodes have numbers. A node is a blade, the host of triblades, or a process of a host without SPEs. The
 * first numbers belong to the blades, the following numbers to the hosts of triblades. A machine of processes
 * has no other nodes; process p is on host p / node.processes. A blade alone has no network.
 *
 * PPE programs of chip 0 send messages between blades (sim/spu/ppe_api.h). The blades of triblades reach one
 * another through the hosts, which relay messages. A process puts data into the memory of another process and
 * gets data from the memory of another process (sim/node/host_api.h). Nodes run in windows of the shortest
 * time of a message; therefore a message reaches the receiver before the receiver's clock has passed the
 * cycle of arrival. */
#pragma once

#include "sim/base/network/node_name.h"
#include "sim/node/programs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Load and start SimGrid, unless this process has done so. Workers share the libraries if the parent calls
 * before the fork.
 * errors: as simgrid_load. */
int machine_begin(struct err *err);

/* Build the machine of PLATFORM for runs on a blade alone; of a platform without SPEs no program can run on
 * the blade. PLATFORM must outlive the machine. */
struct machine *machine_new(const struct platform *platform);
void machine_free(struct machine *machine);

/* As machine_new; machine_free also releases PLATFORM. NULL: returns NULL. */
struct machine *machine_owning(struct platform *platform);

/* The same with the first NNODES blades of PLATFORM and the network between the blades; of a platform without
 * SPEs, all processes of all hosts. Random choices of the network come from SEED.
 * errors: a network, or hosts of triblades, that cannot be built. */
struct machine *machine_of_nodes(const struct platform *platform, unsigned nnodes, uint64_t seed,
                                 struct err *err);

/* As machine_owning, on the bus of rates, for times only: PLATFORM is a copy, and becomes one of this bus. */
struct machine *machine_for_times(struct platform *platform);

/* Return the twin of MACHINE, from machine_new: the same machine on the bus of rates, for times only.
 * owner: MACHINE. */
struct machine *machine_on_rates(struct machine *machine);

/* --- nodes --- */

/* The nodes of a machine. */
struct machine_nodes {
  const struct platform *platform;      /* of blades or processes */
  const struct platform *host_platform; /* of hosts of triblades; NULL: there are none */
  struct node_names names;
  unsigned n;       /* nodes */
  unsigned nblades; /* nodes that are blades; 0: all nodes are processes */
  unsigned nspes;   /* of each blade */
  bool has_network; /* else the machine is a blade alone */
  /* maximum number of cycles by which a part (a node or the network) runs ahead of another part, and by which
   * observers see events late; UINT64_MAX: unlimited */
  uint64_t look_ahead;
};

struct machine_nodes machine_nodes(const struct machine *machine);

/* Return the platform of the blades or processes of MACHINE. */
const struct platform *machine_platform(const struct machine *machine);

/* Return blade or host of triblades NODE; NULL: a process. */
struct blade *machine_blade(const struct machine *machine, unsigned node);

/* Return the number of the network's cluster to which the host of process NODE belongs, less than the number
 * of hosts. */
unsigned machine_cluster(const struct machine *machine, unsigned node);

/* Check for ways of the network of MACHINE between the hosts of N NODES, or N processes.
 * errors: as fabric_check_routes. */
int machine_check_routes(const struct machine *machine, const unsigned nodes[], unsigned n, struct err *err);

/* --- runs --- */

/* The memory of each process below NPROCESSES. Without DATA transfers take the usual time and move no
 * bytes. */
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

/* A program. The structure and everything behind the pointers must outlive the run. */
struct machine_program {
  void (*main)(void *argument);
  void *argument;
  const char *name; /* for messages */
  uint64_t start;   /* cycle, of an SPE or a PPE */
  union {           /* kept by the machine: the program, started */
    struct spu spu;
    struct ppu ppu;
  };
};

/* Let PROGRAM run at PLACE in the next run. */
void machine_start(struct machine *machine, struct place place, struct machine_program *program);

/* Return the bytes of PLACE: the local store of an SPE, or the memory of a process. */
uint8_t *machine_memory(const struct machine *machine, struct place place);

/* Run the programs started by machine_start on MACHINE; a run needs a reset before. With several blades each
 * line about a program of a blade begins with the name of the node.
 * owner: the caller frees the texts with blade_result_fini. */
struct blade_result machine_run(struct machine *machine);

/* The traffic of a machine since the last reset. */
struct machine_traffic {
  struct bus_traffic bus; /* of all blades */
  uint64_t messages, bytes, retransmissions;
  uint64_t transfers; /* puts and gets of data that processes have started */
  uint64_t crossing;  /* transfers between clusters of the network */
  uint64_t calls;     /* a fingerprint of the calls of programs, with cycles */
};

struct machine_traffic machine_traffic(const struct machine *machine);

/* --- observers --- */

/* An observer of a machine; embedded in the structure that keeps the observations. */
struct observer {
  struct observer *next; /* in a list; NULL: the last one */
  /* allocates the data of OBSERVER for NODES, and `probe` unless already set; NULL: nothing to allocate */
  void (*begin)(struct observer *observer, const struct machine_nodes *nodes);
  struct probe *probe;
  void (*end)(struct observer *observer); /* all is over; NULL: nothing to do */
  bool whole; /* sees all runs of an experiment, else only the timed run (validate/lab/verify/call_run.h) */
};

/* Attach OBSERVER: from now on OBSERVER sees the events of all nodes and of the network of MACHINE, each with
 * the number of the node. Or detach OBSERVER.
 *
 * On processes a probe with `accesses_only` sees events of another kind: all processes are one node, whose
 * local stores are the memories of the processes (EA_PROCESS_BASE). A DMA command is a transfer; the SPE of
 * the command is the process that has started the transfer; the number of the command is the number of the
 * transfer's first message.
 *
 *   ENQUEUE             a put or a get begins; a tell is a put with a fence; the bytes of a tell have been
 *                       read already
 *   ARRIVE              the bytes have come, if an observer of orders has asked to be told
 *   COMPLETE            the transfer is over
 *   SEEN_WORD, SEEN_TAGS
 *                       a program has waited; for observers of orders
 *   STORE, LOAD, FLAGS  a program touches the memory of the process, as far as the program says so
 *   PPE_STORE, PPE_LOAD a program copies from shared memory
 *   RESET               the machine is as new
 *
 * For all other probes each process is a node with one program, on a PPE: number 0. */
void machine_attach(struct machine *machine, struct observer *observer);
void machine_detach(struct machine *machine, struct observer *observer);
