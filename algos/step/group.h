/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a collective as all its ranks know it. */
#pragma once

#include "algos/step/algo.h"
#include "algos/step/combine.h"
#include "algos/step/step_costs.h"

#include <stddef.h>
#include <stdint.h>

struct step_port;

struct coll_group {
  struct algo_call call;
  unsigned nranks, root;
  size_t nbytes;   /* --bytes: of the whole vector, or of the block of one rank */
  enum coll_op op; /* of a reduction */
  enum coll_type type;
  unsigned *spe_of, *chip_of; /* per rank; chips count from 0 without gaps */
  unsigned nchips;            /* chips with ranks on them */
  unsigned *by_chip;          /* the ranks in the order of their chips, on each in that of their numbers */
  unsigned *place_of;         /* per rank: its place in by_chip */
  unsigned *chip_first;       /* per chip, and one more: where its ranks begin in by_chip */
  unsigned nrepeats;          /* calls, back to back */
  struct step_costs costs;
  uint32_t ls_base;             /* local store address from which the call may use the local store */
  uint32_t ls_bytes;            /* size of the local store */
  const struct step_port *port; /* the machine on which the ranks run */
  uint64_t shared_ea;           /* effective address of algo->shared bytes of main memory */
};

/* Tell whether the data of GROUP lies in main memory. */
static inline bool
group_in_memory(const struct coll_group *group)
{
  return group->call.algo && group->call.algo->in_memory;
}
