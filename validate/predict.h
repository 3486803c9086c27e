/* SPDX-License-Identifier: BSD-3-Clause
 * The published predictions, on parameters measured on the simulated machine. */
#pragma once

#include "algos/coll.h"
#include "validate/plogp.h"

/* A prediction in SPU cycles. Where the paper gives a part as a range, `middle` counts half of it. */
struct prediction {
  double low, middle, high;
};

/* Predict CALL on NRANKS ranks with NBYTES. All are NaN when the paper defines no prediction (for the algorithm, for the
 * number of ranks, or because its equations are written for 8 SPEs per chip and at most two chips), when the call cannot
 * be served, and after an interruption.
 * source: Ali, Midkiff, Pai 2010, tables 1 and 2. */
struct prediction predict_published(struct plogp *plogp, const struct algo_call *call, unsigned nranks,
                                    size_t nbytes);
