/* SPDX-License-Identifier: BSD-3-Clause
 * One figure behind a finding. */
#pragma once

#include "algos/step/combine.h"

#include <stddef.h>

struct machine;
struct err;
struct experiment;
struct ledger;

enum finding_kind {
  FINDING_CALL,     /* ns of one call on an idle machine */
  FINDING_LOOP,     /* ns: mean of `count` calls back to back; count 0: as many as for findings */
  FINDING_CROSSED,  /* bytes of one call over the link between chips, requests included */
  FINDING_ARRIVAL,  /* ns until the first child of the root has its data, rank p / 2 of a binomial tree */
  FINDING_LATENCY,  /* ns: L2(1), half a round trip of flags across chips */
  FINDING_CROSSING, /* ns of a get while `count` messages cross between chips, all in loops */
  FINDING_BURST,    /* the same of messages that start in one cycle, once */
  /* ns in which one SPE gets `bytes` from its neighbour's local store in `count` DMAs at once */
  FINDING_PIECES,
  FINDING_COPY,  /* ns of a copy from main memory to main memory through `count` buffers */
  FINDING_ERROR, /* percent: largest error of model `count` where the model differs from the published one */
};

/* A measurement. */
struct finding_run {
  enum finding_kind kind;
  const char *algorithm; /* as on the command line; NULL: none */
  const char *profile;
  enum coll_type type;
  unsigned ranks;
  size_t bytes;
  unsigned count;
  size_t buffer; /* bytes of a buffer of COPY */
};

/* The machine under test, and the ledger with results. */
struct finding_source {
  struct machine *machine;
  struct ledger *ledger;
  struct err *err; /* the reason for NaN */
};

/* Return the figure of RUN from results in the ledger of SOURCE. The figure is meaningless while results are
 * missing.
 * returns: NaN with the error of SOURCE set if the figure is impossible. */
double finding_run_value(const struct finding_run *run, const struct finding_source *source);

/* Return the number that EXPERIMENT gives, as finding_run_value. */
double finding_experiment_value(const struct experiment *experiment, const struct finding_source *source);
