/* SPDX-License-Identifier: BSD-3-Clause
 * How long SPEs of one chip take that move data to or from main memory at the same time: the main-memory parameter of the
 * refined model. */
#pragma once

#include "algos/cost.h"

#include <stddef.h>

struct plogp;

/* Let the first `movers.spes` SPEs of a chip move M bytes each, as KIND says, with the programs of PLOGP's profile. Read is
 * memory where ranks of chip 0 have their data, written that where ranks of the SPEs' chip have it.
 * returns: SPU cycles that they take, the mean of all. */
double memory_time(const struct plogp *plogp, enum cost_parameter kind, size_t m, struct cost_movers movers);
