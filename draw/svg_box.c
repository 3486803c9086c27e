/* SPDX-License-Identifier: BSD-3-Clause
 * See svg_box.h. */
#include "draw/svg_box.h"

#include "sim/base/xml/xml_write.h"

void svg_box(struct xml_writer *xml, const struct svg_box *box, const char *fill, const char *title) {
  xml_write_begin(xml, "rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s' stroke='#444444'", box->x,
                  box->y, box->width, box->height, fill);
  xml_write_element(xml, "title", "%s", title);
  xml_write_end(xml);
}
