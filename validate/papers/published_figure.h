/* SPDX-License-Identifier: BSD-3-Clause
 * How the figure of a published row is simulated. This folder only. */
#pragma once

#include "validate/bench/bench.h"
#include "validate/model/predict.h"
#include "validate/papers/findings_run.h"
#include "validate/papers/published.h"

#include "sim/base/err.h"

enum published_kind { FIGURE, LOOP, STREAMS, COPY, RATIO, MODEL_ERROR };

/* A loop of calls of one algorithm; reductions are sums. */
struct published_loop {
  const char *algorithm;
  enum coll_type type;
  unsigned ranks;
  size_t bytes;
  const char *profile;
  const char *unit;
};

enum streams_figure {
  STREAMS_TOTAL,           /* GB/s of all together */
  STREAMS_DIRECTION_SHARE, /* percent of all bus requests in the more frequent direction */
  STREAMS_DIRECTIONS,      /* number of ordered pairs of ranks with the measured direction */
  STREAMS_MEAN,            /* GB/s of a stream between two ranks, the mean of ordered pairs, one at a time */
};

/* A figure; texts last as long as the program. */
struct published_figure {
  enum published_kind kind;
  union {
    struct {
      const char *benchmark, *parameter;
      unsigned ranks; /* 0: any */
      size_t bytes;   /* 0: any */
    } bench;
    struct published_loop loop;
    struct {
      enum streams_figure figure;
      /* Streams as typed, see validate/lab/pattern.h. DIRECTIONS: for each rank the directions of bus
       * requests to the rank in reads from ranks 0, 1 and so on: `>` clockwise, `<` counterclockwise, `=`
       * both, `.` the rank itself; ranks separated by blanks. MEAN: the same with `*` for each pair. */
      const char *text;
      unsigned depth;   /* DMAs kept under way in a stream */
      const char *than; /* NULL, or the value is `weight` times the rate over the rate of `than` */
      double weight;
    } streams;
    struct {
      size_t nbytes, buffer;
    } copy; /* from memory to memory by one SPE */
    struct {
      const char *over, *under; /* the time of one algorithm over the time of another */
      unsigned ranks;
      size_t bytes;
    } ratio;
    /* The largest error of a model of an algorithm, over the grid of `compare`; without an algorithm (NULL)
     * the correlation of the model with the simulation, over all algorithms. */
    struct {
      const char *algorithm;
      enum model model;
    } model_error;
  };
};

/* A figure being simulated. */
struct published_question {
  struct bench_run run; /* first: the view of the benchmark of a figure */
  const struct published_figure *figure;
  uint64_t number; /* ranks of a signature; the one size of another benchmark */
  struct units_list list;
  char subject[64];
  struct err why; /* reason for NaN */
  double value;   /* in the unit of the row; NaN: no value */
  bool stopped;   /* there is no value because a run has failed */
};

/* Return VALUE, the published value of LOOP, as the mean time of a call in ns; or the other way round if not
 * TO_NS. */
double published_loop_value(const struct published_loop *loop, double value, bool to_ns);

/* Return the name of the profile of the measurement of FIGURE. */
const char *published_figure_profile(const struct published_figure *figure);

/* Find the value of QUESTION, of which only the figure is set, on MACHINE. QUESTION must live until the
 * results are known.
 * returns: false while results are missing from LEDGER; true with a value or without. */
bool published_figure_ask(struct published_question *question, struct ledger *ledger,
                          struct machine *machine);
