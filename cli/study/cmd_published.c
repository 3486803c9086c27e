/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll published: simulation against measured values. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "cli/sweep.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/evidence/evidence.h"
#include "validate/lab/rig/rig.h"
#include "validate/papers/published.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- rows of a user --- */

/* The rows of a file. The texts last as long as the process. */
struct measured_rows {
  struct published_row *items;
  size_t n;
};

enum column { ID, SUBJECT, VALUE, UNIT, RANKS, BYTES, SOURCE, COLUMNS };
enum { NEEDED = UNIT + 1, CELLS_MAX = 16 }; /* the first columns must be there */
static const char *const names[COLUMNS] = {"id", "subject", "value", "unit", "ranks", "bytes", "source"};

struct cells {
  char *texts[CELLS_MAX];
  size_t n;
};

static int cut(char *line, struct cells *cells, struct err *err) {
  if (strchr(line, '"')) {
    return err_set(err, "a quote, expected cells without quotes and commas");
  }
  for (cells->n = 0; line && cells->n < CELLS_MAX; cells->n++) {
    char *cell = strsep(&line, ",");
    cell += strspn(cell, " \t");
    for (char *end = cell + strlen(cell); end > cell && strchr(" \t", end[-1]); *--end = '\0') {
    }
    cells->texts[cells->n] = cell;
  }
  return 0;
}

/* Find the column of each cell of HEAD, the first line. */
static int find_columns(const struct cells *head, size_t columns[CELLS_MAX], struct err *err) {
  for (size_t i = 0; i < head->n; i++) {
    columns[i] = VEC_INDEX(names, COLUMNS, strcmp(*item, head->texts[i]) == 0);
    if (columns[i] == COLUMNS || VEC_FIND(columns, i, *item == columns[i])) {
      return err_set(err, "%s column '%.40s', expected id,subject,ranks,bytes,value,unit,source",
                     columns[i] == COLUMNS ? "unknown" : "second", head->texts[i]);
    }
  }
  size_t missing = 0;
  while (missing < NEEDED && VEC_FIND(columns, head->n, *item == missing)) {
    missing++;
  }
  return missing < NEEDED ? err_set(err, "no column '%s', expected one", names[missing]) : 0;
}

/* Read TEXT, a number above 0. */
static int read_value(const char *text, double *value, struct err *err) {
  char *end;
  *value = strtod(text, &end);
  return *text && !*end && isfinite(*value) && *value > 0
           ? 0
           : err_set(err, "value '%.40s', expected a number above 0", text);
}

/* Read the figure of SUBJECT, whose ranks and bytes are known: of a benchmark if SUBJECT names one. */
static int read_figure(struct figure *figure, const char *subject, const struct platform *platform,
                       struct err *err) {
  int length = (int)strcspn(subject, ".:");
  figure->subject = subject;
  if (subject[length] == '.') {
    figure->subject = text_keep(text_brief("%.*s", length, subject));
    figure->kind = FIGURE_BENCH;
    figure->parameter = subject + length + 1;
    return bench_find(figure->subject, err) ? 0 : -1;
  }
  struct algorithm algorithm;
  figure->kind = FIGURE_LOOP;
  if (catalogue_find(subject, &algorithm, err) != 0) {
    return -1;
  }
  const struct profile *profile = rig_profile(platform, NULL, algorithm.algo->source, err);
  figure->profile = profile ? profile->name : NULL;
  return !profile ? -1 : figure->ranks > 0 ? 0 : err_set(err, "no ranks, expected those of the call");
}

/* Read CELLS, in the order of `names`, into ROW. */
static int read_row(struct published_row *row, const char *const cells[COLUMNS],
                    const struct platform *platform, struct err *err) {
  uint64_t ranks = 0, bytes = 0;
  if (!*cells[ID] || strlen(cells[ID]) > PUBLISHED_ID_MOST) {
    return err_set(err, "id '%.60s', expected 1 to %d letters", cells[ID], PUBLISHED_ID_MOST);
  }
  if ((*cells[RANKS] && units_parse_count(cells[RANKS], &ranks, err) != 0) ||
      (*cells[BYTES] && units_parse_bytes(cells[BYTES], &bytes, err) != 0) ||
      read_value(cells[VALUE], &row->published, err) != 0 || figure_check_unit(cells[UNIT], err) != 0) {
    return -1;
  }
  if (ranks > INT_MAX) {
    return err_set(err, "ranks %.40s, expected at most %d", cells[RANKS], INT_MAX);
  }
  row->id = cells[ID];
  row->role = PUBLISHED_TEST;
  row->platform = platform->name;
  row->quantity = cells[SUBJECT];
  row->unit = cells[UNIT];
  row->source = cells[SOURCE];
  row->figure = (struct figure){.kind = FIGURE_LOOP, .ranks = (unsigned)ranks, .bytes = bytes};
  return read_figure(&row->figure, cells[SUBJECT], platform, err);
}

/* Read all lines of REST. *LINE becomes the number of the line with a defect. */
static int read_lines(struct measured_rows *rows, char *rest, const char *path,
                      const struct platform *platform, size_t *line, struct err *err) {
  size_t columns[CELLS_MAX], ncolumns = 0;
  for (*line = 1; rest; ++*line) {
    struct cells cells = {.n = 0};
    char *text = strsep(&rest, "\n");
    const char *of[COLUMNS] = {[RANKS] = "", [BYTES] = "", [SOURCE] = ""};
    text[strcspn(text, "\r")] = '\0';
    if (!*text || *text == '#') {
      continue;
    }
    if (cut(text, &cells, err) != 0 || (!ncolumns && find_columns(&cells, columns, err) != 0)) {
      return -1;
    }
    if (!ncolumns) {
      ncolumns = cells.n;
      continue;
    }
    if (cells.n != ncolumns) {
      return err_set(err, "%zu cells, expected %zu, one for each name of a column", cells.n, ncolumns);
    }
    for (size_t i = 0; i < ncolumns; i++) {
      of[columns[i]] = text_keep(cells.texts[i]);
    }
    const struct published_row *same = VEC_FIND(rows->items, rows->n, strcmp(item->id, of[ID]) == 0);
    if (same) {
      return err_set(err, "id '%s', which %s has", same->id, same->where);
    }
    struct published_row row = {.where = text_keep(text_brief("%s:%zu", path, *line))};
    if (read_row(&row, of, platform, err) != 0) {
      return -1;
    }
    VEC_ADD(rows->items, rows->n) = row;
  }
  *line = 1;
  return rows->n ? 0 : err_set(err, "no measurements, expected a row for each, below the names of columns");
}

/* Read the measurements in file PATH for the machine PLATFORM. The first line names columns; later lines that
 * are empty or begin with # are passed over.
 * errors: FILE:LINE: an unknown, missing or repeated column, algorithm, benchmark or unit, a value that is no
 *   number above 0, a repeated id, another number of cells; no such file; no rows. */
static int measured_rows_read(struct measured_rows *rows, const char *path, const struct platform *platform,
                              struct err *err) {
  static const struct text_kind kind = {1 << 20, "1 MiB", "csv of measurements"};
  struct err why = {""};
  size_t line, nbytes;
  SCOPED char *text = text_read_file(path, &kind, &nbytes, err);
  return !text ? -1
         : read_lines(rows, text, path, platform, &line, &why) == 0
           ? 0
           : err_set(err, "%s:%zu: %s", path, line, why.text);
}

/* --- the command --- */

#define COLUMNS(more) \
  "id,quantity,published,simulated,unit,error_percent,role,platform,origin,timing,profile,source," \
  "version,platform_checksum,outcome" more ",bound"

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
  static const char *const bounds[] = {"", "at most", "at least"};
  int decimals = row->published < 0.1 ? 4 : 2;
  const struct session *session = reproduction->session;
  bool is_text = session->opts.format == TABLE_TEXT && !session->for_pages;
  table_add(reproduction->table, "%s %s", row->id, row->quantity);
  if (row->bound && is_text) {
    table_add_text(reproduction->table, text_brief("%s %.*f", bounds[row->bound], decimals, row->published));
  } else {
    table_add_real(reproduction->table, row->published, decimals);
  }
  bool is_kept = row->bound && row->error == 0, is_median = !*row->platform;
  table_add(reproduction->table, "%.*f %s %.1f %s %s %s %s %s %s %s", decimals, row->simulated, row->unit,
            is_kept ? NAN : row->error, published_role_name(row->role), row->platform,
            is_median ? "" : published_origin_name(row->origin),
            is_median ? "" : figure_timing(row->figure.kind), is_median ? "" : figure_profile(&row->figure),
            row->source, row->stopped ? "stopped" : "ok");
  if (reproduction->session->opts.samples) {
    const struct variations *samples = &reproduction->samples;
    double percent = row->bound ? NAN : 100; /* the error of a bound has no interval */
    table_add(reproduction->table, "%.1f %.1f",
              percent * (samples_end(samples, row->id, false) / row->published - 1),
              percent * (samples_end(samples, row->id, true) / row->published - 1));
  }
  table_add_text(reproduction->table, bounds[row->bound]);
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

/* Say the errors of the rows of ROLE below the table, a line for each group of machines; of a user's rows one
 * line. */
static void say_errors(const struct reproduction *reproduction, enum published_role role) {
  SCOPED struct published_row *rows = xcalloc(reproduction->nrows + 1, sizeof *rows);
  bool is_measured = reproduction->walk.rows != NULL;
  for (unsigned group = 0; group < (is_measured ? 1 : GROUPS); group++) {
    size_t n = 0;
    VEC_EACH(row, reproduction->rows, reproduction->nrows) {
      if (is_measured || strcmp(row->platform, groups[group]) == 0 ||
          (group == GROUPS - 1 && !strstr(PUBLISHED_PLATFORMS, row->platform))) {
        rows[n++] = *row;
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
    const char *name = published_rows[i].platform;
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
  struct published_row row = {.id = text_brief("median-%s", published_role_name(role)),
                              .quantity = "median of the absolute errors",
                              .published = NAN,
                              .simulated = NAN,
                              .unit = "percent",
                              .error = summary.median,
                              .role = role,
                              .platform = "",
                              .source = ""};
  if (summary.n == 0) {
    return;
  }
  add_published(reproduction, &row);
  say_errors(reproduction, role);
}

static int reproduce(struct reproduction *reproduction, struct machine *machine) {
  bool is_measured = reproduction->walk.rows != NULL;
  SCOPED char *nothing = is_measured ? NULL : published_nothing(machine_platform(machine));
  if (nothing) {
    session_say(reproduction->session, nothing);
    reproduction->nothing = true;
    return CLI_DONE;
  }
  table_set_platform(reproduction->table, machine_platform(machine));
  return published_run(machine, &reproduction->walk, reproduction->session->err) == 0
           ? CLI_DONE
           : sweep_lost(reproduction->walk.ledger);
}

/* Add the changes of row I of VARIATIONS at bounds, by 1 % or more, to TABLE.
 * returns: whether there are changes. */
static bool add_bounds(struct table *table, const struct variations *variations, size_t i) {
  const struct published_row *row = &published_rows[i];
  bool changes = false;
  double as_is = variations->items[0]->rows[i].simulated;
  int decimals = row->published < 0.1 ? 4 : 2;
  for (size_t k = 1; k < variations->n; k++) {
    double value = variations->items[k]->rows[i].simulated;
    if (fabs(value - as_is) >= 0.01 * fabs(as_is)) {
      table_add(table, "%s %s %.*f %.*f %.*f %s %.1f %s", row->id, variations->items[k]->label, decimals,
                row->published, decimals, as_is, decimals, value, row->unit, 100 * (value / as_is - 1),
                published_role_name(row->role));
      changes = true;
    }
  }
  return changes;
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
  VEC_EACH(platform, session->machines.platforms, session->machines.n) {
    SCOPED char *nothing = published_nothing(*platform);
    if (nothing) {
      session_say(session, nothing);
    } else {
      table_set_platform(session->table, *platform);
      measured[evidence.nmachines++] = *platform;
    }
  }
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
    free(measured.items);
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
                                              .rows = measured.items,
                                              .nrows = measured.n,
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
    code = reproduce(&reproduction, machine);
  }
  add_median(&reproduction, PUBLISHED_TEST);
  add_median(&reproduction, PUBLISHED_FIT);
  if (code == CLI_DONE && !(session->opts.given & OPT_PLATFORM) && !session->opts.profile) {
    say_left_out(&reproduction);
  }
  free(reproduction.rows);
  free(measured.items);
  variations_fini(&reproduction.samples);
  bool is_empty = table_nrows(session->table) == 0 && !reproduction.nothing;
  if (code == CLI_DONE && is_empty && !session_is_partial(session)) {
    return session_refuse(session, CLI_INPUT, "no measurement can be reproduced on this platform");
  }
  code = code == CLI_DONE ? sweep_outcome(&session->ledger) : code;
  table_hide(session->table, code == CLI_DONE ? "quantity,origin,timing,profile,source,outcome,bound"
                                              : "quantity,origin,timing,profile,source,bound");
  return code;
}
