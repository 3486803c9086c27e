/* SPDX-License-Identifier: BSD-3-Clause
 * Pairwise all-to-all: in step i rank p exchanges blocks with rank p XOR i.
 *
 *   step 1   0-1 2-3 4-5 6-7
 *   step 2   0-2 1-3 4-6 5-7
 *   step 3   0-3 1-2 4-7 5-6
 *   ...
 *
 * rounds: n - 1 for n ranks, a power of two; each block moves once. A rank's block for itself goes by a
 * separate DMA.
 * source: Qian, Afsahi 2006, section 2.1 (Quadrics' algorithm up to 8 KB). */
#include "algos/phase/portion.h"

static void run(struct coll *c) {
  portion_start_own(c);
  for (unsigned i = 1; i < c->nranks; i++) {
    unsigned peer = c->rank ^ i;
    step_begin(c);
    step_exchange(c, peer, portion_for(c, peer), portion_from(c, peer), c->nbytes);
  }
  portion_finish_own(c);
}

const struct algo alltoall_pairwise = {
  .collective = COLL_ALLTOALL,
  .name = "pairwise",
  .source = "ali2010",
  .idea = "partners p and p XOR i exchange blocks",
  .needs = NEED_POWER_OF_TWO_RANKS,
  .run = run,
};
