/* SPDX-License-Identifier: BSD-3-Clause
 * How each kind of figure is asked for and measured. Figures of the machine come from the benchmarks of the
 * same name, so that each quantity is measured in one way only. */
#include "validate/papers/figure.h"

#include "algos/catalogue.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "sim/spu/spu_mfcio.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/model/compare.h"
#include "validate/model/measured/plogp.h"

#include <math.h>
#include <string.h>

/* Calls of a loop; the first call does not count. Loops with much data have fewer calls, because much data
 * evens out irregularities. */
enum { CALLS = 11, CALLS_OF_MUCH = 3, MUCH = 4096, CALLS_OF_VERY_MUCH = 2, VERY_MUCH = 1 << 20 };

/* Return the value of FIGURE, with the results known so far. */
typedef double figure_value(struct figure_asked *asked, const struct figure *figure);

#define SINGLE "single calls"
#define LOOP "mean of calls back to back"
#define BENCHMARK "benchmark"
#define FIGURE(kind, timing, source, unit, value, measure) static figure_value value;
#include "validate/papers/figures.def"
static const struct {
  const char *timing, *source, *unit;
  figure_value *value;
  enum measure measure;
} kinds[] = {
#define FIGURE(kind, timing, source, unit, value, measure) {timing, source, unit, value, MEASURE_##measure},
#include "validate/papers/figures.def"
};

/* Prepare CALL for FIGURE.
 * errors: as catalogue_find and rig_profile. */
static int make_call(struct figure_asked *asked, const struct figure *figure, struct call *call) {
  *call = (struct call){
    .nranks = figure->ranks, .nbytes = figure->bytes, .type = figure->type, .seed = 1, .skew_seed = 1};
  call->profile =
    rig_profile(machine_platform(asked->machine), figure->profile, kinds[figure->kind].source, &asked->why);
  bool has_algorithm = figure->subject && (figure->kind < FIGURE_STREAMS || figure->kind > FIGURE_PAIRS);
  return !call->profile  ? -1
         : has_algorithm ? catalogue_find(figure->subject, &call->algorithm, &asked->why)
                         : 0;
}

/* --- calls of algorithms --- */

static unsigned calls_of(const struct figure *figure) {
  if (figure->kind != FIGURE_LOOP || figure->count) {
    return figure->kind == FIGURE_LOOP ? figure->count : 1;
  }
  return figure->bytes >= VERY_MUCH ? CALLS_OF_VERY_MUCH : figure->bytes >= MUCH ? CALLS_OF_MUCH : CALLS;
}

static double value_of_call(struct figure_asked *asked, const struct figure *figure) {
  struct point point = {.machine = asked->machine};
  struct call_result result;
  if (make_call(asked, figure, &point.call) != 0) {
    return NAN;
  }
  point.call.repeat = calls_of(figure);
  if (!ledger_call(asked->ledger, &point, &result)) {
    return NAN;
  }
  if (*result.refused) {
    err_set(&asked->why, "%s", result.refused);
  } else if (result.end != CALL_OK) {
    err_set(&asked->why, "%s: %s", figure->subject, result.wrong);
  }
  return result.end != CALL_OK            ? NAN
         : figure->kind == FIGURE_CROSSED ? (double)result.bif_bytes
                                          : result.cycles / result.ghz;
}

static double value_of_measurement(struct figure_asked *asked, const struct figure *figure) {
  struct result result;
  struct experiment experiment = {
    .machine = asked->machine,
    .numbers = {[MEASURE_COUNT] = figure->count, [MEASURE_BUFFER] = figure->buffer}};
  if (make_call(asked, figure, &experiment.call) != 0) {
    return NAN;
  }
  experiment.subject = experiment.call.algorithm.algo ? NULL : figure->subject;
  if (!measure_ask(asked->ledger, kinds[figure->kind].measure, &experiment, &result)) {
    return NAN;
  }
  if (*result.why) {
    err_set(&asked->why, "%s", result.why);
  }
  return result.number;
}

static double value_of_direction_share(struct figure_asked *asked, const struct figure *figure) {
  double clockwise = value_of_measurement(asked, figure);
  return 100 * fmax(clockwise, 1 - clockwise);
}

/* Return the mean rate of the pairs in FIGURE, or the number of pairs with the direction measured. */
static double value_of_pairs(struct figure_asked *asked, const struct figure *figure) {
  struct figure pair = *figure;
  unsigned reader = 0, from = 0, npairs = 0;
  bool is_mean = figure->kind == FIGURE_PAIRS;
  double sum = 0;
  for (const char *c = figure->subject; *c; c++) {
    if (*c == ' ') {
      reader++;
      from = 0;
      continue;
    }
    if (*c != '.') {
      pair.subject = text_keep(text_brief("%u<-%u", reader, from));
      double value = value_of_measurement(asked, &pair);
      sum += is_mean || isnan(value) ? value : *c == (value >= 1 ? '>' : value > 0 ? '=' : '<');
      npairs++;
    }
    from++;
  }
  return is_mean ? sum / npairs : sum;
}

/* --- parameters across chips --- */

/* Check a crossing of NBYTES bytes between chips. */
static int check_across(struct figure_asked *asked, size_t nbytes) {
  const struct platform *platform = machine_platform(asked->machine);
  if (platform->blade.chips < 2) {
    return err_set(&asked->why, "platform %s has one chip", platform->name);
  }
  return rig_check_room(platform, platform->nspes, nbytes, &asked->why);
}

static double value_of_crossing(struct figure_asked *asked, const struct figure *figure) {
  const struct platform *platform = machine_platform(asked->machine);
  if (check_across(asked, figure->bytes) != 0) {
    return NAN;
  }
  if (figure->count > 2 * platform->spes_per_chip) {
    err_set(&asked->why, "platform %s has fewer than %u SPEs on two chips", platform->name, figure->count);
    return NAN;
  }
  return value_of_measurement(asked, figure);
}

static double value_of_latency(struct figure_asked *asked, const struct figure *figure) {
  struct call call;
  if (make_call(asked, figure, &call) != 0 || check_across(asked, MFC_MIN_DMA_SIZE) != 0) {
    return NAN;
  }
  struct plogp plogp;
  plogp_init(&plogp, asked->machine, call.profile);
  plogp.ledger = asked->ledger;
  double cycles = plogp_get(&plogp, COST_L2, COST_ACK, 0);
  if (plogp.unmeasured) {
    err_set(&asked->why, "%s", plogp.unmeasured);
    cycles = NAN;
  }
  plogp_fini(&plogp);
  return cycles / machine_platform(asked->machine)->clock.spu;
}

/* --- benchmarks --- */

static const struct units_list short_sizes = UNITS_OF(512, 1024, 2048, 4096, 8192, 16384, 32768),
                               long_sizes = UNITS_OF(16384, 65536, 262144, 524288, 1048576);

/* Let ASKED, about the signature, ask for complete exchanges of the source's number of ranks only, with
 * messages as short or as long as the source's. */
static void ask_for_exchanges(struct figure_asked *asked) {
  bool timeouts = strcmp(asked->figure->parameter, "timeouts-from") == 0;
  asked->number = asked->figure->ranks;
  asked->run.bytes = timeouts ? &short_sizes : &long_sizes;
  asked->run.ranks = &asked->list;
  asked->run.no_others = true;
  asked->run.subject = text_keep(
    text_brief("signature of %s messages alone ranks=%u", timeouts ? "short" : "long", asked->figure->ranks));
}

/* Keep the largest value among the fitting rows of the benchmark of ASKED. */
static void pick_row(struct figure_asked *asked) {
  const struct figure *figure = asked->figure;
  struct result_row row;
  while (result_take(&asked->run.rows, &row)) {
    bool fits = strcmp(row.parameter, figure->parameter) == 0 &&
                (!figure->bytes || row.bytes == figure->bytes) &&
                (!figure->ranks || row.ranks == figure->ranks);
    if (fits && (isnan(asked->value) || row.value > asked->value)) {
      asked->value = row.value;
      asked->unit = text_keep(row.unit);
    }
  }
}

static double value_of_bench(struct figure_asked *asked, const struct figure *figure) {
  const struct platform *platform = machine_platform(asked->machine);
  const struct bench *bench = bench_find(figure->subject, &asked->why);
  int status;
  asked->run = (struct bench_run){.machine = asked->machine, .err = &asked->why};
  asked->run.profile = rig_profile(platform, figure->profile, bench->source, &asked->why);
  if (!asked->run.profile) {
    return NAN;
  }
  asked->list = (struct units_list){.values = &asked->number, .n = 1};
  if (strcmp(bench->name, "signature") == 0) {
    ask_for_exchanges(asked);
  } else if (figure->bytes) { /* the other sizes need not be measured */
    asked->number = figure->bytes;
    asked->run.bytes = &asked->list;
    asked->run.subject = text_keep(text_brief("%s bytes=%zu", bench->name, figure->bytes));
  }
  bool has_rows = bench_ask(asked->ledger, bench, &asked->run, &status) && status == 0;
  if (has_rows) {
    pick_row(asked);
  }
  pack_fini(&asked->run.rows);
  if (has_rows && isnan(asked->value)) {
    asked->unknown = true;
    const char *at =
      figure->ranks ? text_brief(" of %u ranks and %zu bytes", figure->ranks, figure->bytes) : "";
    err_set(&asked->why, "benchmark %s has no figure %s%s on platform %s", bench->name, figure->parameter, at,
            platform->name);
  }
  return asked->value;
}

/* --- models --- */

/* Return the value of FIGURE from COMPARISON. */
static double judge_model(struct figure_asked *asked, const struct figure *figure,
                          const struct comparison *comparison) {
  const char *subject = figure->subject ? figure->subject : predict_model_name(figure->count),
             *platform = machine_platform(asked->machine)->name;
  struct comparison part = compare_of_model(comparison, figure->count),
                    published = compare_of_model(comparison, MODEL_PUBLISHED);
  struct compare_summary summary = compare_summarize(comparison, figure->count, false);
  size_t nstopped = part.npoints - summary.npoints;
  double value = figure->kind == FIGURE_MODEL_DIFFERENCE ? compare_difference(&part, &published)
                 : figure->kind == FIGURE_CORRELATION    ? compare_correlation(&part)
                                                         : summary.most;
  if (nstopped) {
    err_set(&asked->why, "%zu calls of compare have stopped", nstopped);
  } else if (!summary.npoints) {
    err_set(&asked->why, "%s: no prediction on platform %s", subject, platform);
  } else if (isnan(value)) {
    err_set(&asked->why, "model %s differs nowhere from the published one on platform %s", subject, platform);
  }
  return nstopped || !summary.npoints ? NAN : value;
}

static double value_of_model(struct figure_asked *asked, const struct figure *figure) {
  struct comparison comparison = {0};
  struct call call;
  size_t mark = ledger_mark(asked->ledger);
  if (make_call(asked, figure, &call) != 0) {
    return NAN;
  }
  struct compare_grid grid = {.ledger = asked->ledger,
                              .unrefined = true,
                              .calls = call.algorithm.algo ? &call.algorithm : NULL,
                              .ncalls = call.algorithm.algo ? 1 : 0,
                              .seed = 1};
  double value = NAN;
  int status = compare_run(&comparison, asked->machine, &grid, &asked->why);
  if (status == 0 && ledger_complete(asked->ledger, mark)) {
    value = judge_model(asked, figure, &comparison);
  }
  comparison_fini(&comparison);
  return value;
}

/* --- all --- */

bool figure_ask(struct figure_asked *asked, const struct figure *figure, struct ledger *ledger,
                struct machine *machine) {
  size_t nbad = ledger->nstopped + ledger->nwrong, mark = ledger_mark(ledger);
  const char *unit = figure->than ? "1" : kinds[figure->kind].unit;
  *asked = (struct figure_asked){
    .figure = figure, .ledger = ledger, .machine = machine, .value = NAN, .unit = unit ? unit : ""};
  asked->value = kinds[figure->kind].value(asked, figure);
  if (figure->than) {
    struct figure than = *figure;
    than.subject = figure->than;
    asked->value *= figure->weight / kinds[figure->kind].value(asked, &than);
  }
  asked->stopped = ledger->nstopped + ledger->nwrong > nbad;
  return ledger_complete(ledger, mark);
}

const char *figure_timing(enum figure_kind kind) {
  return kinds[kind].timing;
}

const char *figure_profile(const struct figure *figure) {
  const char *source = kinds[figure->kind].source;
  return figure->profile ? figure->profile : source ? source : bench_find(figure->subject, NULL)->source;
}

/* --- units --- */

/* A unit, as a number of ns or GB/s; 0: other units are no multiples. */
static const struct unit {
  const char *name;
  double time, rate;
} units[] = {{"ns", 1, 0},     {"us", 1e3, 0},  {"ms", 1e6, 0},    {"s", 1e9, 0},
             {"cycles", 0, 0}, {"GB/s", 0, 1},  {"MB/s", 0, 1e-3}, {"percent", 0, 0},
             {"bytes", 0, 0},  {"ratio", 0, 0}, {"1", 0, 0},       {"pairs", 0, 0}};

static const struct unit *find_unit(const char *name) {
  return VEC_FIND(units, VEC_LENGTH(units), strcmp(item->name, name) == 0);
}

int figure_check_unit(const char *unit, struct err *err) {
  SCOPED char *list = NULL;
  VEC_EACH(known, units, VEC_LENGTH(units)) {
    xappend(&list, "%s%s", list ? " " : "", known->name);
  }
  return find_unit(unit) ? 0 : err_set(err, "unknown unit '%.20s', expected one of: %s", unit, list);
}

/* Return UNIT in ns; 0: UNIT is no time. */
static double time_of(const struct unit *unit, double ghz) {
  return strcmp(unit->name, "cycles") == 0 && ghz > 0 ? 1 / ghz : unit->time;
}

double figure_convert(const struct figure *figure, double value, const char *from, const char *to,
                      double ghz) {
  const struct unit *own = find_unit(from), *wanted = find_unit(to);
  if (!own || !wanted || strcmp(from, to) == 0) {
    return own && wanted ? value : NAN;
  }
  double nbytes = figure->kind == FIGURE_COPY   ? (double)figure->bytes
                  : figure->kind <= FIGURE_LOOP ? (double)((figure->ranks - 1) * figure->bytes)
                                                : 0;
  double time = time_of(own, ghz), wanted_time = time_of(wanted, ghz);
  if ((time > 0 && wanted_time > 0) || (own->rate > 0 && wanted->rate > 0)) {
    return time > 0 ? value * time / wanted_time : value * own->rate / wanted->rate;
  }
  bool turns = nbytes > 0 && ((time > 0 && wanted->rate > 0) || (own->rate > 0 && wanted_time > 0));
  return turns ? nbytes / (value * fmax(time, own->rate)) / fmax(wanted_time, wanted->rate) : NAN;
}
