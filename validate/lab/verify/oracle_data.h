/* SPDX-License-Identifier: BSD-3-Clause
 * The data for checked calls: streams of bytes, each byte a function of seed, stream and position alone.
 * The data given to a rank is kept, up to a limit, until the comparison with received data. */
#pragma once

#include "algos/step/combine.h"

#include <stddef.h>
#include <stdint.h>

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
