/* SPDX-License-Identifier: BSD-3-Clause
 * What tests of calls on several nodes and hosts begin with. */
#pragma once

#include "platform/platform.h"
#include "sim/hw/blade.h"
#include "sim/node/machine.h"
#include "traces/path/path.h"
#include "validate/lab/rig.h"
#include "validate/lab/verify/runner.h"

/* Return the algorithm and the parameters of NAME; the name exists. */
struct algo_call call_bed_find(const char *name);

/* Return one call of NAME, from seed 1, on NRANKS ranks with NBYTES, with the software costs of PLATFORM for
 * it. */
struct rig_spec call_bed_spec(const struct platform *platform, const char *name, unsigned nranks,
                              size_t nbytes);

/* Run the call of SPEC on the machine that BLADE stands for and check that all bytes are right.
 * returns: what came of it; owner: the caller, with outcome_fini. */
struct outcome call_bed_run(struct blade *blade, const struct rig_spec *spec);

/* The same.
 * returns: how many cycles the call took. */
double call_bed_cycles(struct blade *blade, const struct rig_spec *spec);

/* Make RIG ready for rig_run of the call of SPEC on the machine that BLADE stands for.
 * returns: the machine; owner: the caller, with rig_fini and then machine_free. */
struct machine *call_bed_rig(struct rig *rig, struct blade *blade, const struct rig_spec *spec);

/* Check that the segments of PATH lie side by side from end to beginning, and that the totals and parts of
 * PATH are the sums of the segments; NAME is for messages. */
void call_bed_check_path(const struct path *path, const char *name);
