/* SPDX-License-Identifier: BSD-3-Clause
 * The values of the model machine (cost.def), each measured by programs that are no collectives and have no
 * software costs. */
#pragma once

#include "algos/cost/model_values.h"

struct blade;

/* Return how many bus requests of 128 bytes the MFCs of BLADE have under way in one direction. */
unsigned model_measure_window(const struct blade *blade);

/* Measure VALUE on BLADE for one of its ways: over so many links, or between the SPEs of a pair (cost.def).
 * returns: SPU cycles; 0: the platform has no such thing, or too few SPEs to tell. */
double model_measure(struct blade *blade, enum model_value value, unsigned way);
