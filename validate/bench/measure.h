/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements of a machine other than the benchmarks, each a row with the name of the measurement. */
#pragma once

#include "validate/lab/ledger/ledger.h"

/* A measurement, with the call of an experiment: ranks, bytes, profile. COUNT and BUFFER are numbers of the
 * experiment. */
enum measure {
  MEASURE_NONE,
  /* from the call until the first child of the root has the data, rank p / 2 of a binomial tree */
  MEASURE_ARRIVAL,
  /* one SPE gets the bytes from the local store of a neighbour in COUNT DMAs at once */
  MEASURE_PIECES,
  /* from main memory to main memory through COUNT buffers of BUFFER bytes */
  MEASURE_COPY,
  /* a get while COUNT messages cross between chips, all in loops; all start in one cycle */
  MEASURE_CROSSING,
  MEASURE_BURST,
  /* of all streams of the subject together, with COUNT DMAs of each under way; the share of bus requests on
   * clockwise rings; the same for one DMA of each, enough to find a direction */
  MEASURE_RATE,
  MEASURE_SHARE,
  MEASURE_DIRECTION,
  /* a message from rank 0 to each other rank, half a round trip, in cycles; on hosts from the first host to
   * the second one, over COUNT rails, 0: all */
  MEASURE_MESSAGE,
  /* a complete exchange among hosts with the seed COUNT, in cycles; a second row has the number of
   * retransmission timeouts */
  MEASURE_EXCHANGE,
};

/* Indices of an experiment's numbers. */
enum { MEASURE_KIND, MEASURE_COUNT, MEASURE_BUFFER };

/* Ask LEDGER for MEASURE, with machine, call, subject and numbers of EXPERIMENT.
 * returns: as ledger_ask. The reason for no row: as call_run, rig_init, net_new. */
bool measure_ask(struct ledger *ledger, enum measure measure, struct experiment *experiment,
                 struct result *result);
