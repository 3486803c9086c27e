/* SPDX-License-Identifier: BSD-3-Clause
 * A machine of many nodes, by its front door: blades that run side by side, each simulated as it is alone,
 * and the messages between them.
 *
 * Node i is blade i. The programs of the PPE of its chip 0 send and receive messages (sim/spu/ppe_net.h). The
 * blades of a triblade have a link each to their host, on which programs of that kind run as well: it is a
 * machine of its own, with a number behind those of all nodes. A message between blades of triblades passes
 * the hosts, which relay it. The machines run in windows of the least time that a message takes, so that it
 * reaches its receiver before that has gone too far. */
#pragma once

#include "sim/base/node_name.h"
#include "sim/hw/blade.h"

#include <stddef.h>
#include <stdint.h>

struct cluster;
struct err;
struct platform;
struct probe;

/* What went through the network in a run. */
struct cluster_traffic {
  uint64_t messages, bytes, retransmissions;
  uint64_t drops, timeouts; /* packets for which there was no room; of TCP */
};

/* Build the first NNODES nodes of the machine that PLATFORM, which must outlive them, describes, and its
 * network. SEED decides what that leaves to chance.
 * errors: as blade_new and for a network that cannot be built.
 * owner: the caller, with cluster_free. */
struct cluster *cluster_new(const struct platform *platform, unsigned nnodes, uint64_t seed, struct err *err);

/* Release CLUSTER; NULL is allowed. */
void cluster_free(struct cluster *cluster);

/* Return how many nodes CLUSTER has, how many hosts of triblades, and machine NUMBER: nodes come first. */
unsigned cluster_nnodes(const struct cluster *cluster);
unsigned cluster_nhosts(const struct cluster *cluster);
struct blade *cluster_machine(const struct cluster *cluster, unsigned number);

/* Return what the machines of CLUSTER are called. */
struct node_names cluster_names(const struct cluster *cluster);

/* Run the programs that have been started on all machines, which have been reset since the last run. In a
 * cluster of several nodes each line about a program of one begins with its node.
 * owner: the caller frees the texts with blade_result_fini. */
struct blade_result cluster_run(struct cluster *cluster);

/* Let PROBE see the events of all machines of CLUSTER and of the network from now on; or no more. */
void cluster_attach(struct cluster *cluster, struct probe *probe);
void cluster_detach(struct cluster *cluster, struct probe *probe);

/* Return the maximum number of cycles by which the events of one part of CLUSTER, a machine or the network,
 * can be told ahead of the events of another part. */
uint64_t cluster_look_ahead(const struct cluster *cluster);

/* Return what went through the network in the last run. */
struct cluster_traffic cluster_traffic(const struct cluster *cluster);
