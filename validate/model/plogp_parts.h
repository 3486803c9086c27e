/* SPDX-License-Identifier: BSD-3-Clause
 * What the files that measure parameters share. */
#pragma once

#include "validate/lab/rig.h"
#include "validate/model/plogp.h"

/* Measure the parameter KEY of the refined model, for algorithms by flags or by signals.
 * returns: SPU cycles; NaN for one that such algorithms do not have. */
double plogp_measure_flags(const struct plogp *plogp, const struct plogp_key *key);
double plogp_measure_signals(const struct plogp *plogp, const struct plogp_key *key);

/* The same for one of the PPE: COST_PPE_COPY, COST_MAIL, COST_HEAR, COST_ANSWER. */
double plogp_measure_ppe(const struct plogp *plogp, const struct plogp_key *key);

/* Prepare RIG for NRANKS ranks with M bytes each. */
void plogp_start_rig(struct rig *rig, const struct plogp *plogp, unsigned nranks, size_t m);

/* Let ranks 0 and PEER with M bytes run two programs as rig_measure_pair does. */
double plogp_measure_pair(const struct plogp *plogp, unsigned peer, size_t m, rig_program *const programs[2]);

/* SPE programs: get the buffer of `peer`, or raise the flag there and wait until it has left; what that takes is measured. */
rig_program plogp_get_from_peer, plogp_notify_peer;
