/* SPDX-License-Identifier: BSD-3-Clause
 * See published.h. Figures of the machine come from the benchmarks of the same name, so that each quantity is
 * measured in one way only. A figure is selected from a benchmark's rows by parameter, ranks and bytes. */
#include "validate/papers/published.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/bench/bench.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/papers/claims_run.h"
#include "validate/papers/measured.h"
#include "validate/papers/published_exchanges.h"
#include "validate/papers/published_models.h"
#include "validate/papers/published_streams.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls of a loop; the first does not count. Few are enough for much data, which evens out irregularities. */
enum { LOOP_CALLS = 11, LOOP_CALLS_OF_MUCH = 3, MUCH_BYTES = 65536 };

/* A figure of a benchmark. */
struct figure {
  const char *benchmark, *parameter;
  unsigned ranks;
  size_t bytes;
};

/* A loop of calls of one algorithm; reductions are sums. */
struct loop {
  const char *algorithm;
  enum coll_type type;
  unsigned ranks;
  size_t bytes;
  const char *profile;
  const char *unit;
};

/* Convert VALUE, the published value of LOOP, into the mean time of a call in ns. */
static double from_unit(const struct loop *loop, double value) {
  if (strcmp(loop->unit, "GB/s") == 0) {
    return (double)((loop->ranks - 1) * loop->bytes) / value;
  }
  return strcmp(loop->unit, "us") == 0 ? value * 1000 : value;
}

/* Return NS, the mean time of a call in LOOP, in the unit of LOOP. */
static double in_unit(const struct loop *loop, double ns) {
  if (strcmp(loop->unit, "GB/s") == 0) {
    return (double)((loop->ranks - 1) * loop->bytes) / ns;
  }
  return strcmp(loop->unit, "us") == 0 ? ns / 1000 : ns;
}

/* A copy from memory to memory by one SPE. */
struct copy {
  size_t nbytes, buffer;
};

/* The time of one algorithm over the time of another. */
struct ratio {
  const char *over, *under;
  unsigned ranks;
  size_t bytes;
};

/* How the figure of a row is simulated. */
enum kind { FIGURE, LOOP, STREAMS, COPY, RATIO, MODEL_ERROR };

/* One row of published.def. */
struct entry {
  const char *id;
  enum kind kind;
  enum published_role role;
  enum published_origin origin;
  const char *platform, *quantity;
  double value;
  const char *unit, *source;
  union {
    struct figure figure;
    struct loop loop;
    struct streams streams;
    struct copy copy;
    struct ratio ratio;
    struct model_error model_error;
  };
  enum { EXACTLY, AT_MOST, AT_LEAST } bound;
};

/* The members common to all rows. */
#define ENTRY(id, kind, role, origin, platform, quantity, value, unit, source) \
#id, kind, PUBLISHED_##role, PUBLISHED_##origin, platform, quantity, value, unit, source

static const struct entry entries[] = {
#define FIGURE(id, role, platform, quantity, benchmark, parameter, ranks, bytes, value, unit, source) \
  {ENTRY(id, FIGURE, role, READ, platform, quantity, value, unit, source), \
   .figure = {benchmark, parameter, ranks, bytes}},
#define LOOP_OF(id, role, quantity, type, algorithm, ranks, bytes, profile, value, unit, source) \
  {ENTRY(id, LOOP, role, READ, "qs20", quantity, value, unit, source), \
   .loop = {algorithm, type, ranks, bytes, profile, unit}},
#define LOOP(id, role, algorithm, ...) LOOP_OF(id, role, algorithm, TYPE_INT32, algorithm, __VA_ARGS__)
#define STREAMS(id, role, platform, origin, quantity, figure, text, depth, value, unit, source) \
  {ENTRY(id, STREAMS, role, origin, platform, quantity, value, unit, source), \
   .streams = {figure, text, depth}},
#define COPY(id, role, platform, quantity, bytes, buffer, value, unit, source) \
  {ENTRY(id, COPY, role, READ, platform, quantity, value, unit, source), .copy = {bytes, buffer}},
#define RATIO(id, role, platform, quantity, over, under, ranks, bytes, value, source) \
  {ENTRY(id, RATIO, role, READ, platform, quantity, value, "1", source), \
   .ratio = {over, under, ranks, bytes}},
#define AT_MOST(id, role, platform, quantity, benchmark, parameter, ranks, bytes, value, unit, source) \
  {ENTRY(id, FIGURE, role, READ, platform, quantity, value, unit, source), \
   .figure = {benchmark, parameter, ranks, bytes}, .bound = AT_MOST},
#define AT_LEAST(id, role, platform, quantity, benchmark, parameter, ranks, bytes, value, unit, source) \
  {ENTRY(id, FIGURE, role, READ, platform, quantity, value, unit, source), \
   .figure = {benchmark, parameter, ranks, bytes}, .bound = AT_LEAST},
#define MODEL_ERROR(id, role, platform, quantity, algorithm, model, value, unit, source) \
  {ENTRY(id, MODEL_ERROR, role, READ, platform, quantity, value, unit, source), \
   .model_error = {algorithm, MODEL_##model}, .bound = AT_MOST},
#define CORRELATION(id, role, platform, quantity, value, source) \
  {ENTRY(id, MODEL_ERROR, role, READ, platform, quantity, value, "1", source), \
   .model_error = {NULL, MODEL_PUBLISHED}, .bound = AT_LEAST},
#include "validate/papers/published.def"
};

static const char source_of_machine[] = "velamati2007"; /* software costs of copies and streams */

const char *published_role_name(enum published_role role) {
  static const char *const names[] = {
    [PUBLISHED_FIT] = "fit", [PUBLISHED_DERIVED] = "derived", [PUBLISHED_TEST] = "test"};
  return names[role];
}

const char *published_origin_name(enum published_origin origin) {
  return origin == PUBLISHED_READ ? "read" : "recalled";
}

size_t published_count_all(void) {
  return sizeof entries / sizeof *entries;
}

size_t published_count(void) {
  size_t n = 0;
  while (n < published_count_all() && strstr(PUBLISHED_PLATFORMS, entries[n].platform)) {
    n++;
  }
  return n;
}

size_t published_count_on(const char *machine) {
  size_t n = 0;
  for (size_t i = 0; i < published_count_all(); i++) {
    n += strcmp(entries[i].platform, machine) == 0;
  }
  return n;
}

/* Write the machines of all rows into MACHINES, each once.
 * returns: the number of machines. */
static size_t list_machines(const char *machines[]) {
  size_t n = 0;
  for (size_t i = 0; i < published_count_all(); i++) {
    size_t k = 0;
    while (k < n && strcmp(machines[k], entries[i].platform) != 0) {
      k++;
    }
    if (k == n) {
      machines[n++] = entries[i].platform;
    }
  }
  return n;
}

const char *published_machine(const struct platform *platform) {
  const char *machines[sizeof entries / sizeof *entries];
  size_t n = list_machines(machines), i = 0;
  while (i < n && !measured_on(platform, machines[i])) {
    i++;
  }
  return i < n ? machines[i] : NULL;
}

char *published_nothing(const struct platform *platform) {
  const char *machines[sizeof entries / sizeof *entries];
  size_t n = list_machines(machines);
  return published_machine(platform) ? NULL
                                     : measured_elsewhere("nothing was measured", platform, machines, n);
}

const char *published_varied(const char *name) {
  return published_count_on(name) ? name : "qs20";
}

/* Return the name of the profile of ENTRY's measurement. */
static const char *profile_of(const struct entry *entry) {
  struct err err = {""};
  switch (entry->kind) {
  case LOOP:
    return entry->loop.profile;
  case FIGURE:
    return bench_find(entry->figure.benchmark, &err)->source;
  case MODEL_ERROR:
    return "ali2010";
  default:
    return source_of_machine;
  }
}

/* Fill ROW from ENTRY and SIMULATED, the simulated value in the unit of ENTRY. */
static void fill(struct published_row *row, const struct entry *entry, double simulated) {
  const struct loop *loop = entry->kind == LOOP ? &entry->loop : NULL;
  double error = 100 * (simulated - entry->value) / entry->value;
  bool kept = (entry->bound == AT_MOST && error < 0) || (entry->bound == AT_LEAST && error > 0);
  *row =
    (struct published_row){.quantity = entry->quantity,
                           .published = entry->value,
                           .simulated = simulated,
                           .unit = entry->unit,
                           .role = entry->role,
                           .origin = entry->origin,
                           .platform = entry->platform,
                           .error = kept ? 0 : error,
                           .bound = entry->bound != EXACTLY,
                           .timing = loop ? "mean of calls back to back"
                                     : entry->kind == RATIO || entry->kind == MODEL_ERROR ? "single calls"
                                                                                          : "benchmark",
                           .profile = profile_of(entry),
                           .source = entry->source,
                           .published_ns = NAN,
                           .simulated_ns = NAN};
  if (loop) {
    row->algorithm = loop->algorithm;
    row->ranks = loop->ranks;
    row->bytes = loop->bytes;
    row->published_ns = from_unit(loop, entry->value);
    row->simulated_ns = from_unit(loop, simulated);
  }
  snprintf(row->id, sizeof row->id, "%s", entry->id);
  for (char *c = row->id; *c; c++) {
    *c = *c == '_' ? '-' : *c;
  }
}

/* --- asking the ledger --- */

/* An entry being simulated. */
struct question {
  struct bench_run run; /* first: the view of the benchmark of a figure */
  const struct entry *entry;
  struct published_exchanges exchanges;
  struct err why; /* reason for NaN */
  double value;   /* in the unit of the entry; NaN: no value */
  bool stopped;   /* there is no value because a run has failed */
};

/* All rows of a machine on one blade. */
struct published_set {
  struct ledger *ledger;
  struct blade *blade;
  const char *machine; /* NULL: no rows */
  struct question *items;
};

static void pick_row(struct bench_run *run, const struct bench_row *row) {
  struct question *question = (struct question *)run;
  const struct figure *figure = &question->entry->figure;
  bool fits = strcmp(row->parameter, figure->parameter) == 0 &&
              (!figure->bytes || row->bytes == figure->bytes) &&
              (!figure->ranks || row->ranks == figure->ranks);
  if (fits && (isnan(question->value) || row->value > question->value)) {
    question->value = row->value;
  }
}

/* Find the value of QUESTION, a figure.
 * returns: false while results are missing; true with a value or without. */
static bool ask_figure(struct question *question, struct ledger *ledger, struct blade *blade) {
  const struct figure *figure = &question->entry->figure;
  const struct bench *bench = bench_find(figure->benchmark, &question->why);
  int status;
  question->run = (struct bench_run){.blade = blade, .row = pick_row, .err = &question->why};
  question->run.profile = rig_profile(blade_platform(blade), NULL, bench->source, &question->why);
  if (!question->run.profile) {
    return true;
  }
  if (strcmp(figure->benchmark, "signature") == 0) {
    published_exchanges_ask(&question->exchanges, &question->run, figure->parameter, figure->ranks);
  }
  if (!bench_ask(ledger, bench, &question->run, &status)) {
    return false;
  }
  if (status != 0) {
    question->value = NAN;
  } else if (isnan(question->value)) {
    err_set(&question->why, "benchmark %s has no figure %s on platform %s", figure->benchmark,
            figure->parameter, blade_platform(blade)->name);
  }
  return true;
}

/* The same for the ns of a call of ALGORITHM; POINT has the rest of the call. */
static bool ask_call(struct question *question, struct ledger *ledger, struct call_point *point,
                     const char *algorithm) {
  struct call_result result;
  question->value = NAN;
  if (!point->spec.profile || catalogue_find(algorithm, &point->spec.call, &question->why) != 0) {
    return true;
  }
  if (!ledger_call(ledger, point, &result)) {
    return false;
  }
  if (*result.refused) {
    err_set(&question->why, "%s", result.refused);
  } else if (result.end != CALL_OK) {
    err_set(&question->why, "%s: %s", algorithm, result.wrong);
  } else {
    question->value = result.cycles / result.ghz;
  }
  return true;
}

/* The same for a loop of calls. */
static bool ask_loop(struct question *question, struct ledger *ledger, struct blade *blade) {
  const struct loop *loop = &question->entry->loop;
  struct call_point point = {
    .blade = blade,
    .spec = {.nranks = loop->ranks,
             .nbytes = loop->bytes,
             .type = loop->type,
             .nrepeats = loop->bytes >= MUCH_BYTES ? LOOP_CALLS_OF_MUCH : LOOP_CALLS,
             .profile = rig_profile(blade_platform(blade), loop->profile, NULL, &question->why)}};
  bool known = ask_call(question, ledger, &point, loop->algorithm);
  question->value = in_unit(loop, question->value);
  return known;
}

/* The same for streams. */
static bool ask_streams(struct question *question, struct ledger *ledger, struct blade *blade) {
  struct streams_asked asked = {.ledger = ledger, .blade = blade, .why = &question->why};
  asked.profile = rig_profile(blade_platform(blade), NULL, source_of_machine, &question->why);
  return !asked.profile || streams_value(&question->entry->streams, &asked, &question->value);
}

/* The same for a copy. */
static bool ask_copy(struct question *question, struct ledger *ledger, struct blade *blade) {
  const struct copy *copy = &question->entry->copy;
  size_t nmissing = ledger->nmissing;
  double ns = claim_run_value(&(struct claim_run){.kind = CLAIM_COPY,
                                                  .profile = source_of_machine,
                                                  .bytes = copy->nbytes,
                                                  .count = 2,
                                                  .buffer = copy->buffer},
                              &(struct claim_source){blade, ledger, &question->why});
  question->value = (double)copy->nbytes / ns;
  return ledger->nmissing == nmissing;
}

/* The same for a ratio. */
static bool ask_ratio(struct question *question, struct ledger *ledger, struct blade *blade) {
  const struct ratio *ratio = &question->entry->ratio;
  struct call_point over = {
    .blade = blade,
    .spec = {.nranks = ratio->ranks,
             .nbytes = ratio->bytes,
             .nrepeats = 1,
             .profile = rig_profile(blade_platform(blade), source_of_machine, NULL, &question->why)}};
  struct call_point under = over;
  bool known = ask_call(question, ledger, &over, ratio->over);
  double ns = question->value;
  known &= ask_call(question, ledger, &under, ratio->under);
  question->value = known ? ns / question->value : NAN;
  return known;
}

/* The same for the error of a model. */
static bool ask_model_error(struct question *question, struct ledger *ledger, struct blade *blade) {
  struct streams_asked asked = {.ledger = ledger, .blade = blade, .why = &question->why};
  return model_error_value(&question->entry->model_error, &asked, &question->value);
}

/* Find the value of question INDEX.
 * returns: false while results are missing; true with a value or without. */
static bool ask_one(const struct published_set *set, size_t index) {
  static bool (*const ask[])(struct question *, struct ledger *, struct blade *) = {
    [FIGURE] = ask_figure, [LOOP] = ask_loop,   [STREAMS] = ask_streams,
    [COPY] = ask_copy,     [RATIO] = ask_ratio, [MODEL_ERROR] = ask_model_error};
  struct question *question = &set->items[index];
  struct ledger *ledger = set->ledger;
  size_t nbad = ledger->nstopped + ledger->nwrong;
  *question = (struct question){.entry = &entries[index], .value = NAN};
  bool known = ask[entries[index].kind](question, ledger, set->blade);
  question->stopped = ledger->nstopped + ledger->nwrong > nbad;
  return known;
}

struct published_set *published_open(struct blade *blade, struct ledger *ledger, const char *machine) {
  struct published_set *set = xcalloc(1, sizeof *set);
  *set = (struct published_set){ledger, blade, machine, xcalloc(published_count_all(), sizeof *set->items)};
  return set;
}

void published_close(struct published_set *set) {
  if (set) {
    free(set->items);
    free(set);
  }
}

bool published_has(const struct published_set *set, size_t index) {
  return set->machine && strcmp(entries[index].platform, set->machine) == 0;
}

bool published_ask(struct published_set *set, size_t index, struct published_row *row) {
  bool known = ask_one(set, index);
  fill(row, &entries[index], known ? set->items[index].value : NAN);
  row->stopped = known && set->items[index].stopped;
  return known;
}

const char *published_why(const struct published_set *set, size_t index) {
  return set->items[index].why.text;
}

void published_describe(size_t index, struct published_row *row) {
  fill(row, &entries[index], NAN);
}

static void ask_all(void *context) {
  for (size_t i = 0; i < published_count_all(); i++) {
    if (published_has(context, i)) {
      ask_one(context, i);
    }
  }
}

int published_run(struct blade *blade, const struct published_walk *walk, struct err *err) {
  struct published_set *set = published_open(blade, walk->ledger, published_machine(blade_platform(blade)));
  int status = ledger_settle(walk->ledger, &(struct ledger_round){ask_all, set}, err);
  for (size_t i = 0; i < published_count_all() && status == 0; i++) {
    struct published_row row;
    if (!published_has(set, i) || !published_ask(set, i, &row)) {
      continue; /* after an interruption some values are missing */
    }
    if (row.stopped) {
      walk->complain(walk->context, published_why(set, i));
    } else if (isnan(row.simulated)) {
      walk->skip(walk->context, published_why(set, i));
    }
    if (row.stopped || !isnan(row.simulated)) {
      walk->take(walk->context, &row);
    }
  }
  published_close(set);
  return status;
}
