/* SPDX-License-Identifier: BSD-3-Clause
 * See published_figure.h. Figures of the machine come from the benchmarks of the same name, so that each
 * quantity is measured in one way only. A figure is selected from a benchmark's rows by parameter, ranks and
 * bytes. */
#include "validate/papers/published_figure.h"

#include "algos/catalogue.h"
#include "sim/node/machine.h"
#include "traces/utilisation.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/pattern.h"
#include "validate/model/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Calls of a loop with less than MUCH_BYTES. */
enum { LOOP_CALLS = 11, MUCH_BYTES = 65536 };

static const char source_of_machine[] = "velamati2007"; /* software costs of copies and streams */

const char *published_figure_profile(const struct published_figure *figure) {
  struct err err = {""};
  return figure->kind == LOOP          ? figure->loop.profile
         : figure->kind == FIGURE      ? bench_find(figure->bench.benchmark, &err)->source
         : figure->kind == MODEL_ERROR ? "ali2010"
                                       : source_of_machine;
}

/* --- figures of benchmarks --- */

static const struct units_list short_sizes = UNITS_OF(512, 1024, 2048, 4096, 8192, 16384, 32768),
                               long_sizes = UNITS_OF(16384, 65536, 262144, 524288, 1048576);

/* Let QUESTION, about the signature, ask for complete exchanges of the source's number of ranks only, with
 * messages as short or as long as the source's. */
static void ask_for_exchanges(struct published_question *question) {
  bool timeouts = strcmp(question->figure->bench.parameter, "timeouts-from") == 0;
  question->number = question->figure->bench.ranks;
  snprintf(question->subject, sizeof question->subject, "signature of %s messages alone ranks=%u",
           timeouts ? "short" : "long", question->figure->bench.ranks);
  question->run.bytes = timeouts ? &short_sizes : &long_sizes;
  question->run.ranks = &question->list;
  question->run.no_others = true;
  question->run.subject = question->subject;
}

static void pick_row(struct bench_run *run, const struct bench_row *row) {
  struct published_question *question = (struct published_question *)run;
  const struct published_figure *figure = question->figure;
  bool fits = strcmp(row->parameter, figure->bench.parameter) == 0 &&
              (!figure->bench.bytes || row->bytes == figure->bench.bytes) &&
              (!figure->bench.ranks || row->ranks == figure->bench.ranks);
  if (fits && (isnan(question->value) || row->value > question->value)) {
    question->value = row->value;
  }
}

static double value_of_bench(struct published_question *question, const struct finding_source *source) {
  const struct published_figure *figure = question->figure;
  const struct platform *platform = machine_platform(source->machine);
  const struct bench *bench = bench_find(figure->bench.benchmark, source->err);
  int status;
  question->run = (struct bench_run){.machine = source->machine, .row = pick_row, .err = source->err};
  question->run.profile = rig_profile(platform, NULL, bench->source, source->err);
  if (!question->run.profile) {
    return NAN;
  }
  question->list = (struct units_list){.values = &question->number, .n = 1};
  if (strcmp(bench->name, "signature") == 0) {
    ask_for_exchanges(question);
  } else if (figure->bench.bytes && figure->bench.ranks) { /* the other sizes need not be measured */
    question->number = figure->bench.bytes;
    snprintf(question->subject, sizeof question->subject, "%s bytes=%zu", bench->name, figure->bench.bytes);
    question->run.bytes = &question->list;
    question->run.subject = question->subject;
  }
  if (!bench_ask(source->ledger, bench, &question->run, &status) || status != 0) {
    return NAN;
  }
  if (isnan(question->value)) {
    err_set(source->err, "benchmark %s has no figure %s on platform %s", bench->name, figure->bench.parameter,
            platform->name);
  }
  return question->value;
}

/* --- calls --- */

double published_loop_value(const struct published_loop *loop, double value, bool to_ns) {
  if (strcmp(loop->unit, "GB/s") == 0) {
    return (double)((loop->ranks - 1) * loop->bytes) / value;
  }
  return strcmp(loop->unit, "us") != 0 ? value : to_ns ? value * 1000 : value / 1000;
}

static double value_of_loop(const struct published_loop *loop, const struct finding_source *source) {
  struct finding_run run = {.kind = FINDING_LOOP,
                            .algorithm = loop->algorithm,
                            .profile = loop->profile,
                            .type = loop->type,
                            .ranks = loop->ranks,
                            .bytes = loop->bytes,
                            .count = loop->bytes < MUCH_BYTES ? LOOP_CALLS : 0};
  return published_loop_value(loop, finding_run_value(&run, source), false);
}

static double value_of_ratio(const struct published_figure *figure, const struct finding_source *source) {
  struct finding_run run = {.kind = FINDING_CALL,
                            .algorithm = figure->ratio.over,
                            .profile = source_of_machine,
                            .ranks = figure->ratio.ranks,
                            .bytes = figure->ratio.bytes};
  double over = finding_run_value(&run, source);
  run.algorithm = figure->ratio.under;
  return over / finding_run_value(&run, source);
}

static double value_of_copy(const struct published_figure *figure, const struct finding_source *source) {
  struct finding_run run = {.kind = FINDING_COPY,
                            .profile = source_of_machine,
                            .bytes = figure->copy.nbytes,
                            .count = 2,
                            .buffer = figure->copy.buffer};
  return (double)figure->copy.nbytes / finding_run_value(&run, source);
}

/* --- streams: the benchmark eib-pattern makes the streams; utilisation counts bus requests --- */

/* Bytes of a DMA; bytes of a stream for a rate. One DMA is enough to find the direction of a stream. */
enum { DMA_BYTES = 16384, RATE_BYTES = 1 << 20 };

/* Indices of an experiment's numbers. */
enum { NUMBER_FIGURE, NUMBER_DEPTH };

/* A running benchmark. */
struct total {
  struct bench_run run; /* first: the benchmark's view */
  double rate;          /* bandwidth of all streams together */
};

static void take_total(struct bench_run *run, const struct bench_row *row) {
  if (strcmp(row->parameter, "total") == 0) {
    ((struct total *)run)->rate = row->value;
  }
}

/* Return the share of bus requests on clockwise rings. */
static double clockwise_part(const struct utilisation *utilisation) {
  const struct parameters *parameters = &utilisation->parameters;
  uint64_t served[2] = {0};
  for (unsigned i = 0; i < parameters->nrings; i++) {
    served[i < utilisation->platform->eib.rings_clockwise] += utilisation->rings[i].served;
  }
  return (double)served[1] / (double)(served[0] + served[1]);
}

static double measure(const struct experiment *experiment, struct err *err) {
  enum streams_figure figure = (enum streams_figure)experiment->numbers[NUMBER_FIGURE];
  struct machine *machine = experiment->machine;
  struct pattern pattern = {0};
  struct utilisation utilisation;
  struct total total = {.rate = NAN};
  total.run = (struct bench_run){.machine = machine,
                                 .profile = experiment->spec.profile,
                                 .pattern = &pattern,
                                 .depth = (unsigned)experiment->numbers[NUMBER_DEPTH],
                                 .total = figure == STREAMS_DIRECTIONS ? DMA_BYTES : RATE_BYTES,
                                 .row = take_total,
                                 .err = err};
  utilisation_init(&utilisation, machine_platform(machine));
  blade_attach(machine_blade(machine, 0), &utilisation.probe);
  bool ran = pattern_parse(experiment->subject, &pattern, err) == 0 &&
             bench_run(bench_find("eib-pattern", err), &total.run) == 0;
  blade_detach(machine_blade(machine, 0), &utilisation.probe);
  bool is_rate = figure == STREAMS_TOTAL || figure == STREAMS_MEAN;
  double value = !ran ? NAN : is_rate ? total.rate : clockwise_part(&utilisation);
  utilisation_fini(&utilisation);
  pattern_fini(&pattern);
  return value;
}

/* Return the value of FIGURE for the streams TEXT. */
static double value_of_pattern(const struct published_figure *figure, const char *text,
                               const struct finding_source *source) {
  static const struct experiment_kind kind = {.name = "streams", .measure = measure};
  struct experiment experiment = {
    .kind = &kind,
    .machine = source->machine,
    .subject = text,
    .numbers = {[NUMBER_FIGURE] = figure->streams.figure, [NUMBER_DEPTH] = figure->streams.depth}};
  experiment.spec.profile =
    rig_profile(machine_platform(source->machine), NULL, source_of_machine, source->err);
  return experiment.spec.profile ? finding_experiment_value(&experiment, source) : NAN;
}

/* Streams between two ranks, as typed; static, since the ledger keeps the texts of subjects. */
enum { RANKS_MAX = 8 };
static char pairs[RANKS_MAX][RANKS_MAX][PATTERN_LABEL_SIZE];

/* Return the mean rate of the pairs in FIGURE, or the number of pairs with the direction measured. */
static double value_of_pairs(const struct published_figure *figure, const struct finding_source *source) {
  unsigned reader = 0, from = 0, npairs = 0;
  bool is_mean = figure->streams.figure == STREAMS_MEAN;
  double sum = 0;
  for (const char *c = figure->streams.text; *c; c++) {
    if (*c == ' ') {
      reader++;
      from = 0;
      continue;
    }
    if (*c != '.') {
      char *pair = pairs[reader][from];
      snprintf(pair, PATTERN_LABEL_SIZE, "%u<-%u", reader, from);
      double value = value_of_pattern(figure, pair, source);
      sum += is_mean || isnan(value) ? value : *c == (value >= 1 ? '>' : value > 0 ? '=' : '<');
      npairs++;
    }
    from++;
  }
  return is_mean ? sum / npairs : sum;
}

static double value_of_streams(const struct published_figure *figure, const struct finding_source *source) {
  if (figure->streams.figure == STREAMS_DIRECTIONS || figure->streams.figure == STREAMS_MEAN) {
    return value_of_pairs(figure, source);
  }
  double value = value_of_pattern(figure, figure->streams.text, source);
  if (figure->streams.than) {
    value *= figure->streams.weight / value_of_pattern(figure, figure->streams.than, source);
  }
  return figure->streams.figure == STREAMS_DIRECTION_SHARE ? 100 * fmax(value, 1 - value) : value;
}

/* --- errors of models --- */

/* Return the correlation coefficient of the times predicted by MODEL and simulated in COMPARISON. */
static double correlation_of(const struct comparison *comparison, enum model model) {
  struct comparison part = compare_of_model(comparison, model);
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < part.npoints; i++) {
    double predicted = part.points[i].predicted.middle, simulated = part.points[i].simulated;
    n++;
    x += predicted;
    y += simulated;
    xx += predicted * predicted;
    yy += simulated * simulated;
    xy += predicted * simulated;
  }
  return (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y));
}

/* Return the value of FIGURE from COMPARISON. */
static double judge_model(const struct published_figure *figure, const struct comparison *comparison,
                          const struct finding_source *source) {
  const char *algorithm = figure->model_error.algorithm;
  enum model model = figure->model_error.model;
  struct compare_summary summary = compare_summarize(comparison, model, false);
  size_t nstopped = compare_of_model(comparison, model).npoints - summary.npoints;
  if (nstopped) {
    err_set(source->err, "%zu calls of compare have stopped", nstopped);
  } else if (summary.npoints) {
    return algorithm ? summary.most : correlation_of(comparison, model);
  } else {
    err_set(source->err, "%s: no prediction on platform %s",
            algorithm ? algorithm : predict_model_name(model), machine_platform(source->machine)->name);
  }
  return NAN;
}

static double value_of_model(const struct published_figure *figure, const struct finding_source *source) {
  struct comparison comparison = {0};
  struct algo_call call;
  size_t nmissing = source->ledger->nmissing;
  struct compare_grid grid = {
    .ledger = source->ledger, .unrefined = figure->model_error.model != MODEL_REFINED, .seed = 1};
  if (figure->model_error.algorithm) {
    if (catalogue_find(figure->model_error.algorithm, &call, source->err) != 0) {
      return NAN;
    }
    grid.calls = &call;
    grid.ncalls = 1;
  }
  double value = NAN;
  int status = compare_run(&comparison, source->machine, &grid, source->err);
  if (!source->ledger->asking) { /* the rounds of the comparison have found everything */
    source->ledger->nmissing = nmissing;
  }
  if (status == 0 && source->ledger->nmissing == nmissing) {
    value = judge_model(figure, &comparison, source);
  }
  comparison_fini(&comparison);
  return value;
}

/* --- all --- */

bool published_figure_ask(struct published_question *question, struct ledger *ledger,
                          struct machine *machine) {
  const struct published_figure *figure = question->figure;
  const struct finding_source source = {machine, ledger, &question->why};
  size_t nbad = ledger->nstopped + ledger->nwrong, nmissing = ledger->nmissing;
  question->value = NAN;
  question->value = figure->kind == FIGURE    ? value_of_bench(question, &source)
                    : figure->kind == LOOP    ? value_of_loop(&figure->loop, &source)
                    : figure->kind == STREAMS ? value_of_streams(figure, &source)
                    : figure->kind == COPY    ? value_of_copy(figure, &source)
                    : figure->kind == RATIO   ? value_of_ratio(figure, &source)
                                              : value_of_model(figure, &source);
  question->stopped = ledger->nstopped + ledger->nwrong > nbad;
  return ledger->nmissing == nmissing;
}
