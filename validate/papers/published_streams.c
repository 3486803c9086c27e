/* SPDX-License-Identifier: BSD-3-Clause
 * See published_streams.h. The benchmark eib-pattern makes the streams; utilisation counts bus requests. */
#include "validate/papers/published_streams.h"

#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "traces/utilisation.h"
#include "validate/bench/bench.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/pattern.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a DMA; bytes of a stream for a rate. One DMA is enough to find the direction of a stream. */
enum { DMA_BYTES = 16384, RATE_BYTES = 1 << 20 };

/* Indices of an experiment's numbers. */
enum { FIGURE, DEPTH };

/* A benchmark that is running. */
struct total {
  struct bench_run run; /* first: the benchmark's view */
  double rate;          /* bandwidth of all streams together */
};

static void take_total(struct bench_run *run, const struct bench_row *row) {
  if (strcmp(row->parameter, "total") == 0) {
    ((struct total *)run)->rate = row->value;
  }
}

/* Return which part of all bus requests went clockwise. */
static double clockwise_part(const struct utilisation *utilisation) {
  const struct parameters *parameters = &utilisation->parameters;
  uint64_t served[2] = {0};
  for (unsigned i = 0; i < parameters->nrings; i++) {
    served[i < utilisation->platform->eib.rings_clockwise] += utilisation->rings[i].served;
  }
  return (double)served[1] / (double)(served[0] + served[1]);
}

static double measure(const struct experiment *experiment, struct err *err) {
  enum streams_figure figure = (enum streams_figure)experiment->numbers[FIGURE];
  const struct bench *bench;
  struct blade *blade = experiment->blade;
  struct pattern pattern = {0};
  struct utilisation utilisation;
  struct total total = {.rate = NAN};
  total.run = (struct bench_run){.blade = blade,
                                 .profile = experiment->spec.profile,
                                 .pattern = &pattern,
                                 .depth = (unsigned)experiment->numbers[DEPTH],
                                 .total = figure == STREAMS_DIRECTIONS ? DMA_BYTES : RATE_BYTES,
                                 .row = take_total,
                                 .err = err};
  utilisation_init(&utilisation, blade_platform(blade));
  blade_attach(blade, &utilisation.probe);
  bench = bench_find("eib-pattern", err);
  bool ran = pattern_parse(experiment->subject, &pattern, err) == 0 && bench_run(bench, &total.run) == 0;
  blade_detach(blade, &utilisation.probe);
  double value = !ran ? NAN : figure == STREAMS_TOTAL ? total.rate : clockwise_part(&utilisation);
  utilisation_fini(&utilisation);
  pattern_fini(&pattern);
  return value;
}

/* Find the VALUE of FIGURE for the streams TEXT. */
static bool ask(const struct streams *streams, const char *text, const struct streams_asked *asked,
                double *value) {
  static const struct experiment_kind kind = {.name = "streams", .measure = measure};
  struct experiment experiment = {.kind = &kind,
                                  .blade = asked->blade,
                                  .spec = {.profile = asked->profile},
                                  .subject = text,
                                  .numbers = {[FIGURE] = streams->figure, [DEPTH] = streams->depth}};
  struct ledger_value found;
  if (!ledger_value(asked->ledger, &experiment, &found)) {
    return false;
  }
  *value = found.number;
  if (isnan(*value)) {
    err_set(asked->why, "%s", found.why);
  }
  return true;
}

/* Streams between two ranks, as typed; static, since the ledger keeps the texts of subjects. */
enum { RANKS_MAX = 8 };
static char pairs[RANKS_MAX][RANKS_MAX][PATTERN_LABEL_SIZE];

/* Count in VALUE the pairs of ranks with the direction measured, as in STREAMS. */
static bool ask_directions(const struct streams *streams, const struct streams_asked *asked, double *value) {
  unsigned reader = 0, from = 0;
  bool known = true;
  *value = 0;
  for (const char *c = streams->text; *c; c++) {
    double clockwise = 0;
    if (*c == ' ') {
      reader++;
      from = 0;
      continue;
    }
    if (*c != '.') {
      char *pair = pairs[reader][from];
      snprintf(pair, PATTERN_LABEL_SIZE, "%u<-%u", reader, from);
      known &= ask(streams, pair, asked, &clockwise);
      *value += isnan(clockwise) ? clockwise : *c == (clockwise >= 1 ? '>' : clockwise > 0 ? '=' : '<');
    }
    from++;
  }
  return known;
}

bool streams_value(const struct streams *streams, const struct streams_asked *asked, double *value) {
  if (streams->figure == STREAMS_DIRECTIONS) {
    return ask_directions(streams, asked, value);
  }
  bool known = ask(streams, streams->text, asked, value);
  if (streams->figure == STREAMS_DIRECTION_SHARE) {
    *value = 100 * fmax(*value, 1 - *value);
  }
  return known;
}
