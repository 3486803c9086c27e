/* SPDX-License-Identifier: BSD-3-Clause
 * One node of a platform of several nodes in detail: a blade, or processes and NICs. */
#pragma once

struct platform;
struct xml_writer;

/* The size of the drawing of a node. */
struct node_drawing_size {
  double width, height;
};

/* Return the size of the drawing of a node of PLATFORM, a platform of nodes. */
struct node_drawing_size node_drawing_size(const struct platform *platform);

/* Write the drawing into the svg element just open in XML, at the height TOP, LEFT from the left end. */
void node_drawing_add(const struct platform *platform, struct xml_writer *xml, double left, double top);
