/* SPDX-License-Identifier: BSD-3-Clause
 * Experiments on the credibility of the simulator: the measurements behind its values, the predictions from
 * these values, the values left open. */
#pragma once

#include "validate/papers/findings.h"
#include "validate/papers/published.h"

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
  struct platform *const *machines;
  size_t nmachines;
  unsigned nsamples;
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

/* --- published rows and findings on variations of the machines, simulated together --- */

/* A value of a variation. */
struct variation_setting {
  const char *machine; /* NULL: all machines */
  const char *keys;    /* parameters with the value, separated by blanks */
  const char *value;   /* as typed after --set */
};

/* The machines with some values changed. */
struct variation {
  char *label;                  /* for messages: "key=value key=value"; NULL: no changes */
  struct machine **machines;    /* one for each machine of the variations */
  struct finding_row *findings; /* findings_count() verdicts on the first machine; without a finding: none */
  struct figure_asked *asked;   /* [row] */
  struct published_row *rows;   /* all published_count_all() rows; simulated and error are NaN: no value */
  char *profile;                /* the software costs with a change; NULL: other values changed as well */
};

/* Tell whether ROW is to be simulated; whether FINDING is to be decided on variation INDEX. */
typedef bool variations_row(const struct published_row *row);
typedef bool variations_finding(size_t index, const char *finding);

struct variations {
  const struct evidence *evidence; /* has the ledger and the machines to vary */
  variations_row *wanted;          /* of the first published_count() rows; NULL: all rows are simulated */
  variations_finding *decided;     /* NULL: no finding is decided */
  struct variation **items;
  size_t n;
};

/* Add a variation to VARIATIONS with the N SETTINGS. A setting of one machine also changes each machine with
 * the same original value of the parameter, because such a machine is built on the machine of the setting.
 * errors: as platform_set and blade_new; VARIATIONS is then unchanged. */
int variations_add(struct variations *variations, const struct variation_setting *settings, size_t n,
                   struct err *err);

/* No row; every finding on every variation. */
bool variations_no_row(const struct published_row *row);
bool variations_all_findings(size_t index, const char *finding);

/* Simulate the wanted rows and decide the chosen findings on all variations of VARIATIONS. After an
 * interruption some values are NaN.
 * errors: a process that died; the store. */
int variations_run(struct variations *variations, struct err *err);

/* Add the machines of VARIATIONS without a change. Add the machines with the least and with the most of each
 * fitted or assumed value. Run VARIATIONS.
 * errors: as variations_add and variations_run. */
int variations_run_bounds(struct variations *variations, struct err *err);

/* Return the mean of the absolute errors, in percent, of the simulated rows of VARIATION: of role
 * test, or of the other roles. NaN: there is none. */
double variation_mean_error(const struct variation *variation, bool test);

/* Release the contents of VARIATIONS, without the machines and the ledger. */
void variations_fini(struct variations *variations);

/* Tell whether VARIATIONS has the machine called NAME, or the first machine serves instead: for qs20, the
 * base of the others. */
bool variations_has(const struct variations *variations, const char *name);

/* A number of a machine. */
struct variation_number {
  double value;
  const char *unit;
};

/* Find the number of the first of KEYS on the machine called MACHINE, or on the first machine if VARIATIONS
 * has no MACHINE.
 * errors: no such parameter, or the value is no number. */
int variations_value(const struct variations *variations, const char *machine, const char *keys,
                     struct variation_number *number, struct err *err);

/* --- rows and findings on sampled machines: the values not determined by the fit are random --- */

/* Add the machines without a change and all sampled machines to SAMPLES, and simulate the machines.
 * errors: as variations_run. */
int samples_run(struct variations *samples, struct err *err);

/* Return the low or the high end of the bar of the published row ID, in which 90 % of the sampled machines
 * lie; NaN: no sampled machine has the row. */
double samples_end(const struct variations *samples, const char *id, bool is_high);

/* Find the percentage of sampled machines of EVIDENCE on which each of findings_count() findings holds, from
 * variations of the first machine: SHARES; NaN: no run on that machine decides the finding.
 * errors: as variations_run. */
int samples_findings(const struct evidence *evidence, double *shares, struct err *err);

/* Sample machines as EVIDENCE says, and call VISIT with CONTEXT and each variation of the first machine,
 * until VISIT fails.
 * errors: as variations_add and VISIT. */
int samples_visit(const struct evidence *evidence,
                  int (*visit)(void *context, struct machine *machine, struct err *err), void *context,
                  struct err *err);
