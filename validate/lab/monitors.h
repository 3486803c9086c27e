/* SPDX-License-Identifier: BSD-3-Clause
 * The monitors of a machine: that of a blade alone, or one for each node of a cluster. */
#pragma once

#include "sim/base/node_name.h"
#include "validate/lab/monitor.h"

struct rigs;
struct rigs_machine;

struct monitors {
  struct monitor *all;   /* to which all is told; NULL: nobody watches */
  struct monitor *nodes; /* one for each node; NULL: there is no cluster */
  unsigned n;            /* of them */
  struct node_names names;
};

/* Let MONITORS watch MACHINE and tell ALL, the monitor of its blade, of everything; ALL may be NULL.
 * owner: the caller, with monitors_fini before the machine is released. */
void monitors_init(struct monitors *monitors, struct monitor *all, const struct rigs_machine *machine);

/* Tell what was forbidden and release what MONITORS holds. */
void monitors_fini(struct monitors *monitors);

/* Return the monitor of RANK of RIGS; NULL: nobody watches. */
struct monitor *monitors_of(const struct monitors *monitors, const struct rigs *rigs, unsigned rank);

/* As monitor_begin and monitor_end, for all nodes with ranks. */
void monitors_begin(struct monitors *monitors, const struct rigs *rigs, uint64_t seed);
void monitors_end(struct monitors *monitors, const struct rigs *rigs);
