/* SPDX-License-Identifier: BSD-3-Clause
 * A framed box of a drawing, with a text for a pointer on the box. */
#pragma once

struct xml_writer;

/* The upper left corner and the size of a box, in units of the drawing. */
struct svg_box {
  double x, y, width, height;
};

/* Write BOX, filled with the colour FILL; TITLE is the text under a pointer. */
void svg_box(struct xml_writer *xml, const struct svg_box *box, const char *fill, const char *title);
