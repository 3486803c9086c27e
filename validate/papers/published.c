/* SPDX-License-Identifier: BSD-3-Clause
 * See published.h. */
#include "validate/papers/published.h"

#include "sim/base/err.h"
#include "sim/base/reals.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/predict.h"
#include "validate/papers/measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A figure of a benchmark. */
#define BENCH_ROW(bound, id, role, platform, quantity, benchmark, name, nranks, nbytes, value, unit, source) \
  ROW(bound, id, role, READ, platform, quantity, value, unit, source, FIGURE_BENCH, benchmark, \
      .parameter = name, .ranks = nranks, .bytes = nbytes)

/* Calls of a loop with less than MUCH_BYTES. */
enum { LOOP_CALLS = 11, MUCH_BYTES = 65536 };

static const struct published_entry entries[] = {
#define ROW(bound, id, role, origin, platform, quantity, value, unit, source, ...) \
  {#id,  PUBLISHED_##role, PUBLISHED_##origin, platform,          quantity, value, \
   unit, source,           {__VA_ARGS__},      PUBLISHED_##bound, NULL},
#define BENCH(...) BENCH_ROW(EXACTLY, __VA_ARGS__)
#define AT_MOST(...) BENCH_ROW(AT_MOST, __VA_ARGS__)
#define AT_LEAST(...) BENCH_ROW(AT_LEAST, __VA_ARGS__)
#define LOOP_OF(id, role, quantity, elements, algorithm, nranks, nbytes, costs, value, unit, source) \
  ROW(EXACTLY, id, role, READ, "qs20", quantity, value, unit, source, FIGURE_LOOP, algorithm, \
      .type = elements, .ranks = nranks, .bytes = nbytes, .profile = costs, \
      .count = (nbytes) < MUCH_BYTES ? LOOP_CALLS : 0)
#define LOOP(id, role, algorithm, ...) LOOP_OF(id, role, algorithm, TYPE_INT32, algorithm, __VA_ARGS__)
#define STREAMS(id, role, platform, origin, quantity, figure, streams, depth, value, unit, source) \
  ROW(EXACTLY, id, role, origin, platform, quantity, value, unit, source, FIGURE_##figure, streams, \
      .count = depth)
#define GAIN(id, quantity, streams, others, factor, value, source) \
  ROW(AT_LEAST, id, TEST, READ, "qs20", quantity, value, "1", source, FIGURE_STREAMS, streams, \
      .than = others, .weight = factor)
#define COPY(id, role, platform, quantity, nbytes, size, value, unit, source) \
  ROW(EXACTLY, id, role, READ, platform, quantity, value, unit, source, FIGURE_COPY, .bytes = nbytes, \
      .buffer = size, .count = 2, .profile = "velamati2007")
#define RATIO(id, role, platform, quantity, over, under, nranks, nbytes, value, source) \
  ROW(EXACTLY, id, role, READ, platform, quantity, value, "1", source, FIGURE_CALL, over, .than = under, \
      .weight = 1, .ranks = nranks, .bytes = nbytes, .profile = "velamati2007")
#define MODEL_ERROR(id, role, platform, quantity, algorithm, model, value, unit, source) \
  ROW(AT_MOST, id, role, READ, platform, quantity, value, unit, source, FIGURE_MODEL_ERROR, algorithm, \
      .count = MODEL_##model)
#define CORRELATION(id, role, platform, quantity, value, source) \
  ROW(AT_LEAST, id, role, READ, platform, quantity, value, "1", source, FIGURE_CORRELATION, \
      .count = MODEL_PUBLISHED)
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

/* Return the row of ENTRY with SIMULATED, in the unit of ENTRY. */
static struct published_row make_row(const struct published_entry *entry, double simulated) {
  double error = 100 * (simulated - entry->value) / entry->value;
  bool kept =
    (entry->bound == PUBLISHED_AT_MOST && error < 0) || (entry->bound == PUBLISHED_AT_LEAST && error > 0);
  struct published_row row = {.quantity = entry->quantity,
                              .published = entry->value,
                              .simulated = simulated,
                              .unit = entry->unit,
                              .role = entry->role,
                              .origin = entry->origin,
                              .platform = entry->platform,
                              .error = kept ? 0 : error,
                              .bound = entry->bound != PUBLISHED_EXACTLY,
                              .timing = figure_timing(entry->figure.kind),
                              .profile = figure_profile(&entry->figure),
                              .source = entry->source};
  snprintf(row.id, sizeof row.id, "%s", entry->id);
  for (char *c = row.id; *c && !entry->where; c++) {
    *c = *c == '_' ? '-' : *c;
  }
  return row;
}

struct published_row published_describe(size_t index) {
  return make_row(&entries[index], NAN);
}

/* --- asking the ledger --- */

/* All rows of a machine of the papers, or of a user, on one simulated machine. */
struct published_set {
  struct ledger *ledger;
  struct machine *machine;
  const char *name; /* of the machine of the measurements; NULL: no rows */
  const struct published_entry *entries;
  size_t n;
  struct figure_asked *items;
};

static struct published_set *open_set(struct published_set set) {
  struct published_set *opened = xcalloc(1, sizeof *opened);
  *opened = set;
  opened->items = xcalloc(set.n, sizeof *set.items);
  return opened;
}

struct published_set *published_open(struct machine *machine, struct ledger *ledger, const char *name) {
  return open_set((struct published_set){ledger, machine, name, entries, published_count_all(), NULL});
}

void published_close(struct published_set *set) {
  if (set) {
    free(set->items);
    free(set);
  }
}

bool published_has(const struct published_set *set, size_t index) {
  return set->name && strcmp(set->entries[index].platform, set->name) == 0;
}

bool published_ask(struct published_set *set, size_t index, struct published_row *row) {
  const struct published_entry *entry = &set->entries[index];
  struct figure_asked *asked = &set->items[index];
  bool known = figure_ask(asked, &entry->figure, set->ledger, set->machine);
  double ghz = machine_platform(set->machine)->clock.spu;
  *row = make_row(entry,
                  known ? figure_convert(&entry->figure, asked->value, asked->unit, entry->unit, ghz) : NAN);
  row->stopped = known && asked->stopped;
  return known;
}

static void ask_all(void *context) {
  struct published_set *set = context;
  struct published_row row;
  for (size_t i = 0; i < set->n; i++) {
    if (published_has(set, i)) {
      published_ask(set, i, &row);
    }
  }
}

/* Check row INDEX of a user. */
static int check_row(struct published_set *set, size_t index, struct err *err) {
  const struct figure_asked *asked = &set->items[index];
  const struct published_entry *entry = &set->entries[index];
  struct published_row row;
  if (!entry->where || !published_ask(set, index, &row) || !isnan(row.simulated)) {
    return 0;
  }
  return asked->unknown         ? err_set(err, "%s: %s", entry->where, asked->why.text)
         : !isnan(asked->value) ? err_set(err, "%s: unit '%s', expected %s, or a unit of the same quantity",
                                          entry->where, entry->unit, asked->unit)
                                : 0;
}

int published_run(struct machine *machine, const struct published_walk *walk, struct err *err) {
  const struct platform *platform = machine_platform(machine);
  struct published_set *set = walk->entries
                                ? open_set((struct published_set){walk->ledger, machine, platform->name,
                                                                  walk->entries, walk->nentries, NULL})
                                : published_open(machine, walk->ledger, published_machine(platform));
  int status = ledger_settle(walk->ledger, ask_all, set, err);
  for (size_t i = 0; i < set->n && status == 0; i++) {
    status = check_row(set, i, err);
  }
  for (size_t i = 0; i < set->n && status == 0; i++) {
    struct published_row row;
    if (!published_has(set, i) || !published_ask(set, i, &row)) {
      continue; /* after an interruption some values are missing */
    }
    void (*tell)(const char *why) = row.stopped ? walk->complain : walk->skip;
    if (isnan(row.simulated) && tell) {
      const char *where = set->entries[i].where, *why = set->items[i].why.text;
      tell(where ? text_brief("%s: %s", where, why) : why);
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
    if (rows[i].role != role || rows[i].bound || isnan(error)) {
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
