/* SPDX-License-Identifier: BSD-3-Clause
 * What tests of calls on several nodes and hosts begin with. */
#pragma once

#include "algos/catalogue.h"
#include "sim/node/machine.h"
#include "tests/bed.h"
#include "traces/path/path.h"
#include "validate/lab/rig/rig.h"
#include "validate/lab/verify/call_run.h"

/* Return the algorithm and the parameters of NAME; the name exists. */
struct algorithm call_bed_find(const char *name);

/* Return one call of NAME, from seed 1, on NRANKS ranks of `bed` with NBYTES, with the software costs of the
 * platform for it. */
struct call call_bed_call(const char *name, unsigned nranks, size_t nbytes);

/* Run CALL on the machine that `bed` stands for and check that all bytes are right.
 * returns: what came of it, without texts. */
struct outcome call_bed_run(const struct call *call);

/* The same.
 * returns: how many cycles the call took. */
double call_bed_cycles(const struct call *call);

/* The ranks, root and data of a call; root, op, type: for collectives that have them. */
struct call_bed_shape {
  unsigned ranks, root;
  size_t nbytes;
  enum coll_op op;
  enum coll_type type;
};

/* Make three calls of NAME for each of SHAPES, up to one without ranks, and check all bytes: packed,
 * and then round-robin with ranks up to SKEW cycles late. Round-robin deals ranks so that the ranks of a node
 * do not follow each other. */
void call_bed_check_shapes(const char *name, const struct call_bed_shape shapes[], uint64_t skew);

/* Make CALL, in which rank 17 stops at the beginning. The
 * faults must contain FAULT, and the waits for ever each of WAITS, up to NULL. */
void call_bed_check_deadlock(const struct call *call, const char *fault, const char *const waits[]);

/* Find the critical path of CALL, with its software costs.
 * returns: false if the call is refused; owner: otherwise the caller, with path_fini and outcome_fini. */
bool call_bed_find_path(struct call call, struct path *path, struct outcome *outcome);

/* Make RIG ready for rig_run of CALL on the machine that `bed` stands for.
 * returns: the machine; owner: the caller, with rig_fini and then machine_free. */
struct machine *call_bed_rig(struct rig *rig, const struct call *call);

/* Check that the segments of PATH lie side by side from end to beginning, and that the totals and parts of
 * PATH are the sums of the segments; NAME is for messages. */
void call_bed_check_path(const struct path *path, const char *name);
