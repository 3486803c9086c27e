/* SPDX-License-Identifier: BSD-3-Clause
 * One run that a finding rests on: what to measure, and measuring it. */
#pragma once

#include "algos/step/combine.h"

#include <stdbool.h>
#include <stddef.h>

struct blade;
struct err;

enum claim_kind {
  CLAIM_CALL,     /* ns of one call on an idle machine */
  CLAIM_LOOP,     /* ns: mean of calls back to back */
  CLAIM_CROSSED,  /* bytes that one call sends across the link between chips, requests included */
  CLAIM_ARRIVAL,  /* ns until the first child of the root has its data, rank p / 2 of a binomial tree */
  CLAIM_LATENCY,  /* ns: L2(1), half a round trip of flags across chips */
  CLAIM_CROSSING, /* ns of a get while `count` messages cross between chips */
  CLAIM_PIECES, /* ns in which one SPE gets `bytes` from its neighbour's local store in `count` DMAs at once */
  CLAIM_COPY,   /* ns of a copy from main memory to main memory through `count` buffers */
  CLAIM_ERROR,  /* percent: largest error of model `count` where it differs from the published one */
};

/* Two runs with equal fields are the same run. */
struct claim_run {
  enum claim_kind kind;
  const char *algorithm; /* as on the command line; NULL: none */
  const char *profile;
  enum coll_type type;
  unsigned ranks;
  size_t bytes;
  unsigned count;
  size_t buffer; /* bytes of a buffer of COPY */
};

/* Tell whether A and B are the same run. */
bool claim_run_equal(const struct claim_run *a, const struct claim_run *b);

/* Measure RUN on BLADE.
 * returns: NaN with ERR set if it cannot be made; after an interruption it means nothing. */
double claim_run_measure(const struct claim_run *run, struct blade *blade, struct err *err);
