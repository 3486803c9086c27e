/* SPDX-License-Identifier: BSD-3-Clause */
#include "draw/view/view.h"

#include "draw/html.h"
#include "draw/platform/platform_drawing.h"
#include "draw/platform/platform_layout.h"
#include "draw/sheets.h"
#include "draw/timeline/timeline.h"
#include "platform/parameters.h"
#include "platform/platform.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { JOIN_ROWS = 512 /* so many rows back a row to join is looked for */ };

/* A table: the name in the page, and the number of columns before joining. */
struct view_form {
  const char *name;
  unsigned columns;
  int64_t join_cycles; /* maximum between two rows to join; 0: rows are never joined */
};

static const struct view_form view_forms[] = {
  [VIEW_GRANTS] = {"grants", 5, 64},
  [VIEW_CROSSINGS] = {"crossings", 3, 64},
  [VIEW_DELIVERIES] = {"deliveries", 5, 256},
  [VIEW_MEMORY] = {"memory", 3, 64},
  [VIEW_ATOMICS] = {"atomics", 5, 0},
  [VIEW_COMMANDS] = {"commands", 7, 0},
  [VIEW_PROGRAMS] = {"programs", 4, 0},
  [VIEW_PATH] = {"path", 8, 0},
  [VIEW_STAYS] = {"stays", 4, 0},
};

unsigned view_columns(const struct view_call *call, enum view_table table) {
  bool is_named = call->nsteps > 0 && (table == VIEW_COMMANDS || table == VIEW_PATH);
  return view_forms[table].columns + is_named + (call->joined && view_forms[table].join_cycles ? 2 : 0);
}

static const int64_t *row_of(const struct view_call *call, enum view_table table, size_t i) {
  return &call->rows[table].cells[i * view_columns(call, table)];
}

/* A loop over the rows of TABLE of CALL. */
#define EACH_ROW(row, call, table) \
  for (const int64_t *row = (call)->rows[table].cells; row < row_of(call, table, (call)->rows[table].n); \
       row += view_columns(call, table))

unsigned view_count_chips(const struct view *view) {
  static const enum view_table tables[] = {VIEW_GRANTS, VIEW_MEMORY, VIEW_PROGRAMS};
  int64_t spes = view->platform->spes_per_chip, last = 0;
  VEC_EACH(call, view->calls, view->ncalls) {
    VEC_EACH(table, tables, VEC_LENGTH(tables)) {
      EACH_ROW(row, *call, *table) {
        int64_t who = row[1], chip = *table != VIEW_PROGRAMS ? who : who < 0 ? -1 - who : who / spes;
        RAISE(last, chip);
      }
    }
  }
  return (unsigned)last + 1;
}

void view_add(struct view_call *call, enum view_table table, const int64_t *row) {
  struct view_rows *rows = &call->rows[table];
  unsigned columns = view_columns(call, table);
  if (rows->n == rows->room) {
    rows->room = 2 * rows->room + 64;
    rows->cells = xrealloc(rows->cells, rows->room * columns, sizeof *rows->cells);
  }
  memcpy(&rows->cells[rows->n++ * columns], row, columns * sizeof *row);
}

/* Compare two rows of as many columns as CONTEXT says, by the first column that differs. */
static int compare(const void *a, const void *b, void *context) {
  const int64_t *one = a, *other = b;
  unsigned columns = *(const unsigned *)context, i = 0;
  while (i + 1 < columns && one[i] == other[i]) {
    i++;
  }
  return (one[i] > other[i]) - (one[i] < other[i]);
}

/* Sort the rows of all tables of CALL by cycle. */
static void sort_tables(struct view_call *call) {
  for (unsigned i = 0; i < VIEW_TABLES; i++) {
    struct view_rows *rows = &call->rows[i];
    unsigned columns = view_columns(call, i);
    if (rows->n > 0) {
      qsort_r(rows->cells, rows->n, columns * sizeof *rows->cells, compare, &columns);
    }
  }
}

/* Return the row of CALL's TABLE that ROW, of the form before joining, continues; NULL: there is none. */
static int64_t *find_stream(struct view_call *call, enum view_table table, const int64_t *row) {
  struct view_rows *rows = &call->rows[table];
  unsigned plain = view_forms[table].columns;
  size_t same = (plain - 1 - (table == VIEW_DELIVERIES)) * sizeof *row; /* the last column has the bytes */
  for (size_t i = rows->n; i > 0 && rows->n - i < JOIN_ROWS; i--) {
    int64_t *stream = &rows->cells[(i - 1) * (plain + 2)];
    if (row[0] - stream[0] - stream[plain + 1] < view_forms[table].join_cycles &&
        memcmp(row + 1, stream + 1, same) == 0) {
      return stream;
    }
  }
  return NULL;
}

void view_join(struct view_call *call) {
  sort_tables(call);
  call->joined = true;
  for (unsigned table = 0; table < VIEW_TABLES; table++) {
    struct view_rows plain = call->rows[table];
    unsigned columns = view_forms[table].columns;
    if (!view_forms[table].join_cycles) {
      continue;
    }
    call->rows[table] = (struct view_rows){0};
    for (size_t i = 0; i < plain.n; i++) {
      int64_t row[VIEW_COLUMNS_MAX + 2], *stream = find_stream(call, table, &plain.cells[i * columns]);
      if (stream) {
        stream[columns - 1] += table == VIEW_DELIVERIES ? plain.cells[i * columns + columns - 1] : 0;
        stream[columns]++;
        stream[columns + 1] = plain.cells[i * columns] - stream[0];
      } else {
        memcpy(row, &plain.cells[i * columns], columns * sizeof *row);
        row[columns] = 1;
        row[columns + 1] = 0;
        view_add(call, table, row);
      }
    }
    free(plain.cells);
  }
}

/* Write the tables of CALL, sorted, as members of a JSON object: lists of numbers, first the number of
 * columns; of a cycle the difference from the cycle of the row before. */
static void write_rows(const struct view_call *call, FILE *stream) {
  for (unsigned i = 0; i < VIEW_TABLES; i++) {
    const struct view_rows *rows = &call->rows[i];
    unsigned columns = view_columns(call, i);
    int64_t last = 0;
    if (i == VIEW_STAYS && rows->n == 0) {
      continue;
    }
    fprintf(stream, "%s\"%s\":[%u", i ? "," : "", view_forms[i].name, columns);
    for (size_t j = 0; j < rows->n * columns; j++) {
      fprintf(stream, ",%" PRId64, rows->cells[j] - (j % columns == 0 ? last : 0));
      last = j % columns == 0 ? rows->cells[j] : last;
    }
    fputs("]", stream);
  }
}

void view_call_free(struct view_call *call) {
  for (unsigned i = 0; call && i < VIEW_TABLES; i++) {
    free(call->rows[i].cells);
  }
  if (call) {
    free(call->title);
    free(call->note);
    free(call->steps);
    free(call);
  }
}

/* --- the picture without a script --- */

enum { TRAIL_CYCLES = 200 };

static const double margin = 8; /* of the lines above a picture */

static const char *const state_words[VIEW_STATES] = {"works", "waits", "DMA", "atomic", "done", "computes"};

/* Return the unit of LAYOUT with program WHO; NULL: there is none. */
static struct draw_unit *find_unit(struct platform_layout *layout, int64_t who) {
  return VEC_FIND(layout->units, layout->nunits,
                  who >= 0 ? item->spe == who : item->kind == DRAW_PPE && item->chip == -1 - who);
}

/* Return the cycle of the picture of CALL, sorted, without a script: half of the bytes have arrived. */
static int64_t still_cycle(const struct view_call *call) {
  size_t i = 0, end = call->rows[VIEW_DELIVERIES].n;
  int64_t more = 0; /* bytes before row I, less bytes from row END on */
  while (i < end) {
    more += more <= 0 ? row_of(call, VIEW_DELIVERIES, i++)[4] : -row_of(call, VIEW_DELIVERIES, --end)[4];
  }
  return i > 0 ? *row_of(call, VIEW_DELIVERIES, i - 1) : (int64_t)call->cycles / 2;
}

static void mark(struct draw_unit *unit) {
  if (unit) {
    unit->marked = true;
  }
}

/* Write the states of programs and the critical path at cycle NOW into the units of LAYOUT. */
static void show_programs(const struct view_call *call, int64_t now, struct platform_layout *layout) {
  struct draw_unit *unit;
  EACH_ROW(row, call, VIEW_PROGRAMS) {
    if (row[0] <= now && now < row[0] + row[2] && (unit = find_unit(layout, row[1])) != NULL) {
      unit->word = state_words[row[3]];
    }
  }
  EACH_ROW(row, call, VIEW_PATH) {
    if (row[0] <= now && now < row[0] + row[1]) {
      mark(find_unit(layout, row[2]));
      mark(row[6] >= 0 ? find_unit(layout, row[6]) : NULL);
    }
  }
}

/* Write the parts of the bytes delivered until cycle NOW into the units of LAYOUT. */
static void show_bytes(const struct view_call *call, int64_t now, struct platform_layout *layout) {
  VEC_EACH(unit, layout->units, layout->nunits) {
    double held = 0, all = 0;
    EACH_ROW(row, call, VIEW_DELIVERIES) {
      if (unit->spe >= 0 && row[1] == unit->spe) {
        all += (double)row[4];
        held += row[0] <= now ? (double)row[4] : 0;
      }
    }
    unit->held = all > 0 ? held / all : 0;
  }
}

/* A ring of a chip. */
struct lit_ring {
  const struct platform_layout *layout;
  unsigned chip, number;
};

/* Append the way of GRANT on RING to PATH. */
static void add_arc(const struct lit_ring *ring, const int64_t *grant, char **path) {
  const struct platform_layout *layout = ring->layout;
  const struct draw_track *track = &layout->tracks[ring->number];
  int64_t n = (int64_t)(layout->nunits / layout->nchips), way = track->clockwise ? 1 : -1;
  int64_t hops = ((grant[4] - grant[3]) * way + n) % n;
  const struct draw_unit *from = &layout->units[ring->chip * n + grant[3]];
  struct draw_point centre = layout->chips[ring->chip].centre;
  double begin = atan2(from->ramp.y - centre.y, from->ramp.x - centre.x),
         end = begin + (double)(way * hops) * 2 * M_PI / (double)n, r = track->radius;
  xappend(path, "M%.1f %.1fA%.1f %.1f 0 %d %d %.1f %.1f", centre.x + r * cos(begin),
          centre.y + r * sin(begin), r, r, 2 * hops > n, track->clockwise, centre.x + r * cos(end),
          centre.y + r * sin(end));
}

/* Write two paths for RING on XML, for a script to change: of the transfers since some cycles before NOW the
 * path "trail", and the path "now", empty. */
static void write_arcs(const struct view_call *call, const struct lit_ring *ring, int64_t now,
                       struct xml_writer *xml) {
  char *path = xstrdup("");
  EACH_ROW(row, call, VIEW_GRANTS) {
    if (row[1] == ring->chip && row[2] == ring->number && now - TRAIL_CYCLES < row[0] && row[0] <= now) {
      add_arc(ring, row, &path);
    }
  }
  for (int i = 0; i < 2; i++) {
    xml_write_empty(xml, "path class='%s %s' id='%schip%u-%s%u' d='%s'", i ? "now" : "trail",
                    ring->layout->tracks[ring->number].clockwise ? "cw" : "ccw", ring->layout->prefix,
                    ring->chip, i ? "now" : "trail", ring->number, i ? path : "");
  }
  free(path);
}

/* Write the machine of VIEW, laid out as LAYOUT, at that moment of CALL into the svg element just begun in
 * XML. */
static void add_still(const struct view *view, const struct view_call *call, struct platform_layout *layout,
                      struct xml_writer *xml) {
  int64_t now = still_cycle(call);
  show_programs(call, now, layout);
  show_bytes(call, now, layout);
  platform_drawing_add_figure(layout, view->platform, xml);
  for (unsigned i = 0; i < layout->nchips; i++) {
    for (unsigned j = 0; j < layout->ntracks; j++) {
      write_arcs(call, &(struct lit_ring){layout, i, j}, now, xml);
    }
  }
  platform_drawing_add_numbers(layout, xml);
}

/* Add to LAYOUT what CALL is, how CALL was made, and which moment is shown.
 * returns: the height of these lines. */
static double add_head(const struct view_call *call, struct platform_layout *layout) {
  struct draw_text text = {.text = call->title, .baseline = {margin, 18}, .size = 13, .bold = true};
  double width = layout->width - 2 * margin;
  text_lines_add_paragraph(layout, &text, width);
  text.bold = false;
  SCOPED char *moment =
    xasprintf("%s; the transfers of the %d cycles before cycle %s of %s", call->note, TRAIL_CYCLES,
              timeline_number((uint64_t)still_cycle(call)), timeline_number(call->cycles));
  text.text = moment;
  text_lines_add_paragraph(layout, &text, width);
  return text.baseline.y;
}

void view_write_still(const struct view *view, FILE *stream) {
  struct view_call *call = view->calls[0];
  struct platform_layout *layout = platform_layout_new(view->platform, DRAW_FIGURE, "");
  struct xml_writer *xml = xml_write_new(stream);
  sort_tables(call);
  double head = add_head(call, layout);
  xml_write_declaration(xml);
  xml_write_indent(xml, "");
  xml_write_begin(xml, "svg xmlns='http://www.w3.org/2000/svg' class='machine' viewBox='0 0 %.0f %.0f'",
                  ceil(layout->width), ceil(layout->height + head));
  xml_write_element(xml, "title", "%s", call->title);
  xml_write_begin(xml, "style");
  xml_write_markup(xml, sheet_still_css);
  xml_write_end(xml);
  xml_write_empty(xml, "rect class='back' width='100%%' height='100%%'");
  platform_drawing_add_texts(layout, xml);
  xml_write_begin(xml, "g transform='translate(0 %.1f)'", head);
  add_still(view, call, layout, xml);
  xml_write_end(xml);
  xml_write_end(xml);
  xml_write_free(xml);
  platform_layout_free(layout);
}

/* --- the page --- */

enum { FONT = 12 /* of letters in figures */ };

/* The least size of a letter on a screen, the width of a page beside a figure, the largest scale of a
 * figure. */
static const double least_font = 10.5, beside = 56, scale_most = 1.6;
static const double small_screen = 699; /* as in view.css */

/* Return the least width on a screen of the figure of LAYOUT with legible letters. */
static double legible(const struct platform_layout *layout) {
  return ceil(ceil(layout->width) * least_font / FONT);
}

/* Write the figure of CALL in FORM; CLASS selects the screens of the figure. A screen narrower than a legible
 * column scrolls the column. */
static void write_figure(const struct view *view, const struct view_call *call, enum draw_form form,
                         const char *class, struct xml_writer *page) {
  SCOPED char *prefix =
    xasprintf("%s%s", call == view->calls[0] ? "" : "b-", form == DRAW_COLUMN ? "column-" : "");
  struct platform_layout *layout = platform_layout_new(view->platform, form, prefix);
  xml_write_begin(page,
                  "svg class='machine %s' data-prefix='%s' viewBox='0 0 %.0f %.0f' "
                  "style='min-width:%.0fpx;max-width:%.0fpx' role='img'",
                  class, prefix, ceil(layout->width), ceil(layout->height),
                  form == DRAW_COLUMN ? legible(layout) : 0, layout->width * scale_most);
  xml_write_attribute(
    page, "aria-label",
    "%s: the chips of the machine, each a circle of %zu units around %zu rings. Lit arcs are "
    "transfers.",
    call->title, layout->nunits / layout->nchips, layout->ntracks);
  add_still(view, call, layout, page);
  xml_write_end(page);
  xml_write_line(page);
  platform_layout_free(layout);
}

/* Return the width of a screen on which the letters of the figure of FORM are legible. */
static double find_width(const struct view *view, enum draw_form form) {
  struct platform_layout *layout = platform_layout_new(view->platform, form, "");
  double width = legible(layout) + beside;
  platform_layout_free(layout);
  return width;
}

/* Write the style of the page: calls are beside one another where the narrow figures are legible, and the
 * wide figures are shown where all of these are legible. A column of more than two chips, made as low as the
 * screen (view.css), is less legible than the wide figure: only small screens have the column then.
 * owner: the caller. */
static char *write_style(const struct view *view) {
  double wide = (double)view->ncalls * find_width(view, DRAW_FIGURE);
  return xasprintf("%s.calls{grid-template-columns:repeat(auto-fit,minmax(min(100%%,%.0fpx),1fr))}\n"
                   "@media(max-width:%.0fpx){figure svg.machine.wide{display:none}figure "
                   "svg.machine.narrow{display:block}}\n",
                   sheet_view_css, find_width(view, DRAW_COLUMN) - beside,
                   view->platform->blade.chips > 2 ? fmin(wide, small_screen) : wide);
}

static void write_call(const struct view *view, const struct view_call *call, struct xml_writer *page) {
  bool several = view->platform->blade.chips > 1;
  html_block_begin(page, "section", "call");
  if (view->ncalls > 1) {
    html_block(page, "h2", NULL, "%s", call->title);
  }
  html_block(page, "p", "soft", "%s", call->note);
  if (call->joined) {
    html_block(
      page, "p", "soft",
      "Transfers on one way that follow one another within %lld cycles are drawn, and counted as under "
      "way, as one: the page would be too large otherwise.",
      (long long)view_forms[VIEW_GRANTS].join_cycles);
  }
  xml_write_begin(page, "figure class='zoom scroll' tabindex='0'");
  write_figure(view, call, DRAW_FIGURE, several ? "wide" : "only", page);
  if (several) {
    write_figure(view, call, DRAW_COLUMN, "narrow", page);
  }
  xml_write_begin(page, "noscript");
  html_block(
    page, "p", "soft",
    "The picture is a still: the transfers of the last cycles before cycle %lld. With scripts it plays.",
    (long long)still_cycle(call));
  html_block_end(page);
  html_block_end(page);
  xml_write_markup(
    page, "<div class=\"told\" hidden>\n<p class=\"status\" role=\"status\"></p>\n<p class=\"why\"></p>\n"
          "<p class=\"moves soft\"></p>\n<div class=\"zoom scroll\" tabindex=\"0\"><svg class=\"lanes\" "
          "role=\"img\"></svg></div>\n"
          "<div class=\"scroll\" tabindex=\"0\"><table class=\"causes\"></table></div>\n</div>\n");
  html_block_end(page);
}

/* Write WORDS, up to NULL, as the list NAME, a repetition of the word before as "". */
static void write_words(FILE *stream, const char *name, const char *const *words) {
  fprintf(stream, "\"%s\":[", name);
  for (size_t i = 0; words[i]; i++) {
    fprintf(stream, "%s\"%s\"", i ? "," : "", i && words[i] == words[i - 1] ? "" : words[i]);
  }
  fputs("],\n", stream);
}

/* Write the data of the script. */
static void write_data(const struct view *view, struct xml_writer *page) {
  SCOPED char *text = NULL;
  size_t nbytes;
  FILE *stream = open_memstream(&text, &nbytes);
  struct parameters parameters;
  parameters_init(&parameters, view->platform);
  fprintf(stream,
          "{\"ghz\":%.6g,\"rings\":[%u,%u],\"ring\":[%llu,%llu],\"link\":%llu,\"memory\":[%.6g,%.6g],",
          parameters.clock_spu, parameters.eib_rings_clockwise, parameters.nrings,
          (unsigned long long)parameters.ring.beats, (unsigned long long)parameters.ring.hop,
          (unsigned long long)parameters.bif_data, (double)parameters.memory_read_mcyc / 1000,
          (double)parameters.memory_write_mcyc / 1000);
  write_words(stream, "kinds", view->kinds);
  write_words(stream, "causes", view->causes);
  write_words(stream, "meanings", view->meanings);
  fputs("\"calls\":[", stream);
  for (size_t i = 0; i < view->ncalls; i++) {
    const struct view_call *call = view->calls[i];
    fprintf(stream, "%s{\"cycles\":%llu,\"still\":%lld,", i ? ",\n" : "", (unsigned long long)call->cycles,
            (long long)still_cycle(call));
    if (call->nsteps > 0) {
      write_words(stream, "steps", call->steps);
    }
    write_rows(call, stream);
    fputs("}", stream);
  }
  fputs("]}", stream);
  fclose(stream);
  xml_write_begin(page, "script id='data' type='application/json'");
  xml_write_markup(page, text);
  html_block_end(page);
}

void view_write_page(const struct view *view, FILE *stream) {
  struct xml_writer *page = xml_write_new(stream);
  const struct view_call *last = view->calls[view->ncalls - 1];
  SCOPED char *style = write_style(view);
  SCOPED char *title = xasprintf("%s%s%s", view->calls[0]->title, view->ncalls > 1 ? "; " : "",
                                 view->ncalls > 1 ? last->title : "");
  VEC_EACH(call, view->calls, view->ncalls) {
    sort_tables(*call);
  }
  html_begin(page, title, style);
  html_main(page);
  html_block_begin(page, "div", "calls");
  VEC_EACH(call, view->calls, view->ncalls) {
    write_call(view, *call, page);
  }
  html_block_end(page);
  xml_write_markup(page, sheet_view_html);
  write_data(view, page);
  xml_write_begin(page, "script");
  xml_write_line(page);
  xml_write_markup(page, sheet_view_js);
  html_block_end(page);
  html_end(page);
  xml_write_free(page);
}
