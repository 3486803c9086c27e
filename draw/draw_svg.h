/* SPDX-License-Identifier: BSD-3-Clause
 * The drawing of a platform in SVG. */
#pragma once

#include <stdio.h>

struct platform;

/* Write the drawing of PLATFORM, a whole SVG file in UTF-8, on STREAM; errors of STREAM are left to its owner. */
void draw_svg_write(const struct platform *platform, FILE *stream);
