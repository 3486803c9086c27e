/* SPDX-License-Identifier: BSD-3-Clause
 * One experiment: a collective on a fresh machine, timed and verified. */
#pragma once

#include "sim/node/machine.h"
#include "validate/lab/rig.h"

#include <stdbool.h>

/* What one experiment yields. */
struct outcome {
  double
    cycles; /* from the last rank's entry, with repeats its exit from call 1, to the last rank's last exit */
  /* the same from the first rank's entry into the call, with repeats into call 2; both by call */
  double from_first;
  bool verified;
  char *detail; /* what is wrong; NULL: nothing */
  bool stopped; /* a simulated fault or a deadlock; detail says which */
  bool faulted; /* a fault */
  bool interrupted;
  unsigned nodes;                 /* that were needed */
  struct machine_traffic traffic; /* of all calls, on all nodes and between them */
};

/* Run SPEC on BLADE and check the result.
 * errors: needs of the algorithm that SPEC does not meet, too many ranks, too little memory.
 * owner: the caller, with outcome_fini. */
int runner_run(struct blade *blade, const struct rig_spec *spec, struct outcome *outcome, struct err *err);

/* Release the texts of OUTCOME. */
void outcome_fini(struct outcome *outcome);
