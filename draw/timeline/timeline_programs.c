/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline_page.h: the axis and the lanes. The upper half of a lane has the program, the lower half its
 * DMAs. */
#include "draw/timeline/timeline_page.h"

#include "draw/font.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Place of the program in a lane, as parts of the lane's height. */
static const double upper_top = 0.14, upper_height = 0.26;

/* --- axis --- */

/* Return the distance of marks on an axis of LENGTH cycles: a round number, for about ten marks. */
static uint64_t mark_step(uint64_t length) {
  static const double round[] = {1, 2, 2.5, 5, 10};
  double power = pow(10, floor(log10((double)length / 10)));
  for (size_t i = 0; i < sizeof round / sizeof *round; i++) {
    double step = round[i] * power;
    if (step * 10 >= (double)length && step >= 1 && step == floor(step)) {
      return (uint64_t)step;
    }
  }
  return length;
}

static void write_axis(struct timeline_page *page, double bottom) {
  uint64_t step = mark_step(page->length);
  double y = page->top - 9;
  for (uint64_t at = 0; at <= page->length; at += step) {
    char number[TIMELINE_NUMBER_SIZE], d[64];
    double x = timeline_page_x(page, at);
    timeline_number(at, number);
    snprintf(d, sizeof d, "M%.5g %.5gV%.5g", x, page->top - 4, bottom);
    timeline_page_path(page, "grid", d, NULL);
    timeline_page_text(page, "tick", (double[]){x, y}, "%s", number);
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
  bool fits = font_text_width(name, TIMELINE_FONT) <= bottom - top + 4;
  if (fits) {
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
  char d[64];
  snprintf(d, sizeof d, "M24 %.5gV%.5g", top, bottom);
  timeline_page_path(page, "side", d, NULL);
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
    xml_write_end(page->xml);
    xml_write_line(page->xml);
  }
  bool named = timeline->names.processes || (timeline->folded && !timeline->spans_nodes); /* by the lanes */
  for (unsigned first = 0, i = 1; !named && i <= n; i++) {
    if (i == n || timeline->lanes[i].chip != timeline->lanes[first].chip) {
      write_chip(page, first, i);
      first = i;
    }
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
  for (size_t i = 0; i < lane->nparts; i++) {
    const struct timeline_part *part = &lane->parts[i];
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

/* Write the parts of DRAWN of ink INK, at Y. */
static void write_parts(struct timeline_page *page, const struct drawn *drawn, enum timeline_ink ink,
                        double y) {
  bool any = false;
  double height = timeline_tenth(upper_height * page->pitch);
  y = timeline_tenth(y);
  for (size_t i = 0; i < drawn->n; i++) {
    const struct timeline_part *part = &drawn->parts[i];
    if (part->ink != ink) {
      continue;
    }
    if (!any) {
      timeline_page_begin_ink(page, ink);
      any = true;
    }
    double x = timeline_page_x(page, part->from), end = timeline_page_x(page, part->to);
    char d[96];
    snprintf(d, sizeof d, "M%.5g %.5gh%.5gv%.5gH%.5gz", x, y, timeline_tenth(end - x), height, x);
    timeline_page_path(page, NULL, d, "%s %llu\u2013%llu%s%s",
                       part->what ? part->what : timeline_state_name(ink), (unsigned long long)part->from,
                       (unsigned long long)part->to, part->step ? ", " : "", part->step ? part->step : "");
  }
  if (any) {
    xml_write_end(page->xml);
    xml_write_line(page->xml);
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
    xml_write_end(page->xml);
    xml_write_line(page->xml);
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

void timeline_page_lanes(struct timeline_page *page) {
  const struct timeline *timeline = page->timeline;
  unsigned n = (unsigned)timeline->nlanes;
  double least = (n > TIMELINE_ROOMY ? 1 : n > TIMELINE_ROOMY / 2 ? 0.8 : 0.4) / page->scale;
  page->pitch = fmin(40, 15 + 192.0 / n);
  page->top = page->y + 28;
  double bottom = timeline_page_y(page, n - 1) + page->pitch;
  write_names(page);
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
    timeline_page_bars(page, lane, y);
  }
  timeline_page_paths(page);
  page->y = bottom;
}
