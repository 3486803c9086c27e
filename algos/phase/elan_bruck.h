/* SPDX-License-Identifier: BSD-3-Clause
 * The all-to-all of Bruck et al. as published, between processes on hosts, for blocks that are short enough
 * to be copied.
 *
 *   first    block j, for rank p + j, comes into place j
 *   d = 1    the blocks whose j contains d are packed and go to p + d by one put; received blocks take their
 *            places
 *   d = 2    the same, and so on for d = 4, 8, ... below n
 *   last     the block in place j, from rank p - j, goes to its final place
 *
 * Puts go into buffers of the library, one for each round. Calls take two sets of buffers in turn: a rank in
 * the next call but one has received blocks of all ranks in the next call, so all ranks have left this call.
 * rounds: ceil(log2 n); each block is copied twice, and twice more on each move.
 * source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997 (the index algorithm); Qian, Afsahi 2006, section 2.1,
 * use the algorithm for very small messages. */
#pragma once

#include <stddef.h>

struct coll;
struct coll_group;

/* Make the call of C, whose scratch has elan_bruck_scratch bytes. */
void elan_bruck(struct coll *c);
size_t elan_bruck_scratch(const struct coll_group *group);
