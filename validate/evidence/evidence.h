/* SPDX-License-Identifier: BSD-3-Clause
 * Experiments on the credibility of the simulator: the measurements behind its values, the predictions from
 * these values, the values left open. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;
struct err;
struct ledger;
struct platform;
struct variations;

/* One figure of an experiment. */
struct evidence_row {
  const char *subject; /* the value varied or left out */
  const char *row;     /* a published row, or another result */
  double value;        /* NaN: no value */
  const char *unit;
};

/* One experiment under way. */
struct evidence {
  struct ledger *ledger;
  struct platform *const *machines; /* the machines of the measurements */
  size_t nmachines;
  unsigned ndraws;
  uint64_t seed;

  void *context;
  void (*take)(void *context, const struct evidence_row *row);
  void (*say)(void *context, const char *line); /* receives the results in words */
};

/* An experiment; evidence.def lists all experiments. */
struct evidence_experiment {
  const char *name, *doc;
  int (*run)(const struct evidence *evidence, struct err *err); /* errors: as variations_run */
};

extern const struct evidence_experiment evidence_experiments[];
extern const size_t evidence_nexperiments;

/* Find the experiment NAME.
 * errors: there is none; the nearest is suggested. NULL then. */
const struct evidence_experiment *evidence_find(const char *name, struct err *err);

#define EVIDENCE(id, name, doc) int evidence_##id(const struct evidence *evidence, struct err *err);
#include "validate/evidence/evidence.def"

/* Hand a figure of EVIDENCE over: the members of a struct evidence_row. */
#define evidence_take(evidence, ...) \
  ((evidence)->take((evidence)->context, &(struct evidence_row){__VA_ARGS__}))

/* Hand a line of EVIDENCE over. */
void evidence_say(const struct evidence *evidence, const char *format, ...)
  __attribute__((format(printf, 2, 3)));

/* --- rows and findings on drawn machines: the values not determined by the fit are drawn --- */

/* Add the machines without a change and all drawn machines to DRAWS, and simulate the machines.
 * errors: as variations_run. */
int draws_run(struct variations *draws, struct err *err);

/* Return the low or the high end of the bar of the published row ID, in which 90 % of the drawn machines lie;
 * NaN: no drawn machine has the row. */
double draws_end(const struct variations *draws, const char *id, bool is_high);

/* Find the percentage of drawn machines of EVIDENCE on which each of findings_count() findings holds, from
 * variations of the first machine: SHARES; NaN: no run on that machine decides the finding.
 * errors: as variations_run. */
int draws_findings(const struct evidence *evidence, double *shares, struct err *err);

/* Draw machines as EVIDENCE says, and call VISIT with CONTEXT and the variation of the first machine in each
 * draw, until VISIT fails.
 * errors: as variations_add and VISIT. */
int draws_visit(const struct evidence *evidence,
                int (*visit)(void *context, struct machine *machine, struct err *err), void *context,
                struct err *err);
