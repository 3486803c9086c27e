/* SPDX-License-Identifier: BSD-3-Clause
 * The all-to-all of Bruck et al. as it is published, between processes on hosts, for blocks that are short
 * enough to be copied.
 *
 *   first    block j, for rank p + j, comes into place j
 *   d = 1    the blocks whose j contains d are packed and go to p + d by one put; those that come take their
 *            places
 *   d = 2    the same, and so on for d = 4, 8, ... below n
 *   last     the block in place j, from rank p - j, goes where it belongs
 *
 * Puts go into buffers of the library, one for each round, of which calls take two sets in turn: who is in
 * the next call but one has got blocks of all in the next one, so that all have left this one.
 * rounds: ceil(log2 n); each block is copied twice, and twice more on each move.
 * source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997 (the index algorithm), which Qian, Afsahi 2006, section
 *   2.1, have for very small messages. */
#pragma once

#include <stddef.h>

struct coll;
struct coll_group;

/* Make the call of C, whose scratch has as many bytes as elan_bruck_scratch says. */
void elan_bruck(struct coll *c);
size_t elan_bruck_scratch(const struct coll_group *group);
