/* SPDX-License-Identifier: BSD-3-Clause
 * See platform_layout.h: the ways of the links.
 *
 * Every chip is a disc that touches the circle from outside, at the BIF unit. A straight line between two
 * such points lies inside the circle and so crosses no chip. The hub, a chip in the middle, has the BIF unit
 * at the lower end. The links leave the hub side by side and run around the hub, the longest link next to the
 * hub, so that no two links cross. */
#include "draw/platform/platform_layout.h"

#include "draw/font.h"
#include "sim/base/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS_MOST = 40 };

static const double lane = 6, lanes_margin = 18, arc_step = 3 * M_PI / 180, label_font = 10, label_gap = 0.4,
                    beside_step = 6, beside_margin = 4;

size_t platform_links_hub(unsigned (*pairs)[2], size_t nlinks, size_t nchips) {
  size_t *links = xcalloc(nchips, sizeof *links), hub = 0;
  for (size_t i = 0; i < nlinks; i++) {
    links[pairs[i][0]]++;
    links[pairs[i][1]]++;
  }
  while (hub < nchips && (nchips < 3 || nlinks != nchips - 1 || links[hub] != nlinks)) {
    hub++;
  }
  free(links);
  return hub;
}

double platform_links_room(size_t nlinks) {
  return lanes_margin + lane * (double)(nlinks / 2 + 1);
}

static struct draw_point polar(struct draw_point centre, double radius, double angle) {
  return (struct draw_point){centre.x + radius * cos(angle), centre.y + radius * sin(angle)};
}

static void add_point(struct draw_link *link, struct draw_point point) {
  VEC_ADD(link->points, link->npoints) = point;
}

/* Return the BIF unit of CHIP. */
static const struct draw_unit *bif_unit(const struct platform_layout *layout, size_t chip) {
  size_t per_chip = layout->nunits / layout->nchips;
  for (size_t i = chip * per_chip; i < (chip + 1) * per_chip; i++) {
    if (layout->units[i].kind == DRAW_BIF) {
      return &layout->units[i];
    }
  }
  assert(!"a chip with links has a BIF unit");
  return NULL;
}

/* Return the point on the edge of the BIF unit of CHIP in the direction of the middle of the circle. */
static struct draw_point edge(const struct platform_layout *layout, size_t chip) {
  const struct draw_box *box = &bif_unit(layout, chip)->box;
  double angle = layout->chips[chip].facing, across = fabs(cos(angle)), down = fabs(sin(angle));
  double distance =
    fmin(across > 0 ? box->width / 2 / across : INFINITY, down > 0 ? box->height / 2 / down : INFINITY);
  return polar((struct draw_point){box->left + box->width / 2, box->top + box->height / 2}, distance, angle);
}

/* Return the point where the disc of CHIP touches the circle. */
static struct draw_point touch(const struct platform_layout *layout, size_t chip) {
  return polar(layout->chips[chip].centre, layout->chip_radius, layout->chips[chip].facing);
}

static void route_straight(const struct platform_layout *layout, struct draw_link *link) {
  add_point(link, edge(layout, link->chips[0]));
  add_point(link, touch(layout, link->chips[0]));
  add_point(link, touch(layout, link->chips[1]));
  add_point(link, edge(layout, link->chips[1]));
}

/* How far around the hub the other end of LINK is: radians from the hub's BIF unit, positive clockwise. */
static double turn(const struct platform_layout *layout, const struct draw_link *link, size_t hub) {
  size_t leaf = link->chips[0] == hub ? link->chips[1] : link->chips[0];
  return remainder(layout->chips[leaf].facing + M_PI - layout->chips[hub].facing, 2 * M_PI);
}

/* Count the links on the same side of the hub as LINK, or straight down: with FARTHER those with a longer arc
 * than LINK, else those with a shorter arc. */
static size_t count_beside(const struct platform_layout *layout, const struct draw_link *link, size_t hub,
                           bool farther) {
  double own = turn(layout, link, hub);
  size_t count = 0;
  for (size_t i = 0; i < layout->nlinks; i++) {
    double other = turn(layout, &layout->links[i], hub);
    bool same_side = (own > 0) == (other > 0) || fabs(other) < arc_step / 2;
    count += same_side && (farther ? fabs(other) > fabs(own) : fabs(other) < fabs(own));
  }
  return count;
}

/* Return how far apart the links leave the hub's BIF unit, in BOX. */
static double spread_on(const struct draw_box *box, size_t nlinks) {
  return fmin(lane, 0.9 * box->width / (double)(nlinks + 1));
}

/* Lead LINK from the lower edge of the hub's BIF unit down, around the hub, and straight out to the other
 * chip. */
static void route_around(const struct platform_layout *layout, struct draw_link *link,
                         const struct draw_circle *circle) {
  size_t hub = circle->hub, leaf = link->chips[0] == hub ? link->chips[1] : link->chips[0];
  const struct draw_box *box = &bif_unit(layout, hub)->box;
  double angle = turn(layout, link, hub), side = angle > 0 ? -1 : 1;
  double spread = spread_on(box, layout->nlinks);
  double shift = side * spread * ((double)count_beside(layout, link, hub, false) + 0.5);
  if (fabs(angle) < arc_step / 2) {
    shift = 0;
  }
  double radius = layout->chip_radius + lanes_margin + lane * (double)count_beside(layout, link, hub, true);
  double begin = acos(shift / radius), end = layout->chips[hub].facing + angle;
  struct draw_point centre = layout->chips[hub].centre;
  link->chips[0] = (unsigned)hub;
  link->chips[1] = (unsigned)leaf;
  add_point(link, (struct draw_point){box->left + box->width / 2 + shift, box->top + box->height});
  size_t nsteps = 1 + (size_t)(fabs(end - begin) / arc_step);
  for (size_t i = 0; i <= nsteps && shift != 0; i++) {
    add_point(link, polar(centre, radius, begin + (end - begin) * (double)i / (double)nsteps));
  }
  add_point(link, touch(layout, leaf));
  add_point(link, edge(layout, leaf));
}

double platform_links_beside(const struct platform_layout *layout) {
  return layout->nchips > 2 ? beside_margin + beside_step * (double)layout->nchips : 0;
}

/* Lead LINK of a column around the chips between both ends, farther out the more chips there are. */
static void route_beside(const struct platform_layout *layout, struct draw_link *link) {
  struct draw_point from = touch(layout, link->chips[0]), to = touch(layout, link->chips[1]);
  double out = beside_margin + beside_step * (double)(link->chips[1] - link->chips[0]);
  add_point(link, edge(layout, link->chips[0]));
  add_point(link, from);
  add_point(link, (struct draw_point){from.x + out, (from.y + to.y) / 2});
  add_point(link, to);
  add_point(link, edge(layout, link->chips[1]));
}

void platform_links_route(struct platform_layout *layout, const struct draw_circle *circle) {
  layout->link_width = layout->nlinks <= LABELS_MOST ? fmin(2 * layout->scale, 3) : 1.5;
  if (layout->form == DRAW_COLUMN && layout->nchips > 2) {
    layout->link_width = 1.5;
    for (size_t i = 0; i < layout->nlinks; i++) {
      route_beside(layout, &layout->links[i]);
    }
    return;
  }
  if (circle->hub < layout->nchips) {
    double spread = spread_on(&bif_unit(layout, circle->hub)->box, layout->nlinks);
    layout->link_width = fmin(2, 0.5 * spread);
  }
  for (size_t i = 0; i < layout->nlinks; i++) {
    if (circle->hub < layout->nchips) {
      route_around(layout, &layout->links[i], circle);
    } else {
      route_straight(layout, &layout->links[i]);
    }
  }
}

/* Tell whether the straight line from A to B meets BOX (cut the line at the four edges, one after the
 * other). */
static bool line_meets(struct draw_point a, struct draw_point b, const struct draw_box *box) {
  double from = 0, to = 1;
  double steps[4] = {a.x - b.x, b.x - a.x, a.y - b.y, b.y - a.y};
  double rooms[4] = {a.x - box->left, box->left + box->width - a.x, a.y - box->top,
                     box->top + box->height - a.y};
  for (size_t i = 0; i < 4; i++) {
    if (fabs(steps[i]) < 1e-9) {
      if (rooms[i] < 0) {
        return false;
      }
    } else if (steps[i] < 0) {
      from = fmax(from, rooms[i] / steps[i]);
    } else {
      to = fmin(to, rooms[i] / steps[i]);
    }
  }
  return from <= to;
}

static bool disc_meets(const struct platform_layout *layout, size_t chip, const struct draw_box *box) {
  struct draw_point centre = layout->chips[chip].centre;
  double x = fmax(box->left, fmin(centre.x, box->left + box->width));
  double y = fmax(box->top, fmin(centre.y, box->top + box->height));
  return hypot(x - centre.x, y - centre.y) < layout->chip_radius;
}

/* Tell whether BOX, a label of link NUMBER, lies on nothing but link NUMBER. */
static bool is_free(const struct platform_layout *layout, size_t number, const struct draw_box *box) {
  for (size_t i = 0; i < layout->nchips; i++) {
    if (disc_meets(layout, i, box)) {
      return false;
    }
  }
  for (size_t i = 0; i < layout->nlinks; i++) {
    const struct draw_link *other = &layout->links[i];
    if (i < number && text_lines_overlap(box, &other->label)) {
      return false;
    }
    for (size_t j = 1; j < other->npoints; j++) {
      bool own = i == number && j == other->npoints - 2;
      if (!own && line_meets(other->points[j - 1], other->points[j], box)) {
        return false;
      }
    }
  }
  return true;
}

/* Find a place for the label of link NUMBER, of the size of BOX, on the last long piece of the link. */
static bool place_label(struct platform_layout *layout, size_t number, struct draw_box box) {
  static const double places[] = {0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82};
  struct draw_link *link = &layout->links[number];
  struct draw_point a = link->points[link->npoints - 3], b = link->points[link->npoints - 2];
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    box.left = a.x + (b.x - a.x) * places[i] - box.width / 2;
    box.top = a.y + (b.y - a.y) * places[i] - box.height / 2;
    if (is_free(layout, number, &box)) {
      link->label = box;
      link->level = fabs(b.y - a.y) < 1;
      return true;
    }
  }
  return false;
}

/* Put labels of the size of BOX on all links. */
static bool place_labels(struct platform_layout *layout, struct draw_box box) {
  for (size_t i = 0; i < layout->nlinks; i++) {
    if (!place_label(layout, i, box)) {
      return false;
    }
  }
  return true;
}

void platform_links_label(struct platform_layout *layout, const char *raw, const char *payload) {
  const double sizes[] = {label_font * layout->scale, label_font * (1 + layout->scale) / 2, label_font};
  double size = label_font, gap = 0;
  layout->labelled = false;
  for (size_t i = 0; i < 3 && layout->nlinks <= LABELS_MOST && !layout->labelled; i++) {
    size = sizes[i];
    gap = label_gap * size;
    double width = fmax(font_text_width(raw, size), font_text_width(payload, size));
    struct draw_box box = {.width = width + 2 * gap, .height = 2 * size + 4 * gap};
    layout->labelled = layout->nlinks > 0 && place_labels(layout, box);
  }
  for (size_t i = 0; i < layout->nlinks; i++) {
    struct draw_box *box = &layout->links[i].label;
    if (!layout->labelled) {
      *box = (struct draw_box){0};
      continue;
    }
    struct draw_point centre = {box->left + box->width / 2, box->top + box->height / 2};
    struct draw_text text = {
      .text = raw, .baseline = {centre.x, centre.y - gap}, .size = size, .middle = true};
    text_lines_add(layout, &text);
    text.text = payload;
    text.baseline.y = centre.y + gap + 0.8 * size;
    text_lines_add(layout, &text);
  }
}
