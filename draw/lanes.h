/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a collective as lanes over time, as plain data: what every program did, its DMAs, the critical
 * path. */
#pragma once

#include "sim/base/node_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of things that have a colour of their own. */
enum lanes_ink {
  /* what a program does */
  LANES_SOFTWARE,
  LANES_COMBINES,
  LANES_OWN_DMA, /* it waits for its own DMA commands; of a path: latency */
  LANES_OTHERS,  /* it waits for others; of a path: for a rank that entered late */
  LANES_STATES,
  /* bytes, and what a path may wait for besides */
  LANES_DATA = LANES_STATES,
  LANES_ACROSS, /* over a link between chips */
  LANES_SHARED, /* others' bytes on the same ramp */
  LANES_WINDOW, /* all bus requests that an MFC may have under way */
  LANES_TAKEN,  /* rings, receivers, memories */
  LANES_ORDER,  /* other commands that come first */
  LANES_INKS
};

enum {
  LANES_NAME_SIZE = 48,
  LANES_NUMBER_SIZE = 32, /* characters of a number, with the final NUL */
  LANES_MAX = 64,         /* lanes of a picture; beyond them there is one for each chip */
  LANES_NOBODY = UINT32_MAX,
};

/* A share, from 0 to 1, over time: that of bin i is shares[i - first], and 0 in bins that are not there. */
struct lanes_curve {
  float *shares;
  size_t first, n;
};

/* A time during which a program does the same thing; parts of a lane follow each other without gaps. */
struct lanes_part {
  uint64_t from, to;
  enum lanes_ink ink; /* below LANES_STATES */
  const char *what; /* a text that outlives the lanes, such as "waits for a flag"; NULL: what the ink says */
};

/* A DMA command that moves data. */
struct lanes_bar {
  uint64_t from, to; /* from when the program gave it until it was complete */
  bool is_put;
  bool across;                /* it crosses a link */
  char peer[LANES_NAME_SIZE]; /* the other end: "4", "memory" */
  unsigned ramp;              /* of its sender, a number that no other ramp has */
  uint64_t nbytes;
  struct lanes_curve curve; /* its share of that ramp */
};

struct lanes_lane {
  char name[LANES_NAME_SIZE]; /* "SPE 3" */
  char rank[LANES_NAME_SIZE]; /* "rank 3"; may be "" */
  unsigned chip;              /* of several nodes the place of its node among them */
  unsigned node;
  uint64_t left; /* when its program left the call; UINT64_MAX: it has no exit */
  struct lanes_part *parts;
  size_t nparts, parts_room;
  struct lanes_bar *bars; /* by when they begin */
  size_t nbars, bars_room;
  /* Of a lane that stands for several SPEs, instead of parts and bars: their means. */
  unsigned nspes; /* that it stands for, usually 1; 0: it is that of a PPE */
  struct lanes_curve states[LANES_STATES];
  struct lanes_curve data;
};

/* A notification, or a stretch of the critical path if FROM and TO are the same lane. */
struct lanes_line {
  unsigned from, to; /* lanes */
  uint64_t begin, end;
};

/* A stretch of the critical path behind the bytes of others. */
struct lanes_stretch {
  uint64_t begin, end;
};

/* A part of the machine over time: a ring or a link. */
struct lanes_band {
  char name[LANES_NAME_SIZE]; /* "rings 0" */
  enum lanes_ink ink;
  struct lanes_curve curve;
  char of[LANES_NAME_SIZE]; /* what its mean is a share of: "of 12 places", "busy" */
};

/* What became of some cycles of the critical path. */
struct lanes_cause {
  const char *what; /* a text that outlives the lanes */
  enum lanes_ink ink;
  uint64_t cycles;
};

struct lanes {
  char *title,
    *name; /* "bcast:linear, 16 KiB on 8 SPEs: 9 629 cycles (3.0 us)", and its beginning, "bcast:linear" */
  char *subtitle;  /* a sentence */
  uint64_t cycles; /* that are shown; all times count from the first of them */
  uint64_t bin;    /* cycles in a bin of a curve */
  struct lanes_lane *lanes;
  size_t nlanes;
  unsigned nspes;           /* lanes before they were folded to chips, if they were; else 0 */
  bool spans_nodes, folded; /* there are several nodes; the SPEs of each of them share a lane */
  struct node_names names;  /* of the nodes */
  struct lanes_line *notes; /* notifications */
  size_t nnotes, notes_room;
  struct lanes_line *path; /* of the critical path, one after the other */
  size_t npath, path_room;
  struct lanes_stretch *behind; /* in order */
  size_t nbehind, behind_room;
  struct lanes_band *bands;
  size_t nbands, bands_room;
  struct lanes_cause *causes; /* they sum to the length of the path */
  size_t ncauses, causes_room;
};

/* Make NLANES empty lanes for CYCLES cycles, with curves of bins of BIN cycles.
 * owner: the caller, with lanes_free. */
struct lanes *lanes_new(size_t nlanes, uint64_t cycles, uint64_t bin);

/* Release LANES; NULL is allowed. */
void lanes_free(struct lanes *lanes);

/* Release what LANE holds. */
void lanes_free_lane(struct lanes_lane *lane);

/* Append copies to what LANES has. Times are cut at the ends of what is shown; a part that goes on as the one
 * before it did becomes part of that one.
 * returns: of lanes_add_bar, the number of the bar in its lane. */
void lanes_add_part(struct lanes *lanes, unsigned lane, struct lanes_part part);
size_t lanes_add_bar(struct lanes *lanes, unsigned lane, const struct lanes_bar *bar);
void lanes_add_note(struct lanes *lanes, struct lanes_line note);
void lanes_add_path(struct lanes *lanes, struct lanes_line line);
void lanes_add_behind(struct lanes *lanes, struct lanes_stretch stretch);
void lanes_add_cause(struct lanes *lanes, struct lanes_cause cause);

/* Append a copy of BAND without its curve.
 * returns: that of the new band, until there is another one. */
struct lanes_curve *lanes_add_band(struct lanes *lanes, const struct lanes_band *band);

/* A time and how much of something it takes. */
struct lanes_span {
  double from, to; /* cycles */
  double height;
};

/* Add SPAN to CURVE of LANES: bins that it covers in part get a part. */
void lanes_curve_add(const struct lanes *lanes, struct lanes_curve *curve, struct lanes_span span);

/* Replace the shares of CURVE in groups of 2, 4, 8, ... bins, so that there are about N, by their mean.
 * Groups of different curves coincide or contain one another. */
void lanes_curve_smooth(struct lanes_curve *curve, size_t n);

/* Return the share of CURVE in BIN. */
double lanes_curve_at(const struct lanes_curve *curve, size_t bin);

/* Return how many bins LANES have, and the mean share of CURVE over all its cycles. */
size_t lanes_nbins(const struct lanes *lanes);
double lanes_curve_mean(const struct lanes *lanes, const struct lanes_curve *curve);

/* Tell whether some MFC of LANES moves more bytes at a time, out and in, than one ramp could. */
bool lanes_both_ways(const struct lanes *lanes);

/* Tell whether there are few enough notifications to draw them. */
bool lanes_notes_shown(const struct lanes *lanes);

/* Replace the lanes of all SPEs of a chip by one, which shows their means. */
void lanes_fold(struct lanes *lanes);

/* Replace the lanes of all SPEs of a node by one likewise; those of PPEs stay. */
void lanes_fold_nodes(struct lanes *lanes);

/* Append the lanes of OTHER, with what they do, to those of LANES, of the same length, and release OTHER:
 * they are those of node NODE. */
void lanes_append(struct lanes *lanes, struct lanes *other, unsigned node);

/* Say in one sentence or two how FIRST and SECOND differ: how long they take, and in which causes.
 * owner: the caller. */
char *lanes_difference(const struct lanes *first, const struct lanes *second);

/* Format NUMBER with blanks between groups of three digits that no line is broken at. */
void lanes_number(uint64_t number, char text[LANES_NUMBER_SIZE]);

/* Format NBYTES in the largest unit that divides it, after a blank that no line is broken at. */
void lanes_bytes(uint64_t nbytes, char text[LANES_NUMBER_SIZE]);

/* Return the name of what a program does in a part of INK. */
const char *lanes_state_name(enum lanes_ink ink);
