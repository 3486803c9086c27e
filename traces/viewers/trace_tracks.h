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

/* Nested slices of a program: the program, the call, the line, the step, and the activity. */
enum { TRACE_DEPTH = 5 };

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
  ACTION_TAKE,  /* spe, issuer, slice: a command begins, in the lowest free place of the MFC */
  ACTION_FREE,  /* spe: a bus request leaves the window of the MFC */
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

/* Show EVENT; or EVENT of the network between NODES. A message keeps the place for MARGIN cycles after the
 * end, for a program woken by the message. */
void trace_tracks_see(struct trace_tracks *tracks, const struct probe_event *event);
void trace_messages_see(struct trace_tracks *nodes, const struct probe_event *event, uint64_t margin);

/* Write the operations due by CYCLE. */
void trace_tracks_catch_up(struct trace_tracks *tracks, uint64_t cycle);
