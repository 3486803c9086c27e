/* SPDX-License-Identifier: BSD-3-Clause
 * The model machine: predicts how long a call of a collective takes by running the same programs on a machine
 * that knows latencies, shares of what is crossed and turns, and nothing of rings. All it knows has been
 * measured (model_values.h); the software costs are those of the call.
 *
 * An MFC issues a bus request when the window has an entry and the command bus accepts it; commands take
 * turns (model_dma.c). On a chip requests of one sender keep their order and those to one receiver take
 * turns; links and memories serve them as they come; what passes arrives a fixed time later (model_bus.c). So
 * a request costs one to three events, where the simulated machine has four or more. Bytes of notifications
 * arrive, those of data do not. */
#pragma once

#include "algos/cost/model_values.h"
#include "algos/step/group.h"

struct model_machine;

/* What has kept the programs of a call from their end. */
struct model_stop {
  const char *refused; /* a call that the model machine does not know; NULL: none */
  char how[128];       /* a fault or a deadlock, with which word it begins; empty: neither */
};

/* Make a machine with VALUES, which must outlive it.
 * owner: the caller, with model_machine_free. */
struct model_machine *model_machine_new(const struct model_values *values);

/* Release MACHINE; NULL is nothing. */
void model_machine_free(struct model_machine *machine);

/* Run one call of GROUP, which can be served, on MACHINE.
 * returns: SPU cycles from the first entry to the last exit; NaN if its programs do not end, of which STOP,
 *   unless NULL, says why, or after an interruption. */
double model_machine_run(struct model_machine *machine, const struct coll_group *group,
                         struct model_stop *stop);
