/* SPDX-License-Identifier: BSD-3-Clause
 * What each collective must produce, written naively. */
#pragma once

#include "validate/lab/verify/oracle_data.h"

#include <stddef.h>
#include <stdint.h>

/* The data known in a run: data given to ranks; and combined elements found correct in the buffer of one
 * rank, which other ranks must have as well (from COUNT ranks, with the data of SEED). Initially zero. */
struct oracle_known {
  struct oracle_data data;
  uint8_t *bytes;
  size_t nbytes;
  uint64_t seed;
  unsigned count;
};

/* A call of a rank, and the buffers of the rank, as the simulator sees the buffers. */
struct oracle_call {
  const struct coll_group *group;
  unsigned rank;
  uint64_t seed; /* chooses the data */
  uint8_t *buffer;
  uint8_t *in;                /* NULL: there is none apart from buffer */
  struct oracle_known *known; /* data known of other ranks; extended by this rank */
};

/* Fill the buffers of CALL, and the guards behind the buffers, with the data before the call. */
void oracle_fill(const struct oracle_call *call);

/* Check the buffers after CALL. Sums and products of floating-point numbers may differ from the exact results
 * by the rounding of their operations in any order: half of n epsilon times the sum of the absolute values,
 * or half of n epsilon times the product, for n ranks. The same is allowed for the results of the comparison,
 * computed in double precision. All other data must be equal.
 * returns: NULL, or a text about the first difference, which the caller frees.
 * source: the bound is that of Higham, Accuracy and Stability of Numerical Algorithms, 2002, sections 3.1 and
 * 4.2. */
char *oracle_check(const struct oracle_call *call);

/* Release the contents of KNOWN. */
void oracle_forget(struct oracle_known *known);
