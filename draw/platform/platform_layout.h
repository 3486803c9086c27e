/* SPDX-License-Identifier: BSD-3-Clause
 * Where everything in the drawing of a platform goes, as plain data without ink. */
#pragma once

#include "platform/platform.h"

#include <stdbool.h>
#include <stddef.h>

/* Kinds of units; DRAW_BIF is the unit at the ends of links to other chips. */
enum draw_kind { DRAW_SPE, DRAW_PPE, DRAW_MIC, DRAW_IOIF, DRAW_BIF, DRAW_OTHER, DRAW_KINDS };

/* Signs of the legend besides the kinds of units. */
enum draw_sign { DRAW_CLOCKWISE = DRAW_KINDS, DRAW_COUNTERCLOCKWISE, DRAW_LINK, DRAW_SIGNS };

/* The contents of a drawing: a machine with title and legend; a part of a drawing of nodes, the same
 * without title; or, as the ground of other pictures, only chips and links, with larger boxes. The chips of a
 * column stand above each other, for narrow screens. */
enum draw_form { DRAW_WHOLE, DRAW_PART, DRAW_FIGURE, DRAW_COLUMN };

/* All lengths are in user units of the drawing; x goes to the right and y down. */
struct draw_point {
  double x, y;
};

struct draw_box {
  double left, top, width, height;
};

struct draw_unit {
  const char *name; /* on the chip, for ids */
  char label[32];   /* the name, or the number of an SPE on the blade */
  unsigned chip;
  enum draw_kind kind;
  int spe; /* number of the SPE on the blade; -1: no SPE, or an unusable SPE */
  struct draw_box box;
  struct draw_point ramp; /* where the ramp meets the innermost ring */
  /* in a figure: the word in the box (NULL: none), also a class; the part of the bar; in the class
   * "onpath" */
  const char *word;
  double held;
  bool marked;
};

/* A chip is a disc: the rings are concentric circles, and the units stand around the rings. */
struct draw_chip {
  struct draw_point centre;
  double facing; /* angle of the BIF unit, or of the first unit; radians, 0 is to the right, clockwise */
};

/* One ring, the same in all chips. */
struct draw_track {
  double radius;
  bool clockwise;
};

struct draw_link {
  unsigned chips[2];           /* the smaller number first */
  struct draw_point points[5]; /* between BIF units, or with round corners between discs of a grid */
  size_t npoints;
};

/* One line of text. */
struct draw_text {
  const char *text;
  struct draw_point baseline; /* start or middle of the line */
  double size;
  bool middle, bold, faint;
};

/* One sign of the legend: a draw_kind or a draw_sign. */
struct draw_swatch {
  unsigned sign;
  struct draw_box box;
};

struct platform_layout {
  enum draw_form form;
  const char *prefix; /* of all ids, such as chip0-SPE3, chip0-ring2 and link-0-1 */
  double width, height;
  double scale; /* of title and legend, large enough to be read beside a large drawing */
  struct draw_unit *units;
  size_t nunits;
  struct draw_chip *chips;
  size_t nchips;
  size_t columns; /* of chips in a grid; 0: the chips stand in another way */
  double chip_radius;
  struct draw_track *tracks; /* from the outermost to the innermost */
  size_t ntracks;
  struct draw_link *links;
  size_t nlinks;
  double link_width;
  struct draw_text *texts;
  size_t ntexts;
  struct draw_swatch *swatches;
  size_t nswatches;
};

/* Lay out PLATFORM, already accepted by platform_check and of one node, as FORM says. One chip stands alone.
 * Several chips stand around a circle, with the BIF units towards the middle: a link, a straight line inside
 * the circle, meets no chip. The chips of a grid or a torus stand in rows and columns. PREFIX begins all ids
 * and must outlive the layout. */
struct platform_layout *platform_layout_new(const struct platform *platform, enum draw_form form,
                                            const char *prefix);
void platform_layout_free(struct platform_layout *layout);

/* --- title and legend: the signs and the key figures --- */

/* The rates of one direction of a link, in GB/s: all bytes, and only the requested bytes. */
struct draw_rates {
  double raw, payload;
};

struct draw_rates platform_legend_rates(const struct platform *platform);

/* Return the least width of a drawing with room for the legend of PLATFORM, at scale 1. */
double platform_legend_width(const struct platform *platform);

/* Add the name and the description of PLATFORM at the top of LAYOUT, whose width and scale are known.
 * returns: the least y of the next part. */
double platform_legend_add_title(struct platform_layout *layout, const struct platform *platform);

/* Add signs and figures from TOP on.
 * returns: as platform_legend_add_title. */
double platform_legend_add(struct platform_layout *layout, const struct platform *platform, double top);

/* --- lines of text --- */

/* Add a copy of TEXT to LAYOUT. */
void text_lines_add(struct platform_layout *layout, const struct draw_text *text);

/* Add TEXT, from the baseline of TEXT on, in as many lines of WIDTH as necessary. The baseline becomes the
 * baseline of the next line. */
void text_lines_add_paragraph(struct platform_layout *layout, struct draw_text *text, double width);
