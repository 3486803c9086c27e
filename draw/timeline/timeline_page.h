/* SPDX-License-Identifier: BSD-3-Clause
 * A picture of lanes in the making: places, and the elements of the picture; used inside this folder only. */
#pragma once

#include "draw/timeline/timeline.h"

#include <stdio.h>

/* In units of the picture, pixels on a screen. */
enum {
  TIMELINE_WIDTH = 1200,
  TIMELINE_RIGHT = 1174,    /* where the last cycle is */
  TIMELINE_LEAST_LEFT = 84, /* where the first one is at least */
  TIMELINE_FONT = 11,       /* size of most letters */
  TIMELINE_SMALL_FONT = 10, /* of the smallest ones */
  TIMELINE_ROOMY = 16,      /* so many lanes have room for details */
};

/* The picture, and the call being drawn. */
struct timeline_page {
  struct xml_writer *xml;
  const char *hatch;  /* "url(#...)" */
  double left, scale; /* cycle c is at x = left + c * scale */
  uint64_t length;    /* cycles with room in the picture */
  double y;           /* lower end of the parts already drawn */
  double strip;       /* height of the names of calls, above the lanes */
  double top, pitch;  /* lane i of the call begins at y = top + i * pitch, plus the gaps between chips */
  const struct timeline *timeline;
  bool two_rows; /* puts of the call are drawn above gets */
};

/* A box. */
struct timeline_box {
  double x, y, width, height;
};

/* Return VALUE, rounded to tenths: smaller differences cannot be seen. */
double timeline_tenth(double value);

/* Return where cycle AT is, and where the top of lane LANE. */
double timeline_page_x(const struct timeline_page *page, uint64_t at);
double timeline_page_y(const struct timeline_page *page, unsigned lane);

/* End the element begun last, and the line. */
void timeline_page_end(struct timeline_page *page);

/* Write a text of CLASS. X, Y is the beginning, the middle or the end of the baseline, by CLASS. */
void timeline_page_text(struct timeline_page *page, const char *class, const double at[2], const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

/* Write a text in as many lines as necessary, below the parts already drawn. */
void timeline_page_lines(struct timeline_page *page, const char *class, double size, const char *text);

/* Write an element `rect` or `path` of CLASS (NULL: no class) with TITLE, formatted, for a pointer (NULL: no
 * title). */
void timeline_page_rect(struct timeline_page *page, const char *class, const struct timeline_box *box,
                        const char *title, ...) __attribute__((format(printf, 4, 5)));
void timeline_page_path(struct timeline_page *page, const char *class, const char *d, const char *title, ...)
  __attribute__((format(printf, 4, 5)));

/* A curve as an area: upwards from Y, HEIGHT for a share of 1, the greatest share drawn. */
struct timeline_area {
  const struct timeline_curve *curve;
  float *below; /* by bin: the sum of the areas below, to be increased by these shares; NULL: nothing */
  double y, height;
};

/* Return the outline of AREA as an attribute `d`.
 * owner: the caller. */
char *timeline_page_outline(const struct timeline_page *page, const struct timeline_area *area);

/* Begin a group filled with INK; the caller ends the group. */
void timeline_page_begin_ink(struct timeline_page *page, enum timeline_ink ink);

/* Return the name of the class of INK in lanes.css. TIMELINE_OTHERS is drawn as a hatch in this colour. */
const char *timeline_class(enum timeline_ink ink);

/* Write the axis and the lanes of the call below the parts already drawn. */
void timeline_page_lanes(struct timeline_page *page);
