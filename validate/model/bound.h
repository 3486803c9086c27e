/* SPDX-License-Identifier: BSD-3-Clause
 * A time below which no program can be, from the values of the platform alone: software costs nothing. */
#pragma once

#include "validate/model/tune.h"

struct blade;

/* Return the least cycles of a call of PROBLEM with 32-bit integer sums on the first RANKS SPEs of BLADE.
 * NBYTES is the size as on the command line. *OF becomes the resource that sets the bound: latency, ramp,
 * link, combining or memory. NaN: no bound is known for several nodes, hosts, and collectives with blocks of
 * several sizes. */
double bound_cycles(const struct blade *blade, struct tune_problem problem, unsigned ranks, unsigned root,
                    size_t nbytes, const char **of);
