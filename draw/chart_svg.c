/* SPDX-License-Identifier: BSD-3-Clause
 * See chart.h. The parts of a panel from the top down: title, title of y, axes, title of x, key. */
#include "draw/chart.h"

#include "draw/font.h"
#include "draw/sheets.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In units of the picture, pixels on a screen. */
enum {
  FONT = 12,
  LINE = 17,
  TOP = 6,
  RIGHT = 14,
  KEY_SAMPLE = 22,
  KEY_GAP = 12,
  BAR = 34,
  FILE_WIDE = 760,
  FILE_COLUMNS = 2
};

/* Looks of series; marks of an axis; marks of a curve: more would hide the curve. */
enum { LOOKS = 24, MARKS_MAX = 40, MANY = 60 };

/* Of points in order: the part with names, and the end of the picture, in times the y of the nearest named
 * point. Of shares: the least range of y with a logarithm; the square is the largest range of the axis. */
enum { FAR_PART = 10, OFF = 3, DECADES = 100 };

/* An axis: LOW to HIGH is drawn from AT on over LENGTH. */
struct axis {
  double low, high, at, length;
  bool is_log;
  double unit;   /* of a sweep by doubling: all values are powers of two of the unit; 0: no such sweep */
  bool is_whole; /* all values are whole numbers, and so are the marks */
};

/* A panel being drawn. */
struct drawing {
  const struct chart *chart;
  const struct chart_panel *panel;
  struct xml_writer *xml;
  struct axis x, y;
  bool is_cut; /* some y are below the axis */
  double width;
};

/* Return where VALUE is on AXIS; a value off the picture is at the end. */
static double place(const struct axis *axis, double value) {
  value = fmin(fmax(value, axis->low), axis->high);
  double part = axis->is_log ? log(value / axis->low) / log(axis->high / axis->low)
                             : (value - axis->low) / (axis->high - axis->low);
  return round(10 * (axis->at + part * axis->length)) / 10;
}

/* Return the colour of look INDEX. */
static int look(size_t index) {
  return (int)(index % LOOKS);
}

/* Tell whether lines join the marks of a series; words of an axis have no order. */
static bool is_joined(const struct drawing *drawing) {
  enum chart_kind kind = drawing->chart->kind;
  return kind == CHART_SHARES || (kind == CHART_CURVES && !drawing->panel->nxs);
}

static double width_of(const char *text) {
  return font_text_width(text, FONT);
}

/* --- elements --- */

/* The place of a text, the part of the text at that place, and the class; NULL: none. */
struct label {
  double x, y;
  const char *anchor, *class;
};

static void add_text(const struct drawing *drawing, const struct label *label, const char *text) {
  xml_write_begin(drawing->xml, "text x='%.0f' y='%.0f'", label->x, label->y);
  xml_write_attributes(drawing->xml, label->anchor ? "text-anchor='%s'" : "", label->anchor);
  xml_write_attributes(drawing->xml, label->class ? "class='%s'" : "", label->class);
  xml_write_text(drawing->xml, "%s", text);
  xml_write_end(drawing->xml);
}

/* Begin a path of CLASS and, unless negative, NUMBER, along D; D is freed. */
static void begin_path(const struct drawing *drawing, const char *class, int number, char *d) {
  xml_write_begin(drawing->xml, number < 0 ? "path class='%s'" : "path class='%s%d'", class, number);
  xml_write_attributes(drawing->xml, "d='%s'", d);
  free(d);
}

static void add_path(const struct drawing *drawing, const char *class, int number, char *d) {
  begin_path(drawing, class, number, d);
  xml_write_end(drawing->xml);
}

/* Append to PATH the mark of series INDEX at X, Y. */
static void append_mark(char **path, size_t index, double x, double y) {
  static const char *const shapes[] = {"m-3 -3h6v6h-6z", "m0 -4l4 7h-8z",
                                       "m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z", "m-4 -3h8l-4 7z"};
  xappend(path, "M%g %g%s", x, y, shapes[(index + index / LOOKS) % 4]);
}

/* --- axes --- */

/* Return VALUE as a size in bytes, or as a number; a text_brief. */
static const char *format(bool is_size, double value) {
  return is_size              ? units_format_bytes((uint64_t)value)
         : fabs(value) >= 1e6 ? text_brief("%.4gM", value / 1e6)
                              : text_brief("%.6g", value);
}

/* Find about COUNT marks of AXIS, at most MARKS_MAX: of sizes powers of two, of sweeps by doubling powers of
 * two of the unit, of other numbers 1, 2 and 5 times powers of ten.
 * returns: the number of VALUES. */
static size_t find_marks(const struct axis *axis, bool is_size, double count, double values[MARKS_MAX]) {
  size_t n = 0;
  if (axis->is_log) {
    bool doubles = is_size || axis->unit > 0;
    double base = doubles ? log(2) : log(10) / 3, unit = axis->unit > 0 ? axis->unit : 1,
           range = log(axis->high / axis->low) / base;
    long step = (long)ceil(range / count);
    step = doubles || step < 2 ? step : (step + 2) / 3 * 3;
    for (long k = (long)floor(log(axis->low / unit) / base / (double)step + 1e-9) * step; n < MARKS_MAX;
         k += step) {
      static const double digits[] = {1, 2, 5};
      long decade = (k - ((k % 3) + 3) % 3) / 3;
      double value = doubles ? unit * exp2((double)k) : digits[k - 3 * decade] * pow(10, (double)decade);
      if (value > axis->high * 1.0001) {
        break;
      }
      values[n] = value;
      n += value >= axis->low * 0.9999;
    }
    return n;
  }
  double raw = (axis->high - axis->low) / count, power = pow(10, floor(log10(raw))), part = raw / power;
  double step = power * (part > 5 ? 10 : part > 2 ? 5 : part > 1 ? 2 : 1);
  step = axis->is_whole ? fmax(step, 1) : step;
  for (double value = ceil(axis->low / step - 1e-9) * step;
       value <= axis->high + 1e-9 * step && n < MARKS_MAX; value += step) {
    values[n++] = fabs(value) < 1e-9 * step ? 0 : value;
  }
  return n;
}

/* Let AXIS have all values from LOW to HIGH, with room at both ends. */
static void stretch(struct axis *axis, double low, double high, bool is_log) {
  axis->is_log = is_log && low > 0;
  if (axis->is_log) {
    double room = high > low ? pow(high / low, 0.05) : 2;
    axis->low = low / room;
    axis->high = high * room;
  } else {
    double room = high > low ? 0.05 * (high - low) : 1;
    axis->low = low == 0 ? 0 : low - room;
    axis->high = high + room;
  }
}

/* Return the end of the picture of PANEL, points in order, at both sides of zero: points far beyond would
 * press all others flat. FAR: the least y of a point with a name. */
static double find_limit(const struct chart_panel *panel, double *far) {
  struct chart_point **points = panel->points;
  size_t n = panel->npoints;
  double most = 0;
  *far = 0;
  for (size_t first = 0, end = n, i = 0; first < end && i <= n / FAR_PART; i++) {
    *far = fabs(fabs(points[first]->y) > fabs(points[end - 1]->y) ? points[first++]->y : points[--end]->y);
    most = fmax(most, *far);
  }
  return *far > 0 && most > OFF * *far ? OFF * *far : INFINITY;
}

/* Choose the axes of DRAWING by the points of all panels: charts beside one another have one scale. */
static void choose_axes(struct drawing *drawing) {
  const struct chart *chart = drawing->chart;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, least = INFINITY, far;
  bool doubles = true; /* each x is another one times a power of two */
  int exponent;
  drawing->x.is_whole = true;
  VEC_EACH(panel, chart->panels, chart->n) {
    VEC_EACH(series, panel->series, panel->n) {
      VEC_EACH(point, series->points, series->n) {
        drawing->x.is_whole = drawing->x.is_whole && point->x == floor(point->x);
        doubles &= low[0] == INFINITY || frexp(point->x, &exponent) == frexp(low[0], &exponent);
        low[0] = fmin(low[0], point->x);
        high[0] = fmax(high[0], point->x);
        low[1] = fmin(low[1], isnan(point->low) ? point->y : point->low);
        high[1] = fmax(high[1], isnan(point->high) ? point->y : point->high);
        least = point->y > 0 ? fmin(least, point->y) : least;
      }
    }
  }
  drawing->x.unit = doubles && high[0] >= 4 * low[0] ? frexp(low[0], &exponent) : 0;
  bool is_log = !chart->linear && low[1] > 0 && high[1] > 8 * low[1];
  if (chart->kind == CHART_SHARES && high[1] > DECADES * least) { /* smaller ones stand at the bottom */
    is_log = true;
    drawing->is_cut = low[1] < least || least < high[1] / DECADES / DECADES;
    low[1] = fmax(least, high[1] / DECADES / DECADES);
  }
  double limit = find_limit(drawing->panel, &far);
  low[1] = fmax(low[1], -limit);
  high[1] = fmin(high[1], limit);
  stretch(&drawing->x, low[0], high[0], drawing->x.unit > 0 || (chart->x_is_size && high[0] >= 2 * low[0]));
  stretch(&drawing->y, is_log || low[1] < 0 ? low[1] : 0, high[1], is_log);
  if (chart->kind == CHART_MAP || drawing->panel->nxs) {
    drawing->x = (struct axis){.low = -0.5, .high = (double)drawing->panel->nxs - 0.5};
  }
  if (chart->kind == CHART_MAP) {
    drawing->y = (struct axis){.low = -0.5, .high = (double)drawing->panel->nys - 0.5};
  }
}

/* Return the number of marks of the x axis (IS_X) or the y axis: VALUES and TEXTS. */
static size_t list_marks(const struct drawing *drawing, bool is_x, double values[MARKS_MAX],
                         char texts[MARKS_MAX][UNITS_TEXT_SIZE]) {
  const struct chart_panel *panel = drawing->panel;
  char **words = is_x ? panel->xs : panel->ys;
  size_t nwords = is_x ? panel->nxs : panel->nys, n = nwords;
  bool is_size = is_x ? drawing->chart->x_is_size : drawing->chart->y_is_size;
  for (size_t i = 0; i < nwords && i < MARKS_MAX; i++) {
    values[i] = (double)i;
    snprintf(texts[i], UNITS_TEXT_SIZE, "%s",
             !is_size                     ? words[i]
             : strcmp(words[i], "0") == 0 ? "none"
                                          : format(true, strtod(words[i], NULL)));
  }
  if (nwords == 0) {
    n = find_marks(is_x ? &drawing->x : &drawing->y, is_size, is_x ? drawing->width / 70 : 8, values);
    for (size_t i = 0; i < n; i++) {
      snprintf(texts[i], UNITS_TEXT_SIZE, "%s", format(is_size, values[i]));
    }
  }
  return MIN(n, MARKS_MAX);
}

/* Write the axes from TOP to BOTTOM. */
static void add_axes(struct drawing *drawing, double top, double bottom) {
  const struct chart *chart = drawing->chart;
  double values[MARKS_MAX], widest = 0, left;
  char texts[MARKS_MAX][UNITS_TEXT_SIZE];
  drawing->y.at = bottom;
  drawing->y.length = top - bottom;
  size_t n = list_marks(drawing, false, values, texts);
  for (size_t i = 0; i < n; i++) {
    widest = fmax(widest, width_of(texts[i]));
  }
  left = widest + 10;
  drawing->x.at = left;
  drawing->x.length = drawing->width - RIGHT - left;
  for (size_t i = 0; i < n; i++) {
    double y = place(&drawing->y, values[i]);
    add_path(drawing, "grid", -1, xasprintf("M%.1f %.1fH%.1f", left, y, drawing->width - RIGHT));
    add_text(drawing, &(struct label){left - 5, y + 4, "end", "soft"}, texts[i]);
  }
  n = chart->kind == CHART_ORDER ? 0 : list_marks(drawing, true, values, texts);
  for (size_t i = 0; i < n; i++) {
    double x = place(&drawing->x, values[i]);
    add_path(drawing, "axis", -1, xasprintf("M%.1f %.1fv4", x, bottom));
    add_text(drawing, &(struct label){x, bottom + LINE, "middle", "soft"}, texts[i]);
  }
  add_path(drawing, "axis", -1, xasprintf("M%.1f %.1fV%.1fH%.1f", left, top, bottom, drawing->width - RIGHT));
  if (!drawing->y.is_log && drawing->y.low < 0 && drawing->y.high > 0 && chart->kind != CHART_MAP) {
    add_path(drawing, "axis", -1,
             xasprintf("M%.1f %.1fH%.1f", left, place(&drawing->y, 0), drawing->width - RIGHT));
  }
  SCOPED char *y_title = drawing->is_cut
                           ? xasprintf("%s; less than %.2g: at the bottom", chart->y_title, drawing->y.low)
                           : xstrdup(chart->y_title);
  add_text(drawing, &(struct label){FONT / 2, top - 6, NULL, "soft"}, y_title);
  add_text(drawing, &(struct label){drawing->width - RIGHT, bottom + 2 * LINE, "end", "soft"},
           chart->x_title);
}

/* --- points and bars --- */

/* Write the text of POINT of SERIES for a pointer. */
static void add_title(const struct drawing *drawing, const struct chart_series *series,
                      const struct chart_point *point) {
  const struct chart *chart = drawing->chart;
  const struct chart_panel *panel = drawing->panel;
  bool is_map = chart->kind == CHART_MAP;
  xml_write_begin(drawing->xml, "title");
  xml_write_text(drawing->xml, "%s%s%s: %s", series->name, *series->name ? ", " : "",
                 point->text  ? point->text
                 : panel->nxs ? panel->xs[(size_t)point->x]
                              : format(chart->x_is_size, point->x),
                 is_map ? format(chart->y_is_size, strtod(panel->ys[(size_t)point->y], NULL))
                        : format(false, point->y));
  if (!isnan(point->low)) {
    xml_write_text(drawing->xml, " (%s to %s)", format(false, point->low), format(false, point->high));
  }
  xml_write_end(drawing->xml);
}

/* Write the line, the band and the marks of series NUMBER. */
static void add_series(const struct drawing *drawing, size_t number) {
  const struct chart_series *series = &drawing->panel->series[number];
  size_t index = series->look;
  bool joined = is_joined(drawing);
  SCOPED char *line = xstrdup(""), *band = xstrdup("");
  bool is_band = false;
  VEC_EACH(point, series->points, series->n) {
    const char *step = *line ? "L" : "M";
    double x = place(&drawing->x, point->x);
    xappend(&line, "%s%g %g", step, x, place(&drawing->y, point->y));
    xappend(&band, "%s%g %g", step, x, place(&drawing->y, isnan(point->high) ? point->y : point->high));
  }
  for (size_t i = series->n; i-- > 0;) {
    const struct chart_point *point = &series->points[i];
    is_band |= !isnan(point->low);
    xappend(&band, "L%g %g", place(&drawing->x, point->x),
            place(&drawing->y, isnan(point->low) ? point->y : point->low));
  }
  if (is_band && joined) {
    add_path(drawing, "band f c", look(index), xstrdup(band));
  }
  if (joined && series->n > 1) {
    add_path(drawing, series->dashed ? "dashed s c" : "line s c", look(index), xstrdup(line));
  }
  /* a text for each of many marks would take most of a page */
  bool has_texts = drawing->chart->kind != CHART_POINTS || series->n * drawing->panel->n <= MANY;
  char *marks = NULL;
  VEC_EACH(point, series->points, joined && series->n > MANY ? 0 : series->n) {
    if (!joined && !isnan(point->low)) {
      add_path(drawing, "line s c", look(index),
               xasprintf("M%g %gV%g", place(&drawing->x, point->x), place(&drawing->y, point->low),
                         place(&drawing->y, point->high)));
    }
    append_mark(&marks, index, place(&drawing->x, point->x), place(&drawing->y, point->y));
    if (has_texts) {
      begin_path(drawing, "f c", look(index), marks);
      add_title(drawing, series, point);
      xml_write_end(drawing->xml);
      marks = NULL;
    }
  }
  if (marks) {
    add_path(drawing, "f c", look(index), marks);
  }
}

/* Write the names of points in order far off, and the values of points off the picture. Below zero names
 * go from the first point upwards, above zero from the last point downwards. */
static void add_names(const struct drawing *drawing) {
  struct chart_point **points = drawing->panel->points;
  size_t n = drawing->panel->npoints;
  double far, limit = find_limit(drawing->panel, &far);
  for (int sign = -1; sign < 2; sign += 2) {
    double last = sign < 0 ? (double)INFINITY : -(double)INFINITY;
    size_t off = 0; /* points off the picture at this end */
    while (off < n && sign * points[sign < 0 ? off : n - 1 - off]->y > limit) {
      off++;
    }
    for (size_t i = 0; i < n && far > 0; i++) {
      const struct chart_point *point = points[sign < 0 ? i : n - 1 - i];
      size_t at = i < off ? off - 1 : i;
      if (sign * point->y < far || !point->text) {
        break;
      }
      double y = place(&drawing->y, point->y) + 4, x = points[sign < 0 ? at : n - 1 - at]->x;
      last = sign < 0 ? fmin(y, last - LINE) : fmax(y, last + LINE);
      SCOPED char *text = xasprintf(i < off ? "%s: %.4g" : "%s", point->text, point->y);
      add_text(drawing,
               &(struct label){place(&drawing->x, x) - sign * 8, last, sign > 0 ? "end" : NULL, "soft"},
               text);
    }
  }
}

/* Write the cells of series INDEX of a map. */
static void add_cells(const struct drawing *drawing, size_t index) {
  const struct chart_series *series = &drawing->panel->series[index];
  VEC_EACH(point, series->points, series->n) {
    double left = place(&drawing->x, point->x - 0.5) + 0.5, right = place(&drawing->x, point->x + 0.5) - 0.5;
    double bottom = place(&drawing->y, point->y - 0.5) - 0.5, top = place(&drawing->y, point->y + 0.5) + 0.5;
    char *d = xasprintf("M%.1f %.1fH%.1fV%.1fH%.1fz", left, top, right, bottom, left);
    begin_path(drawing,
               point->unsure ? "unsure f c"
               : point->pale ? "pale f c"
                             : "f c",
               look(series->look), d);
    add_title(drawing, series, point);
    xml_write_end(drawing->xml);
    for (double x = left; point->unsure && x < right; x += 8) {
      double length = fmin(bottom - top, right - x);
      add_path(drawing, "cut s c", look(series->look),
               xasprintf("M%.1f %.1fl%.1f %.1f", x, bottom, length, -length));
    }
  }
}

/* Write the bars of the panel: a line of text above each bar. */
static void add_bars(struct drawing *drawing, double top) {
  const struct chart_panel *panel = drawing->panel;
  double longest = drawing->chart->full, y = top, room = drawing->width - 80;
  VEC_EACH(other, drawing->chart->panels, drawing->chart->full > 0 ? 0 : drawing->chart->n) {
    VEC_EACH(series, other->series, other->n) {
      longest = series->n ? fmax(longest, fabs(series->points->y)) : longest;
    }
  }
  add_text(drawing, &(struct label){FONT / 2, y - 6, NULL, "soft"}, drawing->chart->y_title);
  for (size_t i = 0; i < panel->n; i++, y += BAR) {
    double value = panel->series[i].n ? panel->series[i].points->y : NAN;
    double length = longest > 0 && !isnan(value) ? fabs(value) / longest * room : 0;
    add_text(drawing, &(struct label){FONT / 2, y + FONT, NULL, NULL}, panel->series[i].name);
    add_path(drawing, "grid", -1, xasprintf("M%d %.1fh%.1f", FONT / 2, y + LINE + 6, room));
    add_path(drawing, "f c", look(panel->look),
             xasprintf("M%d %.1fh%.1fv12h%.1fz", FONT / 2, y + LINE, length, -length));
    add_text(drawing, &(struct label){FONT / 2 + length + 5, y + LINE + 10, NULL, "soft"},
             format(false, value));
  }
}

/* --- the key --- */

/* Write the key of the panel from Y on; XML NULL: nothing.
 * returns: the end of the key. */
static double add_key(const struct drawing *drawing, double y) {
  const struct chart_panel *panel = drawing->panel;
  bool is_map = drawing->chart->kind == CHART_MAP;
  double x = FONT / 2;
  if (panel->n == 0 || !*panel->series[0].name) {
    return y;
  }
  VEC_EACH(series, panel->series, panel->n) {
    const char *name = series->key ? series->key : series->name;
    size_t index = series->look;
    double width = KEY_SAMPLE + width_of(name) + KEY_GAP;
    if (series > panel->series && x + width > drawing->width) {
      x = FONT / 2;
      y += LINE;
    }
    if (drawing->xml && is_map) {
      add_path(drawing, "f c", look(index), xasprintf("M%.1f %.1fh12v10h-12z", x + 4, y + 3));
    } else if (drawing->xml) {
      if (is_joined(drawing)) {
        add_path(drawing, series->dashed ? "dashed s c" : "line s c", look(index),
                 xasprintf("M%.1f %.1fh%d", x, y + 8, KEY_SAMPLE - 5));
      }
      char *mark = NULL;
      append_mark(&mark, index, x + 8, y + 8);
      add_path(drawing, "f c", look(index), mark);
    }
    if (drawing->xml) {
      add_text(drawing, &(struct label){x + KEY_SAMPLE, y + FONT, NULL, NULL}, name);
    }
    x += width;
  }
  return y + LINE + 4;
}

/* --- panels --- */

/* Write the panel of DRAWING; XML NULL: nothing.
 * returns: the height. */
static double add_panel(struct drawing *drawing) {
  const struct chart_panel *panel = drawing->panel;
  enum chart_kind kind = drawing->chart->kind;
  double top = TOP + (*panel->title ? LINE : 0) + LINE + 4;
  double height = fmin(drawing->width * 0.5, 400);
  if (kind == CHART_BARS || kind == CHART_MAP) {
    height = kind == CHART_BARS ? BAR * (double)panel->n
                                : fmax(45, fmax(13, drawing->width / 20) * (double)panel->nys);
  }
  double bottom = top + height,
         key =
           kind == CHART_BARS
             ? bottom + TOP
             : add_key(&(struct drawing){.chart = drawing->chart, .panel = panel, .width = drawing->width},
                       bottom + 2 * LINE + TOP);
  if (!drawing->xml) {
    return key;
  }
  if (*panel->title) {
    add_text(drawing, &(struct label){FONT / 2, TOP + FONT, NULL, "title"}, panel->title);
  }
  if (kind == CHART_BARS) {
    add_bars(drawing, top);
    return key;
  }
  choose_axes(drawing);
  add_axes(drawing, top, bottom);
  for (size_t i = 0; i < panel->n; i++) {
    (kind == CHART_MAP ? add_cells : add_series)(drawing, i);
  }
  add_names(drawing);
  return add_key(drawing, bottom + 2 * LINE + TOP);
}

double chart_panel_height(const struct chart *chart, const struct chart_panel *panel, double width) {
  return add_panel(&(struct drawing){.chart = chart, .panel = panel, .width = width});
}

void chart_panel_add(const struct chart *chart, const struct chart_panel *panel, double width,
                     struct xml_writer *xml) {
  xml_write_attributes(xml, "class='chart' viewBox='0 0 %.0f %.0f'", width,
                       chart_panel_height(chart, panel, width));
  add_panel(&(struct drawing){.chart = chart, .panel = panel, .xml = xml, .width = width});
}

/* --- a file --- */

/* Write CHARTS: titles, and panels in rows; XML NULL: nothing.
 * returns: the height. */
static double add_charts(struct chart *const charts[], size_t n, struct xml_writer *xml) {
  double y = 0;
  for (size_t i = 0; i < n; i++) {
    const struct chart *chart = charts[i];
    struct drawing titled = {.xml = xml};
    size_t columns = chart->n > 1 ? FILE_COLUMNS : 1;
    double width = FILE_WIDE / (double)columns, highest = 0;
    if (xml) {
      add_text(&titled, &(struct label){FILE_WIDE / 2.0, y + 20, "middle", "title"}, chart->title);
    }
    y += 26;
    for (size_t j = 0; j < chart->n; j++) {
      double height = chart_panel_height(chart, &chart->panels[j], width);
      highest = fmax(highest, height);
      if (xml) {
        xml_write_begin(xml, "g transform='translate(%.1f %.1f)'", width * (double)(j % columns), y);
        add_panel(&(struct drawing){.chart = chart, .panel = &chart->panels[j], .xml = xml, .width = width});
        xml_write_end(xml);
      }
      if (j % columns == columns - 1 || j + 1 == chart->n) {
        y += highest;
        highest = 0;
      }
    }
  }
  return y;
}

void chart_write(struct chart *const charts[], size_t n, FILE *stream) {
  struct xml_writer *xml = xml_write_new(stream);
  double height = add_charts(charts, n, NULL);
  xml_write_declaration(xml);
  xml_write_begin(
    xml,
    "svg xmlns='http://www.w3.org/2000/svg' class='chart' width='%d' height='%.0f' viewBox='0 0 %d %.0f'",
    FILE_WIDE, height, FILE_WIDE, height);
  xml_write_begin(xml, "style");
  xml_write_markup(xml, sheet_chart_css);
  xml_write_end(xml);
  xml_write_empty(xml, "rect class='back' width='100%%' height='100%%'");
  add_charts(charts, n, xml);
  xml_write_end(xml);
  xml_write_line(xml);
  xml_write_free(xml);
}
