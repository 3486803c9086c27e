/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll published: simulation against measured values. */
#include "cli/commands.h"
#include "cli/study/published_rows.h"
#include "cli/sweep.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/evidence/evidence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS(more) \
  "id,quantity,published,simulated,unit,error_percent,role,platform,origin,timing,profile,source," \
  "version,platform_checksum,outcome" more

/* Rows on their way into a table. */
struct reproduction {
  struct published_walk walk;
  const struct session *session;
  struct table *table;
  struct published_row *rows;
  size_t nrows;
  struct variations samples;
  bool nothing; /* one of the machines has no measurement */
};

static void add_published(const struct reproduction *reproduction, const struct published_row *row) {
  int decimals = row->published < 0.1 ? 4 : 2;
  table_add(reproduction->table, "%s %s %.*f %.*f %s %.1f %s %s %s %s %s %s %s", row->id, row->quantity,
            decimals, row->published, decimals, row->simulated, row->unit, row->error,
            published_role_name(row->role), row->platform,
            *row->platform ? published_origin_name(row->origin) : "", row->timing, row->profile, row->source,
            row->stopped ? "stopped" : "ok");
  if (reproduction->session->opts.samples) {
    const struct variations *samples = &reproduction->samples;
    double percent = row->bound ? NAN : 100; /* the error of a bound has no interval */
    table_add(reproduction->table, "%.1f %.1f",
              percent * (samples_end(samples, row->id, false) / row->published - 1),
              percent * (samples_end(samples, row->id, true) / row->published - 1));
  }
}

static void take_published(void *context, const struct published_row *row) {
  struct reproduction *reproduction = context;
  if (!row->stopped) {
    reproduction->rows[reproduction->nrows++] = *row;
  }
  add_published(reproduction, row);
}

/* Groups of machines, each with a line below the table: qs20, ps3, and all clusters and hosts together. */
enum { GROUPS = 3 };
static const char *const groups[GROUPS] = {"qs20", "ps3", "networks"};

static bool is_of_group(const struct published_row *row, unsigned group) {
  return strcmp(row->platform, groups[group]) == 0 ||
         (group == GROUPS - 1 && !strstr(PUBLISHED_PLATFORMS, row->platform));
}

/* Say the errors of the rows of ROLE below the table, a line for each group of machines; of a user's rows one
 * line. */
static void say_errors(const struct reproduction *reproduction, enum published_role role) {
  SCOPED struct published_row *rows = xcalloc(reproduction->nrows + 1, sizeof *rows);
  bool is_measured = reproduction->walk.entries != NULL;
  for (unsigned group = 0; group < (is_measured ? 1 : GROUPS); group++) {
    size_t n = 0;
    for (size_t i = 0; i < reproduction->nrows; i++) {
      if (is_measured || is_of_group(&reproduction->rows[i], group)) {
        rows[n++] = reproduction->rows[i];
      }
    }
    struct published_summary summary = published_summarize(rows, n, role);
    char text[PUBLISHED_TEXT_SIZE];
    if (summary.n > 0) {
      published_say(&summary, role, text);
      table_note(reproduction->table, "%s, %s", is_measured ? rows->platform : groups[group], text);
    }
  }
}

/* Say which rows run by name only, a line for each of their machines, with the command. */
static void say_left_out(const struct reproduction *reproduction) {
  const char *last = "";
  for (size_t i = 0; i < published_count_all(); i++) {
    const char *name = published_describe(i).platform;
    if (!strstr(PUBLISHED_ALL, name) &&
        strcmp(name, last) != 0) { /* the rows of a machine follow each other */
      size_t n = published_count_on(name);
      table_note(reproduction->table,
                 "not run: %zu of %zu rows, those of %s, up to a minute: cellcoll published -p %s", n,
                 published_count_all(), name, name);
      last = name;
    }
  }
}

/* Add the median error of the rows of ROLE, if there are any, as a row of its own, and say more below the
 * table. */
static void add_median(const struct reproduction *reproduction, enum published_role role) {
  struct published_summary summary = published_summarize(reproduction->rows, reproduction->nrows, role);
  struct published_row row = {.quantity = "median of the absolute errors",
                              .published = NAN,
                              .simulated = NAN,
                              .unit = "percent",
                              .error = summary.median,
                              .role = role,
                              .platform = "",
                              .timing = "",
                              .profile = "",
                              .source = ""};
  if (summary.n == 0) {
    return;
  }
  snprintf(row.id, sizeof row.id, "median-%s", published_role_name(role));
  add_published(reproduction, &row);
  say_errors(reproduction, role);
}

static int reproduce(struct reproduction *reproduction, struct machine *machine, struct err *err) {
  bool is_measured = reproduction->walk.entries != NULL;
  SCOPED char *nothing = is_measured ? NULL : published_nothing(machine_platform(machine));
  if (nothing) {
    session_say(reproduction->session, nothing);
    reproduction->nothing = true;
    return CLI_DONE;
  }
  table_set_platform(reproduction->table, machine_platform(machine));
  return published_run(machine, &reproduction->walk, err) == 0 ? CLI_DONE
                                                               : sweep_lost(reproduction->walk.ledger);
}

/* Add the changes of row I of VARIATIONS at bounds, by 1 % or more, to TABLE.
 * returns: whether there are changes. */
static bool add_bounds(struct table *table, const struct variations *variations, size_t i) {
  struct published_row row = published_describe(i);
  bool changes = false;
  double as_is = variations->items[0]->rows[i].simulated;
  int decimals = row.published < 0.1 ? 4 : 2;
  for (size_t k = 1; k < variations->n; k++) {
    double value = variations->items[k]->rows[i].simulated;
    if (fabs(value - as_is) >= 0.01 * fabs(as_is)) {
      table_add(table, "%s %s %.*f %.*f %.*f %s %.1f %s", row.id, variations->items[k]->label, decimals,
                row.published, decimals, as_is, decimals, value, row.unit, 100 * (value / as_is - 1),
                published_role_name(row.role));
      changes = true;
    }
  }
  return changes;
}

/* Find the machines of SESSION with measurements, and name the others.
 * returns: the number of machines found. */
static size_t find_measured(const struct session *session, struct platform **measured) {
  size_t n = 0;
  for (size_t i = 0; i < session->machines.n; i++) {
    struct platform *platform = session->machines.platforms[i];
    SCOPED char *nothing = published_nothing(platform);
    if (nothing) {
      session_say(session, nothing);
    } else {
      table_set_platform(session->table, platform);
      measured[n++] = platform;
    }
  }
  return n;
}

/* Print the changes of rows at bounds of values. */
static int reproduce_at_bounds(struct session *session) {
  if (session_table(session, table_new("id,setting,published,simulated,at_bound,unit,change_percent,role,"
                                       "version,platform_checksum")) != CLI_DONE) {
    return CLI_USAGE;
  }
  SCOPED struct platform **measured = xcalloc(session->machines.n, sizeof *measured);
  struct evidence evidence = {.ledger = &session->ledger, .machines = measured};
  struct variations variations = {.evidence = &evidence};
  size_t n = 0, nchanged = 0;
  evidence.nmachines = find_measured(session, measured);
  int status = evidence.nmachines > 0 ? variations_run_bounds(&variations, session->err) : 0;
  for (size_t i = 0; variations.n > 0 && i < published_count_all() && status == 0; i++) {
    n += isnan(variations.items[0]->rows[i].simulated) ? 0 : 1;
    nchanged += add_bounds(session->table, &variations, i);
  }
  if (variations.n > 0 && !sweep_interrupted()) {
    table_note(
      session->table,
      "%zu of %zu rows change by 1 %% or more on one of %zu machines, each with one value at a bound",
      nchanged, n, variations.n - 1);
  }
  variations_fini(&variations);
  return status == 0 ? sweep_outcome(&session->ledger) : sweep_lost(&session->ledger);
}

int cmd_published(struct session *session) {
  if (session->opts.bounds) {
    return reproduce_at_bounds(session);
  }
  struct measured_rows measured = {.n = 0};
  if (session->opts.rows &&
      measured_rows_read(&measured, session->opts.rows, session->machines.platforms[0], session->err) != 0) {
    measured_rows_fini(&measured);
    return CLI_INPUT;
  }
  struct evidence evidence = session_evidence(session);
  const char *name = NULL; /* the blades are the first machines */
  size_t nblades = VEC_INDEX(evidence.machines, evidence.nmachines,
                             !(name = published_machine(*item)) || !strstr(PUBLISHED_PLATFORMS, name));
  evidence.nmachines = nblades;
  struct reproduction reproduction = {
    .session = session,
    .samples.evidence = &evidence,
    .table = table_new(session->opts.samples ? COLUMNS(",error_low,error_high") : COLUMNS("")),
    .rows = xcalloc(published_count_all() + measured.n, sizeof *reproduction.rows)};
  reproduction.walk = (struct published_walk){.ledger = &session->ledger,
                                              .entries = measured.entries,
                                              .nentries = measured.n,
                                              .context = &reproduction,
                                              .take = take_published,
                                              .skip = sweep_skip,
                                              .complain = sweep_complain};
  int code = session_table(session, reproduction.table);
  if (code == CLI_DONE && evidence.nsamples && nblades) {
    bool is_sampled = samples_run(&reproduction.samples, session->err) == 0 || sweep_interrupted();
    code = is_sampled ? CLI_DONE : sweep_lost(&session->ledger);
    table_note(session->table, "intervals, from error_low to error_high, hold 90 %% of %u drawn machines",
               evidence.nsamples);
  }
  if (evidence.nsamples && name && !strstr(PUBLISHED_PLATFORMS, name)) {
    table_note(session->table, "no intervals of clusters and hosts: drawn machines are blades and a PS3");
  }
  struct machine *machine;
  for (size_t i = 0; code == CLI_DONE && (machine = session_machine(session, i)); i++) {
    code = reproduce(&reproduction, machine, session->err);
  }
  add_median(&reproduction, PUBLISHED_TEST);
  add_median(&reproduction, PUBLISHED_FIT);
  if (code == CLI_DONE && !(session->opts.given & OPT_PLATFORM) && !session->opts.profile) {
    say_left_out(&reproduction);
  }
  free(reproduction.rows);
  measured_rows_fini(&measured);
  variations_fini(&reproduction.samples);
  bool is_empty = table_nrows(session->table) == 0 && !reproduction.nothing;
  if (code == CLI_DONE && is_empty && !session_is_partial(session)) {
    return session_refuse(session, CLI_INPUT, "no measurement can be reproduced on this platform");
  }
  code = code == CLI_DONE ? sweep_outcome(&session->ledger) : code;
  table_hide(session->table, code == CLI_DONE ? "quantity,origin,timing,profile,source,outcome"
                                              : "quantity,origin,timing,profile,source");
  return code;
}
