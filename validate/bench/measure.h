/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements of a machine for experiments with one number, beside the benchmarks. */
#pragma once

#include "validate/lab/ledger/ledger_key.h"

/* Indices of an experiment's numbers. */
enum { MEASURE_KIND, MEASURE_COUNT, MEASURE_BUFFER };

/* Return the cycles of a measurement; the experiment has machine, ranks, bytes and profile.
 * returns: NaN with ERR set.
 * errors: as call_run and rig_init.
 * arrival: from the call until the first child of the root has the data, rank p / 2 of a binomial tree;
 * pieces: one SPE gets the bytes from the local store of a neighbour in COUNT DMAs at once;
 * copy: from main memory to main memory through COUNT buffers of BUFFER bytes;
 * crossing: a get while COUNT messages cross between chips, all in loops; burst: all start in one cycle. */
double measure_arrival(const struct experiment *experiment, struct err *err);
double measure_pieces(const struct experiment *experiment, struct err *err);
double measure_copy(const struct experiment *experiment, struct err *err);
double measure_crossing(const struct experiment *experiment, struct err *err);
double measure_burst(const struct experiment *experiment, struct err *err);

/* Return GB/s of all streams of the subject together, with COUNT DMAs of each under way; the share of bus
 * requests on clockwise rings; the same for one DMA of each, which is enough to find a direction.
 * returns, errors: as above. */
double measure_rate(const struct experiment *experiment, struct err *err);
double measure_share(const struct experiment *experiment, struct err *err);
double measure_direction(const struct experiment *experiment, struct err *err);
