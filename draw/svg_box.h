/* SPDX-License-Identifier: BSD-3-Clause
 * A framed box of a drawing, with what a pointer on it shows. */
#pragma once

struct xml_writer;

/* Where the upper left corner of a box is, and its size, in units of the drawing. */
struct svg_box {
  double x, y, width, height;
};

/* Write BOX, filled with the colour FILL; TITLE says more about it. */
void svg_box(struct xml_writer *xml, const struct svg_box *box, const char *fill, const char *title);
