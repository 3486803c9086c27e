/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of ranks on which a machine is looked at, and the sizes, unless somebody asks for others. */
#pragma once

#include "algos/step/collective.h"
#include "sim/base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blade;

enum { USUAL_RANKS_MAX = 64 };

/* Return how many ranks that is at most on one node of BLADE's machine: all its SPEs; on hosts as many as the
 * literature has on a blade, 16, as far as there are so many processes. */
unsigned usual_ranks_most(const struct blade *blade);

/* Write into RANKS the powers of two from 2 to NSPES, and NSPES itself; if EVERY, also all numbers up to 16,
 * as the literature has for barriers.
 * returns: how many there are. */
size_t usual_ranks(unsigned nspes, bool every, uint64_t ranks[USUAL_RANKS_MAX]);

/* Write into RANKS all ranks of 2, 3 and 4 nodes of NSPES each, as the literature has for calls on several
 * nodes, as far as there are NNODES.
 * returns: how many. */
size_t usual_ranks_of_nodes(unsigned nspes, unsigned nnodes, uint64_t ranks[USUAL_RANKS_MAX]);

/* The sizes at which the literature has collectives: 64 bytes to 32 KiB, doubling. */
extern const struct units_list usual_bytes;

/* Return the sizes at which COLLECTIVE is looked at: no bytes if it has no data, else those ASKED for; if
 * there are none, OTHERS. */
const struct units_list *usual_sizes(enum collective collective, const struct units_list *asked,
                                     const struct units_list *others);

/* Return the root of calls of COLLECTIVE: the one ASKED for, or 0 if it has none. */
unsigned usual_root(enum collective collective, unsigned asked);
