/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a collective as lanes over time, as plain data: activities of programs, DMAs, the critical path.
 * A lane is the strip of a picture for one program. */
#pragma once

#include "sim/base/network/node_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Inks: an ink is a kind of activity or of delay with a colour. */
enum timeline_ink {
  /* activities of a program */
  TIMELINE_SOFTWARE,
  TIMELINE_COMBINES,
  TIMELINE_COMPUTES, /* an application, between calls */
  TIMELINE_OWN_DMA,  /* waits for the program's own DMA commands; of a path: latency */
  TIMELINE_OTHERS,   /* waits for other programs; of a path: for a late rank */
  TIMELINE_STATES,
  /* bytes, and other delays of a path */
  TIMELINE_DATA = TIMELINE_STATES,
  TIMELINE_ACROSS, /* over a link between chips */
  TIMELINE_SHARED, /* others' bytes on the same ramp */
  TIMELINE_WINDOW, /* the window of an MFC is full */
  TIMELINE_TAKEN,  /* rings, receivers, memories */
  TIMELINE_ORDER,  /* earlier commands */
  TIMELINE_INKS
};

enum {
  TIMELINE_NAME_SIZE = 48,
  LANES_MAX = 64, /* lanes of a picture; with more SPEs each chip has one lane */
  TIMELINE_NOBODY = UINT32_MAX,
};

/* A share, from 0 to 1, over time: the share of bin i is shares[i - first], and 0 in bins elsewhere. */
struct timeline_curve {
  float *shares;
  size_t first, n;
};

/* A time of one activity of a program; parts of a lane follow each other without gaps. */
struct timeline_part {
  uint64_t from, to;
  enum timeline_ink ink; /* below TIMELINE_STATES */
  const char *what;      /* outlives the lanes: "waits for a flag"; NULL: the ink's name */
  const char *step;      /* of a schedule, likewise; NULL: none */
};

/* A DMA command for data. */
struct timeline_bar {
  uint64_t from, to; /* from the cycle of the command until the DMA is complete */
  bool is_put;
  bool across;                   /* the DMA crosses a link */
  char peer[TIMELINE_NAME_SIZE]; /* the other end: "4", "memory" */
  unsigned ramp;                 /* of the sender, a number of this ramp only */
  uint64_t nbytes;
  const char *step;            /* as of a part */
  struct timeline_curve curve; /* the DMA's share of the ramp */
};

struct timeline_lane {
  char name[TIMELINE_NAME_SIZE]; /* "SPE 3" */
  char rank[TIMELINE_NAME_SIZE]; /* "rank 3"; may be "" */
  unsigned chip;                 /* of several nodes the index of the lane's node */
  unsigned node;
  uint64_t left; /* when the program left the call; UINT64_MAX: no exit */
  struct timeline_part *parts;
  size_t nparts;
  struct timeline_bar *bars; /* ordered by beginning */
  size_t nbars;
  /* A lane of several SPEs has means in place of parts and bars. */
  unsigned nspes; /* SPEs in the lane, usually 1; 0: the lane of a PPE */
  struct timeline_curve states[TIMELINE_STATES];
  struct timeline_curve data;
};

/* A notification, or a part of the critical path, a stretch of time if FROM and TO are the same lane. */
struct timeline_line {
  unsigned from, to; /* lanes */
  uint64_t begin, end;
};

/* The stay of the program of LANE in a call of an application. CALL outlives the lanes:
 * "call 3 line 11 reduce:binomial". */
struct timeline_stay {
  const char *call;
  unsigned lane;
  uint64_t from, to;
};

/* A part of the machine over time: a ring or a link. */
struct timeline_band {
  char name[TIMELINE_NAME_SIZE]; /* "rings 0" */
  enum timeline_ink ink;
  struct timeline_curve curve;
  char of[TIMELINE_NAME_SIZE]; /* the whole of the shares, for the text of the mean: "of 12 places", "busy" */
};

/* The cycles of one cause on the critical path. */
struct timeline_cause {
  const char *what; /* owned by the caller for longer than the lanes */
  enum timeline_ink ink;
  uint64_t cycles;
};

struct timeline {
  char *title,
    *name; /* "bcast:linear, 16 KiB on 8 SPEs: 9 629 cycles (3.0 us)", and the beginning, "bcast:linear" */
  char *subtitle;  /* a sentence */
  uint64_t cycles; /* length of the time shown; all times count from the first cycle shown */
  uint64_t bin;    /* cycles in a bin of a curve */
  struct timeline_lane *lanes;
  size_t nlanes;
  bool spans_nodes, folded;    /* there are several nodes; the SPEs of each chip or node share a lane */
  struct node_names names;     /* of the nodes */
  struct timeline_line *notes; /* notifications */
  size_t nnotes;
  struct timeline_stay *stays; /* in calls, of an application only */
  size_t nstays;
  struct timeline_line *path; /* of the critical path, one after the other */
  size_t npath;
  struct timeline_line *behind; /* times of the path behind bytes of others, in order; without lanes */
  size_t nbehind;
  struct timeline_band *bands;
  size_t nbands;
  struct timeline_cause *causes; /* the sum is the length of the path */
  size_t ncauses;
};

/* Make NLANES empty lanes for CYCLES cycles, with curves of bins of BIN cycles.
 * owner: the caller, with timeline_free. */
struct timeline *timeline_new(size_t nlanes, uint64_t cycles, uint64_t bin);

/* Release TIMELINE; NULL is allowed. */
void timeline_free(struct timeline *timeline);

/* Append a copy to TIMELINE. Times are cut at the ends of the time shown; a part with the same activity as
 * the part before, in the same step, is joined to that part.
 * returns: of timeline_add_bar, the index of the bar in the lane. */
void timeline_add_part(struct timeline *timeline, unsigned lane, struct timeline_part part);
size_t timeline_add_bar(struct timeline *timeline, unsigned lane, const struct timeline_bar *bar);
void timeline_add_stay(struct timeline *timeline, struct timeline_stay stay);

/* Append LINE to the N LINES of TIMELINE: notes, path or behind. */
void timeline_add_line(const struct timeline *timeline, struct timeline_line **lines, size_t *n,
                       struct timeline_line line);

/* Append a copy of BAND without its curve.
 * returns: the curve of the new band, valid until another band is added. */
struct timeline_curve *timeline_add_band(struct timeline *timeline, const struct timeline_band *band);

/* A time and a height, the amount in use during the time. */
struct timeline_span {
  double from, to; /* cycles */
  double height;
};

/* Add SPAN to CURVE of TIMELINE: a bin covered in part by SPAN gets a part. */
void timeline_curve_add(const struct timeline *timeline, struct timeline_curve *curve,
                        struct timeline_span span);

/* Replace the shares of CURVE in groups of 2, 4, 8, ... bins by the mean of the group, so that about N groups
 * are left. Groups of different curves coincide or contain one another. */
void timeline_curve_smooth(struct timeline_curve *curve, size_t n);

/* Return the share of CURVE in BIN. */
double timeline_curve_at(const struct timeline_curve *curve, size_t bin);

/* Return the number of bins of TIMELINE, and the mean share of CURVE over all cycles of TIMELINE. */
size_t timeline_nbins(const struct timeline *timeline);
double timeline_curve_mean(const struct timeline *timeline, const struct timeline_curve *curve);

/* Tell whether some MFC of TIMELINE moves more bytes at a time, out and in, than one ramp could. */
bool timeline_both_ways(const struct timeline *timeline);

/* Tell whether the notifications are few enough for a drawing. */
bool timeline_notes_shown(const struct timeline *timeline);

/* Replace the lanes of all SPEs of a chip, of several nodes all SPEs of a node, by one lane of means; lanes
 * of PPEs stay. */
void timeline_fold(struct timeline *timeline);

/* Append the lanes of OTHER to TIMELINE and release OTHER. The lanes of OTHER belong to node NODE; OTHER has
 * the length of TIMELINE. */
void timeline_append(struct timeline *timeline, struct timeline *other, unsigned node);

/* Return the difference between FIRST and SECOND in one sentence or two: the lengths, and the causes of the
 * difference.
 * owner: the caller. */
char *timeline_difference(const struct timeline *first, const struct timeline *second);

/* Return NUMBER with no-break spaces between groups of three digits; a text_brief for each group. */
const char *timeline_number(uint64_t number);

/* Return NBYTES in the largest unit that divides NBYTES, with a no-break space before the unit; a
 * text_brief. */
const char *timeline_bytes(uint64_t nbytes);

/* Return the name of a program's activity in a part of INK. */
const char *timeline_state_name(enum timeline_ink ink);

/* --- as a picture without other files: light, dark, in print, legible in grey --- */

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

/* --- in letters, for terminals --- */

/* Columns of a drawing: minimum, maximum, and the number where the terminal's width is unknown. */
enum { TIMELINE_COLUMNS_LEAST = 20, TIMELINE_COLUMNS_MOST = 200, TIMELINE_COLUMNS_USUAL = 100 };

/* Write the N CALLS on STREAM, one below the other on one time axis, as wide as COLUMNS. */
void timeline_text_write(const struct timeline *const calls[], size_t n, unsigned columns, FILE *stream);
