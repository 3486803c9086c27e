/* SPDX-License-Identifier: BSD-3-Clause
 * How long SPEs of one chip take that move data to or from main memory at the same time: the main-memory parameter of the
 * refined model. */
#pragma once

#include "algos/cost/cost.h"

#include <stdbool.h>
#include <stddef.h>

struct plogp;

/* Let the first `movers.spes` SPEs of a chip move M bytes each, as KIND says, with the programs of PLOGP's profile. Read is
 * memory where ranks of chip 0 have their data, written that where ranks of the SPEs' chip have it.
 * returns: SPU cycles that they take, the mean of all. */
double memory_time(const struct plogp *plogp, enum cost_parameter kind, size_t m, struct cost_movers movers);

/* Return by how much later a rank has M bytes from the next one of its chip, which has begun to write as many to memory just
 * before it told, on chip 0 or ACROSS. */
double memory_time_behind(const struct plogp *plogp, bool across, size_t m);
