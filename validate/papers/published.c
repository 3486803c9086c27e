/* SPDX-License-Identifier: BSD-3-Clause
 * See published.h. Figures of the machine come from the benchmarks of the same name, so that nothing is measured in two
 * ways; a figure is picked out of a benchmark's rows by parameter, ranks and bytes. */
#include "validate/papers/published.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/bench/bench.h"
#include "validate/lab/ledger_call.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls of a loop; the first is not counted. Few are enough for much data, which evens out what is irregular. */
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

/* Turn VALUE, the published one of LOOP, into the mean time of a call in ns. */
static double
from_unit(const struct loop *loop, double value)
{
  if (strcmp(loop->unit, "GB/s") == 0) {
    return (double)((loop->ranks - 1) * loop->bytes) / value;
  }
  return strcmp(loop->unit, "us") == 0 ? value * 1000 : value;
}

/* Return NS, the mean time of a call in LOOP, in its unit. */
static double
in_unit(const struct loop *loop, double ns)
{
  if (strcmp(loop->unit, "GB/s") == 0) {
    return (double)((loop->ranks - 1) * loop->bytes) / ns;
  }
  return strcmp(loop->unit, "us") == 0 ? ns / 1000 : ns;
}

/* One row of published.def: a figure, or a loop. */
struct entry {
  const char *id;
  enum published_role role;
  const char *platform, *quantity;
  double value;
  const char *unit, *source;
  struct figure figure;
  struct loop loop;
};

static const struct entry entries[] = {
#define FIGURE(id, role, platform, quantity, benchmark, parameter, ranks, bytes, value, unit, source) \
  {#id, PUBLISHED_##role, platform, quantity, value, unit, source, {benchmark, parameter, ranks, bytes}, {0}},
#define LOOP_OF(id, role, quantity, type, algorithm, ranks, bytes, profile, value, unit, source) \
  {#id, \
   PUBLISHED_##role, \
   "qs20", \
   quantity, \
   value, \
   unit, \
   source, \
   {0}, \
   {algorithm, type, ranks, bytes, profile, unit}},
#define LOOP(id, role, algorithm, ...) LOOP_OF(id, role, algorithm, TYPE_INT32, algorithm, __VA_ARGS__)
#include "validate/papers/published.def"
};

const char *
published_role_name(enum published_role role)
{
  static const char *const names[] = {
    [PUBLISHED_FIT] = "fit", [PUBLISHED_DERIVED] = "derived", [PUBLISHED_TEST] = "test"};
  return names[role];
}

size_t
published_count(void)
{
  return sizeof entries / sizeof *entries;
}

/* Return the name of the profile under which the figure of ENTRY was measured. */
static const char *
profile_of(const struct entry *entry)
{
  struct err err = {""};
  return entry->loop.algorithm ? entry->loop.profile : bench_find(entry->figure.benchmark, &err)->source;
}

/* Fill ROW from ENTRY, which is SIMULATED in its unit. */
static void
fill(struct published_row *row, const struct entry *entry, double simulated)
{
  bool is_loop = entry->loop.algorithm != NULL;
  *row = (struct published_row){.quantity = entry->quantity,
                                .published = entry->value,
                                .simulated = simulated,
                                .unit = entry->unit,
                                .role = entry->role,
                                .platform = entry->platform,
                                .error = 100 * (simulated - entry->value) / entry->value,
                                .timing = is_loop ? "mean of calls back to back" : "benchmark",
                                .profile = profile_of(entry),
                                .source = entry->source,
                                .algorithm = entry->loop.algorithm,
                                .ranks = entry->loop.ranks,
                                .bytes = entry->loop.bytes};
  row->published_ns = is_loop ? from_unit(&entry->loop, entry->value) : NAN;
  snprintf(row->id, sizeof row->id, "%s", entry->id);
  for (char *c = row->id; *c; c++) {
    *c = *c == '_' ? '-' : *c;
  }
}

/* --- asking for them --- */

/* An entry on its way. */
struct question {
  struct bench_run run; /* first: the view of the benchmark of a figure */
  const struct entry *entry;
  struct err why; /* there is no value */
  double value;   /* in the unit of the entry; NaN: there is none */
};

/* All of them. */
struct questions {
  struct ledger *ledger;
  struct blade *blade;
  struct question *items;
};

static void
pick_row(struct bench_run *run, const struct bench_row *row)
{
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
 * returns: whether it is known, or that there is none. */
static bool
ask_figure(struct question *question, struct ledger *ledger, struct blade *blade)
{
  const struct figure *figure = &question->entry->figure;
  const struct bench *bench = bench_find(figure->benchmark, &question->why);
  int status;
  question->run = (struct bench_run){.blade = blade, .row = pick_row, .err = &question->why};
  question->run.profile = rig_profile(blade_platform(blade), NULL, bench->source, &question->why);
  if (!question->run.profile) {
    return true;
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

/* The same for a loop of calls. */
static bool
ask_loop(struct question *question, struct ledger *ledger, struct blade *blade)
{
  const struct loop *loop = &question->entry->loop;
  struct call_result result;
  struct rig_spec spec = {.nranks = loop->ranks,
                          .nbytes = loop->bytes,
                          .type = loop->type,
                          .nrepeats = loop->bytes >= MUCH_BYTES ? LOOP_CALLS_OF_MUCH : LOOP_CALLS};
  spec.profile = rig_profile(blade_platform(blade), loop->profile, NULL, &question->why);
  if (!spec.profile || catalogue_find(loop->algorithm, &spec.call, &question->why) != 0) {
    return true;
  }
  if (!ledger_call(ledger, blade, &spec, 0, &result)) {
    return false;
  }
  if (*result.refused) {
    err_set(&question->why, "%s", result.refused);
  } else if (result.end != CALL_OK) {
    err_set(&question->why, "%s: %s", loop->algorithm, result.wrong);
  } else {
    question->value = in_unit(loop, result.cycles / result.ghz);
  }
  return true;
}

/* Find the value of question INDEX.
 * returns: whether it is known, or that there is none. */
static bool
ask_one(const struct questions *questions, size_t index)
{
  struct question *question = &questions->items[index];
  *question = (struct question){.entry = &entries[index], .value = NAN};
  return (entries[index].loop.algorithm ? ask_loop : ask_figure)(question, questions->ledger,
                                                                 questions->blade);
}

static void
ask_all(void *context)
{
  for (size_t i = 0; i < published_count(); i++) {
    ask_one(context, i);
  }
}

int
published_run(struct blade *blade, const struct published_walk *walk, struct err *err)
{
  struct questions questions = {walk->ledger, blade, xcalloc(published_count(), sizeof(struct question))};
  int status = ledger_settle(walk->ledger, &(struct ledger_round){ask_all, &questions}, err);
  for (size_t i = 0; i < published_count() && status == 0; i++) {
    const struct question *question = &questions.items[i];
    struct published_row row;
    if (!ask_one(&questions, i)) {
      continue; /* after an interruption */
    }
    fill(&row, &entries[i], question->value);
    if (isnan(question->value)) {
      walk->skip(walk->context, question->why.text);
    } else {
      walk->take(walk->context, &row);
    }
  }
  free(questions.items);
  return status;
}
