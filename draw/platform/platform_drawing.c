/* SPDX-License-Identifier: BSD-3-Clause
 * See platform_drawing.h.
 *
 * Colours are those of Okabe and Ito (2008): people with any colour vision can tell these colours apart. In
 * grey print the kinds of units differ in brightness, the directions of the rings in dashes. All style is in
 * attributes, so that several drawings fit on one page of HTML. */
#include "draw/platform/platform_drawing.h"

#include "platform/platform.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_write.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ARROWS_MOST = 6 };

static const double arrow_length = 7, arrow_width = 6, number_font = 10, figure_font = 12, line = 13,
                    bar_inset = 4, bar_height = 4, bend = 12 /* of links */;

static const char *const kinds[] = {[DRAW_SPE] = "spe",   [DRAW_PPE] = "ppe", [DRAW_MIC] = "mic",
                                    [DRAW_IOIF] = "ioif", [DRAW_BIF] = "bif", [DRAW_OTHER] = "other"};

static const char *const fills[DRAW_SIGNS] = {
  [DRAW_SPE] = "#d3ebf8",       [DRAW_PPE] = "#f0e442",  [DRAW_MIC] = "#5fc3a3",
  [DRAW_IOIF] = "#dfa6c4",      [DRAW_BIF] = "#e69f00",  [DRAW_OTHER] = "#ffffff",
  [DRAW_CLOCKWISE] = "#0072b2", [DRAW_LINK] = "#222222", [DRAW_COUNTERCLOCKWISE] = "#d55e00",
};

/* End the line of a ring: one direction is dashed. */
static void end_ring(struct xml_writer *xml, bool clockwise) {
  xml_write_attributes(xml, clockwise ? "" : "stroke-dasharray='6 3'");
  xml_write_end(xml);
}

static void write_head(const struct platform_layout *layout, const struct platform *platform,
                       struct xml_writer *xml) {
  xml_write_attributes(
    xml,
    "xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' viewBox='0 0 %.1f %.1f' "
    "font-family='sans-serif'",
    ceil(layout->width), ceil(layout->height), layout->width, layout->height);
  xml_write_element(xml, "title", "%s", platform->name);
  xml_write_element(
    xml, "desc",
    "%s. Chips: %u; links between them: %s; units of each chip in ring order: %s; data rings: "
    "%u clockwise and %u counter-clockwise.",
    platform->description, platform->blade.chips, layout->nlinks > 0 ? platform->blade.topology : "none",
    platform->chip.units, platform->eib.rings_clockwise, platform->eib.rings_counterclockwise);
  xml_write_empty(xml, "rect width='%.1f' height='%.1f' fill='#ffffff'", layout->width, layout->height);
}

static void write_discs(const struct platform_layout *layout, struct xml_writer *xml) {
  xml_write_begin(xml, "g class='discs' fill='#f7f7f7' stroke='#8c8c8c'");
  for (size_t i = 0; i < layout->nchips; i++) {
    struct draw_point centre = layout->chips[i].centre;
    xml_write_begin(xml, SVG_CIRCLE " id='%schip%zu'", centre.x, centre.y, layout->chip_radius,
                    layout->prefix, i);
    xml_write_element(xml, "title", "chip %zu", i);
    xml_write_end(xml);
  }
  xml_write_end(xml);
}

/* Append to PATH the corner BETWEEN, round, on the way from one point to the next. */
static void append_corner(char **path, const struct draw_point *between) {
  const struct draw_point *at[] = {between - 1, between + 1};
  for (int i = 0; i < 2; i++) {
    double x = at[i]->x - between->x, y = at[i]->y - between->y, length = hypot(x, y);
    double part = fmin(bend, length / 2) / fmax(length, 1);
    xappend(path, i ? " %.1f %.1f" : "L%.1f %.1f", between->x + part * x, between->y + part * y);
    xappend(path, i ? "" : "Q%.1f %.1f", between->x, between->y);
  }
}

static void write_link(const struct platform_layout *layout, const struct draw_link *link,
                       struct draw_rates rates, struct xml_writer *xml) {
  const unsigned *chips = link->chips;
  const struct draw_point *end = &link->points[link->npoints - 1];
  char *path = xasprintf("M%.1f %.1f", link->points->x, link->points->y);
  for (const struct draw_point *point = link->points + 1; point < end; point++) {
    if (layout->columns) {
      append_corner(&path, point);
    } else {
      xappend(&path, "L%.1f %.1f", point->x, point->y);
    }
  }
  xappend(&path, "L%.1f %.1f", end->x, end->y);
  xml_write_begin(xml, "path id='%slink-%u-%u' d='%s'", layout->prefix, chips[0], chips[1], path);
  xml_write_attributes(xml, layout->columns && link->npoints > 2 ? "class='around' stroke='#777777'" : "");
  xml_write_element(xml, "title", "chip %u to chip %u: %.4g GB/s raw, %.4g GB/s payload each way", chips[0],
                    chips[1], rates.raw, rates.payload);
  xml_write_end(xml);
  free(path);
}

static void write_links(const struct platform_layout *layout, const struct platform *platform,
                        struct xml_writer *xml) {
  xml_write_begin(xml, "g class='links' fill='none' stroke='%s' stroke-width='%.1f' stroke-linejoin='round'",
                  fills[DRAW_LINK], layout->link_width);
  VEC_EACH(link, layout->links, layout->nlinks) {
    write_link(layout, link, platform_legend_rates(platform), xml);
  }
  xml_write_end(xml);
}

/* Return an arrowhead with the middle AT and the direction ANGLE as a part of a path; a text_brief. */
static const char *format_arrow(struct draw_point at, double angle) {
  double x = arrow_length / 2 * cos(angle), y = arrow_length / 2 * sin(angle);
  double across_x = -arrow_width / 2 * sin(angle), across_y = arrow_width / 2 * cos(angle);
  return text_brief("M%.1f %.1fL%.1f %.1fL%.1f %.1fZ", at.x + x, at.y + y, at.x - x + across_x,
                    at.y - y + across_y, at.x - x - across_x, at.y - y - across_y);
}

/* A ring of a chip, and the places between two units, where arrowheads and the number of the ring are. */
struct drawn_ring {
  size_t number, per_chip;
  const struct draw_chip *chip;
  const struct draw_track *track;
};

/* Return the angle of place GAP of RING, and write the point there to AT. */
static double find_gap(const struct drawn_ring *ring, double gap, struct draw_point *at) {
  double angle = ring->chip->facing + 2 * M_PI * gap / (double)ring->per_chip;
  *at = (struct draw_point){ring->chip->centre.x + ring->track->radius * cos(angle),
                            ring->chip->centre.y + ring->track->radius * sin(angle)};
  return angle;
}

static void write_ring_arrows(const struct drawn_ring *ring, struct xml_writer *xml) {
  bool clockwise = ring->track->clockwise;
  size_t narrows = MIN(ring->per_chip, ARROWS_MOST);
  SCOPED char *path = NULL;
  for (size_t i = 0; i < narrows; i++) {
    struct draw_point at;
    double angle = find_gap(ring, floor((double)(i * ring->per_chip) / (double)narrows) + 0.5, &at);
    xappend(&path, "%s", format_arrow(at, angle + (clockwise ? M_PI / 2 : -M_PI / 2)));
  }
  xml_write_empty(xml, "path fill='%s' d='%s'", fills[clockwise ? DRAW_CLOCKWISE : DRAW_COUNTERCLOCKWISE],
                  path);
}

static void write_ring_number(const struct platform_layout *layout, const struct drawn_ring *ring,
                              struct xml_writer *xml) {
  struct draw_point at;
  double size = layout->form < DRAW_FIGURE ? number_font : figure_font;
  find_gap(ring, (double)((2 * ring->number + 1) % ring->per_chip) + 0.5, &at);
  xml_write_empty(xml, SVG_CIRCLE " class='number' fill='#f7f7f7'", at.x, at.y, 0.6 * size);
  xml_write_full(xml, text_brief("%zu", ring->number), SVG_WORD, at.x, at.y + 0.36 * size, size);
}

/* Write ring NUMBER of chip CHIP with arrowheads. */
static void write_track(const struct platform_layout *layout, size_t chip, size_t number,
                        struct xml_writer *xml) {
  const struct drawn_ring ring = {number, layout->nunits / layout->nchips, &layout->chips[chip],
                                  &layout->tracks[number]};
  bool clockwise = ring.track->clockwise;
  xml_write_begin(xml,
                  SVG_CIRCLE " id='%schip%zu-ring%zu' class='%s' fill='none' stroke='%s' stroke-width='1.6'",
                  ring.chip->centre.x, ring.chip->centre.y, ring.track->radius, layout->prefix, chip, number,
                  clockwise ? "cw" : "ccw", fills[clockwise ? DRAW_CLOCKWISE : DRAW_COUNTERCLOCKWISE]);
  end_ring(xml, clockwise);
  write_ring_arrows(&ring, xml);
}

static struct draw_point middle(const struct draw_box *box) {
  return (struct draw_point){box->left + box->width / 2, box->top + box->height / 2};
}

/* Write the ramps, and over the ramps the rings. */
static void write_rings(const struct platform_layout *layout, struct xml_writer *xml) {
  xml_write_begin(xml, "g class='ramps' stroke='#c4c4c4' stroke-width='5'");
  VEC_EACH(unit, layout->units, layout->nunits) {
    struct draw_point at = middle(&unit->box);
    xml_write_empty(xml, SVG_LINE " id='%schip%u-%s-ramp'", unit->ramp.x, unit->ramp.y, at.x, at.y,
                    layout->prefix, unit->chip, unit->name);
  }
  xml_write_end(xml);
  for (size_t i = 0; i < layout->nchips; i++) {
    for (size_t j = 0; j < layout->ntracks; j++) {
      write_track(layout, i, j, xml);
    }
  }
}

/* Write the contents of the box of UNIT of a figure. */
static void write_inside(const struct draw_unit *unit, struct xml_writer *xml) {
  const struct draw_box *box = &unit->box;
  bool acts = unit->spe >= 0 || unit->kind == DRAW_PPE || unit->kind == DRAW_MIC;
  double x = box->left + box->width / 2, y = box->top + (acts ? line : box->height / 2 + 0.36 * line);
  xml_write_full(xml, unit->label, SVG_WORD " font-weight='bold'", x, y, figure_font);
  if (acts) {
    xml_write_full(xml, unit->word ? unit->word : "", SVG_WORD " class='state'", x, y + line, figure_font);
  }
  if (unit->spe >= 0) {
    struct draw_box bar = {box->left + bar_inset, box->top + box->height - bar_inset - bar_height,
                           box->width - 2 * bar_inset, bar_height};
    xml_write_empty(xml, SVG_BOX " class='room'", SVG_BOX_OF(&bar));
    bar.width *= unit->held;
    xml_write_empty(xml, SVG_BOX " class='held'", SVG_BOX_OF(&bar));
  }
}

/* Return the width of the border of a unit of KIND: units at the ends of links have a thick border. */
static const char *border(unsigned kind) {
  return kind == DRAW_BIF ? "2.2" : "1";
}

static void write_units(const struct platform_layout *layout, struct xml_writer *xml) {
  xml_write_begin(xml, "g class='units' stroke='#333333'");
  VEC_EACH(unit, layout->units, layout->nunits) {
    xml_write_begin(xml, "g id='%schip%u-%s' class='%s%s%s%s' data-spe='%d'", layout->prefix, unit->chip,
                    unit->name, kinds[unit->kind], unit->word ? " " : "", unit->word ? unit->word : "",
                    unit->marked ? " onpath" : "", unit->spe);
    xml_write_begin(xml, SVG_BOX " fill='%s' stroke-width='%s' rx='4'", SVG_BOX_OF(&unit->box),
                    fills[unit->kind], border(unit->kind));
    xml_write_element(xml, "title", "chip %u: %s", unit->chip, unit->label);
    xml_write_end(xml);
    if (layout->form >= DRAW_FIGURE) {
      write_inside(unit, xml);
    }
    xml_write_end(xml);
  }
  xml_write_end(xml);
}

/* Write the signs of the legend: of a unit a box, of a link a line, of a ring a line with an arrowhead. */
static void write_signs(const struct platform_layout *layout, struct xml_writer *xml) {
  VEC_EACH(swatch, layout->swatches, layout->nswatches) {
    const struct draw_box *box = &swatch->box;
    struct draw_point at = middle(box);
    bool counter = swatch->sign == DRAW_COUNTERCLOCKWISE;
    if (swatch->sign < DRAW_KINDS) {
      xml_write_empty(xml, SVG_BOX " fill='%s' stroke-width='%s' rx='3' stroke='#333333'", SVG_BOX_OF(box),
                      fills[swatch->sign], border(swatch->sign));
      continue;
    }
    xml_write_begin(xml, SVG_LINE " stroke='%s' stroke-width='%.1f'", box->left, at.y, box->left + box->width,
                    at.y, fills[swatch->sign], 2 * layout->scale);
    end_ring(xml, !counter);
    if (swatch->sign != DRAW_LINK) {
      xml_write_empty(xml, "path fill='%s' d='%s'", fills[swatch->sign],
                      format_arrow(at, counter ? M_PI : 0));
    }
  }
}

void platform_drawing_add_texts(const struct platform_layout *layout, struct xml_writer *xml) {
  xml_write_begin(xml, "g class='texts' fill='#111111'");
  VEC_EACH(text, layout->texts, layout->ntexts) {
    xml_write_begin(xml, "text x='%.1f' y='%.1f' font-size='%.1f'", text->baseline.x, text->baseline.y,
                    text->size);
    xml_write_attributes(xml, text->middle ? "text-anchor='middle'" : "");
    xml_write_attributes(xml, text->bold ? "font-weight='bold'" : "");
    xml_write_attributes(xml, text->faint ? "fill='#555555'" : "");
    xml_write_text(xml, "%s", text->text);
    xml_write_end(xml);
  }
  xml_write_end(xml);
}

void platform_drawing_add_figure(const struct platform_layout *layout, const struct platform *platform,
                                 struct xml_writer *xml) {
  write_discs(layout, xml);
  write_links(layout, platform, xml);
  write_rings(layout, xml);
  write_units(layout, xml);
  for (size_t i = 0; i < layout->nchips && layout->form >= DRAW_FIGURE; i++) {
    struct draw_point centre = layout->chips[i].centre;
    xml_write_full(xml, text_brief("chip %zu", i), SVG_WORD " font-weight='bold'", centre.x, centre.y - 2,
                   figure_font);
    xml_write_empty(xml, SVG_WORD " id='%schip%zu-count'", centre.x, centre.y + line, figure_font,
                    layout->prefix, i);
  }
}

void platform_drawing_add_numbers(const struct platform_layout *layout, struct xml_writer *xml) {
  VEC_EACH(chip, layout->chips, layout->nchips) {
    for (size_t j = 0; j < layout->ntracks; j++) {
      write_ring_number(
        layout, &(struct drawn_ring){j, layout->nunits / layout->nchips, chip, &layout->tracks[j]}, xml);
    }
  }
}

void platform_drawing_add(const struct platform *platform, enum draw_form form, struct xml_writer *xml) {
  struct platform_layout *layout = platform_layout_new(platform, form, "");
  write_head(layout, platform, xml);
  platform_drawing_add_figure(layout, platform, xml);
  platform_drawing_add_numbers(layout, xml);
  write_signs(layout, xml);
  platform_drawing_add_texts(layout, xml);
  xml_write_end(xml);
  platform_layout_free(layout);
}

void platform_drawing_write(const struct platform *platform, FILE *stream) {
  struct xml_writer *xml = xml_write_new(stream);
  xml_write_declaration(xml);
  xml_write_indent(xml, "");
  xml_write_begin(xml, "svg");
  platform_drawing_add(platform, DRAW_WHOLE, xml);
  xml_write_free(xml);
}

/* --- in a terminal --- */

enum { TEXT_COLUMNS = 4 /* of chips that stand in no grid */, TEXT_BOX = 16 /* at least */, TEXT_GAP = 4 };

static bool is_joined(const struct platform *platform, unsigned one, unsigned other) {
  return VEC_FIND(platform->links, platform->nlinks,
                  ((*item)[0] == one && (*item)[1] == other) || ((*item)[0] == other && (*item)[1] == one));
}

/* Return the words of line PART in the box of CHIP: 1, the name; else the SPEs.
 * owner: the caller. */
static char *text_of_chip(const struct platform *platform, unsigned chip, int part) {
  unsigned n = platform->spes_per_chip;
  return part == 1 ? xasprintf("chip %u", chip) : xasprintf("SPE %u to %u", chip * n, chip * n + n - 1);
}

/* Write line PART of a row of the chips from FIRST to END as boxes: edge, name, SPEs, edge, links down. */
static void write_text_line(const struct platform *platform, unsigned first, unsigned end, unsigned columns,
                            int part, FILE *stream) {
  SCOPED char *text = xstrdup("");
  SCOPED char *longest = text_of_chip(platform, platform->blade.chips - 1, 2); /* of the last chip */
  int width = (int)strlen(longest) + 3, box = MAX(width, TEXT_BOX);
  for (unsigned chip = first; chip < end; chip++) {
    SCOPED char *name = text_of_chip(platform, chip, part);
    if (part == 4) {
      bool down = chip + columns < platform->blade.chips && is_joined(platform, chip, chip + columns);
      int blanks = (int)(chip - first) * (box + TEXT_GAP) + box / 2 - (int)strlen(text);
      xappend(&text, down ? "%*s|" : "", blanks, "");
    } else if (part == 0 || part == 3) {
      xappend(&text, "+");
      for (int i = 0; i < box - 2; i++) {
        xappend(&text, "-");
      }
      xappend(&text, "+");
    } else {
      xappend(&text, "| %-*s|", box - 3, name);
    }
    xappend(&text, "%s",
            chip + 1 == end                                    ? ""
            : part == 1 && is_joined(platform, chip, chip + 1) ? "----"
                                                               : "    ");
  }
  fprintf(stream, "%s\n", text);
}

void platform_drawing_write_text(const struct platform *platform, FILE *stream) {
  unsigned n = platform->blade.chips, columns = platform->columns ? platform->columns : TEXT_COLUMNS;
  for (unsigned first = 0; first < n; first += columns) {
    for (int part = 0; part < (first + columns < n ? 5 : 4); part++) {
      write_text_line(platform, first, MIN(first + columns, n), columns, part, stream);
    }
  }
  fprintf(stream, "\nUnits of a chip in ring order:\n  %s\nRings: %u clockwise, %u counter-clockwise.\n",
          platform->chip.units, platform->eib.rings_clockwise, platform->eib.rings_counterclockwise);
  for (size_t i = 0; i < platform->nlinks; i++) {
    const unsigned *pair = platform->links[i];
    fprintf(stream, i ? " %u-%u" : "Links: %u-%u", pair[0], pair[1]);
  }
  if (platform->nlinks) {
    struct draw_rates rates = platform_legend_rates(platform);
    fprintf(stream, "\nA link carries %.4g GB/s each way, %.4g GB/s of payload.\n", rates.raw, rates.payload);
  }
}
