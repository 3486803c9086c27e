/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of text in a drawing and the room they take; used inside this folder only. */
#pragma once

#include "draw/platform_layout.h"

/* Return how wide TEXT may be in a sans-serif font of SIZE: see font_width. */
double text_lines_width(const char *text, double size);

/* Add a copy of TEXT (its text, baseline, size, middle, bold, faint) to LAYOUT; the box is worked out.
 * returns: that box. */
struct draw_box text_lines_add(struct platform_layout *layout, const struct draw_text *text);

/* Add TEXT, which starts at its baseline, in as many lines as it needs in WIDTH.
 * returns: the baseline of the line that would follow. */
double text_lines_add_paragraph(struct platform_layout *layout, const struct draw_text *text, double width);

/* Tell whether A and B have more in common than an edge. */
bool text_lines_overlap(const struct draw_box *a, const struct draw_box *b);
