/* SPDX-License-Identifier: BSD-3-Clause
 * The width of text in a sans-serif font that only the reader's screen knows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Return the width of the first NBYTES of TEXT, UTF-8, at SIZE: the larger of the widths in DejaVu Sans and
 * in Liberation Sans (as wide as Arial and Helvetica). */
double font_width(const char *text, size_t nbytes, double size, bool bold);

/* Return the width of the whole of TEXT in plain letters. */
double font_text_width(const char *text, double size);
