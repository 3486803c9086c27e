/* SPDX-License-Identifier: BSD-3-Clause
 * A machine of plain hosts, by its front door: processes on them, each with memory of its own, which put data
 * into the memory of one another and get it from there over the network. Process p is on host p /
 * node.processes. */
#pragma once

#include "sim/hw/blade.h"
#include "sim/node/cluster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct hosts;
struct platform;
struct probe;

/* A process: its program, what that is called with, and its name, for messages. All must outlive the run. */
struct host_job {
  void (*main)(void *argument);
  void *argument;
  const char *name;
};

/* What went through the network in a run. */
struct hosts_traffic {
  struct cluster_traffic network;
  uint64_t transfers; /* puts and gets of data that the processes asked for */
  uint64_t crossing;  /* of them those between clusters of the network */
};

/* Build the hosts of PLATFORM, whose nodes are hosts, and their network. SEED decides what that leaves to
 * chance.
 * errors: as net_new.
 * owner: the caller, with hosts_free. */
struct hosts *hosts_new(const struct platform *platform, uint64_t seed, struct err *err);

/* Release HOSTS; NULL is allowed. */
void hosts_free(struct hosts *hosts);

/* Return how many processes HOSTS can have, and the number of the cluster of the network in which that of
 * number PROCESS is, less than the number of hosts. */
unsigned hosts_nprocesses(const struct hosts *hosts);
unsigned hosts_cluster(const struct hosts *hosts, unsigned process);

/* Make HOSTS as new, with NBYTES of memory, all zero, for each of the first NPROCESSES processes. If not
 * HAS_DATA, transfers take their time and move nothing. */
void hosts_reset(struct hosts *hosts, unsigned nprocesses, size_t nbytes, bool has_data);

/* Return the memory of PROCESS. */
uint8_t *hosts_memory(const struct hosts *hosts, unsigned process);

/* Let PROCESS, one of those that have memory, do JOB in the next run. */
void hosts_start(struct hosts *hosts, unsigned process, const struct host_job *job);

/* Run the processes that have been started; hosts_reset comes before the next run.
 * owner: the caller frees the texts with blade_result_fini. */
struct blade_result hosts_run(struct hosts *hosts);

/* Let PROBE see the events of all processes of HOSTS and of the network from now on; or no more. A process is
 * a node with one program, on a PPE: number 0.
 *
 * A probe that looks only at accesses to memory sees other events instead: all processes are one node, whose
 * local stores are the memories of the processes (EA_PROCESS_BASE). A DMA command is a transfer, its SPE the
 * process that asked for the transfer, its number the number of the first message.
 *
 *   ENQUEUE             a put or a get begins; what is told is a put with a fence for all tags, whose bytes
 *                       have been taken already
 *   DELIVER             the bytes of a put have come; its acknowledgement has not
 *   COMPLETE            the transfer is over
 *   STORE, LOAD, FLAGS  a program touches its own memory, as far as it tells
 *   PPE_STORE, PPE_LOAD a program copies from memory that it shares
 *   RESET               all is as new */
void hosts_attach(struct hosts *hosts, struct probe *probe);
void hosts_detach(struct hosts *hosts, struct probe *probe);

/* Return what went through the network in the last run. */
struct hosts_traffic hosts_traffic(const struct hosts *hosts);
