/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements of the parameters that calls on several nodes need besides those of a blade; for plogp.c only. */
#pragma once

#include "algos/cost/cost.h"

#include <stddef.h>

struct plogp;

/* Measure PARAMETER, one of the PPE, with M bytes.
 * returns: SPU cycles; NaN if a program has stopped. */
double plogp_ppe(const struct plogp *plogp, enum cost_parameter parameter, size_t m);

/* Measure PARAMETER, one of messages, with M bytes, between the first of NHOSTS hosts and the last one if it is one of hosts.
 * returns: SPU cycles; NaN if the network cannot be built, or a program has stopped. */
double plogp_net(const struct plogp *plogp, enum cost_parameter parameter, size_t m, unsigned nhosts);
