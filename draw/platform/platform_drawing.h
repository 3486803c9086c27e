/* SPDX-License-Identifier: BSD-3-Clause
 * The drawing of a platform in SVG. */
#pragma once

#include "draw/platform/platform_layout.h"

#include <stdio.h>

struct xml_writer;

/* Elements of SVG, for formats of an xml_writer, and the values of a box. */
#define SVG_BOX "rect x='%.1f' y='%.1f' width='%.1f' height='%.1f'"
#define SVG_BOX_OF(box) (box)->left, (box)->top, (box)->width, (box)->height
#define SVG_CIRCLE "circle cx='%.1f' cy='%.1f' r='%.1f'"
#define SVG_LINE "line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'"
#define SVG_WORD "text x='%.1f' y='%.1f' font-size='%.1f' fill='#111111' text-anchor='middle'"

/* Write the drawing of PLATFORM, a whole SVG file in UTF-8, on STREAM; the owner of STREAM looks for its
 * errors. Of one node the chips are drawn; of several nodes the nodes, NICs and switches of each rail, level
 * by level, and one blade in detail. Of many nodes or switches the first ones are drawn, and all are
 * counted. */
void platform_drawing_write(const struct platform *platform, FILE *stream);
void cluster_drawing_write(const struct platform *platform, FILE *stream);

/* Write the chips of PLATFORM, or a node, and the links as text on STREAM: neighbours are joined, all links
 * listed. Of several nodes first the nodes and the levels of switches. */
void platform_drawing_write_text(const struct platform *platform, FILE *stream);
void cluster_drawing_write_text(const struct platform *platform, FILE *stream);

/* Write the drawing of PLATFORM in FORM, DRAW_WHOLE or DRAW_PART, on XML, where an svg element has just
 * begun, and end that element. */
void platform_drawing_add(const struct platform *platform, enum draw_form form, struct xml_writer *xml);

/* Write the ground of a figure of PLATFORM, laid out as LAYOUT, on XML: the chips with empty places for a
 * word (class "state") and a bar ("held") in the boxes of SPEs, for a word in the boxes of PPEs and memory
 * interfaces, and for a count below the name of each chip. */
void platform_drawing_add_figure(const struct platform_layout *layout, const struct platform *platform,
                                 struct xml_writer *xml);

/* Write the numbers of the rings of LAYOUT on XML. */
void platform_drawing_add_numbers(const struct platform_layout *layout, struct xml_writer *xml);

/* Write the texts of LAYOUT on XML. */
void platform_drawing_add_texts(const struct platform_layout *layout, struct xml_writer *xml);
