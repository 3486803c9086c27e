/* SPDX-License-Identifier: BSD-3-Clause
 * Figures of a machine, each described once: published measurements, findings and measurements of users name
 * figures, and the program simulates a figure in the way of the source. */
#pragma once

#include "algos/step/combine.h"
#include "sim/base/err.h"
#include "validate/bench/bench.h"

enum figure_kind {
#define FIGURE(kind, ...) FIGURE_##kind,
#include "validate/papers/figures.def"
};

/* Members unused by the kind are zero; figures.def has the meaning of the others. Texts last as long as the
 * ledger. */
struct figure {
  enum figure_kind kind;
  const char *subject;   /* algorithm, benchmark or streams, as on the command line; NULL: none */
  const char *parameter; /* of a benchmark */
  const char *profile;   /* software costs; NULL: see figures.def */
  enum coll_type type;
  unsigned ranks, count;
  size_t bytes, buffer;
  /* NULL, or the value is `weight` times the value over the same value of the subject `than` */
  const char *than;
  double weight;
};

/* A figure being simulated. */
struct figure_asked {
  struct bench_run run; /* of a benchmark */
  const struct figure *figure;
  struct ledger *ledger;
  struct machine *machine;
  uint64_t number; /* ranks of a signature; the one size of another benchmark */
  struct units_list list;
  struct err why;   /* reason for NaN */
  double value;     /* NaN: no value */
  const char *unit; /* of the value; empty: not known */
  bool unknown;     /* there is no value because the benchmark does not have the parameter */
  bool stopped;     /* there is no value because a run has failed */
};

/* Find the value of FIGURE on MACHINE. ASKED must live until the results are known.
 * returns: false while results are missing from LEDGER; true with a value or without. */
bool figure_ask(struct figure_asked *asked, const struct figure *figure, struct ledger *ledger,
                struct machine *machine);

/* Return the timing of KIND in words: single calls, a mean of calls, or a benchmark. */
const char *figure_timing(enum figure_kind kind);

/* Return the name of the software costs of FIGURE: the profile, or the source of the kind or of the
 * benchmark. */
const char *figure_profile(const struct figure *figure);

/* Check that UNIT is the unit of some figure.
 * errors: another text; all units are named. */
int figure_check_unit(const char *unit, struct err *err);

/* Return VALUE of FIGURE in unit FROM as a number of units TO; GHZ is the clock behind cycles, 0: unknown. A
 * rate of an algorithm counts a copy of the bytes to every rank but the root.
 * returns: NaN if TO does not measure the same quantity. */
double figure_convert(const struct figure *figure, double value, const char *from, const char *to,
                      double ghz);
