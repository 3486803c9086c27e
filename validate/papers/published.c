/* SPDX-License-Identifier: BSD-3-Clause
 * See published.h. */
#include "validate/papers/published.h"

#include "sim/base/err.h"
#include "sim/base/reals.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/papers/measured.h"
#include "validate/papers/published_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One row of published.def. */
struct entry {
  const char *id;
  enum published_role role;
  enum published_origin origin;
  const char *platform, *quantity;
  double value;
  const char *unit, *source;
  struct published_figure figure;
  enum { EXACTLY, AT_MOST, AT_LEAST } bound;
};

/* The members common to all rows. */
#define ENTRY(id, role, origin, platform, quantity, value, unit, source) \
#id, PUBLISHED_##role, PUBLISHED_##origin, platform, quantity, value, unit, source

/* A figure of a benchmark. */
#define BENCH_FIGURE(bound, id, role, platform, quantity, benchmark, parameter, ranks, bytes, value, unit, \
                     source) \
  {ENTRY(id, role, READ, platform, quantity, value, unit, source), \
   {FIGURE, .bench = {benchmark, parameter, ranks, bytes}}, \
   bound},

static const struct entry entries[] = {
#define FIGURE(...) BENCH_FIGURE(EXACTLY, __VA_ARGS__)
#define AT_MOST(...) BENCH_FIGURE(AT_MOST, __VA_ARGS__)
#define AT_LEAST(...) BENCH_FIGURE(AT_LEAST, __VA_ARGS__)
#define LOOP_OF(id, role, quantity, type, algorithm, ranks, bytes, profile, value, unit, source) \
  {ENTRY(id, role, READ, "qs20", quantity, value, unit, source), \
   {LOOP, .loop = {algorithm, type, ranks, bytes, profile, unit}}, \
   EXACTLY},
#define LOOP(id, role, algorithm, ...) LOOP_OF(id, role, algorithm, TYPE_INT32, algorithm, __VA_ARGS__)
#define STREAMS(id, role, platform, origin, quantity, figure, text, depth, value, unit, source) \
  {ENTRY(id, role, origin, platform, quantity, value, unit, source), \
   {STREAMS, .streams = {figure, text, depth}}, \
   EXACTLY},
#define GAIN(id, quantity, text, than, weight, value, source) \
  {ENTRY(id, TEST, READ, "qs20", quantity, value, "1", source), \
   {STREAMS, .streams = {STREAMS_TOTAL, text, 0, than, weight}}, \
   AT_LEAST},
#define COPY(id, role, platform, quantity, bytes, buffer, value, unit, source) \
  {ENTRY(id, role, READ, platform, quantity, value, unit, source), {COPY, .copy = {bytes, buffer}}, EXACTLY},
#define RATIO(id, role, platform, quantity, over, under, ranks, bytes, value, source) \
  {ENTRY(id, role, READ, platform, quantity, value, "1", source), \
   {RATIO, .ratio = {over, under, ranks, bytes}}, \
   EXACTLY},
#define MODEL_ERROR(id, role, platform, quantity, algorithm, model, value, unit, source) \
  {ENTRY(id, role, READ, platform, quantity, value, unit, source), \
   {MODEL_ERROR, .model_error = {algorithm, MODEL_##model}}, \
   AT_MOST},
#define CORRELATION(id, role, platform, quantity, value, source) \
  {ENTRY(id, role, READ, platform, quantity, value, "1", source), \
   {MODEL_ERROR, .model_error = {NULL, MODEL_PUBLISHED}}, \
   AT_LEAST},
#include "validate/papers/published.def"
};

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
  return VEC_INDEX(entries, published_count_all(), !strstr(PUBLISHED_PLATFORMS, item->platform));
}

size_t published_count_on(const char *name) {
  size_t n = 0;
  for (size_t i = 0; i < published_count_all(); i++) {
    n += strcmp(entries[i].platform, name) == 0;
  }
  return n;
}

/* Write the machines of all rows into MACHINES, each once.
 * returns: the number of machines. */
static size_t list_machines(const char *machines[]) {
  size_t n = 0;
  for (size_t i = 0; i < published_count_all(); i++) {
    if (!VEC_FIND(machines, n, strcmp(*item, entries[i].platform) == 0)) {
      machines[n++] = entries[i].platform;
    }
  }
  return n;
}

const char *published_machine(const struct platform *platform) {
  const char *machines[sizeof entries / sizeof *entries];
  size_t n = list_machines(machines);
  const char *const *found = VEC_FIND(machines, n, measured_on(platform, *item));
  return found ? *found : NULL;
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

/* Return the row of ENTRY with SIMULATED, the simulated value in the unit of ENTRY. */
static struct published_row make_row(const struct entry *entry, double simulated) {
  const struct published_loop *loop = entry->figure.kind == LOOP ? &entry->figure.loop : NULL;
  double error = 100 * (simulated - entry->value) / entry->value;
  bool kept = (entry->bound == AT_MOST && error < 0) || (entry->bound == AT_LEAST && error > 0);
  struct published_row row = {.quantity = entry->quantity,
                              .published = entry->value,
                              .simulated = simulated,
                              .unit = entry->unit,
                              .role = entry->role,
                              .origin = entry->origin,
                              .platform = entry->platform,
                              .error = kept ? 0 : error,
                              .bound = entry->bound != EXACTLY,
                              .timing = loop ? "mean of calls back to back"
                                        : entry->figure.kind == RATIO || entry->figure.kind == MODEL_ERROR
                                          ? "single calls"
                                          : "benchmark",
                              .profile = published_figure_profile(&entry->figure),
                              .source = entry->source,
                              .published_ns = NAN,
                              .simulated_ns = NAN};
  if (loop) {
    row.algorithm = loop->algorithm;
    row.ranks = loop->ranks;
    row.bytes = loop->bytes;
    row.published_ns = published_loop_value(loop, entry->value, true);
    row.simulated_ns = published_loop_value(loop, simulated, true);
  }
  snprintf(row.id, sizeof row.id, "%s", entry->id);
  for (char *c = row.id; *c; c++) {
    *c = *c == '_' ? '-' : *c;
  }
  return row;
}

/* --- asking the ledger --- */

/* All rows of a machine of the papers, on one simulated machine. */
struct published_set {
  struct ledger *ledger;
  struct machine *machine;
  const char *name; /* of the machine of the papers; NULL: no rows */
  struct published_question *items;
};

/* Ask for the value of row INDEX; as published_figure_ask. */
static bool ask_one(const struct published_set *set, size_t index) {
  set->items[index] = (struct published_question){.figure = &entries[index].figure};
  return published_figure_ask(&set->items[index], set->ledger, set->machine);
}

struct published_set *published_open(struct machine *machine, struct ledger *ledger, const char *name) {
  struct published_set *set = xcalloc(1, sizeof *set);
  *set = (struct published_set){ledger, machine, name, xcalloc(published_count_all(), sizeof *set->items)};
  return set;
}

void published_close(struct published_set *set) {
  if (set) {
    free(set->items);
    free(set);
  }
}

bool published_has(const struct published_set *set, size_t index) {
  return set->name && strcmp(entries[index].platform, set->name) == 0;
}

bool published_ask(struct published_set *set, size_t index, struct published_row *row) {
  bool known = ask_one(set, index);
  *row = make_row(&entries[index], known ? set->items[index].value : NAN);
  row->stopped = known && set->items[index].stopped;
  return known;
}

struct published_row published_describe(size_t index) {
  return make_row(&entries[index], NAN);
}

static void ask_all(void *context) {
  for (size_t i = 0; i < published_count_all(); i++) {
    if (published_has(context, i)) {
      ask_one(context, i);
    }
  }
}

int published_run(struct machine *machine, const struct published_walk *walk, struct err *err) {
  struct published_set *set =
    published_open(machine, walk->ledger, published_machine(machine_platform(machine)));
  int status = ledger_settle(walk->ledger, ask_all, set, err);
  for (size_t i = 0; i < published_count_all() && status == 0; i++) {
    struct published_row row;
    if (!published_has(set, i) || !published_ask(set, i, &row)) {
      continue; /* after an interruption some values are missing */
    }
    void (*tell)(const char *why) = row.stopped ? walk->complain : walk->skip;
    if (isnan(row.simulated) && tell) {
      tell(set->items[i].why.text);
    }
    if (row.stopped || !isnan(row.simulated)) {
      walk->take(walk->context, &row);
    }
  }
  published_close(set);
  return status;
}

/* --- summaries --- */

struct published_summary published_summarize(const struct published_row *rows, size_t n,
                                             enum published_role role) {
  struct published_summary summary = {0};
  double *errors = xcalloc(n, sizeof *errors);
  for (size_t i = 0; i < n; i++) {
    double error = fabs(rows[i].error);
    if (rows[i].role != role || rows[i].bound) {
      continue;
    }
    errors[summary.n++] = error;
    summary.expected |= strcmp(rows[i].id, PUBLISHED_EXCEPTED) == 0;
    summary.within_10 += error <= 10;
    if (!summary.worst || error > summary.largest) {
      summary.worst = &rows[i];
      summary.largest = error;
    }
  }
  summary.median = summary.n > 0 ? reals_median(errors, summary.n) : 0;
  free(errors);
  return summary;
}

void published_say(const struct published_summary *summary, enum published_role role,
                   char text[PUBLISHED_TEXT_SIZE]) {
  int used = snprintf(text, PUBLISHED_TEXT_SIZE,
                      "%s: %zu row%s: median error %.1f %%, largest %.1f %% (%s), %zu within 10 %%",
                      published_role_name(role), summary->n, text_plural(summary->n), summary->median,
                      summary->largest, summary->worst ? summary->worst->id : "none", summary->within_10);
  if (role == PUBLISHED_TEST && summary->expected) {
    snprintf(text + used, PUBLISHED_TEXT_SIZE - (size_t)used,
             "; expected: median at most %d %%, largest %d %% but for %s", PUBLISHED_MEDIAN_EXPECTED,
             PUBLISHED_LARGEST_EXPECTED, PUBLISHED_EXCEPTED);
  }
}
