/* SPDX-License-Identifier: BSD-3-Clause
 * See view.h: one moment of a call, as a page shows the moment without a script. */
#include "draw/platform/platform_drawing.h"
#include "draw/platform/platform_layout.h"
#include "draw/sheets.h"
#include "draw/timeline/timeline.h"
#include "draw/view/view_private.h"
#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <stdlib.h>

enum { TRAIL_CYCLES = 200 };

static const double margin = 8; /* of the lines above a picture */

static const char *const state_words[VIEW_STATES] = {"works", "waits", "DMA", "atomic", "done"};

/* Return the unit of LAYOUT with program WHO; NULL: there is none. */
static struct draw_unit *find_unit(struct platform_layout *layout, int64_t who) {
  for (size_t i = 0; i < layout->nunits; i++) {
    struct draw_unit *unit = &layout->units[i];
    if (who >= 0 ? unit->spe == who : unit->kind == DRAW_PPE && unit->chip == -1 - who) {
      return unit;
    }
  }
  return NULL;
}

/* Return row I of TABLE. */
static const int64_t *row_of(const struct view_call *call, enum view_table table, size_t i) {
  return &call->rows[table].cells[i * view_columns(call, table)];
}

int64_t view_still_cycle(const struct view_call *call) {
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
  for (size_t i = 0; i < call->rows[VIEW_PROGRAMS].n; i++) {
    const int64_t *row = row_of(call, VIEW_PROGRAMS, i);
    if (row[0] <= now && now < row[0] + row[2] && (unit = find_unit(layout, row[1])) != NULL) {
      unit->word = state_words[row[3]];
    }
  }
  for (size_t i = 0; i < call->rows[VIEW_PATH].n; i++) {
    const int64_t *row = row_of(call, VIEW_PATH, i);
    if (row[0] <= now && now < row[0] + row[1]) {
      mark(find_unit(layout, row[2]));
      mark(row[6] >= 0 ? find_unit(layout, row[6]) : NULL);
    }
  }
}

/* Write the parts of the bytes delivered until cycle NOW into the units of LAYOUT. */
static void show_bytes(const struct view_call *call, int64_t now, struct platform_layout *layout) {
  for (size_t i = 0; i < layout->nunits; i++) {
    double held = 0, all = 0;
    for (size_t j = 0; j < call->rows[VIEW_DELIVERIES].n; j++) {
      const int64_t *row = row_of(call, VIEW_DELIVERIES, j);
      if (layout->units[i].spe >= 0 && row[1] == layout->units[i].spe) {
        all += (double)row[4];
        held += row[0] <= now ? (double)row[4] : 0;
      }
    }
    layout->units[i].held = all > 0 ? held / all : 0;
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
  for (size_t i = 0; i < call->rows[VIEW_GRANTS].n; i++) {
    const int64_t *row = row_of(call, VIEW_GRANTS, i);
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

void view_still_add(const struct view *view, const struct view_call *call, struct platform_layout *layout,
                    struct xml_writer *xml) {
  int64_t now = view_still_cycle(call);
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
  char now[TIMELINE_NUMBER_SIZE], cycles[TIMELINE_NUMBER_SIZE];
  struct draw_text text = {.text = call->title, .baseline = {margin, 18}, .size = 13, .bold = true};
  double width = layout->width - 2 * margin;
  timeline_number((uint64_t)view_still_cycle(call), now);
  timeline_number(call->cycles, cycles);
  text.baseline.y = text_lines_add_paragraph(layout, &text, width);
  text.bold = false;
  SCOPED char *moment = xasprintf("%s; the transfers of the %d cycles before cycle %s of %s", call->note,
                                  TRAIL_CYCLES, now, cycles);
  text.text = moment;
  text.baseline.y = text_lines_add_paragraph(layout, &text, width);
  return text.baseline.y;
}

void view_write_still(const struct view *view, FILE *stream) {
  struct view_call *call = view->calls[0];
  struct platform_layout *layout = platform_layout_new(view->platform, DRAW_FIGURE, "");
  struct xml_writer *xml = xml_write_new(stream);
  view_sort(call);
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
  view_still_add(view, call, layout, xml);
  xml_write_end(xml);
  xml_write_end(xml);
  xml_write_free(xml);
  platform_layout_free(layout);
}
