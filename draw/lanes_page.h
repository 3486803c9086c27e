/* SPDX-License-Identifier: BSD-3-Clause
 * A picture of lanes in the making: places, and the elements of the picture; used inside this folder only. */
#pragma once

#include "draw/lanes.h"

#include <stdio.h>

struct xml_writer;

/* In units of the picture, pixels on a screen. */
enum {
  LANES_WIDTH = 1200,
  LANES_RIGHT = 1174,    /* where the last cycle is */
  LANES_LEAST_LEFT = 84, /* where the first one is at least */
  LANES_FONT = 11,       /* size of most letters */
  LANES_SMALL_FONT = 10, /* of the smallest ones */
  LANES_ROOMY = 16,      /* so many lanes have room for details */
};

/* The picture, and the call being drawn. */
struct lanes_page {
  struct xml_writer *xml;
  const char *hatch;  /* "url(#...)" */
  double left, scale; /* cycle c is at x = left + c * scale */
  uint64_t length;    /* cycles with room in the picture */
  double y;           /* lower end of the parts already drawn */
  double top, pitch;  /* lane i of the call begins at y = top + i * pitch, plus the gaps between chips */
  const struct lanes *lanes;
  bool two_rows; /* puts of the call are drawn above gets */
};

/* A box. */
struct lanes_box {
  double x, y, width, height;
};

/* Return VALUE, rounded to tenths: smaller differences cannot be seen. */
double lanes_tenth(double value);

/* Return where cycle AT is, and where the top of lane LANE. */
double lanes_page_x(const struct lanes_page *page, uint64_t at);
double lanes_page_y(const struct lanes_page *page, unsigned lane);

/* Write a text of CLASS. X, Y is the beginning, the middle or the end of the baseline, by CLASS. */
void lanes_page_text(struct lanes_page *page, const char *class, const double at[2], const char *format, ...)
  __attribute__((format(printf, 4, 5)));

/* Write a text in as many lines as necessary, below the parts already drawn. */
void lanes_page_lines(struct lanes_page *page, const char *class, double size, const char *text);

/* Begin an element `rect` or `path` of CLASS (NULL: no class); the caller ends the element. */
void lanes_page_begin_rect(struct lanes_page *page, const char *class, const struct lanes_box *box);
void lanes_page_begin_path(struct lanes_page *page, const char *class, const char *d);

/* A curve as an area: upwards from Y, HEIGHT for a share of 1, the greatest share drawn. */
struct lanes_area {
  const struct lanes_curve *curve;
  float *below; /* by bin: the sum of the areas below, to be increased by these shares; NULL: nothing */
  double y, height;
};

/* Return the outline of AREA as an attribute `d`.
 * owner: the caller. */
char *lanes_page_outline(const struct lanes_page *page, const struct lanes_area *area);

/* Begin a group filled with INK; the caller ends the group. */
void lanes_page_begin_ink(struct lanes_page *page, enum lanes_ink ink);

/* --- parts of a picture from the top down --- */

/* Write the axis and lanes of the call, then its bands, then the causes of the cycles of its path, each below
 * the parts already drawn. */
void lanes_page_lanes(struct lanes_page *page);
void lanes_page_bands(struct lanes_page *page);
void lanes_page_causes(struct lanes_page *page);

/* Write the DMAs of the call into LANE, which begins at Y. */
void lanes_page_bars(struct lanes_page *page, const struct lanes_lane *lane, double y);

/* Write the notifications, the exits and the critical path of the call over the lanes. */
void lanes_page_paths(struct lanes_page *page);
