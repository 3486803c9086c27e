/* SPDX-License-Identifier: BSD-3-Clause
 * See lanes_page.h: the axis and the lanes. The upper half of a lane has the program, the lower half its
 * DMAs. */
#include "draw/lanes_page.h"

#include "draw/font.h"
#include "draw/lanes_style.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"

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

static void write_axis(struct lanes_page *page, double bottom) {
  uint64_t step = mark_step(page->length);
  double y = page->top - 9;
  for (uint64_t at = 0; at <= page->length; at += step) {
    char number[LANES_NUMBER_SIZE], d[64];
    double x = lanes_page_x(page, at);
    lanes_number(at, number);
    snprintf(d, sizeof d, "M%.5g %.5gV%.5g", x, page->top - 4, bottom);
    lanes_page_begin_path(page, "grid", d);
    xml_write_end(page->xml);
    lanes_page_text(page, "tick", (double[]){x, y}, "%s", number);
  }
  lanes_page_text(page, "name", (double[]){page->left - 12, y}, "cycle");
}

/* --- names --- */

/* Write the name of the chip or node of lane FIRST beside a bracket from TOP to BOTTOM: the name turned by 90
 * degrees, or the bare number upright if the name is too long. */
static void write_chip_name(struct lanes_page *page, unsigned first, double top, double bottom) {
  const struct lanes_lane *lane = &page->lanes->lanes[first];
  char name[NODE_NAME_SIZE];
  if (page->lanes->spans_nodes) {
    node_name(&page->lanes->names, lane->node, name);
  } else {
    snprintf(name, sizeof name, "chip %u", lane->chip);
  }
  bool fits = font_width(name, strlen(name), LANES_FONT, false) <= bottom - top + 4;
  xml_write_begin(page->xml, "text");
  xml_write_attribute(page->xml, "class", fits ? "chip" : "chip small");
  if (fits) {
    xml_write_attribute(page->xml, "transform", "translate(14 %.5g) rotate(-90)", (top + bottom) / 2);
    xml_write_text(page->xml, "%s", name);
  } else {
    xml_write_attribute(page->xml, "x", "12");
    xml_write_attribute(page->xml, "y", "%.5g", (top + bottom) / 2 + 4);
    const char *number = strchr(name, ' ') + 1;
    xml_write_text(page->xml, "%.*s", (int)strcspn(number, " "), number);
    xml_write_element(page->xml, "title", "%s", name);
  }
  xml_write_end(page->xml);
}

/* Write a bracket at the lanes FIRST .. END - 1 of one chip, or of one node. */
static void write_chip(struct lanes_page *page, unsigned first, unsigned end) {
  double top = lanes_page_y(page, first) + 2, bottom = lanes_page_y(page, end - 1) + page->pitch - 2;
  char d[64];
  snprintf(d, sizeof d, "M24 %.5gV%.5g", top, bottom);
  lanes_page_begin_path(page, "side", d);
  xml_write_end(page->xml);
  write_chip_name(page, first, top, bottom);
  xml_write_line(page->xml);
}

static void write_names(struct lanes_page *page) {
  const struct lanes *lanes = page->lanes;
  unsigned n = (unsigned)lanes->nlanes;
  for (unsigned i = 0; i < n; i++) {
    const struct lanes_lane *lane = &lanes->lanes[i];
    double y = lanes_page_y(page, i);
    if (i % 2 == 0) {
      lanes_page_begin_rect(
        page, "zebra-fill",
        &(struct lanes_box){page->left, y, (double)lanes->cycles * page->scale, page->pitch});
      xml_write_end(page->xml);
    }
    xml_write_begin(page->xml, "text");
    xml_write_attribute(page->xml, "class", n > LANES_ROOMY ? "name small" : "name");
    xml_write_attribute(page->xml, "x", "%.5g", page->left - 8);
    xml_write_attribute(page->xml, "y", "%.5g", y + page->pitch / 2 + 4);
    xml_write_text(page->xml, "%s", lane->name);
    if (*lane->rank) {
      xml_write_element(page->xml, "title", "%s", lane->rank);
    }
    xml_write_end(page->xml);
    xml_write_line(page->xml);
  }
  for (unsigned first = 0, i = 1; lanes->nspes == 0 && !lanes->names.processes && i <= n; i++) {
    if (i == n || lanes->lanes[i].chip != lanes->lanes[first].chip) {
      write_chip(page, first, i);
      first = i;
    }
  }
}

/* --- programs --- */

/* Parts as drawn: neighbouring short parts (crumbs) become one part. */
struct drawn {
  struct lanes_part *parts;
  size_t n;
  struct lanes_part crumbs; /* short parts not drawn yet; empty if there are none */
  uint64_t cycles[LANES_STATES];
};

/* Add PART to DRAWN; a part of the same ink right behind the last part lengthens the last part. */
static void add_drawn(struct drawn *drawn, const struct lanes_part *part) {
  struct lanes_part *last = drawn->n ? &drawn->parts[drawn->n - 1] : NULL;
  if (last && last->ink == part->ink && last->to == part->from) {
    last->to = part->to;
    last->what = NULL;
  } else {
    drawn->parts[drawn->n++] = *part;
  }
}

/* Draw the crumbs of DRAWN as one part, in the ink with the most cycles. Crumbs shorter than LEAST cycles,
 * too narrow to be seen, lengthen the part before. */
static void sweep_crumbs(struct drawn *drawn, double least) {
  struct lanes_part *crumbs = &drawn->crumbs;
  if (crumbs->to == crumbs->from) {
    return;
  }
  if (drawn->n && (double)(crumbs->to - crumbs->from) < least) {
    drawn->parts[drawn->n - 1].to = crumbs->to;
  } else {
    for (enum lanes_ink ink = 0; ink < LANES_STATES; ink++) {
      crumbs->ink = drawn->cycles[ink] > drawn->cycles[crumbs->ink] ? ink : crumbs->ink;
    }
    add_drawn(drawn, crumbs);
  }
  *crumbs = (struct lanes_part){0};
  memset(drawn->cycles, 0, sizeof drawn->cycles);
}

/* Return the parts of LANE as drawn, with a part of less than LEAST cycles too narrow to be seen.
 * owner: the caller, who frees the parts. */
static struct drawn draw_parts(const struct lanes_lane *lane, double least) {
  struct drawn drawn = {.parts = xcalloc(lane->nparts + 1, sizeof *drawn.parts)};
  struct lanes_part *crumbs = &drawn.crumbs;
  for (size_t i = 0; i < lane->nparts; i++) {
    const struct lanes_part *part = &lane->parts[i];
    if ((double)(part->to - part->from) >= least) {
      sweep_crumbs(&drawn, least);
      add_drawn(&drawn, part);
      continue;
    }
    if (crumbs->to == crumbs->from) {
      *crumbs = (struct lanes_part){.from = part->from, .ink = part->ink};
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
static void write_parts(struct lanes_page *page, const struct drawn *drawn, enum lanes_ink ink, double y) {
  bool any = false;
  double height = lanes_tenth(upper_height * page->pitch);
  y = lanes_tenth(y);
  for (size_t i = 0; i < drawn->n; i++) {
    const struct lanes_part *part = &drawn->parts[i];
    if (part->ink != ink) {
      continue;
    }
    if (!any) {
      lanes_page_begin_ink(page, ink);
      any = true;
    }
    double x = lanes_page_x(page, part->from), end = lanes_page_x(page, part->to);
    char d[96];
    snprintf(d, sizeof d, "M%.5g %.5gh%.5gv%.5gH%.5gz", x, y, lanes_tenth(end - x), height, x);
    lanes_page_begin_path(page, NULL, d);
    xml_write_element(page->xml, "title", "%s %llu\u2013%llu",
                      part->what ? part->what : lanes_state_name(ink), (unsigned long long)part->from,
                      (unsigned long long)part->to);
    xml_write_end(page->xml);
  }
  if (any) {
    xml_write_end(page->xml);
    xml_write_line(page->xml);
  }
}

/* Write AREA in INK, with the mean as the title. */
static void write_mean(struct lanes_page *page, const struct lanes_area *area, enum lanes_ink ink,
                       const char *what) {
  if (area->curve->n) {
    char *d = lanes_page_outline(page, area);
    lanes_page_begin_ink(page, ink);
    lanes_page_begin_path(page, NULL, d);
    xml_write_element(page->xml, "title", "%s: %.0f %%", what,
                      100 * lanes_curve_mean(page->lanes, area->curve));
    xml_write_end(page->xml);
    xml_write_end(page->xml);
    xml_write_line(page->xml);
    free(d);
  }
}

/* Write LANE, a lane of several SPEs, at Y. */
static void write_means(struct lanes_page *page, const struct lanes_lane *lane, double y) {
  float *below = xcalloc(lanes_nbins(page->lanes) + 1, sizeof *below);
  double height = 0.46 * page->pitch;
  for (enum lanes_ink ink = 0; ink < LANES_STATES; ink++) {
    struct lanes_area area = {&lane->states[ink], below, y + 0.5 * page->pitch, 0.4 * page->pitch};
    write_mean(page, &area, ink, lanes_state_name(ink));
  }
  struct lanes_area area = {&lane->data, NULL, y + 0.96 * page->pitch, height};
  write_mean(page, &area, LANES_DATA, "data");
  free(below);
}

void lanes_page_lanes(struct lanes_page *page) {
  const struct lanes *lanes = page->lanes;
  unsigned n = (unsigned)lanes->nlanes;
  double least = (n > LANES_ROOMY ? 1 : n > LANES_ROOMY / 2 ? 0.8 : 0.4) / page->scale;
  page->pitch = fmin(40, 15 + 192.0 / n);
  page->top = page->y + 28;
  double bottom = lanes_page_y(page, n - 1) + page->pitch;
  write_names(page);
  write_axis(page, bottom + 2);
  for (unsigned i = 0; i < n; i++) {
    const struct lanes_lane *lane = &lanes->lanes[i];
    double y = lanes_page_y(page, i);
    if (lane->nspes > 1) {
      write_means(page, lane, y);
      continue;
    }
    struct drawn drawn = draw_parts(lane, least);
    for (enum lanes_ink ink = 0; ink < LANES_STATES; ink++) {
      write_parts(page, &drawn, ink, y + upper_top * page->pitch);
    }
    free(drawn.parts);
    lanes_page_bars(page, lane, y);
  }
  lanes_page_paths(page);
  page->y = bottom;
}
