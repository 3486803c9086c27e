/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline_page.h: the elements. */
#include "draw/timeline/timeline_page.h"

#include "draw/font.h"
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Between the lanes of two chips. */
static const double chip_gap = 10;

double timeline_tenth(double value) {
  return round(10 * value) / 10;
}

double timeline_page_x(const struct timeline_page *page, uint64_t at) {
  return timeline_tenth(page->left + (double)at * page->scale);
}

double timeline_page_y(const struct timeline_page *page, unsigned lane) {
  const struct timeline *timeline = page->timeline;
  unsigned chips = timeline->lanes[lane].chip - timeline->lanes[0].chip;
  return timeline_tenth(page->top + lane * page->pitch + chips * chip_gap);
}

void timeline_page_end(struct timeline_page *page) {
  xml_write_end(page->xml);
  xml_write_line(page->xml);
}

void timeline_page_text(struct timeline_page *page, const char *class, const double at[2], const char *format,
                        ...) {
  va_list arguments;
  va_start(arguments, format);
  xml_write_begin(page->xml, "text class='%s' x='%.5g' y='%.5g'", class, at[0], at[1]);
  xml_write_text_list(page->xml, format, arguments);
  timeline_page_end(page);
  va_end(arguments);
}

void timeline_page_lines(struct timeline_page *page, const char *class, double size, const char *text) {
  bool bold = *class == 'h';
  while (*text) {
    size_t end = 0, next = strcspn(text, " ");
    do {
      end = next;
      next = end + 1 + strcspn(text + end + (text[end] != '\0'), " ");
    } while (text[end] && page->left + font_width(text, next, size, bold) <= TIMELINE_WIDTH - 8);
    page->y += size * 1.45;
    timeline_page_text(page, class, (double[]){page->left, page->y}, "%.*s", (int)end, text);
    text += end + (text[end] == ' ');
  }
}

/* Write TITLE, formatted, into the element just begun (NULL: nothing), and end the element. */
static void end_titled(struct timeline_page *page, const char *title, va_list arguments) {
  if (title) {
    xml_write_begin(page->xml, "title");
    xml_write_text_list(page->xml, title, arguments);
    xml_write_end(page->xml);
  }
  xml_write_end(page->xml);
}

void timeline_page_rect(struct timeline_page *page, const char *class, const struct timeline_box *box,
                        const char *title, ...) {
  va_list arguments;
  va_start(arguments, title);
  xml_write_begin(page->xml, class ? "rect class='%s'" : "rect", class);
  xml_write_attributes(page->xml, "x='%.5g' y='%.5g' width='%.5g' height='%.5g'", box->x, box->y, box->width,
                       box->height);
  end_titled(page, title, arguments);
  va_end(arguments);
}

void timeline_page_path(struct timeline_page *page, const char *class, const char *d, const char *title,
                        ...) {
  va_list arguments;
  va_start(arguments, title);
  xml_write_begin(page->xml, class ? "path class='%s'" : "path", class);
  xml_write_attributes(page->xml, "d='%s'", d);
  end_titled(page, title, arguments);
  va_end(arguments);
}

const char *timeline_class(enum timeline_ink ink) {
  static const char *const classes[TIMELINE_INKS] = {
    [TIMELINE_SOFTWARE] = "soft", [TIMELINE_COMBINES] = "comb", [TIMELINE_OWN_DMA] = "own",
    [TIMELINE_COMPUTES] = "calc", [TIMELINE_OTHERS] = "wait",   [TIMELINE_DATA] = "data",
    [TIMELINE_ACROSS] = "far",    [TIMELINE_SHARED] = "behind", [TIMELINE_WINDOW] = "full",
    [TIMELINE_TAKEN] = "taken",   [TIMELINE_ORDER] = "order"};
  return classes[ink];
}

void timeline_page_begin_ink(struct timeline_page *page, enum timeline_ink ink) {
  bool hatched = ink == TIMELINE_OTHERS;
  xml_write_begin(page->xml, hatched ? "g fill='%s'" : "g class='%s'",
                  hatched ? page->hatch : timeline_class(ink));
}

/* Return where bin I of the call begins, in tenths of the picture. */
static long bin_x(const struct timeline_page *page, size_t i) {
  uint64_t at = i * page->timeline->bin;
  return lround(10 * timeline_page_x(page, MIN(at, page->timeline->cycles)));
}

/* Fill the EDGES of AREA, two in each bin: y of the lower and of the upper edge, in tenths. The shares of
 * AREA are added to AREA->below. */
static void find_edges(const struct timeline_area *area, long (*edges)[2]) {
  const struct timeline_curve *curve = area->curve;
  for (size_t i = 0; i < curve->n; i++) {
    float *below = area->below ? &area->below[curve->first + i] : NULL;
    double low = below ? fmin((double)*below, 1) : 0;
    double high = fmin(low + (double)curve->shares[i], 1);
    edges[i][0] = lround(10 * (area->y - low * area->height));
    edges[i][1] = lround(10 * (area->y - high * area->height));
    if (below) {
      *below += curve->shares[i];
    }
  }
}

/* Append to TEXT, an outline, the way from AT to height Y and then to X, in tenths; relative to AT, which
 * takes half as many letters. */
static void add_step(char **text, long at[2], long y, long x) {
  if (y != at[1]) {
    xappend(text, "v%.5g", (double)(y - at[1]) / 10);
  }
  xappend(text, "h%.5g", (double)(x - at[0]) / 10);
  at[0] = x;
  at[1] = y;
}

char *timeline_page_outline(const struct timeline_page *page, const struct timeline_area *area) {
  const struct timeline_curve *curve = area->curve;
  size_t n = curve->n;
  long(*edges)[2] = xcalloc(n + 1, sizeof *edges);
  find_edges(area, edges);
  long at[2] = {bin_x(page, curve->first), edges[0][0]};
  char *text = xasprintf("M%.5g %.5g", (double)at[0] / 10, (double)at[1] / 10);
  for (size_t i = 0; i < n; i++) {
    if (i + 1 == n || edges[i + 1][1] != edges[i][1]) {
      add_step(&text, at, edges[i][1], bin_x(page, curve->first + i + 1));
    }
  }
  for (size_t i = n; i-- > 0;) {
    if (i == 0 || edges[i - 1][0] != edges[i][0]) {
      add_step(&text, at, edges[i][0], bin_x(page, curve->first + i));
    }
  }
  xappend(&text, "z");
  free(edges);
  return text;
}
