/* SPDX-License-Identifier: BSD-3-Clause
 * One experiment: a collective on a fresh machine, timed and verified. */
#pragma once

#include "validate/lab/call/outcome.h"
#include "validate/lab/rig/rig.h"

/* Run CALL on MACHINE and check the result.
 * returns: RIG_MISTAKE as rig_check.
 * errors: unmet needs of the algorithm, too many ranks, too little memory.
 * owner: the caller, with outcome_fini. */
int call_run(struct machine *machine, const struct call *call, struct outcome *outcome, struct err *err);
