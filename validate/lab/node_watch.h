/* SPDX-License-Identifier: BSD-3-Clause
 * Who watches a call on several nodes: an observer of the nodes and of the network between them. */
#pragma once

#include "sim/base/node_name.h"

#include <stdbool.h>
#include <stdint.h>

struct platform;
struct probe;
struct rigs_machine;

/* What is watched. */
struct node_watch_machine {
  const struct platform *platform;
  const struct platform *host_platform; /* of the hosts of triblades; NULL: there are none */
  struct node_names names;              /* `processes`: they are those of hosts, without SPEs */
  unsigned nnodes;         /* the machines that are watched: nodes, then the hosts of triblades */
  unsigned nblades, nspes; /* those of them with SPEs, and SPEs of each */
  uint64_t
    look_ahead; /* cycles by which what is seen of one node can be ahead of what is seen of another one */
};

/* Embedded in what it serves, which makes the observer. */
struct node_watch {
  struct node_watch *next; /* NULL: there is no other one */
  bool whole;              /* it sees all runs of an experiment, else only the timed one */
  void (*begin)(struct node_watch *watch, const struct node_watch_machine *machine);
  struct probe *probe;                   /* the observer; set once it has begun */
  void (*end)(struct node_watch *watch); /* all is over; NULL: nothing to do */
};

/* Let those of LIST for which `whole` is WHOLE make their observer and watch MACHINE, if it has several
 * nodes or hosts; or watch it no more. */
void node_watch_begin(struct node_watch *list, const struct rigs_machine *machine, bool whole);
void node_watch_end(struct node_watch *list, const struct rigs_machine *machine, bool whole);
