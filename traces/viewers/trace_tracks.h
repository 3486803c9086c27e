/* SPDX-License-Identifier: BSD-3-Clause
 * From events of the machine to the contents of viewers: slices of programs, commands and bus requests,
 * flows, counters. */
#pragma once

#include "platform/parameters.h"
#include "sim/base/pool.h"
#include "traces/cycle_queue.h"
#include "traces/viewers/trace_writer.h"

#include <stdbool.h>

/* One of several equal places of a unit, and the slice in the place, now or last. */
struct trace_place {
  struct trace_track track;
  uint64_t free_at; /* cycle; UINT64_MAX: nobody knows yet */
  struct trace_slice slice;
  const struct trace_track *issuer; /* of a command: the issuing program's */
};

/* The places of a unit. Starts as zero. */
struct trace_places {
  struct trace_place **items;
  unsigned n;
};

/* Nested slices of a program: the program, the call, the step, and the activity. */
enum { TRACE_DEPTH = 4 };

/* A program; an idle SPE has a program, too. */
struct trace_program {
  struct trace_track track;
  bool shown;                           /* the track has been written */
  struct trace_slice open[TRACE_DEPTH]; /* open slices, the outer one first */
  unsigned depth;                       /* how many */
};

enum trace_action {
  ACTION_BEGIN, /* track, slice: the slice begins */
  ACTION_END,   /* track, slice: the slice ends */
  ACTION_TAKE,  /* spe, issuer, slice: a command begins, in the lowest free place of its MFC */
  ACTION_FREE,  /* spe: a bus request leaves the window of its MFC */
  ACTION_LAND,  /* track, slice: a transfer ends and leaves the rings */
};

/* Something to be written at cycle `at`. */
struct trace_op {
  enum trace_action action;
  uint64_t at;
  const struct trace_track *track, *issuer;
  unsigned spe;
  struct trace_slice slice;
};

/* The tracks of a node, or of the network. */
struct trace_tracks {
  struct trace_file *file;
  const struct trace_writer *writer;
  /* all parts: of each node, and last of the network; NULL: there is one blade */
  struct trace_tracks *nodes;
  unsigned node;
  struct parameters parameters;
  struct cycle_queue queue;        /* of struct trace_op */
  struct pool ops;                 /* in the queue */
  struct trace_program **programs; /* [number]; NULL: not seen yet */
  size_t nprograms;
  struct trace_places *places[TRACK_OWNERS]; /* [owner][unit] */
  size_t nplaces[TRACK_OWNERS];
  unsigned *counts[TRACE_COUNTERS]; /* [counter][SPE or chip] */
  size_t ncounts[TRACE_COUNTERS];
  uint64_t cycle; /* operations up to this cycle are written; a process of a host is behind `now` */
  uint64_t now;   /* cycle of the latest text written */
};

/* Prepare TRACKS of NODE (0: the one blade), which write to FILE with WRITER.
 * owner: the caller, with trace_tracks_fini. */
void trace_tracks_init(struct trace_tracks *tracks, struct trace_file *file,
                       const struct trace_writer *writer, unsigned node);

/* End all open slices of TRACKS. Release the contents of TRACKS, after the end. */
void trace_tracks_end(struct trace_tracks *tracks);
void trace_tracks_fini(struct trace_tracks *tracks);

/* Show EVENT; or EVENT of the network between NODES. A message keeps its place for MARGIN cycles after its
 * end, so that a program woken by the message finds the place. */
void trace_tracks_see(struct trace_tracks *tracks, const struct probe_event *event);
void trace_messages_see(struct trace_tracks *nodes, const struct probe_event *event, uint64_t margin);

/* Write the operations due by CYCLE; trace_tracks_reach then also lets the next text belong to CYCLE. */
void trace_tracks_catch_up(struct trace_tracks *tracks, uint64_t cycle);
void trace_tracks_reach(struct trace_tracks *tracks, uint64_t cycle);

/* --- for the files of this part --- */

/* Write TRACK as a new track. */
void trace_tracks_show(struct trace_tracks *tracks, struct trace_track *track);

/* Write OP at once if OP is due by TRACKS->cycle; else keep OP for later. */
void trace_tracks_act(struct trace_tracks *tracks, const struct trace_op *op);

/* Let the slice of OP begin, and end with the action of OP, now or later. */
void trace_tracks_slice(struct trace_tracks *tracks, struct trace_op *op);

/* Add CHANGE to COUNTER of UNIT, an SPE or for COUNTER_TRANSFERS a chip, and write the value. */
void trace_tracks_count(struct trace_tracks *tracks, enum trace_counter counter, unsigned unit, int change);

/* Return the lowest place free at FROM of the unit of TRACK; a new place gets a copy of TRACK. */
struct trace_place *trace_places_take(struct trace_tracks *tracks, const struct trace_track *track,
                                      uint64_t from);

/* Take a place of the unit of TRACK for SLICE of ISSUER: the slice begins now; the end is unknown. */
void trace_places_open(struct trace_tracks *tracks, const struct trace_track *track,
                       const struct trace_slice *slice, const struct trace_track *issuer);

/* Return the place of UNIT (of OWNER) whose last command, ended or not, has NUMBER; NULL: none. */
struct trace_place *trace_places_find(struct trace_tracks *tracks, enum trace_owner owner, unsigned unit,
                                      uint64_t number);

/* The slice in PLACE ends now. */
void trace_places_close(struct trace_tracks *tracks, struct trace_place *place);

/* Return program NUMBER; its track is written on the first call. */
struct trace_program *trace_tracks_program(struct trace_tracks *tracks, unsigned number);

/* Show the activity of a program.
 * returns: false if EVENT is about something else. */
bool trace_programs_see(struct trace_tracks *tracks, const struct probe_event *event);

/* Show a stage of a command, or at TRACE_BUS of a bus request. Let the command of OP begin. */
void trace_commands_see(struct trace_tracks *tracks, const struct probe_event *event);
void trace_commands_begin(struct trace_tracks *tracks, const struct trace_op *op);

/* Let all programs end now. */
void trace_programs_end(struct trace_tracks *tracks);
