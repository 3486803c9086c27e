/* SPDX-License-Identifier: BSD-3-Clause
 * What each collective must produce, written naively. */
#pragma once

#include "algos/step/combine.h"

#include <stddef.h>
#include <stdint.h>

/* --- the data for checked calls: oracle_data.c ---
 *
 * Streams of bytes, each byte a function of seed, stream and position alone. The data given to a rank is
 * kept, up to a limit, until the comparison with received data. */

/* Numbers of streams: streams of buffers have the number of the rank; streams of `in`, and of elements of a
 * number type, begin here. */
enum { ORACLE_IN = 1 << 20, ORACLE_ELEMENTS = 2 << 20 };

/* Bytes that are asked for at a time; whole elements. */
enum { ORACLE_STRETCH = 2048 };

/* The rare numbers among elements of a minimum or a maximum: none; zeros of both signs; also infinities and
 * NaN. */
enum oracle_rare { ORACLE_PLAIN, ORACLE_ZEROS, ORACLE_ALL };

/* NBYTES of a stream from byte FIRST on; of elements, whole ones. */
struct oracle_range {
  uint64_t seed;
  unsigned stream;
  enum coll_type type; /* of elements */
  size_t first, nbytes;
  enum oracle_rare rare;
};

/* What is kept. Starts as zero. */
struct oracle_data {
  struct oracle_kept *kept; /* by index; NULL: nothing yet */
  size_t nkept;
  size_t nbytes; /* in all */
};

/* Write RANGE to BYTES. */
void oracle_data_write(const struct oracle_range *range, uint8_t *bytes);

/* Keep BYTES, which are RANGE, the beginning of its stream, unless too much is kept already. */
void oracle_data_keep(struct oracle_data *data, const struct oracle_range *range, const uint8_t *bytes);

/* Return RANGE, of at most ORACLE_STRETCH bytes: the kept bytes, or SCRATCH with the bytes computed. */
const uint8_t *oracle_data_get(const struct oracle_data *data, const struct oracle_range *range,
                               uint8_t scratch[ORACLE_STRETCH]);

/* Release what DATA holds. */
void oracle_data_fini(struct oracle_data *data);

/* --- checks of calls --- */

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
