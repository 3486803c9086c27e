/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of a checked point that are drawn from a seed. */
#pragma once

#include "validate/lab/rig.h"

#include <stddef.h>
#include <stdint.h>

enum { CHECK_LARGEST = 65536 /* bytes; no larger size is drawn */, CHECK_ROUND_SIZES_MAX = 96 };

/* Return a number determined by CALL and SEED. */
uint64_t check_draw_seed(const struct algo_call *call, uint64_t seed);

/* List usual sizes, ascending: 1, 3, 5 and 7 times a power of two; 1, 2 and 5 times a power of ten.
 * returns: the number of sizes. */
size_t check_round_sizes(size_t sizes[CHECK_ROUND_SIZES_MAX]);

/* Return a random size up to CHECK_LARGEST from the stream STATE, as often below as above the geometric
 * mean. */
size_t check_draw_size(uint64_t *state);

/* Let the stream of STATE choose the placement of NRANKS ranks on BLADE: packed, round-robin or any SPEs.
 * owner: the caller frees list.values. */
struct placement check_draw_placement(const struct blade *blade, unsigned nranks, uint64_t *state);

/* As check_draw_placement, on all nodes of the machine of BLADE; random SPEs come from one node more than
 * NRANKS ranks need, if the machine has one more. */
struct placement check_draw_of_nodes(const struct blade *blade, unsigned nranks, uint64_t *state);
