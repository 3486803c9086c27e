/* SPDX-License-Identifier: BSD-3-Clause
 * One node of a platform of several nodes in detail: its blade, or its processes and NICs. */
#pragma once

struct platform;
struct xml_writer;

/* How large that drawing is. */
struct node_drawing_size {
  double width, height;
};

/* Return the size of the drawing of a node of PLATFORM, which has nodes. */
struct node_drawing_size node_drawing_size(const struct platform *platform);

/* Write the drawing at the height TOP of the svg element that XML is in, LEFT from its left end. */
void node_drawing_add(const struct platform *platform, struct xml_writer *xml, double left, double top);
