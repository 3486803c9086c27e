/* SPDX-License-Identifier: BSD-3-Clause
 * How wide text is in a sans-serif font that nobody knows: the reader's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Return the width of the first NBYTES of TEXT, UTF-8, at SIZE: the larger of those in DejaVu Sans and in
 * Liberation Sans, which is as wide as Arial and Helvetica. */
double font_width(const char *text, size_t nbytes, double size, bool bold);
