/* SPDX-License-Identifier: BSD-3-Clause
 * Latency curves: every algorithm over ranks and sizes, simulated, with what models predict and papers have
 * measured. */
#pragma once

#include "algos/catalogue.h"
#include "algos/step/algo.h"
#include "validate/model/predict.h"

#include <stddef.h>
#include <stdint.h>

struct blade;
struct comparison;
struct err;
struct ledger;
struct published_row;

/* One point; ns, and NaN for what there is not. */
struct curve_point {
  unsigned ranks;
  size_t bytes;
  double simulated;
  struct prediction predicted[MODEL_COUNT];
  double measured; /* as published: the mean of calls in a loop */
  double looped;   /* simulated in the way in which that was measured */
};

/* One algorithm under the software costs of one profile. */
struct curve {
  struct algo_call call;
  char name[CATALOGUE_NAME_SIZE]; /* as catalogue_format writes it */
  const struct profile *profile;
  bool usual;  /* the profile is the one that `run` takes by itself */
  size_t rank; /* its place among all algorithms */
  struct curve_point *points;
  size_t npoints;
};

/* All curves, collective by collective, each in the order of the profiles and of the catalogue. Starts as
 * zero. */
struct curves {
  struct curve *items;
  size_t n;
};

/* What curves are made of. */
struct curves_from {
  struct ledger *ledger;
  const struct comparison *comparison; /* points that are simulated already, with their predictions */
  const struct published_row *published;
  size_t npublished;
  unsigned root; /* of what is simulated, as in the comparison */
  uint64_t seed;
};

/* Fill CURVES with the points of FROM and simulate on BLADE what they leave out: measured points; algorithms
 * without a model, on 8 and 16 ranks and 64 bytes to 32 KiB (broadcasts and reductions in main memory: 1
 * MiB), barriers on 2 to 16 ranks. After des_interrupted() some of these are missing.
 * errors: a process that died; the store.
 * owner: the caller, with curves_fini, in any case. */
int curves_run(struct curves *curves, struct blade *blade, const struct curves_from *from, struct err *err);

/* Release what CURVES holds. */
void curves_fini(struct curves *curves);
