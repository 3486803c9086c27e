/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a collective as lanes over time, as plain data: activities of programs, DMAs, the critical path.
 * A lane is the strip of a picture for one program. */
#pragma once

#include "sim/base/node_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Inks: an ink is a kind of activity or of delay with a colour. */
enum lanes_ink {
  /* activities of a program */
  LANES_SOFTWARE,
  LANES_COMBINES,
  LANES_OWN_DMA, /* waits for the program's own DMA commands; of a path: latency */
  LANES_OTHERS,  /* waits for other programs; of a path: for a rank that entered late */
  LANES_STATES,
  /* bytes, and other delays of a path */
  LANES_DATA = LANES_STATES,
  LANES_ACROSS, /* over a link between chips */
  LANES_SHARED, /* others' bytes on the same ramp */
  LANES_WINDOW, /* all bus requests that an MFC may have under way */
  LANES_TAKEN,  /* rings, receivers, memories */
  LANES_ORDER,  /* earlier commands */
  LANES_INKS
};

enum {
  LANES_NAME_SIZE = 48,
  LANES_NUMBER_SIZE = 32, /* characters of a number, with the final NUL */
  LANES_MAX = 64,         /* lanes of a picture; with more SPEs each chip has one lane */
  LANES_NOBODY = UINT32_MAX,
};

/* A share, from 0 to 1, over time: the share of bin i is shares[i - first], and 0 in bins elsewhere. */
struct lanes_curve {
  float *shares;
  size_t first, n;
};

/* A time of one activity of a program; parts of a lane follow each other without gaps. */
struct lanes_part {
  uint64_t from, to;
  enum lanes_ink ink; /* below LANES_STATES */
  const char *what;   /* outlives the lanes: "waits for a flag"; NULL: the ink's name */
};

/* A DMA command for data. */
struct lanes_bar {
  uint64_t from, to; /* from the cycle of the command until the DMA is complete */
  bool is_put;
  bool across;                /* the DMA crosses a link */
  char peer[LANES_NAME_SIZE]; /* the other end: "4", "memory" */
  unsigned ramp;              /* of the sender, a number of this ramp only */
  uint64_t nbytes;
  struct lanes_curve curve; /* the DMA's share of the ramp */
};

struct lanes_lane {
  char name[LANES_NAME_SIZE]; /* "SPE 3" */
  char rank[LANES_NAME_SIZE]; /* "rank 3"; may be "" */
  unsigned chip;              /* of several nodes the index of the lane's node */
  unsigned node;
  uint64_t left; /* when the program left the call; UINT64_MAX: no exit */
  struct lanes_part *parts;
  size_t nparts, parts_room;
  struct lanes_bar *bars; /* ordered by beginning */
  size_t nbars, bars_room;
  /* A lane of several SPEs has means in place of parts and bars. */
  unsigned nspes; /* SPEs in the lane, usually 1; 0: the lane of a PPE */
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
  char of[LANES_NAME_SIZE]; /* the whole of the shares, for the text of the mean: "of 12 places", "busy" */
};

/* The cycles of one cause on the critical path. */
struct lanes_cause {
  const char *what; /* owned by the caller for longer than the lanes */
  enum lanes_ink ink;
  uint64_t cycles;
};

struct lanes {
  char *title,
    *name; /* "bcast:linear, 16 KiB on 8 SPEs: 9 629 cycles (3.0 us)", and the beginning, "bcast:linear" */
  char *subtitle;  /* a sentence */
  uint64_t cycles; /* length of the time shown; all times count from the first cycle shown */
  uint64_t bin;    /* cycles in a bin of a curve */
  struct lanes_lane *lanes;
  size_t nlanes;
  unsigned nspes;           /* lanes before folding to chips; 0: not folded */
  bool spans_nodes, folded; /* there are several nodes; the SPEs of each node share a lane */
  struct node_names names;  /* of the nodes */
  struct lanes_line *notes; /* notifications */
  size_t nnotes, notes_room;
  struct lanes_line *path; /* of the critical path, one after the other */
  size_t npath, path_room;
  struct lanes_stretch *behind; /* in order */
  size_t nbehind, behind_room;
  struct lanes_band *bands;
  size_t nbands, bands_room;
  struct lanes_cause *causes; /* the sum is the length of the path */
  size_t ncauses, causes_room;
};

/* Make NLANES empty lanes for CYCLES cycles, with curves of bins of BIN cycles.
 * owner: the caller, with lanes_free. */
struct lanes *lanes_new(size_t nlanes, uint64_t cycles, uint64_t bin);

/* Release LANES; NULL is allowed. */
void lanes_free(struct lanes *lanes);

/* Release the contents of LANE. */
void lanes_free_lane(struct lanes_lane *lane);

/* Append a copy to LANES. Times are cut at the ends of the time shown; a part with the same activity as the
 * part before is joined to that part.
 * returns: of lanes_add_bar, the index of the bar in the lane. */
void lanes_add_part(struct lanes *lanes, unsigned lane, struct lanes_part part);
size_t lanes_add_bar(struct lanes *lanes, unsigned lane, const struct lanes_bar *bar);
void lanes_add_note(struct lanes *lanes, struct lanes_line note);
void lanes_add_path(struct lanes *lanes, struct lanes_line line);
void lanes_add_behind(struct lanes *lanes, struct lanes_stretch stretch);
void lanes_add_cause(struct lanes *lanes, struct lanes_cause cause);

/* Append a copy of BAND without its curve.
 * returns: the curve of the new band, valid until another band is added. */
struct lanes_curve *lanes_add_band(struct lanes *lanes, const struct lanes_band *band);

/* A time and a height, the amount in use during the time. */
struct lanes_span {
  double from, to; /* cycles */
  double height;
};

/* Add SPAN to CURVE of LANES: a bin that SPAN covers in part gets a part. */
void lanes_curve_add(const struct lanes *lanes, struct lanes_curve *curve, struct lanes_span span);

/* Replace the shares of CURVE in groups of 2, 4, 8, ... bins by the mean of the group, so that about N groups
 * are left. Groups of different curves coincide or contain one another. */
void lanes_curve_smooth(struct lanes_curve *curve, size_t n);

/* Return the share of CURVE in BIN. */
double lanes_curve_at(const struct lanes_curve *curve, size_t bin);

/* Return the number of bins of LANES, and the mean share of CURVE over all cycles of LANES. */
size_t lanes_nbins(const struct lanes *lanes);
double lanes_curve_mean(const struct lanes *lanes, const struct lanes_curve *curve);

/* Tell whether some MFC of LANES moves more bytes at a time, out and in, than one ramp could. */
bool lanes_both_ways(const struct lanes *lanes);

/* Tell whether the notifications are few enough for a drawing. */
bool lanes_notes_shown(const struct lanes *lanes);

/* Replace the lanes of all SPEs of a chip by one lane of means. */
void lanes_fold(struct lanes *lanes);

/* Replace the lanes of all SPEs of a node by one lane of means; lanes of PPEs stay. */
void lanes_fold_nodes(struct lanes *lanes);

/* Append the lanes of OTHER to LANES and release OTHER. The lanes of OTHER belong to node NODE; OTHER has the
 * length of LANES. */
void lanes_append(struct lanes *lanes, struct lanes *other, unsigned node);

/* Return the difference between FIRST and SECOND in one sentence or two: the lengths, and the causes of the
 * difference.
 * owner: the caller. */
char *lanes_difference(const struct lanes *first, const struct lanes *second);

/* Format NUMBER with no-break spaces between groups of three digits. */
void lanes_number(uint64_t number, char text[LANES_NUMBER_SIZE]);

/* Format NBYTES in the largest unit that divides NBYTES, with a no-break space before the unit. */
void lanes_bytes(uint64_t nbytes, char text[LANES_NUMBER_SIZE]);

/* Return the name of a program's activity in a part of INK. */
const char *lanes_state_name(enum lanes_ink ink);
