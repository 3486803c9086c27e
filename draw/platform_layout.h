/* SPDX-License-Identifier: BSD-3-Clause
 * Where everything in the drawing of a platform goes, as plain data without ink. */
#pragma once

#include "platform/platform.h"

#include <stdbool.h>
#include <stddef.h>

/* What a unit is; DRAW_BIF is the unit at which the links to other chips end. */
enum draw_kind { DRAW_SPE, DRAW_PPE, DRAW_MIC, DRAW_IOIF, DRAW_BIF, DRAW_OTHER, DRAW_KINDS };

/* Signs that the legend explains besides those kinds. */
enum draw_sign { DRAW_CLOCKWISE = DRAW_KINDS, DRAW_COUNTERCLOCKWISE, DRAW_LINK, DRAW_SIGNS };

/* All lengths are in user units of the drawing; x goes to the right and y down. */
struct draw_point {
  double x, y;
};

struct draw_box {
  double left, top, width, height;
};

struct draw_unit {
  const char *name;
  unsigned chip;
  enum draw_kind kind;
  struct draw_box box;
  struct draw_point ramp; /* where it meets the innermost ring */
};

/* A chip is a disc: its rings are concentric circles, its units stand around them. */
struct draw_chip {
  struct draw_point centre;
  double facing; /* angle of its BIF unit, or of its first unit; radians, 0 is to the right, clockwise */
};

/* One ring, the same in all chips. */
struct draw_track {
  double radius;
  bool clockwise;
};

struct draw_link {
  unsigned chips[2];
  struct draw_point *points; /* from the BIF unit of one chip to that of the other */
  size_t npoints;
  struct draw_box label; /* empty when the layout is not labelled */
  bool level;            /* the link runs level between the two lines of its label */
};

/* One line of text; nothing else may lie on its box. */
struct draw_text {
  char *text;
  struct draw_point baseline; /* its start, or its middle */
  double size;
  bool middle, bold, faint;
  struct draw_box box; /* what it may cover: see font_width */
};

/* One sign of the legend: a draw_kind or a draw_sign. */
struct draw_swatch {
  unsigned sign;
  struct draw_box box;
};

struct platform_layout {
  double width, height;
  double scale; /* of title and legend, so that they can be read beside a large drawing */
  char *names;  /* what the names of the units point into */
  struct draw_unit *units;
  size_t nunits;
  struct draw_chip *chips;
  size_t nchips;
  double chip_radius;
  struct draw_track *tracks; /* from the outermost to the innermost */
  size_t ntracks;
  struct draw_link *links;
  size_t nlinks;
  double link_width; /* of their lines */
  bool labelled;     /* there is room for a label on every link */
  struct draw_text *texts;
  size_t ntexts;
  struct draw_swatch *swatches;
  size_t nswatches;
};

/* Lay out PLATFORM, which has passed platform_check. One chip stands alone; several stand around a circle
 * with their BIF units towards its middle, so that a link, a straight line inside that circle, meets no chip;
 * when one chip has all the links it stands in the middle and the links go around it.
 * owner: the caller, with platform_layout_free. */
struct platform_layout *platform_layout_new(const struct platform *platform);

/* Release LAYOUT; NULL is allowed. */
void platform_layout_free(struct platform_layout *layout);
