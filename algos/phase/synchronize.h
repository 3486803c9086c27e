/* SPDX-License-Identifier: BSD-3-Clause
 * Pairwise exchange among all ranks: a barrier, and the end of a call whose code does not keep calls apart
 * otherwise. */
#pragma once

#include "algos/step/step.h"

/* How ranks tell each other. */
enum synchronize_by { SYNCHRONIZE_BY_FLAG, SYNCHRONIZE_BY_SIGNAL };

/* Wait until all ranks have come here.
 *
 *   step 1   0-1 2-3 4-5 6-7        ranks beyond the largest power of two m report to
 *   step 2   0-2 1-3 4-6 5-7        rank - m before, and are released by rank - m after
 *   step 3   0-4 1-5 2-6 3-7
 *
 * source: Ali, Midkiff, Pai 2010, sections 4 and 5.1, table 1; PE of Velamati et al. 2007, section 5.1; with
 * signals PEBar of Gaona, Fernandez, Acacio 2009, section 3.1. */
void synchronize_ranks(struct coll *c, enum synchronize_by by);
