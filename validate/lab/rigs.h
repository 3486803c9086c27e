/* SPDX-License-Identifier: BSD-3-Clause
 * All ranks of one call of an algorithm: on one blade, or on the nodes of a cluster, each with a rig of its
 * own. */
#pragma once

#include "algos/cluster/cluster_call.h"
#include "validate/lab/rig.h"

#include <stdbool.h>

struct cluster;
struct hosts;
struct monitors;

/* What the ranks of a call run on. */
struct rigs_machine {
  struct blade *blade;       /* one of its nodes */
  struct cluster *cluster;   /* all nodes that the call needs; NULL: the blade alone */
  struct hosts *hosts;       /* what the ranks are on instead; NULL: SPEs */
  struct monitors *monitors; /* of a run that is checked */
};

struct rigs {
  struct rig *nodes;              /* one per node with ranks */
  unsigned n;                     /* of them */
  const struct coll_group *group; /* the whole call, as its ranks number each other */
  struct cluster *cluster;        /* NULL: one blade */
  struct coll_group whole;        /* of a call on several nodes */
  unsigned *machines;             /* per rig: its node of the cluster */
  unsigned *first;                /* per rig, and one more: where its ranks begin in the lists below */
  unsigned *node_of, *local_of;   /* per rank of a call on several nodes: its rig, and its rank there */
  unsigned *ranks, *spes;         /* rig by rig: the ranks on it, and their SPEs */
  struct cluster_hosts hosts;     /* of triblades, with lists of RIGS; n 0: there are none */
  struct rig_host *of_hosts;      /* per host: its call, where there is a cluster */
};

/* Check that the machine of BLADE, one node of it, can serve the algorithm call of SPEC at all; ERR may be
 * NULL.
 * errors: as rig_check; an algorithm of one blade on ranks of several, or the other way round. */
int rigs_check(struct blade *blade, const struct rig_spec *spec, struct err *err);

/* Make of BLADE the MACHINE that the call of SPEC needs, which rigs_check has allowed.
 * errors: as cluster_new.
 * owner: the caller, with rigs_machine_fini. */
int rigs_machine_init(struct rigs_machine *machine, struct blade *blade, const struct rig_spec *spec,
                      struct err *err);

/* Release what MACHINE has besides the blade. */
void rigs_machine_fini(struct rigs_machine *machine);

/* Reset MACHINE and place the ranks of SPEC there.
 * errors: as rig_init.
 * owner: the caller, with rigs_fini, also after an error. */
int rigs_init(struct rigs *rigs, const struct rigs_machine *machine, const struct rig_spec *spec,
              struct err *err);

/* Release what RIGS allocated. */
void rigs_fini(struct rigs *rigs);

/* The calls of all nodes of one on several nodes, and of their hosts, without a machine to run on. */
struct rigs_groups {
  struct coll_group *items; /* the nodes, then the hosts */
  unsigned n, nhosts;
  struct rigs rigs; /* where the ranks are; without rigs of their own */
};

/* List the calls of the nodes of SPEC, which rigs_check has allowed for the machine of BLADE.
 * owner: the caller, with rigs_groups_fini. */
void rigs_groups_init(struct rigs_groups *groups, const struct blade *blade, const struct rig_spec *spec);

/* Release GROUPS. */
void rigs_groups_fini(struct rigs_groups *groups);

/* Return the view of RANK of its calls. */
struct coll *rigs_rank(const struct rigs *rigs, unsigned rank);

/* Return the data buffer of RANK, and its input that lies apart (NULL: none does), as the simulator sees
 * them. */
uint8_t *rigs_buffer(const struct rigs *rigs, unsigned rank);
uint8_t *rigs_in(const struct rigs *rigs, unsigned rank);

/* Return a line for each node of the last call, which has ended, about its inner part and its release: from
 * the last rank's beginning to the last rank's end, as cycles are counted.
 * owner: the caller. */
char *rigs_tell_parts(const struct rigs *rigs);

/* Let all ranks make the calls of the algorithm, and run them.
 * owner: the caller, with blade_result_fini. */
struct blade_result rigs_run(struct rigs *rigs);
