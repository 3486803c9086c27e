/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run/run_ways.h"

#include "algos/catalogue.h"
#include "cli/output/provenance.h"
#include "cli/output/terminal.h"
#include "cli/run/call_timeline.h"
#include "cli/run/run_points.h"
#include "cli/run/run_table.h"
#include "cli/session.h"
#include "cli/sweep.h"
#include "cli/table.h"
#include "draw/picture.h"
#include "draw/timeline/timeline.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/origin.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "traces/event_log.h"
#include "validate/lab/call/call_watch.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/ledger/store.h"
#include "validate/model/what_if.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- what happens, line by line --- */

struct verbose {
  struct observer observer;
  struct cycle_lines lines;
  struct event_log log;
};

static void begin(struct observer *observer, const struct machine_nodes *nodes) {
  struct verbose *verbose = (struct verbose *)observer;
  verbose->lines.margin = nodes->look_ahead;
  verbose->lines.names = nodes->names;
  event_log_init(&verbose->log, &verbose->lines, nodes->has_network ? nodes->n : 0);
}

static void end(struct observer *observer) {
  cycle_lines_reach(&((struct verbose *)observer)->lines, UINT64_MAX);
}

static void *begin_verbose(struct session *session, struct point *point) {
  struct verbose *verbose = xcalloc(1, sizeof *verbose);
  (void)session;
  verbose->lines.stream = stderr;
  verbose->observer = (struct observer){
    .next = point->call.observers, .begin = begin, .probe = &verbose->log.probe, .end = end};
  point->call.observers = &verbose->observer;
  return verbose;
}

static int end_verbose(void *watch, struct session *session, const struct call_made *made) {
  SCOPED struct verbose *verbose = watch;
  (void)session;
  fputs(made->outcome.parts ? made->outcome.parts : "", stderr);
  cycle_lines_fini(&verbose->lines);
  event_log_fini(&verbose->log);
  return CLI_DONE;
}

const struct way run_verbose = {OPT_VERBOSE, .watch = begin_verbose, .unwatch = end_verbose};

/* --- a trace --- */

/* A trace and its file. */
struct trace_file {
  struct outfile file;
  struct call_trace trace;
  char *origin; /* lines of provenance.h; NULL: the file begins with them, or none are asked for */
};

static int check_trace(struct runs *runs) {
  return run_single(runs->session, "--trace shows one run", runs->points.n);
}

static void *begin_trace(struct session *session, struct point *point) {
  const struct opts *opts = &session->opts;
  struct trace_file *trace = xcalloc(1, sizeof *trace);
  struct call *call = &point->call;
  const char *title = text_keep(call_words(call));
  if (outfile_open(&trace->file, opts->trace, session->err) != 0) {
    free(trace);
    return NULL;
  }
  const struct provenance from = session_provenance(session);
  enum trace_format format = trace_format_of(opts->trace);
  if (format == TRACE_PAJE || (format == TRACE_CSV && opts->provenance)) {
    provenance_write(&from, "# ", trace->file.stream);
  }
  if (format == TRACE_GOAL) {
    fprintf(trace->file.stream, "/* %s: %s */\n", origin_line(), title);
  }
  trace->origin = format == TRACE_JSON ? provenance_lines(&from) : NULL;
  const struct trace_spec spec = {.stream = trace->file.stream,
                                  .format = format,
                                  .level = opts->trace_level,
                                  .platform = machine_platform(point->machine),
                                  .program = origin_line(),
                                  .origin = trace->origin,
                                  .title = title};
  call_trace_init(&trace->trace, &spec, call);
  return trace;
}

/* A trace of an interrupted call can be read up to there; a refused call leaves no file. */
static int end_trace(void *watch, struct session *session, const struct call_made *made) {
  SCOPED struct trace_file *trace = watch;
  int status = call_trace_fini(&trace->trace, session->err);
  if (*made->result.refused || status != 0) {
    outfile_abandon(&trace->file);
  } else {
    status = outfile_close(&trace->file, session->err);
  }
  if (status == 0 && sweep_interrupted() && trace->trace.spec.format != TRACE_GOAL) {
    fprintf(stderr, "cellcoll: %s ends where the run was interrupted\n", session->opts.trace);
  }
  free(trace->origin);
  return status == 0 || call_stopped(&made->result) ? CLI_DONE : CLI_INPUT; /* a stop has its own exit code */
}

const struct way run_trace = {OPT_TRACE, .begin = check_trace, .watch = begin_trace, .unwatch = end_trace};

/* --- the call on machines with one better parameter, ranked --- */

static void add_gain(struct table *table, const struct point *call, const struct what_if_gain *gain) {
  for (size_t j = 0; j < WHAT_IF_FACTORS; j++) {
    if (gain->known[j]) {
      table_add(table, "%s %p %u %zu %s %.1f", catalogue_name(&call->call.algorithm),
                machine_platform(call->machine), call->call.nranks, call->call.nbytes, gain->name,
                what_if_factors[j]);
      table_add_mean(table, gain->cycles[j]);
      table_add(table, "%.2f %.1f %s", gain->change[j], gain->share * (1 - 1 / what_if_factors[j]),
                gain->note[j]);
    }
  }
}

/* Make the table of all that is known of the N CALLS of WHAT_IF.
 * returns: an exit code. */
static int add_all(struct session *session, const struct what_if *what_if, const struct points *points) {
  int code = CLI_DONE;
  SCOPED struct what_if_gain *gains = xcalloc(what_if_count(), sizeof *gains);
  for (size_t i = 0; i < points->n && code == CLI_DONE; i++) {
    struct call_result result;
    if (!what_if_find(what_if, i, &result, gains)) {
      continue;
    }
    if (*result.refused && points->n == 1) {
      code = session_refuse(session, CLI_INPUT, "%s", result.refused);
    } else if (*result.refused) {
      sweep_skip(result.refused);
    } else if (result.end != CALL_OK) {
      sweep_skip(text_brief("%s: %s", call_words(&points->items[i].call), result.wrong));
    } else {
      VEC_EACH(gain, gains, what_if_count()) {
        add_gain(session->table, &points->items[i], gain);
      }
    }
  }
  return code;
}

/* Run the calls of RUNS on their machines and on each better machine. */
static int make_what_if(struct runs *runs) {
  struct session *session = runs->session;
  struct points *points = &runs->points;
  if (session_table(session,
                    table_new("algorithm,platform,ranks,bytes,parameter,factor,cycles,change_percent,"
                              "possible_percent,note,version,platform_checksum")) != CLI_DONE) {
    return CLI_USAGE;
  }
  struct what_if *what_if = what_if_open(&session->ledger, points, sweep_skip);
  int status = ledger_settle(&session->ledger, what_if_ask, what_if, session->err);
  int code = add_all(session, what_if, points);
  code = status != 0        ? sweep_lost(&session->ledger)
         : code == CLI_DONE ? sweep_outcome(&session->ledger)
                            : code;
  what_if_close(what_if);
  return code;
}

const struct way run_what_if = {OPT_WHAT_IF, .of_requests = "--what-if", .instead = make_what_if};

/* --- the picture of one call, or of two calls of one collective one below the other --- */

static int check_timeline(struct runs *runs) {
  struct session *session = runs->session;
  bool aloud = strcmp(session->opts.timeline, "-") == 0;
  int code =
    run_pair(session, "--timeline draws one run, or two algorithms of one collective", runs->points.n);
  if (code == CLI_DONE && aloud && !session->opts.output && session->opts.format != TABLE_TEXT) {
    return session_refuse(
      session, CLI_USAGE,
      "--timeline - and --format=csv or json both on standard output, expected a file for one");
  }
  return code;
}

/* Return the number of columns of standard output, or of $COLUMNS if there is no terminal. */
static unsigned count_columns(void) {
  const char *text = getenv("COLUMNS");
  uint64_t columns = terminal_width();
  return columns < UINT_MAX ? (unsigned)columns
         : text && units_parse_count(text, &columns, NULL) == 0 && columns > 0 &&
             columns <= TIMELINE_COLUMNS_MOST
           ? (unsigned)columns
           : TIMELINE_COLUMNS_USUAL;
}

/* A picture of lanes, and where it goes. */
struct drawing {
  const struct session *session;
  struct timeline_picture lanes;
};

static void draw_svg(const void *context, FILE *stream) {
  const struct drawing *drawing = context;
  timeline_svg_write(&drawing->lanes, stream);
}

static void draw_text(const void *context, FILE *stream) {
  const struct drawing *drawing = context;
  const struct session *session = drawing->session;
  bool aloud = strcmp(session->opts.timeline, "-") == 0;
  if (session->opts.provenance && !aloud) {
    const struct provenance from = session_provenance(session);
    provenance_write(&from, "# ", stream);
  }
  timeline_text_write(drawing->lanes.calls, drawing->lanes.ncalls,
                      aloud ? count_columns() : TIMELINE_COLUMNS_USUAL, stream);
  fputs(aloud ? "\n" : "", stream);
}

/* Draw the calls, one or two, unless one has not ended. */
static int draw_timeline(struct runs *runs) {
  struct session *session = runs->session;
  const struct points *points = &runs->points;
  struct timeline *timeline[TIMELINE_CALLS_MAX] = {NULL};
  struct drawing drawing = {.session = session, .lanes = {.ncalls = points->n, .id = "timeline"}};
  int code = CLI_DONE;
  if (runs->code > CLI_FAILED) {
    return CLI_DONE;
  }
  for (size_t i = 0; i < points->n && code == CLI_DONE; i++) {
    drawing.lanes.calls[i] = timeline[i] =
      call_timeline(points->items[i].machine, &points->items[i].call, LANES_MAX, session->err);
    code = timeline[i] ? CLI_DONE : CLI_INPUT;
  }
  if (code == CLI_DONE) {
    sweep_clear_progress();
    const char *path = session->opts.timeline;
    bool aloud = strcmp(path, "-") == 0, is_text = aloud || strcmp(strrchr(path, '.'), ".txt") == 0;
    const struct picture picture = {is_text ? draw_text : draw_svg, &drawing, NULL};
    int status = is_text ? picture_write(&picture, aloud ? NULL : path, session->err)
                         : session_picture(session, picture, path);
    code = status == 0 ? CLI_DONE : CLI_INPUT;
  }
  for (size_t i = 0; i < points->n; i++) {
    timeline_free(timeline[i]);
  }
  return code;
}

const struct way run_timeline = {OPT_TIMELINE, .begin = check_timeline, .end = draw_timeline};

/* --- results against the results of an earlier run --- */

/* The columns that identify a call. A file of an older version may lack a column: `missing` is then the value
 * for all rows; NULL: the column is not compared. */
static const struct {
  const char *column, *missing;
} keys[] = {{"algorithm", NULL}, {"ranks", NULL},     {"bytes", NULL}, {"root", NULL},
            {"profile", NULL},   {"placement", NULL}, {"seed", "1"}};

/* The required columns of a file. */
static const char *const needed[] = {"algorithm", "platform", "ranks", "bytes", "cycles"};
enum { NKEYS = VEC_LENGTH(keys), NEEDED = VEC_LENGTH(needed) };

/* Maximum number of named runs without a counterpart. */
enum { NAMED_MAX = 5 };

static size_t count_cells(const char *line) {
  size_t n = 1;
  for (; *line; line++) {
    n += *line == ',';
  }
  return n;
}

static int add_line(struct table *table, char *line, size_t ncolumns, struct err *err) {
  if (count_cells(line) != ncolumns) {
    return err_set(err, "%zu cells, expected %zu, one for each name of a column", count_cells(line),
                   ncolumns);
  }
  for (char *rest = line; rest;) {
    table_add_text(table, strsep(&rest, ","));
  }
  return 0;
}

/* Check whether TABLE can be compared; ERR gets the defect, *NUMBER the line. */
static int check_contents(const struct table *table, size_t *number, struct err *err) {
  *number = 1;
  if (table_nrows(table) == 0) {
    return err_set(err, "no results, expected csv output of run");
  }
  const char *const *missing = VEC_FIND(needed, NEEDED, !table_cell(table, 0, *item));
  if (missing) {
    return err_set(err, "no column '%s', expected csv output of run", *missing);
  }
  for (size_t i = 0; i < table_nrows(table); i++) {
    const char *cycles = table_cell(table, i, "cycles");
    const char *const *empty =
      VEC_FIND(needed, NEEDED, strcmp(*item, "cycles") != 0 && !*table_cell(table, i, *item));
    *number = i + 2;
    if (empty) {
      return err_set(err, "nothing in column '%s', expected csv output of run", *empty);
    }
    if (cycles[strspn(cycles, "0123456789.")]) {
      return err_set(err, "'%.60s' in column 'cycles', expected a number", cycles);
    }
  }
  return 0;
}

/* Read TEXT, up to END or an empty line (counters follow the empty line), into a table; ERR gets the defect,
 * *NUMBER the line. */
static struct table *read_lines(char *text, const char *end, size_t *number, struct err *err) {
  struct table *table = NULL;
  size_t ncolumns = 0, ncomments = 0;
  int status = 0;
  for (*number = 1; status == 0 && text && text < end; ++*number) {
    char *line = strsep(&text, "\n");
    if (!text && line + strlen(line) < end) {
      status = err_set(err, "a NUL, expected csv output of run");
      continue;
    }
    line[strcspn(line, "\r")] = '\0';
    if (table && !*line) {
      break;
    }
    if (!table && *line == '#') { /* of --provenance */
      ncomments++;
      continue;
    }
    if (strchr(line, '"')) {
      status = err_set(err, "a quote, expected csv output of run");
    } else if (!table) {
      ncolumns = count_cells(line);
      table = table_new_foreign(line);
    } else {
      status = add_line(table, line, ncolumns, err);
    }
  }
  *number -= *number > 1;
  if (status == 0 && !table) {
    status = err_set(err, "an empty file, expected csv output of run");
  } else if (status == 0) {
    status = check_contents(table, number, err);
    *number += ncomments;
  }
  if (status != 0) {
    table_free(table);
    return NULL;
  }
  return table;
}

/* Read the calls of a build from a store; WHERE is STORE@BUILD, its last @ at AT. */
static struct table *read_store(const char *where, const char *at, struct err *err) {
  SCOPED char *path = xasprintf("%.*s", (int)(at - where), where);
  struct store *store = store_open(path, STORE_LOOK, err);
  const char *build = store ? store_find_build(store, at + 1, err) : NULL;
  struct table *table = build ? stored_runs(store, build, err) : NULL;
  store_close(store);
  return table;
}

struct table *baseline_read(const char *path, struct err *err) {
  const char *at = strrchr(path, '@');
  if (at && access(path, F_OK) != 0) {
    return read_store(path, at, err);
  }
  static const struct text_kind kind = {64 << 20, "64 MiB", "csv output of run"}; /* half a million runs */
  struct err why = {""};
  size_t number, nbytes;
  SCOPED char *text = text_read_file(path, &kind, &nbytes, err);
  if (!text) {
    return NULL;
  }
  struct table *table = read_lines(text, text + nbytes, &number, &why);
  if (!table) {
    err_set(err, "%s:%zu: %s", path, number, why.text);
  }
  return table;
}

/* Tell whether CELL and OTHER, of one column, are equal. MISSING takes the place of a cell that is NULL; if
 * MISSING is NULL as well, the column is not compared. */
static bool is_equal(const char *cell, const char *other, const char *missing) {
  cell = cell ? cell : missing;
  other = other ? other : missing;
  return !cell || !other || strcmp(cell, other) == 0;
}

/* Tell whether row I of RESULTS and row J of BASELINE are of the same call, on the same machine, which may be
 * written in several ways. */
static bool same_call(const struct table *results, size_t i, const struct table *baseline, size_t j) {
  const char *machine = table_cell(baseline, j, "platform_checksum") ? "platform_checksum" : "platform";
  bool same = is_equal(table_cell(results, i, machine), table_cell(baseline, j, machine), NULL);
  VEC_EACH(key, keys, NKEYS) {
    same = same &&
           is_equal(table_cell(results, i, key->column), table_cell(baseline, j, key->column), key->missing);
  }
  VEC_EACH(field, call_fields, CALL_FIELDS) {
    bool has_seed = field->kind->is_number && field->kind->append; /* which has a column apart */
    const char *usual = has_seed ? "0" : field->kind->usual;
    same = same && is_equal(table_cell(results, i, field->name), table_cell(baseline, j, field->name),
                            field->kind->combines ? NULL : usual);
  }
  return same;
}

/* Return the row of BASELINE for row I of RESULTS, or the number of rows if there is none. Usually both have
 * the same order. */
static size_t find_run(const struct table *baseline, const struct table *results, size_t i) {
  size_t n = table_nrows(baseline);
  for (size_t k = 0; k < n; k++) {
    size_t j = (i + k) % n;
    if (same_call(results, i, baseline, j)) {
      return j;
    }
  }
  return n;
}

/* Print WHAT about row I of TABLE, and DETAIL. */
static void tell_difference(const char *what, const struct table *table, size_t i, const char *detail) {
  fprintf(stderr, "cellcoll: %s: %s on %s ranks with %s bytes on %s%s\n", what,
          table_cell(table, i, "algorithm"), table_cell(table, i, "ranks"), table_cell(table, i, "bytes"),
          table_cell(table, i, "platform"), detail);
}

int baseline_compare(const struct table *baseline, const struct table *results, double tolerance,
                     struct err *err) {
  size_t n = table_nrows(results), nbaseline = table_nrows(baseline), unknown = 0, found = 0;
  SCOPED bool *is_found = xcalloc(nbaseline, sizeof *is_found);
  int slower = 0;
  for (size_t i = 0; i < n; i++) {
    size_t j = find_run(baseline, results, i);
    const char *now = table_cell(results, i, "cycles"),
               *then = j < nbaseline ? table_cell(baseline, j, "cycles") : "";
    if (*then) {
      found += !is_found[j];
      is_found[j] = true;
      if (*now && strtod(now, NULL) > strtod(then, NULL) * (1 + tolerance / 100)) {
        tell_difference("slower", results, i, text_brief(": %s cycles, %s in the baseline", now, then));
        slower++;
      }
    } else if (++unknown <= NAMED_MAX) {
      tell_difference("not in the baseline", results, i, "");
    }
  }
  if (n > 0 && unknown == n) {
    return err_set(err, "none of the %zu runs is in the baseline", n);
  }
  if (unknown) {
    fprintf(stderr, "cellcoll: %zu of %zu runs are not in the baseline\n", unknown, n);
  }
  if (found < nbaseline) {
    fprintf(stderr, "cellcoll: %zu of %zu runs of the baseline were not made\n", nbaseline - found,
            nbaseline);
  }
  return slower;
}

static int begin_baseline(struct runs *runs) {
  runs->baseline = baseline_read(runs->opts->baseline, runs->session->err);
  return runs->baseline ? CLI_DONE : CLI_INPUT;
}

static int end_baseline(struct runs *runs) {
  int slower = baseline_compare(runs->baseline, runs->rows, runs->opts->tolerance, runs->session->err);
  return slower < 0 ? CLI_INPUT : slower > 0 ? CLI_FAILED : CLI_DONE;
}

const struct way run_baseline = {OPT_BASELINE, .begin = begin_baseline, .end = end_baseline};
