/* SPDX-License-Identifier: BSD-3-Clause
 * The blocks of an all-to-all in local store. */
#pragma once

#include "algos/step/layout.h"
#include "algos/step/step.h"

/* The slot of a rank's block for itself. */
enum { BLOCKS_OWN_SLOT = STEP_SLOTS - 1 };

/* Return the place of this rank's block for rank TO, and the place of the block from rank FROM. */
static inline uint8_t *blocks_for(const struct coll *c, unsigned to) {
  return c->in + to * layout_stride(c->group);
}

static inline uint8_t *blocks_from(const struct coll *c, unsigned from) {
  return c->buffer + from * layout_stride(c->group);
}

/* Start the copy of this rank's block for itself, a DMA within the local store, and wait for the copy. */
static inline void blocks_start_own(struct coll *c) {
  step_start_put(c, &(struct step_transfer){.ls = blocks_for(c, c->rank),
                                            .ea = step_peer_ea(c, c->rank, blocks_from(c, c->rank)),
                                            .nbytes = c->nbytes,
                                            .slot = BLOCKS_OWN_SLOT});
}

static inline void blocks_finish_own(struct coll *c) {
  step_finish(c, BLOCKS_OWN_SLOT);
}
