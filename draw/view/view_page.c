/* SPDX-License-Identifier: BSD-3-Clause
 * See view.h: the page. */
#include "draw/html.h"
#include "draw/platform/platform_layout.h"
#include "draw/sheets.h"
#include "draw/view/view_private.h"
#include "platform/parameters.h"
#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <string.h>

enum { FONT = 12 /* of letters in figures */ };

/* The least size of a letter on a screen, the width of a page beside a figure, the largest scale of a
 * figure. */
static const double least_font = 10.5, beside = 56, scale_most = 1.6;
static const double small_screen = 699; /* as in view.css */

/* Write the figure of CALL in FORM; CLASS selects the screens of the figure. */
static void write_figure(const struct view *view, const struct view_call *call, enum draw_form form,
                         const char *class, struct xml_writer *page) {
  char prefix[24];
  snprintf(prefix, sizeof prefix, "%s%s", call == view->calls[0] ? "" : "b-",
           form == DRAW_COLUMN ? "column-" : "");
  struct platform_layout *layout = platform_layout_new(view->platform, form, prefix);
  xml_write_begin(
    page,
    "svg class='machine %s' data-prefix='%s' viewBox='0 0 %.0f %.0f' style='max-width:%.0fpx' role='img'",
    class, prefix, ceil(layout->width), ceil(layout->height), layout->width * scale_most);
  xml_write_attribute(
    page, "aria-label",
    "%s: the chips of the machine, each a circle of %zu units around %zu rings. Lit arcs are "
    "transfers.",
    call->title, layout->nunits / layout->nchips, layout->ntracks);
  view_still_add(view, call, layout, page);
  xml_write_end(page);
  xml_write_line(page);
  platform_layout_free(layout);
}

/* Return the width of a screen on which the letters of the figure of FORM are legible. */
static double find_width(const struct view *view, enum draw_form form) {
  struct platform_layout *layout = platform_layout_new(view->platform, form, "");
  double width = ceil(layout->width * least_font / FONT) + beside;
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
  html_block_begin(page, "figure", NULL);
  write_figure(view, call, DRAW_FIGURE, several ? "wide" : "only", page);
  if (several) {
    write_figure(view, call, DRAW_COLUMN, "narrow", page);
  }
  xml_write_begin(page, "noscript");
  html_block(
    page, "p", "soft",
    "The picture is a still: the transfers of the last cycles before cycle %lld. With scripts it plays.",
    (long long)view_still_cycle(call));
  html_block_end(page);
  html_block_end(page);
  xml_write_markup(
    page, "<div class=\"told\" hidden>\n<p class=\"status\" role=\"status\"></p>\n<p class=\"why\"></p>\n"
          "<p class=\"moves soft\"></p>\n<svg class=\"lanes\" role=\"img\"></svg>\n"
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
            (long long)view_still_cycle(call));
    if (call->nsteps > 0) {
      write_words(stream, "steps", call->steps);
    }
    view_write_rows(call, stream);
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
  for (size_t i = 0; i < view->ncalls; i++) {
    view_sort(view->calls[i]);
  }
  html_begin(page, title, style);
  html_main(page);
  html_block_begin(page, "div", "calls");
  for (size_t i = 0; i < view->ncalls; i++) {
    write_call(view, view->calls[i], page);
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
