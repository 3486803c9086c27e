/* SPDX-License-Identifier: BSD-3-Clause
 * The refined model of calls on several nodes: their programs on model machines, with measured latencies and gaps between them. */
#pragma once

struct model_machine;
struct plogp;
struct rig_spec;

/* Run the call of SPEC, which the machine of PLOGP can serve, on machines like MACHINE. Latencies and gaps of the messages that its
 * programs send are measured at once, where this runs.
 * returns: SPU cycles; NaN as model_machine_run, and where the network cannot be measured. */
double predict_nodes(struct model_machine *machine, struct plogp *plogp, const struct rig_spec *spec);
