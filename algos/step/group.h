/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a collective as all its ranks know it. */
#pragma once

#include "algos/step/algo.h"
#include "algos/step/combine.h"
#include "algos/step/step_costs.h"

#include <stddef.h>
#include <stdint.h>

struct cluster_call;
struct step_port;

struct coll_group {
  struct algo_call call;
  unsigned nranks, root;
  unsigned nranks_all; /* of this call on all nodes, whose blocks the buffers hold; 0: nranks */
  size_t nbytes;       /* --bytes: of the whole vector, or of the block of one rank */
  enum coll_op op;     /* of a reduction */
  enum coll_type type;
  unsigned *spe_of, *chip_of; /* per rank; chips count from 0 without gaps */
  unsigned nchips;            /* chips with ranks on them */
  unsigned *by_chip;          /* the ranks in the order of their chips, on each in that of their numbers */
  unsigned *place_of;         /* per rank: its place in by_chip */
  unsigned *chip_first;       /* per chip, and one more: where its ranks begin in by_chip */
  unsigned nrepeats;          /* calls, back to back */
  struct step_costs costs;
  uint32_t ls_base;  /* local store address from which the call may use the local store */
  uint32_t ls_bytes; /* size of the local store */
  uint32_t data_at,
    scratch_at;          /* local store addresses of the data and of the scratch; 0: as in call_map.h */
  const unsigned *names; /* per rank: the number by which messages name it; NULL: its own */
  struct cluster_call *cluster; /* of the node of these ranks in a call on several; NULL: there is one node */
  const struct step_port *port; /* the machine on which the ranks run */
  bool on_hosts;                /* they are processes, spe_of numbers those, chips are clusters of hosts */
  bool lengths_only;            /* their transfers take time and move nothing */
  uint64_t shared_ea;           /* effective address of algo->shared bytes of main memory */
};

/* Return the number by which messages name RANK of GROUP. */
static inline unsigned group_name(const struct coll_group *group, unsigned rank) {
  return group->names ? group->names[rank] : rank;
}

/* Tell whether the data of GROUP lies in main memory. */
static inline bool group_in_memory(const struct coll_group *group) {
  return group->call.algo && group->call.algo->in_memory;
}
