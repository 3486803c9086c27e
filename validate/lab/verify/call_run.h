/* SPDX-License-Identifier: BSD-3-Clause
 * One experiment: a collective on a fresh machine, timed and verified; a deadlock, told by its cycle. */
#pragma once

#include "validate/lab/call/outcome.h"
#include "validate/lab/rig/rig.h"

struct workload_run;

/* Run CALL on MACHINE and check the result.
 * returns: RIG_MISTAKE as rig_check.
 * errors: unmet needs of the algorithm, too many ranks, too little memory.
 * owner: the caller, with outcome_fini. */
int call_run(struct machine *machine, const struct call *call, struct outcome *outcome, struct err *err);

/* Return lines of STUCK (a line for each program without an end): the programs that poll for ever, then the
 * first cycle of ranks in the order of waiting; then the number of the other programs. Without either: the
 * lines from the first program to a rank without a wait, or to a wait for no rank. Ranks of RUN (NULL: of no
 * program of several calls) have the lines of the program as well.
 * owner: the caller. */
char *deadlock_tell(const char *stuck, const struct workload_run *run);
