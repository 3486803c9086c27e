/* SPDX-License-Identifier: BSD-3-Clause
 * The usual numbers of ranks and sizes of a study, where the user does not choose. */
#pragma once

#include "algos/step/collective.h"
#include "sim/base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct platform;

enum { USUAL_RANKS_MAX = 64 };

/* Return the usual maximum number of ranks on one node of PLATFORM: all SPEs; on hosts up to 16 processes, as
 * on a blade in the literature. */
unsigned usual_ranks_most(const struct platform *platform);

/* Write into RANKS the powers of two from 2 to NSPES, and NSPES; with EVERY also all numbers up to 16, as in
 * the literature on barriers.
 * returns: the number of values. */
size_t usual_ranks(unsigned nspes, bool every, uint64_t ranks[USUAL_RANKS_MAX]);

/* Write into RANKS all ranks of 2, 3 and 4 nodes of NSPES each, as the literature has for calls on several
 * nodes, as far as there are NNODES.
 * returns: how many. */
size_t usual_ranks_of_nodes(unsigned nspes, unsigned nnodes, uint64_t ranks[USUAL_RANKS_MAX]);

/* The sizes of collectives in the literature: 64 bytes to 32 KiB, doubling. */
extern const struct units_list usual_bytes;

/* Return the sizes for COLLECTIVE: 0 bytes for a collective without data, otherwise ASKED, or OTHERS if ASKED
 * is empty. */
const struct units_list *usual_sizes(enum collective collective, const struct units_list *asked,
                                     const struct units_list *others);

/* Return the root for calls of COLLECTIVE: ASKED, or 0 for a collective without a root. */
unsigned usual_root(enum collective collective, unsigned asked);
