/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of text in a drawing and the room of each line. */
#pragma once

#include "draw/platform/platform_layout.h"

/* Add a copy of TEXT (text, baseline, size, middle, bold, faint) to LAYOUT and work out the box of the copy.
 * returns: the box. */
struct draw_box text_lines_add(struct platform_layout *layout, const struct draw_text *text);

/* Add TEXT, from the baseline of TEXT on, in as many lines of WIDTH as necessary.
 * returns: the baseline of the next line. */
double text_lines_add_paragraph(struct platform_layout *layout, const struct draw_text *text, double width);

/* Tell whether A and B have more in common than an edge. */
bool text_lines_overlap(const struct draw_box *a, const struct draw_box *b);
