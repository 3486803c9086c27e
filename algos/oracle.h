/* SPDX-License-Identifier: BSD-3-Clause
 * What each collective must produce, written naively. */
#pragma once

#include "algos/coll.h"

/* Fill BUFFER, the buffer of rank RANK and the guard behind it, as it stands before a call of GROUP; SEED chooses the data. */
void oracle_fill(const struct coll_group *group, unsigned rank, uint64_t seed, uint8_t *buffer);

/* Check BUFFER after the call.
 * returns: NULL, or a text about the first difference, which the caller frees. */
char *oracle_check(const struct coll_group *group, unsigned rank, uint64_t seed, const uint8_t *buffer);
