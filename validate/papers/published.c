/* SPDX-License-Identifier: BSD-3-Clause
 * The table of published measurements, the machine of each, and the comparison with simulated figures. All
 * rows of a machine are asked for in one round of the ledger. */
#include "validate/papers/published.h"

#include "sim/base/reals.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/predict.h"

#include <assert.h>
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

const struct published_row published_rows[] = {
#define ROW(bound, id, role, origin, platform, quantity, value, unit, source, ...) \
  {id,   PUBLISHED_##role, PUBLISHED_##origin, platform,          quantity,         value, \
   unit, source,           {__VA_ARGS__},      PUBLISHED_##bound, .simulated = NAN, .error = NAN},
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
  return VEC_LENGTH(published_rows);
}

size_t published_count(void) {
  return VEC_INDEX(published_rows, published_count_all(), !strstr(PUBLISHED_PLATFORMS, item->platform));
}

size_t published_count_on(const char *name) {
  size_t n = 0;
  VEC_EACH(row, published_rows, published_count_all()) {
    n += strcmp(row->platform, name) == 0;
  }
  return n;
}

/* --- the machine of a measurement --- */

enum { NAMED = 3 }; /* most values in a line */

/* Read the built-in platform MACHINE.
 * owner: the caller, with platform_free. */
static struct platform *read_machine(const char *machine) {
  struct err err = {""};
  struct platform *platform = platform_read(machine, &err);
  assert(platform);
  return platform;
}

bool measured_on(const struct platform *platform, const char *machine) {
  struct platform *other = read_machine(machine);
  bool same = platform->checksum == other->checksum;
  platform_free(other);
  return same;
}

/* The differences between two platforms. */
struct difference {
  size_t n;
  char keys[NAMED][PLATFORM_KEY_SIZE]; /* keys of the first differences */
};

/* Add to DIFFERENCE the values of PLATFORM without a counterpart in OTHER, and unless ONLY_MISSING the values
 * different from the counterpart. */
static void add_differences(struct difference *difference, const struct platform *platform,
                            const struct platform *other, bool only_missing) {
  for (size_t i = 0; i < platform_nentries(platform); i++) {
    struct platform_entry own, theirs;
    platform_entry(platform, i, &own);
    bool differs = platform_find_entry(other, own.key, &theirs)
                     ? !only_missing && strcmp(theirs.value, own.value) != 0
                     : true;
    if (differs && strcmp(own.key, PLATFORM_COMPARISON) != 0) {
      if (difference->n < NAMED) {
        memcpy(difference->keys[difference->n], own.key, sizeof own.key);
      }
      difference->n++;
    }
  }
}

/* Append the keys of DIFFERENCE to TEXT, behind the number of all differences if DIFFERENCE has more. */
static void list_values(const struct difference *difference, char **text) {
  bool more = difference->n > NAMED;
  if (more) {
    xappend(text, "%zu values: ", difference->n);
  }
  for (size_t i = 0; i < NAMED && i < difference->n; i++) {
    xappend(text, "%s%s", i == 0 ? "" : i + 1 == difference->n ? " and " : ", ", difference->keys[i]);
  }
  xappend(text, more ? " and others" : "");
}

char *measured_elsewhere(const char *nothing, const struct platform *platform, const char *const machines[],
                         size_t n) {
  struct difference least = {.n = SIZE_MAX};
  const char *nearest = NULL;
  for (size_t i = 0; i < n; i++) {
    struct platform *other = read_machine(machines[i]);
    struct difference difference = {.n = 0};
    add_differences(&difference, platform, other, false);
    add_differences(&difference, other, platform, true);
    platform_free(other);
    if (difference.n < least.n) {
      least = difference;
      nearest = machines[i];
    }
  }
  bool changed = *platform->overrides;
  char *text = xasprintf("%s on %s%s%s%s; it differs from %s in ", nothing, platform->name,
                         changed ? "[" : "", platform->overrides, changed ? "]" : "", nearest);
  list_values(&least, &text);
  return text;
}

/* Write the machines of all rows into MACHINES, each once.
 * returns: the number of machines. */
static size_t list_machines(const char *machines[]) {
  size_t n = 0;
  VEC_EACH(row, published_rows, published_count_all()) {
    if (!VEC_FIND(machines, n, strcmp(*item, row->platform) == 0)) {
      machines[n++] = row->platform;
    }
  }
  return n;
}

const char *published_machine(const struct platform *platform) {
  const char *machines[VEC_LENGTH(published_rows)];
  size_t n = list_machines(machines);
  const char *const *found = VEC_FIND(machines, n, measured_on(platform, *item));
  return found ? *found : NULL;
}

char *published_nothing(const struct platform *platform) {
  const char *machines[VEC_LENGTH(published_rows)];
  size_t n = list_machines(machines);
  return published_machine(platform) ? NULL
                                     : measured_elsewhere("nothing was measured", platform, machines, n);
}

const char *published_varied(const char *name) {
  return published_count_on(name) ? name : "qs20";
}

/* --- asking the ledger --- */

bool published_ask(struct published_row *row, struct figure_asked *asked, struct ledger *ledger,
                   struct machine *machine) {
  bool known = figure_ask(asked, &row->figure, ledger, machine);
  double ghz = machine_platform(machine)->clock.spu;
  row->simulated = known ? figure_convert(&row->figure, asked->value, asked->unit, row->unit, ghz) : NAN;
  row->error = 100 * (row->simulated - row->published) / row->published;
  if ((row->bound == PUBLISHED_AT_MOST && row->error < 0) ||
      (row->bound == PUBLISHED_AT_LEAST && row->error > 0)) {
    row->error = 0;
  }
  row->stopped = known && asked->stopped;
  return known;
}

/* Rows being simulated on one machine. */
struct run {
  struct ledger *ledger;
  struct machine *machine;
  const char *name; /* of the machine of the measurements; NULL: no rows */
  const struct published_row *rows;
  size_t n;
  struct figure_asked *asked;
};

/* Ask for row INDEX of RUN.
 * returns: whether the row is of the machine of RUN, and known. */
static bool ask_row(const struct run *run, size_t index, struct published_row *row) {
  *row = run->rows[index];
  return run->name && strcmp(row->platform, run->name) == 0 &&
         published_ask(row, &run->asked[index], run->ledger, run->machine);
}

static void ask_all(void *context) {
  const struct run *run = context;
  struct published_row row;
  for (size_t i = 0; i < run->n; i++) {
    ask_row(run, i, &row);
  }
}

/* Check row INDEX of a user. */
static int check_row(const struct run *run, size_t index, struct err *err) {
  const struct figure_asked *asked = &run->asked[index];
  struct published_row row;
  if (!run->rows[index].where || !ask_row(run, index, &row) || !isnan(row.simulated)) {
    return 0;
  }
  if (asked->unknown) {
    return err_set(err, "%s: %s", row.where, asked->why.text);
  }
  return isnan(asked->value) ? 0
                             : err_set(err, "%s: unit '%s', expected %s, or a unit of the same quantity",
                                       row.where, row.unit, asked->unit);
}

int published_run(struct machine *machine, const struct published_walk *walk, struct err *err) {
  const struct platform *platform = machine_platform(machine);
  struct run run = {walk->ledger, machine, platform->name, walk->rows, walk->nrows, NULL};
  if (!walk->rows) {
    run.name = published_machine(platform);
    run.rows = published_rows;
    run.n = published_count_all();
  }
  run.asked = xcalloc(run.n, sizeof *run.asked);
  int status = ledger_settle(walk->ledger, ask_all, &run, err);
  for (size_t i = 0; i < run.n && status == 0; i++) {
    status = check_row(&run, i, err);
  }
  for (size_t i = 0; i < run.n && status == 0; i++) {
    struct published_row row;
    if (!ask_row(&run, i, &row)) {
      continue; /* after an interruption some values are missing */
    }
    void (*tell)(const char *why) = row.stopped ? walk->complain : walk->skip;
    if (isnan(row.simulated) && tell) {
      const char *why = run.asked[i].why.text;
      tell(row.where ? text_brief("%s: %s", row.where, why) : why);
    }
    if (row.stopped || !isnan(row.simulated)) {
      walk->take(walk->context, &row);
    }
  }
  free(run.asked);
  return status;
}

/* --- summaries --- */

struct published_summary published_summarize(const struct published_row *rows, size_t n,
                                             enum published_role role) {
  struct published_summary summary = {0};
  SCOPED double *errors = xcalloc(n, sizeof *errors);
  VEC_EACH(row, rows, n) {
    double error = fabs(row->error);
    if (row->role != role || row->bound || isnan(error)) {
      continue;
    }
    errors[summary.n++] = error;
    summary.expected |= strcmp(row->id, PUBLISHED_EXCEPTED) == 0;
    summary.within_10 += error <= 10;
    if (!summary.worst || error > summary.largest) {
      summary.worst = row;
      summary.largest = error;
    }
  }
  summary.median = summary.n > 0 ? reals_median(errors, summary.n) : 0;
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
