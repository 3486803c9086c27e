/* SPDX-License-Identifier: BSD-3-Clause
 * See platform_layout.h.
 *
 * Around a chip the centres of neighbouring boxes are farther apart than a box's diagonal, so that upright
 * boxes cannot overlap at any place of the circle. Every chip is a disc outside of one circle, with the BIF
 * unit at the point of contact. A straight line between two such points lies inside the circle and crosses no
 * chip.
 *
 * The chips of a grid stand in rows and columns. Links go from disc to disc, straight to neighbours; a link
 * around a torus runs through the gap above the row, or left of the column. */
#include "draw/platform/platform_layout.h"

#include "draw/font.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double margin = 24, unit_font = 11, unit_height = 24, unit_least = 46, unit_most = 110,
                    unit_pad = 6, track_pitch = 9, track_least = 46, stub = 14, chip_pad = 8, chip_gap = 40,
                    chip_font = 13, circle_least = 120, wide = 1000, link_width = 1.5;

/* Of links beside a column: how far out a link runs, and how much farther for each chip between the ends. */
static const double beside_margin = 4, beside_step = 6;

/* Of a link around a torus: the angle at a chip between the ends of this link and of straight links. */
static const double aside = 0.35;

enum { FEW_LINKS = 40 /* drawn as wide lines */ };

/* Of figures: room for a name, a word ("computes") and a bar in each box, and for wide arcs on rings. */
static const double figure_height = 37, figure_least = 62, figure_pitch = 14, figure_middle = 40,
                    figure_gap = 28, figure_circle = 50, figure_margin = 4, figure_pad = 2, figure_font = 12;

/* The shape common to the chips of a platform. */
struct shape {
  size_t per_chip;
  size_t first; /* the unit at the angle of the chip's `facing` */
  double unit_width, unit_height;
  double unit_radius;
};

static enum draw_kind kind_of(const char *name, const struct platform *platform) {
  static const struct {
    const char *start;
    enum draw_kind kind;
  } kinds[] = {{"SPE", DRAW_SPE}, {"PPE", DRAW_PPE}, {"MIC", DRAW_MIC}, {"IOIF", DRAW_IOIF}};
  if (platform->blade.chips > 1 && strcmp(name, platform->chip.bif) == 0) {
    return DRAW_BIF;
  }
  if (strcmp(name, platform->chip.memory) == 0) {
    return DRAW_MIC;
  }
  enum { KINDS = VEC_LENGTH(kinds) };
  size_t i = VEC_INDEX(kinds, KINDS, strncmp(name, item->start, strlen(item->start)) == 0);
  return i < KINDS ? kinds[i].kind : DRAW_OTHER;
}

/* Make all units of all chips, without places. */
static void make_units(struct platform_layout *layout, const struct platform *platform) {
  size_t n = platform->nunits;
  layout->nchips = platform->blade.chips;
  layout->chips = xcalloc(layout->nchips, sizeof *layout->chips);
  layout->nunits = layout->nchips * n;
  layout->units = xcalloc(layout->nunits, sizeof *layout->units);
  for (size_t i = 0; i < layout->nunits; i++) {
    const char *name = platform->units[i % n];
    layout->units[i] =
      (struct draw_unit){.name = name, .chip = (unsigned)(i / n), .kind = kind_of(name, platform), .spe = -1};
  }
  for (unsigned i = 0; i < platform->nspes; i++) {
    unsigned chip = i / platform->spes_per_chip;
    layout->units[chip * n + platform->spe_units[i % platform->spes_per_chip]].spe = (int)i;
  }
  VEC_EACH(unit, layout->units, layout->nunits) {
    unit->kind = unit->kind == DRAW_SPE && unit->spe < 0 ? DRAW_OTHER : unit->kind;
    snprintf(unit->label, sizeof unit->label, "%s",
             unit->spe < 0 ? unit->name : text_brief("SPE %d", unit->spe));
  }
}

static void make_links(struct platform_layout *layout, const struct platform *platform) {
  layout->nlinks = platform->nlinks;
  layout->columns = layout->form == DRAW_COLUMN || layout->nchips == 1 ? 0 : platform->columns;
  layout->links = xcalloc(layout->nlinks + 1, sizeof *layout->links);
  for (size_t i = 0; i < layout->nlinks; i++) {
    const unsigned *pair = platform->links[i];
    bool up = pair[0] < pair[1];
    layout->links[i].chips[0] = pair[!up];
    layout->links[i].chips[1] = pair[up];
  }
}

/* Decide how large boxes, rings and chips are. */
static void size_chip(struct platform_layout *layout, const struct platform *platform, struct shape *shape) {
  bool whole = layout->form < DRAW_FIGURE;
  *shape = (struct shape){.per_chip = layout->nunits / layout->nchips,
                          .unit_width = whole ? unit_least : figure_least,
                          .unit_height = whole ? unit_height : figure_height};
  for (size_t i = 0; i < shape->per_chip; i++) {
    const char *label = layout->units[i].label;
    double bold = whole ? 0 : font_width(label, strlen(label), figure_font, true) + 3;
    double width = fmax(font_text_width(label, unit_font) + 2 * unit_pad, bold);
    shape->unit_width = fmin(fmax(shape->unit_width, width), unit_most);
    if (layout->units[i].kind == DRAW_BIF) {
      shape->first = i;
    }
  }
  unsigned nclockwise = platform->eib.rings_clockwise;
  layout->ntracks = nclockwise + platform->eib.rings_counterclockwise;
  layout->tracks = xcalloc(layout->ntracks, sizeof *layout->tracks);
  double diagonal = hypot(shape->unit_width, shape->unit_height);
  double tracks = track_pitch * (double)(layout->ntracks - 1);
  double least = track_least + tracks + stub + diagonal / 2;
  shape->unit_radius = fmax(least, (diagonal + unit_pad) / (2 * sin(M_PI / (double)shape->per_chip)));
  layout->chip_radius = shape->unit_radius + diagonal / 2 + (whole ? chip_pad : figure_pad);
  double outermost = shape->unit_radius - diagonal / 2 - stub, pitch = track_pitch;
  if (!whole && layout->ntracks > 1) {
    pitch = fmax(pitch, fmin(figure_pitch, (outermost - figure_middle) / (double)(layout->ntracks - 1)));
  }
  for (size_t i = 0; i < layout->ntracks; i++) {
    double radius = outermost - pitch * (double)i;
    layout->tracks[i] = (struct draw_track){.radius = radius, .clockwise = i < nclockwise};
  }
}

/* Return the gap between two rows and between two columns of chips. */
static double gap_of(const struct platform_layout *layout) {
  return layout->form < DRAW_FIGURE ? chip_gap : figure_gap;
}

/* Place the chips: one alone; above each other, of more than two with the links on the right side; in rows
 * and columns; or around the origin. */
static void place_chips(struct platform_layout *layout) {
  double radius = layout->chip_radius, step = 2 * M_PI / (double)layout->nchips;
  double inner = fmax((radius + chip_gap / 2) / sin(step / 2) - radius,
                      layout->form < DRAW_FIGURE ? circle_least : figure_circle);
  double first = -M_PI / 2 - (layout->nchips % 2 == 0 ? step / 2 : 0); /* an even number has a flat top */
  double pitch = 2 * radius + gap_of(layout);
  for (size_t i = 0; i < layout->nchips; i++) {
    struct draw_chip *chip = &layout->chips[i];
    double angle = first + step * (double)i;
    if (layout->nchips == 1) {
      chip->facing = -M_PI / 2;
    } else if (layout->form == DRAW_COLUMN) {
      chip->centre.y = pitch * (double)i;
      chip->facing = layout->nchips > 2 ? 0 : i == 0 ? M_PI / 2 : -M_PI / 2;
    } else if (layout->columns) {
      chip->centre =
        (struct draw_point){pitch * (double)(i % layout->columns), pitch * (double)(i / layout->columns)};
      chip->facing = M_PI / 4;
    } else {
      chip->centre = (struct draw_point){(inner + radius) * cos(angle), (inner + radius) * sin(angle)};
      chip->facing = angle + M_PI;
    }
  }
}

/* Return the box around all chips, with room above and at the left of a grid for links around. */
static struct draw_box extent(const struct platform_layout *layout) {
  double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY, radius = layout->chip_radius;
  VEC_EACH(chip, layout->chips, layout->nchips) {
    struct draw_point centre = chip->centre;
    left = fmin(left, centre.x - radius);
    right = fmax(right, centre.x + radius);
    top = fmin(top, centre.y - radius);
    bottom = fmax(bottom, centre.y + radius);
  }
  double room = layout->columns ? gap_of(layout) / 2 : 0;
  return (struct draw_box){left - room, top - room, right + room - left, bottom + room - top};
}

static void place_unit(struct platform_layout *layout, const struct shape *shape, size_t index) {
  struct draw_unit *unit = &layout->units[index];
  const struct draw_chip *chip = &layout->chips[unit->chip];
  double place = (double)(index % shape->per_chip) - (double)shape->first;
  double angle = chip->facing + 2 * M_PI * place / (double)shape->per_chip;
  double x = cos(angle), y = sin(angle), innermost = layout->tracks[layout->ntracks - 1].radius;
  struct draw_point centre = {chip->centre.x + shape->unit_radius * x,
                              chip->centre.y + shape->unit_radius * y};
  unit->ramp = (struct draw_point){chip->centre.x + innermost * x, chip->centre.y + innermost * y};
  unit->box = (struct draw_box){.left = centre.x - shape->unit_width / 2,
                                .top = centre.y - shape->unit_height / 2,
                                .width = shape->unit_width,
                                .height = shape->unit_height};
  if (layout->form >= DRAW_FIGURE) {
    return;
  }
  double size = unit_font, room = shape->unit_width - unit_pad;
  size *= fmin(1, room / font_text_width(unit->label, size));
  text_lines_add(layout, &(struct draw_text){.text = unit->label,
                                             .baseline = {centre.x, centre.y + 0.35 * size},
                                             .size = size,
                                             .middle = true});
}

static void name_chip(struct platform_layout *layout, size_t chip) {
  struct draw_point centre = layout->chips[chip].centre;
  struct draw_text text = {
    .text = text_brief("chip %zu", chip), .size = chip_font * layout->scale, .middle = true, .bold = true};
  double room = 1.4 * layout->tracks[layout->ntracks - 1].radius;
  text.size *= fmin(1, room / font_text_width(text.text, text.size));
  text.baseline = (struct draw_point){centre.x, centre.y + 0.35 * text.size};
  text_lines_add(layout, &text);
}

/* Return the point at DISTANCE from FROM in the direction of the front of CHIP. */
static struct draw_point ahead(const struct draw_chip *chip, struct draw_point from, double distance) {
  return (struct draw_point){from.x + distance * cos(chip->facing), from.y + distance * sin(chip->facing)};
}

/* Return the point on the edge of BOX, the BIF unit of CHIP, in the direction of the middle of the circle. */
static struct draw_point edge(const struct draw_chip *chip, const struct draw_box *box) {
  double across = fabs(cos(chip->facing)), down = fabs(sin(chip->facing));
  double distance =
    fmin(across > 0 ? box->width / 2 / across : INFINITY, down > 0 ? box->height / 2 / down : INFINITY);
  return ahead(chip, (struct draw_point){box->left + box->width / 2, box->top + box->height / 2}, distance);
}

/* Return the point of the disc of CHIP at ANGLE, or DISTANCE outside of the disc. */
static struct draw_point rim(const struct platform_layout *layout, unsigned chip, double angle,
                             double distance) {
  struct draw_chip turned = {layout->chips[chip].centre, angle};
  return ahead(&turned, turned.centre, layout->chip_radius + distance);
}

static void add_point(struct draw_link *link, struct draw_point point) {
  link->points[link->npoints++] = point;
}

/* Give LINK of a grid a way: straight to a neighbour, or around, through the gap beside the row or column. */
static void route_grid(const struct platform_layout *layout, struct draw_link *link) {
  unsigned one = link->chips[0], other = link->chips[1], columns = (unsigned)layout->columns;
  bool in_row = one / columns == other / columns;
  double forth = in_row ? 0 : M_PI / 2;
  if (other - one == (in_row ? 1 : columns)) {
    add_point(link, rim(layout, one, forth, 0));
    add_point(link, rim(layout, other, forth + M_PI, 0));
    return;
  }
  double beside = in_row ? -M_PI / 2 : M_PI, outwards = in_row ? -aside : aside, out = gap_of(layout) / 2;
  struct draw_point ends[] = {rim(layout, one, beside + outwards, 0),
                              rim(layout, other, beside - outwards, 0)};
  for (int i = 0; i < 2; i++) {
    unsigned chip = link->chips[i];
    struct draw_point corner = rim(layout, chip, beside, out);
    *(in_row ? &corner.x : &corner.y) = in_row ? ends[i].x : ends[i].y;
    link->points[link->npoints + (i ? 2 : 1)] = corner;
    link->points[link->npoints + (i ? 3 : 0)] = ends[i];
  }
  link->npoints += 4;
}

/* Give LINK a way: straight, beside a column of chips, or as in a grid. */
static void route(const struct platform_layout *layout, const struct shape *shape, struct draw_link *link) {
  struct draw_point edges[2], touches[2];
  if (layout->columns) {
    route_grid(layout, link);
    return;
  }
  for (size_t i = 0; i < 2; i++) {
    const struct draw_chip *chip = &layout->chips[link->chips[i]];
    edges[i] = edge(chip, &layout->units[link->chips[i] * shape->per_chip + shape->first].box);
    touches[i] = ahead(chip, chip->centre, layout->chip_radius);
  }
  add_point(link, edges[0]);
  add_point(link, touches[0]);
  if (layout->form == DRAW_COLUMN && layout->nchips > 2) {
    double out = beside_margin + beside_step * (double)(link->chips[1] - link->chips[0]);
    add_point(link, (struct draw_point){touches[0].x + out, (touches[0].y + touches[1].y) / 2});
  }
  add_point(link, touches[1]);
  add_point(link, edges[1]);
}

/* Move chips, units and links to the final place, into BOX with the top TOP. */
static void place_all(struct platform_layout *layout, const struct shape *shape, const struct draw_box *box,
                      double top) {
  for (size_t i = 0; i < layout->nchips; i++) {
    layout->chips[i].centre.x += layout->width / 2 - box->left - box->width / 2;
    layout->chips[i].centre.y += top - box->top;
    if (layout->form < DRAW_FIGURE) {
      name_chip(layout, i);
    }
  }
  for (size_t i = 0; i < layout->nunits; i++) {
    place_unit(layout, shape, i);
  }
  bool beside = layout->form == DRAW_COLUMN && layout->nchips > 2;
  layout->link_width = beside || layout->nlinks > FEW_LINKS ? link_width : fmin(2 * layout->scale, 3);
  VEC_EACH(link, layout->links, layout->nlinks) {
    route(layout, shape, link);
  }
}

struct platform_layout *platform_layout_new(const struct platform *platform, enum draw_form form,
                                            const char *prefix) {
  struct platform_layout *layout = xcalloc(1, sizeof *layout);
  struct shape shape;
  layout->form = form;
  layout->prefix = prefix;
  make_units(layout, platform);
  make_links(layout, platform);
  size_chip(layout, platform, &shape);
  place_chips(layout);
  struct draw_box box = extent(layout);
  if (form < DRAW_FIGURE) { /* chips below the title, then the legend */
    layout->width = fmax(box.width + 2 * margin, platform_legend_width(platform));
    layout->scale = fmax(1, layout->width / wide);
    double top = form == DRAW_PART ? margin / 2 : platform_legend_add_title(layout, platform);
    place_all(layout, &shape, &box, top);
    layout->height = platform_legend_add(layout, platform, top + box.height + margin * layout->scale);
    return layout;
  }
  if (form == DRAW_COLUMN && layout->nchips > 2) { /* room for the links */
    box.width += beside_margin + beside_step * (double)layout->nchips;
  }
  layout->width = box.width + 2 * figure_margin;
  layout->height = box.height + 2 * figure_margin;
  layout->scale = 1;
  place_all(layout, &shape, &box, figure_margin);
  return layout;
}

void platform_layout_free(struct platform_layout *layout) {
  if (!layout) {
    return;
  }
  VEC_EACH(text, layout->texts, layout->ntexts) {
    free((char *)text->text);
  }
  free(layout->units);
  free(layout->chips);
  free(layout->tracks);
  free(layout->links);
  free(layout->texts);
  free(layout->swatches);
  free(layout);
}

/* --- lines of text --- */

/* From a line to the next line, as a part of the size of the font. */
static const double line_pitch = 1.4;

/* Tell whether BYTE begins a character of UTF-8. */
static bool begins(char byte) {
  return ((unsigned char)byte & 0xc0) != 0x80;
}

void text_lines_add(struct platform_layout *layout, const struct draw_text *text) {
  struct draw_text added = *text;
  added.text = xstrdup(text->text);
  VEC_ADD(layout->texts, layout->ntexts) = added;
}

/* Count the bytes of REST in one line of WIDTH in the font of TEXT: whole words, unless one word alone is too
 * long. */
static size_t fitting(const char *rest, const struct draw_text *text, double width) {
  size_t fits = 0, words = 0, length = strlen(rest);
  for (size_t i = 1; i <= length; i++) {
    if (!begins(rest[i]) || font_width(rest, i, text->size, text->bold) > width) {
      continue;
    }
    fits = i;
    if (rest[i] == ' ' || rest[i] == '\0') {
      words = i;
    }
  }
  if (fits == 0) {
    for (fits = 1; !begins(rest[fits]); fits++) {
    }
  }
  return words > 0 ? words : fits;
}

void text_lines_add_paragraph(struct platform_layout *layout, struct draw_text *text, double width) {
  const char *rest = text->text;
  while (*rest != '\0') {
    size_t nbytes = fitting(rest, text, width);
    SCOPED char *words = xasprintf("%.*s", (int)nbytes, rest);
    struct draw_text line = *text;
    line.text = words;
    text_lines_add(layout, &line);
    text->baseline.y += line_pitch * text->size;
    rest += nbytes;
    rest += strspn(rest, " ");
  }
}
