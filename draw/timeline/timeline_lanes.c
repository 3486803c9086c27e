/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline_page.h: the axis and the lanes. The upper half of a lane has the program, the lower half its
 * DMAs; notifications, exits and the critical path lie over the lanes. */
#include "draw/timeline/timeline_page.h"

#include "draw/font.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Place of the program in a lane, as parts of the lane's height. */
static const double upper_top = 0.14, upper_height = 0.26;

/* Return the time FROM a cycle TO another one; a text_brief. */
static const char *time_of(uint64_t from, uint64_t to) {
  return text_brief("%llu\u2013%llu", (unsigned long long)from, (unsigned long long)to);
}

/* --- axis --- */

/* Return the distance of marks on an axis of LENGTH cycles: a round number, for about ten marks. */
static uint64_t mark_step(uint64_t length) {
  static const double round[] = {1, 2, 2.5, 5, 10};
  double power = pow(10, floor(log10((double)length / 10)));
  VEC_EACH(factor, round, VEC_LENGTH(round)) {
    double step = *factor * power;
    if (step * 10 >= (double)length && step >= 1 && step == floor(step)) {
      return (uint64_t)step;
    }
  }
  return length;
}

static void write_axis(struct timeline_page *page, double bottom) {
  uint64_t step = mark_step(page->length);
  double top = page->top - page->strip, y = top - 9;
  for (uint64_t at = 0; at <= page->length; at += step) {
    double x = timeline_page_x(page, at);
    timeline_page_path(page, "grid", text_brief("M%.5g %.5gV%.5g", x, top - 4, bottom), NULL);
    timeline_page_text(page, "tick", (double[]){x, y}, "%s", timeline_number(at));
  }
  timeline_page_text(page, "name", (double[]){page->left - 12, y}, "cycle");
}

/* --- names --- */

/* Write the name of the chip or node of lane FIRST beside a bracket from TOP to BOTTOM: the name turned by 90
 * degrees, or the bare number upright if the name is too long. */
static void write_chip_name(struct timeline_page *page, unsigned first, double top, double bottom) {
  const struct timeline_lane *lane = &page->timeline->lanes[first];
  const char *name = page->timeline->spans_nodes ? node_name(&page->timeline->names, lane->node)
                                                 : text_brief("chip %u", lane->chip);
  if (font_text_width(name, TIMELINE_FONT) <= bottom - top + 4) {
    xml_write_begin(page->xml, "text class='chip' transform='translate(14 %.5g) rotate(-90)'",
                    (top + bottom) / 2);
    xml_write_text(page->xml, "%s", name);
  } else {
    const char *number = strchr(name, ' ') + 1;
    xml_write_begin(page->xml, "text class='chip small' x='12' y='%.5g'", (top + bottom) / 2 + 4);
    xml_write_text(page->xml, "%.*s", (int)strcspn(number, " "), number);
    xml_write_element(page->xml, "title", "%s", name);
  }
  xml_write_end(page->xml);
}

/* Write a bracket at the lanes FIRST .. END - 1 of one chip, or of one node. */
static void write_chip(struct timeline_page *page, unsigned first, unsigned end) {
  double top = timeline_page_y(page, first) + 2, bottom = timeline_page_y(page, end - 1) + page->pitch - 2;
  timeline_page_path(page, "side", text_brief("M24 %.5gV%.5g", top, bottom), NULL);
  write_chip_name(page, first, top, bottom);
  xml_write_line(page->xml);
}

static void write_names(struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  unsigned n = (unsigned)timeline->nlanes;
  for (unsigned i = 0; i < n; i++) {
    const struct timeline_lane *lane = &timeline->lanes[i];
    double y = timeline_page_y(page, i);
    if (i % 2 == 0) {
      timeline_page_rect(
        page, "zebra-fill",
        &(struct timeline_box){page->left, y, (double)timeline->cycles * page->scale, page->pitch}, NULL);
    }
    xml_write_begin(page->xml, "text class='name%s' x='%.5g' y='%.5g'", n > TIMELINE_ROOMY ? " small" : "",
                    page->left - 8, y + page->pitch / 2 + 4);
    xml_write_text(page->xml, "%s", lane->name);
    if (*lane->rank) {
      xml_write_element(page->xml, "title", "%s", lane->rank);
    }
    timeline_page_end(page);
  }
  bool named = timeline->names.processes || (timeline->folded && !timeline->spans_nodes); /* by the lanes */
  for (unsigned first = 0, i = 1; !named && i <= n; i++) {
    if (i == n || timeline->lanes[i].chip != timeline->lanes[first].chip) {
      write_chip(page, first, i);
      first = i;
    }
  }
}

/* --- calls of an application --- */

enum { TAB_HEIGHT = 14, TABS_MAX = 4, BAND_LEAST = 3, TAB_ROOM = 3 };

/* The stays in calls NUMBER .. LAST, several if too narrow for a band each; the first entry, last exit. */
struct band {
  const struct timeline_stay *stays;
  size_t n;
  unsigned number, last;
  uint64_t from, to;
  unsigned row; /* of the tab above the lanes; TABS_MAX: no tab */
};

static int by_call(const void *a, const void *b) {
  const struct timeline_stay *one = a, *other = b;
  return strverscmp(one->call, other->call);
}

/* Find the bands of the sorted STAYS; *N becomes the number of bands.
 * owner: the caller. */
static struct band *find_bands(const struct timeline_page *page, const struct timeline_stay *stays,
                               size_t *n) {
  struct band *bands = NULL;
  uint64_t busy[TABS_MAX] = {0};
  *n = 0;
  VEC_EACH(stay, stays, page->timeline->nstays) {
    struct band *last = *n ? &bands[*n - 1] : NULL;
    unsigned number = (unsigned)strtoul(stay->call + strlen("call "), NULL, 10);
    if (!last || (number != last->last && (double)(stay->to - last->from) * page->scale >= BAND_LEAST)) {
      last = &VEC_ADD(bands, *n);
      *last = (struct band){.stays = stay, .number = number, .from = stay->from};
    }
    last->n++;
    last->last = number;
    LOWER(last->from, stay->from);
    RAISE(last->to, stay->to);
  }
  VEC_EACH(band, bands, *n) {
    band->row = (unsigned)VEC_INDEX(busy, TABS_MAX, *item <= band->from);
    if (band->row < TABS_MAX) {
      busy[band->row] = band->to;
    }
  }
  return bands;
}

/* Write the longest name of BAND with room in the tab at AT, or else up to the next tab, at X = END. */
static void write_tab(struct timeline_page *page, const struct band *band, const double at[2], double end) {
  double tab = fmin(end, timeline_page_x(page, band->to));
  const char *call = band->stays->call, *algorithm = strrchr(call, ' ') + 1;
  bool several = band->last > band->number;
  const char *const names[] = {call, text_brief("%u %s", band->number, algorithm),
                               text_brief("%u %.*s", band->number, (int)strcspn(algorithm, ":"), algorithm),
                               text_brief("%u", band->number)};
  for (unsigned i = 0; i < 6 && !several;
       i++) { /* in the tab; then all but the first name up to the next tab */
    const char *name = names[i < 3 ? i : i - 2];
    if (at[0] + TAB_ROOM + font_text_width(name, TIMELINE_SMALL_FONT) <= (i < 3 ? tab : end)) {
      timeline_page_text(page, "tab", (double[]){at[0] + TAB_ROOM, at[1] + TAB_HEIGHT - 4}, "%s", name);
      return;
    }
  }
}

/* Write BAND: in each lane from the entry to the exit, and the tab from the first entry to the last exit. */
static void write_band(struct timeline_page *page, const struct band *band, bool is_odd) {
  unsigned n = (unsigned)page->timeline->nlanes;
  double x = timeline_page_x(page, band->from), end = timeline_page_x(page, band->to);
  uint64_t(*lanes)[2] = xcalloc(n, sizeof *lanes); /* of folded lanes and of several calls all */
  SCOPED char *d = xstrdup("");
  VEC_EACH(stay, band->stays, band->n) {
    uint64_t *lane = lanes[stay->lane];
    lane[0] = lane[1] && lane[0] < stay->from ? lane[0] : stay->from;
    RAISE(lane[1], stay->to);
  }
  if (band->row < TABS_MAX) {
    xappend(&d, "M%.5g %.5gh%.5gv%dH%.5gz", x, page->top - page->strip + band->row * TAB_HEIGHT,
            timeline_tenth(end - x), TAB_HEIGHT - 1, x);
  }
  for (unsigned i = 0; i < n; i++) {
    if (lanes[i][1] > 0) {
      double from = timeline_page_x(page, lanes[i][0]), to = timeline_page_x(page, lanes[i][1]);
      xappend(&d, "M%.5g %.5gh%.5gv%.5gH%.5gz", from, timeline_page_y(page, i), timeline_tenth(to - from),
              timeline_tenth(page->pitch), from);
    }
  }
  const char *others = band->last > band->number ? text_brief(" to call %u", band->last) : "";
  timeline_page_path(page, is_odd ? "call odd" : "call", d, "%s%s %s", band->stays->call, others,
                     time_of(band->from, band->to));
  xml_write_line(page->xml);
  free(lanes);
}

/* Write the N BANDS behind the lanes, and the names of calls. */
static void write_calls(struct timeline_page *page, const struct band *bands, size_t n) {
  double ends[TABS_MAX + 1] = {TIMELINE_RIGHT, TIMELINE_RIGHT, TIMELINE_RIGHT, TIMELINE_RIGHT};
  for (size_t i = n; i-- > 0;) {
    const struct band *band = &bands[i];
    double at[] = {timeline_page_x(page, band->from), page->top - page->strip + band->row * TAB_HEIGHT};
    write_band(page, band, i % 2);
    write_tab(page, band, at, ends[band->row]);
    ends[band->row] = at[0];
  }
}

/* --- programs --- */

/* Parts as drawn: neighbouring short parts (crumbs) become one part. */
struct drawn {
  struct timeline_part *parts;
  size_t n;
  struct timeline_part crumbs; /* short parts not drawn yet; empty if there are none */
  uint64_t cycles[TIMELINE_STATES];
};

/* Add PART to DRAWN; a part of the same ink right behind the last part lengthens the last part. */
static void add_drawn(struct drawn *drawn, const struct timeline_part *part) {
  struct timeline_part *last = drawn->n ? &drawn->parts[drawn->n - 1] : NULL;
  if (last && last->ink == part->ink && last->to == part->from && last->step == part->step) {
    last->to = part->to;
    last->what = NULL;
  } else {
    drawn->parts[drawn->n++] = *part;
  }
}

/* Draw the crumbs of DRAWN as one part, in the ink with the most cycles. Crumbs shorter than LEAST cycles,
 * too narrow to be seen, lengthen the part before. */
static void sweep_crumbs(struct drawn *drawn, double least) {
  struct timeline_part *crumbs = &drawn->crumbs;
  if (crumbs->to == crumbs->from) {
    return;
  }
  if (drawn->n && (double)(crumbs->to - crumbs->from) < least) {
    drawn->parts[drawn->n - 1].to = crumbs->to;
  } else {
    for (enum timeline_ink ink = 0; ink < TIMELINE_STATES; ink++) {
      crumbs->ink = drawn->cycles[ink] > drawn->cycles[crumbs->ink] ? ink : crumbs->ink;
    }
    add_drawn(drawn, crumbs);
  }
  *crumbs = (struct timeline_part){0};
  memset(drawn->cycles, 0, sizeof drawn->cycles);
}

/* Return the parts of LANE as drawn, with a part of less than LEAST cycles too narrow to be seen.
 * owner: the caller, who frees the parts. */
static struct drawn draw_parts(const struct timeline_lane *lane, double least) {
  struct drawn drawn = {.parts = xcalloc(lane->nparts + 1, sizeof *drawn.parts)};
  struct timeline_part *crumbs = &drawn.crumbs;
  VEC_EACH(part, lane->parts, lane->nparts) {
    if ((double)(part->to - part->from) >= least) {
      sweep_crumbs(&drawn, least);
      add_drawn(&drawn, part);
      continue;
    }
    if (crumbs->to == crumbs->from) {
      *crumbs = (struct timeline_part){.from = part->from, .ink = part->ink};
    }
    crumbs->to = part->to;
    drawn.cycles[part->ink] += part->to - part->from;
    if ((double)(crumbs->to - crumbs->from) >= least) {
      sweep_crumbs(&drawn, least);
    }
  }
  sweep_crumbs(&drawn, least);
  return drawn;
}

static void write_parts(struct timeline_page *page, const struct drawn *drawn, enum timeline_ink ink,
                        double y) {
  bool any = false;
  double height = timeline_tenth(upper_height * page->pitch);
  y = timeline_tenth(y);
  VEC_EACH(part, drawn->parts, drawn->n) {
    if (part->ink != ink) {
      continue;
    }
    if (!any) {
      timeline_page_begin_ink(page, ink);
      any = true;
    }
    double x = timeline_page_x(page, part->from), end = timeline_page_x(page, part->to);
    timeline_page_path(page, NULL,
                       text_brief("M%.5g %.5gh%.5gv%.5gH%.5gz", x, y, timeline_tenth(end - x), height, x),
                       "%s %s%s%s", part->what ? part->what : timeline_state_name(ink),
                       time_of(part->from, part->to), part->step ? ", " : "", part->step ? part->step : "");
  }
  if (any) {
    timeline_page_end(page);
  }
}

/* Write the names of the steps of LANE, at Y, where the time until the next step has room. */
static void write_steps(struct timeline_page *page, const struct timeline_lane *lane, double y) {
  enum { ROOM = 4 };
  double height = upper_height * page->pitch;
  size_t n = height < TIMELINE_SMALL_FONT - 1 ? 0 : lane->nparts; /* else no letter fits */
  for (size_t i = 0, next = 1; i < n; i = next++) {
    const struct timeline_part *part = &lane->parts[i];
    while (next < n && (!lane->parts[next].step || lane->parts[next].step == part->step)) {
      next++;
    }
    double x = timeline_page_x(page, part->from), end = timeline_page_x(page, lane->parts[next - 1].to),
           width = part->step ? font_text_width(part->step, TIMELINE_SMALL_FONT) : 0;
    if (width > 0 && width + ROOM <= end - x) {
      timeline_page_text(page, "label", (double[]){x + (width + ROOM) / 2, y + height / 2 + 3.5}, "%s",
                         part->step);
    }
  }
}

/* Write AREA in INK, with the mean as the title. */
static void write_mean(struct timeline_page *page, const struct timeline_area *area, enum timeline_ink ink,
                       const char *what) {
  if (area->curve->n) {
    char *d = timeline_page_outline(page, area);
    timeline_page_begin_ink(page, ink);
    timeline_page_path(page, NULL, d, "%s: %.0f %%", what,
                       100 * timeline_curve_mean(page->timeline, area->curve));
    timeline_page_end(page);
    free(d);
  }
}

/* Write LANE, a lane of several SPEs, at Y. */
static void write_means(struct timeline_page *page, const struct timeline_lane *lane, double y) {
  float *below = xcalloc(timeline_nbins(page->timeline) + 1, sizeof *below);
  double height = 0.46 * page->pitch;
  for (enum timeline_ink ink = 0; ink < TIMELINE_STATES; ink++) {
    struct timeline_area area = {&lane->states[ink], below, y + 0.5 * page->pitch, 0.4 * page->pitch};
    write_mean(page, &area, ink, timeline_state_name(ink));
  }
  struct timeline_area area = {&lane->data, NULL, y + 0.96 * page->pitch, height};
  write_mean(page, &area, TIMELINE_DATA, "data");
  free(below);
}

/* --- DMA commands --- */

/* Place of the DMAs in a lane, as parts of the lane's height; least height and width of a labelled DMA. */
static const double lower_bottom = 0.95, lower_height = 0.48;
enum { LABEL_HEIGHT = 9, LABEL_ROOM = 4 };

/* One of at most two rows of bars. */
struct row {
  bool two; /* the bars of one direction, or of both */
  bool is_put;
  double y, height; /* y of the lower end */
};

static bool belongs(const struct row *row, const struct timeline_bar *bar) {
  return !row->two || row->is_put == bar->is_put;
}

/* Write the times with some DMA in ROW. */
static void write_room(struct timeline_page *page, const struct timeline_lane *lane, const struct row *row) {
  double from = 0, to = 0;
  SCOPED char *d = xstrdup("");
  for (size_t i = 0; i <= lane->nbars; i++) {
    const struct timeline_bar *bar = i < lane->nbars ? &lane->bars[i] : NULL;
    if (bar && !belongs(row, bar)) {
      continue;
    }
    if (bar && to > from && timeline_page_x(page, bar->from) < to + 1) {
      to = fmax(to, timeline_page_x(page, bar->to));
      continue;
    }
    if (to > from) {
      xappend(&d, "M%.5g %.5gh%.5gv%.5gH%.5gz", from, row->y - row->height, timeline_tenth(to - from),
              row->height, from);
    }
    from = bar ? timeline_page_x(page, bar->from) : to;
    to = bar ? timeline_page_x(page, bar->to) : to;
  }
  timeline_page_path(page, "room-fill", d, "DMAs are under way");
  xml_write_line(page->xml);
}

/* Write the bytes of the DMAs in ROW. */
static void write_bytes(struct timeline_page *page, const struct timeline_lane *lane, const struct row *row) {
  float *below = xcalloc(timeline_nbins(page->timeline) + 1, sizeof *below);
  xml_write_begin(page->xml, "g class='bytes'");
  VEC_EACH(bar, lane->bars, lane->nbars) {
    const char *class = timeline_class(bar->across ? TIMELINE_ACROSS : TIMELINE_DATA);
    if (!belongs(row, bar) || bar->curve.n == 0) {
      continue;
    }
    bool stacked = VEC_FIND(&below[bar->curve.first], bar->curve.n, *item > 0);
    SCOPED char *d =
      timeline_page_outline(page, &(struct timeline_area){&bar->curve, below, row->y, row->height});
    timeline_page_path(page, stacked ? text_brief("%s edge", class) : class, d, "%s %s %s %s %s%s%s",
                       bar->is_put ? "put" : "get", timeline_bytes(bar->nbytes), bar->is_put ? "to" : "from",
                       bar->peer, time_of(bar->from, bar->to), bar->step ? ", " : "",
                       bar->step ? bar->step : "");
  }
  timeline_page_end(page);
  free(below);
}

/* Find the widest part of BAR behind X: before the bytes, on the bytes, or behind the bytes: ROOM[0] to
 * ROOM[1]. A label on an edge of the bytes is hard to read. */
static void find_room(const struct timeline_page *page, const struct timeline_bar *bar, double x,
                      double room[2]) {
  uint64_t bin = page->timeline->bin, from = bar->curve.first * bin, to = from + bar->curve.n * bin;
  double ends[] = {timeline_page_x(page, bar->from), timeline_page_x(page, from), timeline_page_x(page, to),
                   timeline_page_x(page, bar->to)};
  room[0] = room[1] = 0;
  for (unsigned i = 0; i + 1 < VEC_LENGTH(ends); i++) {
    double begin = fmax(x, ends[i]), end = fmin(ends[i + 1], ends[3]);
    if (end - begin > room[1] - room[0]) {
      room[0] = begin;
      room[1] = end;
    }
  }
}

/* Write the longest label of BAR with room in a part of BAR behind X.
 * returns: where the label ends; X if no label has room. */
static double write_label(struct timeline_page *page, const struct timeline_bar *bar, const struct row *row,
                          double x) {
  const char *end = text_brief("%s %s", bar->is_put ? "to" : "from", bar->peer),
             *whole = text_brief("%s %s", timeline_bytes(bar->nbytes), end),
             *const labels[] = {text_brief("%s, %s", whole, bar->step ? bar->step : ""), whole, end,
                                bar->peer};
  double room[2];
  find_room(page, bar, x, room);
  for (unsigned i = bar->step ? 0 : 1; i < 4; i++) {
    double width = font_text_width(labels[i], TIMELINE_SMALL_FONT);
    if (width + LABEL_ROOM <= room[1] - room[0]) {
      timeline_page_text(page, "label", (double[]){(room[0] + room[1]) / 2, row->y - row->height / 2 + 3.5},
                         "%s", labels[i]);
      return (room[0] + room[1] + width) / 2 + LABEL_ROOM;
    }
  }
  return x;
}

static void write_row(struct timeline_page *page, const struct timeline_lane *lane, const struct row *row) {
  double x = 0;
  write_room(page, lane, row);
  write_bytes(page, lane, row);
  VEC_EACH(bar, lane->bars, row->height >= LABEL_HEIGHT ? lane->nbars : 0) {
    x = belongs(row, bar) ? write_label(page, bar, row, x) : x;
  }
}

/* Write the DMAs of the call into LANE, from Y on, stacked upon each other: the DMAs of a full ramp fill the
 * height. */
static void write_bars(struct timeline_page *page, const struct timeline_lane *lane, double y) {
  double bottom = timeline_tenth(y + lower_bottom * page->pitch),
         height = timeline_tenth(lower_height * page->pitch);
  if (lane->nbars == 0) {
    return;
  }
  if (page->two_rows) {
    write_row(page, lane, &(struct row){true, true, bottom - height / 2, height / 2});
    write_row(page, lane, &(struct row){true, false, bottom, height / 2});
  } else {
    write_row(page, lane, &(struct row){false, false, bottom, height});
  }
}

/* --- over the lanes --- */

/* Height of the path, and of the ends of notifications, as parts of the lane's height. */
static const double path_y = 0.07, note_y = 0.27;

static void write_notes(struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  if (!timeline_notes_shown(timeline)) {
    return;
  }
  xml_write_begin(page->xml, "g class='note'");
  VEC_EACH(note, timeline->notes, timeline->nnotes) {
    timeline_page_path(page, NULL,
                       text_brief("M%.5g %.5gL%.5g %.5g", timeline_page_x(page, note->begin),
                                  timeline_page_y(page, note->from) + note_y * page->pitch,
                                  timeline_page_x(page, note->end),
                                  timeline_page_y(page, note->to) + note_y * page->pitch),
                       "notification %s \u2192 %s %s", timeline->lanes[note->from].name,
                       timeline->lanes[note->to].name, time_of(note->begin, note->end));
  }
  timeline_page_end(page);
}

static void write_exits(struct timeline_page *page) {
  xml_write_begin(page->xml, "g class='exit'");
  for (unsigned i = 0; i < page->timeline->nlanes; i++) {
    const struct timeline_lane *lane = &page->timeline->lanes[i];
    if (lane->left <= page->timeline->cycles) {
      timeline_page_path(page, NULL,
                         text_brief("M%.5g %.5gv%.5g", timeline_page_x(page, lane->left),
                                    timeline_page_y(page, i) + 0.08 * page->pitch, 0.38 * page->pitch),
                         "%s leaves at %llu", lane->name, (unsigned long long)lane->left);
    }
  }
  timeline_page_end(page);
}

/* Tell whether LINE of the path is drawn: in an application's long path, only along lanes. */
static bool is_drawn(const struct timeline *timeline, const struct timeline_line *line) {
  enum { PATH_MAX = 400 };
  return line->from == line->to || timeline->nstays == 0 || timeline->npath <= PATH_MAX;
}

/* Return the path as an attribute `d`.
 * owner: the caller. */
static char *path_outline(const struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  char *text = xstrdup("");
  long x = -1, y = -1;
  for (size_t i = 0; i < timeline->npath; i++) {
    const struct timeline_line *line = &timeline->path[i];
    const double points[2][2] = {
      {timeline_page_x(page, line->begin), timeline_page_y(page, line->from) + path_y * page->pitch},
      {timeline_page_x(page, line->end), timeline_page_y(page, line->to) + path_y * page->pitch},
    };
    for (unsigned j = is_drawn(timeline, line) ? 0 : 2; j < 2; j++) {
      long tenths[2] = {lround(10 * points[j][0]), lround(10 * points[j][1])};
      if (tenths[0] != x || tenths[1] != y) {
        xappend(&text, "%s%.5g %.5g", j == 0 && (i == 0 || !is_drawn(timeline, line - 1)) ? "M" : "L",
                points[j][0], points[j][1]);
      }
      x = tenths[0];
      y = tenths[1];
    }
  }
  return text;
}

/* Return the y of the path at cycle AT on LINE, one of the path's lines. */
static double height_at(const struct timeline_page *page, const struct timeline_line *line, uint64_t at) {
  double from = timeline_page_y(page, line->from), to = timeline_page_y(page, line->to);
  double share = line->end > line->begin ? (double)(at - line->begin) / (double)(line->end - line->begin) : 0;
  return timeline_tenth(from + share * (to - from) + path_y * page->pitch);
}

/* Write the stretches behind others' bytes along the path. Stretches too close for a reader to tell apart are
 * drawn as one. */
static void write_behind(struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  const struct timeline_line *line = timeline->path, *last = timeline->path + timeline->npath - 1;
  xml_write_begin(page->xml, "g class='held'");
  for (size_t i = 0, next; i < timeline->nbehind; i = next) {
    struct timeline_line stretch = timeline->behind[i];
    while (line < last && line->end <= stretch.begin) {
      line++;
    }
    if (!is_drawn(timeline, line)) {
      next = i + 1;
      continue;
    }
    for (next = i + 1; next < timeline->nbehind && timeline->behind[next].end <= line->end &&
                       (double)(timeline->behind[next].begin - stretch.end) * page->scale < 1;
         next++) {
      stretch.end = timeline->behind[next].end;
    }
    double x = timeline_page_x(page, stretch.begin);
    timeline_page_path(page, NULL,
                       text_brief("M%.5g %.5gL%.5g %.5g", x, height_at(page, line, stretch.begin),
                                  fmax(timeline_page_x(page, stretch.end), x + 0.5),
                                  height_at(page, line, stretch.end)),
                       "behind others\u2019 bytes %s", time_of(stretch.begin, stretch.end));
  }
  timeline_page_end(page);
}

static void write_path(struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  if (timeline->npath == 0) {
    return;
  }
  SCOPED char *d = path_outline(page);
  timeline_page_path(page, "halo", d, NULL);
  timeline_page_path(page, "path", d, "critical path");
  write_behind(page);
  const struct timeline_line *last = &timeline->path[timeline->npath - 1];
  xml_write_empty(page->xml, "circle class='end' cx='%.5g' cy='%.5g' r='3.5'",
                  timeline_page_x(page, last->end), timeline_page_y(page, last->to) + path_y * page->pitch);
  xml_write_line(page->xml);
}

/* --- all lanes --- */

void timeline_page_lanes(struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  unsigned n = (unsigned)timeline->nlanes;
  double least = (n > TIMELINE_ROOMY ? 1 : n > TIMELINE_ROOMY / 2 ? 0.8 : 0.4) / page->scale;
  page->pitch = fmin(40, 15 + 192.0 / n);
  size_t nbands;
  SCOPED struct timeline_stay *stays = xcalloc(timeline->nstays + 1, sizeof *stays);
  memcpy(stays, timeline->stays ? timeline->stays : stays, timeline->nstays * sizeof *stays);
  qsort(stays, timeline->nstays, sizeof *stays, by_call);
  SCOPED struct band *bands = find_bands(page, stays, &nbands);
  unsigned nrows = 0;
  VEC_EACH(band, bands, nbands) {
    RAISE(nrows, band->row < TABS_MAX ? band->row + 1 : 0);
  }
  page->strip = nrows * TAB_HEIGHT;
  page->top = page->y + 28 + page->strip;
  double bottom = timeline_page_y(page, n - 1) + page->pitch;
  write_names(page);
  write_calls(page, bands, nbands);
  write_axis(page, bottom + 2);
  for (unsigned i = 0; i < n; i++) {
    const struct timeline_lane *lane = &timeline->lanes[i];
    double y = timeline_page_y(page, i);
    if (lane->nspes > 1) {
      write_means(page, lane, y);
      continue;
    }
    struct drawn drawn = draw_parts(lane, least);
    for (enum timeline_ink ink = 0; ink < TIMELINE_STATES; ink++) {
      write_parts(page, &drawn, ink, y + upper_top * page->pitch);
    }
    free(drawn.parts);
    write_steps(page, lane, y + upper_top * page->pitch);
    write_bars(page, lane, y);
  }
  write_notes(page);
  write_exits(page);
  write_path(page);
  page->y = bottom;
}
