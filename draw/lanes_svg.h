/* SPDX-License-Identifier: BSD-3-Clause
 * Calls as lanes over time in a picture that needs nothing but itself: light, dark, in print, legible in
 * grey. */
#pragma once

#include "draw/lanes.h"

#include <stdio.h>

struct xml_writer;

enum { LANES_CALLS_MAX = 2 };

/* What is drawn. */
struct lanes_picture {
  const struct lanes *calls[LANES_CALLS_MAX]; /* above each other on one time axis */
  size_t ncalls;
  const char *id; /* of the picture on a page; letters and digits */
};

/* Return the bin in which LENGTH cycles, the longest call of a picture, are best drawn. */
uint64_t lanes_svg_bin(uint64_t length);

/* Write PICTURE as a file on STREAM, whose errors are left to its owner. */
void lanes_svg_write(const struct lanes_picture *picture, FILE *stream);

/* Give the svg element that has just begun the attributes and the contents of PICTURE. */
void lanes_svg_add(const struct lanes_picture *picture, struct xml_writer *xml);
