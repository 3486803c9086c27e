/* SPDX-License-Identifier: BSD-3-Clause
 * Calls as lanes over time in a picture without other files: light, dark, in print, legible in grey. */
#pragma once

#include "draw/timeline/timeline.h"

#include <stdio.h>

enum { TIMELINE_CALLS_MAX = 2 };

/* The contents of a picture. */
struct timeline_picture {
  const struct timeline *calls[TIMELINE_CALLS_MAX]; /* above each other on one time axis */
  size_t ncalls;
  const char *id; /* of the picture on a page; letters and digits */
};

/* Return the best width of a bin, in cycles, if the longest call of a picture takes LENGTH cycles. */
uint64_t timeline_svg_bin(uint64_t length);

/* Write PICTURE as a file on STREAM; the owner of STREAM looks for its errors. */
void timeline_svg_write(const struct timeline_picture *picture, FILE *stream);
