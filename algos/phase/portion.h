/* SPDX-License-Identifier: BSD-3-Clause
 * The portions of an all-to-all in local store: the block of each rank for each other rank; and the exchange
 * of short portions by the algorithm of Bruck et al. as published. */
#pragma once

#include "algos/step/layout.h"
#include "algos/step/step.h"

/* The slot of a rank's block for itself. */
enum { PORTION_OWN_SLOT = STEP_SLOTS - 1 };

/* Return the place of this rank's block for rank TO, and the place of the block from rank FROM. */
static inline uint8_t *portion_for(const struct coll *c, unsigned to) {
  return c->in + to * layout_stride(c->group);
}

static inline uint8_t *portion_from(const struct coll *c, unsigned from) {
  return c->buffer + from * layout_stride(c->group);
}

/* Start the copy of this rank's block for itself, a DMA within the local store, and wait for the copy. */
static inline void portion_start_own(struct coll *c) {
  step_start_put(c, &(struct step_transfer){.ls = portion_for(c, c->rank),
                                            .ea = step_peer_ea(c, c->rank, portion_from(c, c->rank)),
                                            .nbytes = c->nbytes,
                                            .slot = PORTION_OWN_SLOT});
}

static inline void portion_finish_own(struct coll *c) {
  step_finish(c, PORTION_OWN_SLOT);
}

/* --- the exchange of Bruck et al., between processes on hosts, for blocks short enough to be copied ---
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

/* Make the call of C, whose scratch has portion_bruck_scratch bytes. */
void portion_bruck(struct coll *c);
size_t portion_bruck_scratch(const struct coll_group *group);
