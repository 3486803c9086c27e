/* SPDX-License-Identifier: BSD-3-Clause
 * What the pictures of a page have in common: looks of curves, axes. The page maps these colours to its own
 * (html.c) where it has a dark background. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* How one of several curves looks: a colour of Okabe and Ito, which colour-blind readers can tell apart, and
 * a shape of points, open where a colour comes again. */
struct plot_look {
  const char *colour;
  unsigned shape; /* gnuplot's number */
};

/* Most curves of one picture. */
enum { PLOT_CURVES_MAX = 8 };

/* Return the look of curve INDEX. */
const struct plot_look *plot_look(size_t index);

/* Replace everything in NAME that a picture may not be called by underscores. */
void plot_plain_name(char *name);

/* Width of a picture, one of several in a row. Pages show either about as wide as a phone, or a quarter of a
 * screen; the smaller it is, the larger are its letters there. */
enum plot_width { PLOT_NARROW = 360, PLOT_WIDE = 460 };

/* What frames a picture. */
struct plot_frame {
  const char *name; /* of the picture */
  const char *y;    /* of the y axis */
  enum plot_width width;
  /* Filled by plot_frame_key: */
  unsigned nkeys; /* entries of its key */
  size_t letters; /* of the longest of them */
  double widest;  /* width of the widest of them */
};

/* Say that the key of FRAME has an entry TEXT, for which it needs room. */
void plot_frame_key(struct plot_frame *frame, const char *text);

/* Write to SCRIPT the size, fonts, border, key and y axis of FRAME. The key gets its room below the
 * picture. */
void plot_frame(FILE *script, const struct plot_frame *frame);

/* Write an x axis from LOW to HIGH ranks, or bytes, with room at both ends. */
void plot_rank_axis(FILE *script, double low, double high);
void plot_size_axis(FILE *script, double low, double high);

/* Write a logarithmic y axis from LOW to HIGH, with marks at 1, 2 and 5 times powers of ten. */
void plot_logarithmic_axis(FILE *script, double low, double high);
