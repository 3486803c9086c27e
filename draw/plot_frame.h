/* SPDX-License-Identifier: BSD-3-Clause
 * The common parts of the pictures of a page: looks of curves, axes. On a dark background the page maps these
 * colours to other colours (html.c). */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* The look of one of several curves: a colour of Okabe and Ito, safe for colour-blind readers, and a shape of
 * points, open where a colour comes again. */
struct plot_look {
  const char *colour;
  unsigned shape; /* gnuplot's number */
};

/* Most curves of one picture. */
enum { PLOT_CURVES_MAX = 8 };

/* Return the look of curve INDEX. */
const struct plot_look *plot_look(size_t index);

/* Replace each character of NAME that the name of a picture may not have by an underscore. */
void plot_plain_name(char *name);

/* Width of a picture, one of several in a row. Pages show either width about as wide as a phone, or a quarter
 * of a screen; a smaller picture has larger letters there. */
enum plot_width { PLOT_NARROW = 360, PLOT_WIDE = 460 };

/* The frame of a picture. */
struct plot_frame {
  const char *name; /* of the picture */
  const char *y;    /* of the y axis */
  enum plot_width width;
  /* Filled by plot_frame_key: */
  unsigned nkeys; /* entries of the key */
  size_t letters; /* of the longest entry */
  double widest;  /* width of the widest entry */
};

/* Make room in FRAME for an entry TEXT of the key. */
void plot_frame_key(struct plot_frame *frame, const char *text);

/* Write to SCRIPT the size, fonts, border, key and y axis of FRAME. The room of the key is below the
 * picture. */
void plot_frame(FILE *script, const struct plot_frame *frame);

/* Write an x axis from LOW to HIGH ranks, or bytes, with room at both ends. */
void plot_rank_axis(FILE *script, double low, double high);
void plot_size_axis(FILE *script, double low, double high);

/* Write a logarithmic y axis from LOW to HIGH, with marks at 1, 2 and 5 times powers of ten. */
void plot_logarithmic_axis(FILE *script, double low, double high);
