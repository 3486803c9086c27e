/* SPDX-License-Identifier: BSD-3-Clause
 * See svg_box.h. */
#include "draw/svg_box.h"

#include "sim/base/xml/xml_write.h"

void svg_box(struct xml_writer *xml, const struct svg_box *box, const char *fill, const char *title) {
  xml_write_begin(xml, "rect");
  xml_write_attribute(xml, "x", "%.1f", box->x);
  xml_write_attribute(xml, "y", "%.1f", box->y);
  xml_write_attribute(xml, "width", "%.1f", box->width);
  xml_write_attribute(xml, "height", "%.1f", box->height);
  xml_write_attribute(xml, "fill", "%s", fill);
  xml_write_attribute(xml, "stroke", "#444444");
  xml_write_element(xml, "title", "%s", title);
  xml_write_end(xml);
}
