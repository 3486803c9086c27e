/* SPDX-License-Identifier: BSD-3-Clause
 * The portions of an all-to-all in local store: the block of each rank for each other rank. */
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
