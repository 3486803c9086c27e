/* SPDX-License-Identifier: BSD-3-Clause
 * See plot.h. The key with the most values is the x axis. Other keys with several values make series. Keys
 * with one value are in the title. */
#include "cli/plot.h"

#include "algos/catalogue.h"
#include "cli/commands.h"
#include "cli/table.h"
#include "draw/chart.h"
#include "draw/picture.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_MAX = 1000, FEW = 4 };

/* The columns of a command that a picture draws. */
static const struct plot_kind {
  int (*run)(struct session *session);
  const char *title, *y, *solid;
  const char *groups; /* column: a chart for each value; NULL: one chart */
  const char *panels;
  const char *keys; /* columns whose values make series, before the keys of --set; NULL: a map */
  bool linear;
} kinds[] = {
  {cmd_run, "Simulated time of a call", "ns", NULL, NULL, NULL, "algorithm,machine", false},
  {cmd_bench, "Benchmarks in", "value", NULL, "unit", NULL, "benchmark,parameter,machine", true},
  {cmd_compare, "Simulated and predicted times of a call", "predicted_ns", "simulated_ns", NULL, "algorithm",
   "algorithm,machine,model", false},
  {cmd_published, "Errors of measured figures of", "error_percent", NULL, "platform", NULL, "", true},
  {cmd_tune, "The fastest algorithm (hatched: not with all costs and draws; pale: lead below 15 %)", "bytes",
   NULL, NULL, "collective,machine", NULL, false},
};

/* A key: a column whose values are compared. */
struct key {
  const char *name; /* lasting */
  size_t nvalues;
  bool words;
};

/* Some rows of a table, and their keys. */
struct part {
  const struct table *table;
  size_t *rows, n;
  struct key *keys;
  size_t nkeys;
  struct chart_looks *looks; /* of the file */
};

const char *plot_data(const char *name) {
  struct algorithm algorithm;
  bool found = name && catalogue_find(name, &algorithm, NULL) == 0;
  return found && algorithm.algo->in_memory ? "data in main memory" : "";
}

/* Return the cell of COLUMN in ROW of the part CONTEXT, for chart_rows. Beside the columns of the table there
 * are `machine`, the platform without overrides, `data`, where data lies, and each key of --set. */
static const char *part_cell(const void *context, size_t row, const char *column) {
  const struct part *part = context;
  row = part->rows[row];
  const char *found = table_cell(part->table, row, column), *label = table_cell(part->table, row, "platform");
  size_t length = strlen(column);
  if (found || !label) {
    return found;
  }
  const char *setting = strchr(label, '[');
  if (strcmp(column, "data") == 0) {
    return plot_data(table_cell(part->table, row, "algorithm"));
  }
  if (strcmp(column, "machine") == 0) {
    return text_brief("%.*s", (int)strcspn(label, "["), label);
  }
  for (; setting; setting = strchr(setting, ';')) {
    setting++;
    if (strncmp(setting, column, length) == 0 && setting[length] == '=') {
      setting += length + 1;
      return text_brief("%.*s", (int)strcspn(setting, ";]"), setting);
    }
  }
  return NULL;
}

/* --- keys --- */

/* Add the key NAME of LENGTH letters to PART, with the number of its values, unless it is there. */
static void add_key(struct part *part, const char *name, size_t length) {
  struct key key = {.name = text_keep(text_brief("%.*s", (int)length, name))};
  SCOPED const char **values = xcalloc(part->n + 1, sizeof *values);
  if (VEC_FIND(part->keys, part->nkeys, item->name == key.name)) {
    return;
  }
  for (size_t row = 0; row < part->n; row++) {
    const char *text = text_keep(part_cell(part, row, key.name));
    if (text && !VEC_FIND(values, key.nvalues, *item == text)) {
      values[key.nvalues++] = text;
      key.words |= text[strspn(text, "-+.0123456789e")] != '\0';
    }
  }
  if (key.nvalues) {
    VEC_ADD(part->keys, part->nkeys) = key;
  }
}

/* Find the keys of PART: those of KIND, those of --set, and where and with what calls were made. */
static void find_keys(struct part *part, const char *names) {
  for (const char *name = names; name; name = strchr(name, ',')) {
    name += *name == ',';
    add_key(part, name, strcspn(name, ","));
  }
  for (size_t row = 0; row < part->n; row++) {
    const char *label = part_cell(part, row, "platform"), *setting = label ? strchr(label, '[') : NULL;
    for (; setting; setting = strchr(setting, ';')) {
      setting++;
      add_key(part, setting, strcspn(setting, "="));
    }
  }
  add_key(part, "ranks", 5);
  add_key(part, "bytes", 5);
}

/* --- charts --- */

/* Return the title of a chart of the ROWS of PART: TITLE and the keys that have one value.
 * owner: the caller. */
static char *title_of(const struct part *part, const struct chart_rows *rows, const char *title) {
  char *text = xstrdup(title);
  VEC_EACH(key, part->keys, part->nkeys) {
    SCOPED char *value = chart_tell(rows, 0, key->name);
    if (key->nvalues == 1 && *value && strcmp(value, "0") != 0) {
      xappend(&text, ", %s", value);
    }
  }
  return text;
}

/* Tell whether the rows of PART with the same X have the same number of ranks, as with -n all. */
static bool ranks_follow(const struct part *part, const char *x) {
  bool follow = true;
  for (size_t row = 1; follow && row < part->n; row++) {
    const char *value = text_keep(part_cell(part, row, x));
    size_t first = 0;
    while (text_keep(part_cell(part, first, x)) != value) {
      first++;
    }
    follow = strcmp(part_cell(part, first, "ranks"), part_cell(part, row, "ranks")) == 0;
  }
  return follow;
}

/* Tell whether the values of KEY of PART tell curves over X apart. */
static bool makes_series(const struct part *part, const struct key *key, const char *x) {
  return key->nvalues > 1 && (!x || strcmp(key->name, x) != 0) &&
         (strcmp(key->name, "ranks") != 0 || !x || !ranks_follow(part, x));
}

/* Return the key of PART with the most values, or NULL: without X the last key of numbers or of --set, with X
 * the first key of curves over X but the algorithm. */
static const struct key *varied_most(const struct part *part, const char *x) {
  const struct key *most = NULL;
  for (size_t i = 0; i < part->nkeys; i++) {
    const struct key *key = &part->keys[i];
    bool fits =
      x ? i > 0 && makes_series(part, key, x) : key->nvalues > 1 && (!key->words || strchr(key->name, '.'));
    most = fits && (!most || key->nvalues + !x > most->nvalues) ? key : most;
  }
  return most;
}

/* Return the name of the key of PART whose values have panels of their own; NULL: one panel has room for all
 * curves over X, or one key makes all curves. NRANKS is the length of --ranks; 1: ranks follow machines. */
static const char *panels_of(const struct part *part, const char *x, size_t nranks) {
  const struct key *most = varied_most(part, x);
  size_t ncurves = 1;
  VEC_EACH(key, part->keys, part->nkeys) {
    bool counts = nranks > 1 || strcmp(key->name, "ranks") != 0;
    ncurves *= counts && makes_series(part, key, x) ? key->nvalues : 1;
  }
  return most && ncurves > most->nvalues && ncurves > CHART_SERIES_MAX ? most->name : NULL;
}

/* Return the keys of PART but X and PANELS that have several values, separated by commas.
 * owner: the caller. */
static char *series_of(const struct part *part, const char *x, const char *panels) {
  char *text = xstrdup("");
  VEC_EACH(key, part->keys, part->nkeys) {
    const char *name = key->name;
    if (makes_series(part, key, x) && (!panels || strcmp(name, panels) != 0)) {
      xappend(&text, "%s%s", *text ? "," : "", name);
    }
  }
  return text;
}

/* Return the title of the axis with the values of KEY, a parameter of a machine, with the unit.
 * owner: the caller; NULL: KEY is no parameter with a unit. */
static char *axis_of(const struct machines *machines, const char *key) {
  struct platform_entry entry;
  for (size_t i = 0; key && i < machines->n; i++) {
    if (platform_find_entry(machines->platforms[i], key, &entry) && !strstr("count names list", entry.unit)) {
      return xasprintf("%s (%s)", key, entry.unit);
    }
  }
  return NULL;
}

/* Return the columns PANELS, which may be NULL, and `data` if the calls of PART differ in the column.
 * owner: the caller. */
static char *places_of(struct part *part, const struct plot_kind *kind, const struct opts *opts,
                       const char *panels) {
  add_key(part, "data", strlen("data"));
  bool differ = kind->run == cmd_run && !opts->relative &&
                VEC_FIND(part->keys, part->nkeys, strcmp(item->name, "data") == 0 && item->nvalues > 1);
  return xasprintf("%s%s%s", panels ? panels : "", panels && differ ? "," : "", differ ? "data" : "");
}

/* Make the chart of PART, rows of KIND, with the title WHAT. */
static struct chart *chart_of(struct part *part, const struct plot_kind *kind, const struct session *session,
                              const char *what) {
  const struct opts *opts = &session->opts;
  const struct chart_rows rows = {part, part->n, part_cell};
  find_keys(part, kind->keys ? kind->keys : "machine");
  SCOPED char *title = title_of(part, &rows, what);
  const struct key *most = varied_most(part, NULL);
  const char *x = opts->x ? opts->x : most ? most->name : NULL;
  const char *panels =
    kind->panels || kind->groups || opts->relative ? kind->panels : panels_of(part, x, opts->ranks.n);
  SCOPED char *series = series_of(part, x, panels), *others = series_of(part, "bytes", "ranks"),
              *maps = xasprintf("collective%s%s", *others ? "," : "", others),
              *x_title = axis_of(&session->machines, x);
  bool seeds = opts_skew_seeds(&opts->skew) > 1,
       grid = strstr(series, "ranks") && x && strcmp(x, "bytes") == 0;
  SCOPED char *places = places_of(part, kind, opts, panels);
  struct chart_spec spec = {.title = title,
                            .kind = CHART_CURVES,
                            .x = x,
                            .y = kind->y,
                            .series = kind->solid && !*series ? "model" : series,
                            .solid = kind->solid,
                            .panels = *places ? places : NULL,
                            .x_title = x_title,
                            .y_title = kind->groups ? part_cell(part, 0, kind->groups) : NULL,
                            .linear = kind->linear,
                            .relative = opts->relative};
  if (!kind->keys) {
    spec = (struct chart_spec){.title = title,
                               .kind = CHART_MAP,
                               .x = "ranks",
                               .y = "bytes",
                               .series = "best_of_all",
                               .panels = maps,
                               .unsure = "robust",
                               .about = "ranks,best_of_all,ns,runner_up,margin_percent,ns_least,ns_most"};
  } else if (kind->run == cmd_published) {
    spec.kind = CHART_ORDER;
    spec.series = "role";
    spec.looks = "derived,fit,test";
    spec.about = "id";
    spec.low = "error_low";
    spec.high = "error_high";
    spec.y_title = "error (%)";
  } else if (kind->solid && (!x || grid || part->keys[0].nvalues > FEW)) {
    spec = (struct chart_spec){.title = "Errors of the models over all points",
                               .kind = CHART_SHARES,
                               .y = "error_percent",
                               .series = "model",
                               .y_title = "largest error among them (%)",
                               .linear = true};
  } else if (!x || (!*series && most && most->words)) { /* words alone: names of bars */
    spec.kind = seeds ? CHART_SHARES : CHART_BARS;
    spec.linear = true;
    spec.series = x ? x : series;
    spec.x = NULL;
  }
  spec.shared = part->looks;
  return chart_new(&spec, &rows);
}

int plot_check(struct session *session) {
  const struct opts *opts = &session->opts;
  const char *known[64] = {"algorithm", "machine",   "ranks", "bytes",
                           "benchmark", "parameter", "model", "skew_seed"};
  size_t n = 8;
  for (size_t i = 0; i < opts->sets.n && n < VEC_LENGTH(known); i++) {
    known[n++] = opts->sets.items[i].key;
  }
  const char *nearest = suggest_nearest(opts->x, known, n);
  if (nearest && strcmp(nearest, opts->x) == 0) {
    return CLI_DONE;
  }
  return session_refuse(session, CLI_USAGE, "--x: '%.60s' is no key of the rows, expected %s", opts->x,
                        nearest ? nearest : "ranks, bytes, or a key that is given with --set");
}

/* Charts that go into a file. */
struct charts {
  struct chart **items;
  size_t n;
  struct chart_looks looks;
};

static void draw(const void *context, FILE *stream) {
  const struct charts *charts = context;
  chart_write(charts->items, charts->n, stream);
}

/* Check that there is something in CHARTS, and not too much. */
static int check_series(const struct charts *charts, struct err *err) {
  size_t n = 0;
  VEC_EACH(chart, charts->items, charts->n) {
    VEC_EACH(panel, (*chart)->panels, (*chart)->n) {
      n += panel->n;
    }
  }
  if (n > SERIES_MAX) {
    return err_set(err, "--plot: %zu curves or bars, expected at most %d", n, SERIES_MAX);
  }
  if (n == 0) {
    err_set(err, "--plot: nothing has a value, expected at least one row");
  }
  return n ? 0 : PLOT_NOTHING;
}

int plot_table(const struct session *session, struct err *err) {
  const struct plot_kind *kind = kinds;
  const struct table *table = session->table;
  struct charts charts = {0};
  while (kind->run != session->command->run) {
    kind++;
  }
  for (size_t row = 0; row < table_nrows(table); row++) {
    const char *group = kind->groups ? table_cell(table, row, kind->groups) : "";
    bool is_new = kind->groups ? *group : row == 0;
    for (size_t before = 0; before < row && is_new; before++) {
      is_new = strcmp(table_cell(table, before, kind->groups), group) != 0;
    }
    if (is_new) {
      struct part part = {
        .table = table, .rows = xcalloc(table_nrows(table) + 1, sizeof *part.rows), .looks = &charts.looks};
      for (size_t other = 0; other < table_nrows(table); other++) {
        if (!kind->groups || strcmp(table_cell(table, other, kind->groups), group) == 0) {
          part.rows[part.n++] = other;
        }
      }
      SCOPED char *title = xasprintf("%s%s%s", kind->title, *group ? " " : "", group);
      VEC_ADD(charts.items, charts.n) = chart_of(&part, kind, session, title);
      free(part.keys);
      free(part.rows);
    }
  }
  int status = check_series(&charts, err);
  status = status == 0 ? session_picture(session, (struct picture){draw, &charts, NULL}, session->opts.plot)
                       : status;
  VEC_EACH(chart, charts.items, charts.n) {
    chart_free(*chart);
  }
  free(charts.items);
  chart_looks_fini(&charts.looks);
  return status;
}
