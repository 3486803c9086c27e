/* SPDX-License-Identifier: BSD-3-Clause
 * The common parts of the formats for viewers: tracks with nested slices, flows between tracks, counters. */
#pragma once

#include "platform/parameters.h"
#include "sim/base/pool.h"
#include "traces/cycle_queue.h"
#include "traces/viewers/trace.h"
#include "traces/viewers/trace_text.h"

#include <stdbool.h>
#include <stdint.h>

struct probe_event;

/* The owner of a track. Tracks of SPEs and PPEs show activities of programs. All other tracks are places:
 * each slice is in the lowest free place. Messages and servers belong to a network between nodes. */
enum trace_owner {
  TRACK_SPE,
  TRACK_PPE,
  TRACK_DMA,
  TRACK_ATOMIC,
  TRACK_RING,
  TRACK_LINK,
  TRACK_MEMORY,
  TRACK_MESSAGES,
  TRACK_SERVER,
  TRACK_OWNERS
};

/* A track: one line of a viewer. */
struct trace_track {
  enum trace_owner owner;
  unsigned node; /* of messages the sender's node */
  unsigned chip; /* of a link the chip at the beginning */
  /* of the SPE, of the program of a PPE, of the ring, of the chip where the link ends, of the server */
  unsigned number;
  unsigned place;
  unsigned index;                   /* among all tracks, in the order of first use */
  unsigned process, thread;         /* of JSON, set when the track is written */
  const char *name;                 /* of the program, of the server; NULL: no program started, or a place */
  const struct trace_track *parent; /* of a place of an MFC the track of the SPE; NULL: none */
};

enum trace_state {
#define STATE(name, ...) STATE_##name,
#include "traces/viewers/trace_states.def"
  STATES
};

enum { TRACE_NAME_SIZE = 176 };

/* A time on a track in one state. */
struct trace_slice {
  enum trace_state state;
  uint64_t from, to;          /* cycles */
  uint64_t number;            /* of the slice's command, from 1 on; 0: no command */
  unsigned spe, offset;       /* of a bus request: the SPE of its MFC, and its first byte */
  unsigned tag;               /* of a DMA command */
  char name[TRACE_NAME_SIZE]; /* empty: a bus request, named by the numbers */
};

/* The end of a wait, and the cause on another track. */
struct trace_flow {
  const struct trace_track *from, *to; /* from: the DMA or atomic command, or the program */
  const struct trace_track *issuer;    /* the program that began the cause */
  uint64_t began, ended;               /* cycles */
  uint64_t number;                     /* of the flow, from 1 on */
};

enum trace_counter { COUNTER_QUEUE, COUNTER_REQUESTS, COUNTER_TRANSFERS, TRACE_COUNTERS };

/* A value, valid until the next value. */
struct trace_value {
  enum trace_counter counter;
  const struct trace_track
    *spe; /* owner of the queue or bus requests; NULL: transfers on the rings of CHIP */
  unsigned node, chip;
  uint64_t at, value;
};

/* A trace being written to a file. */
struct trace_file {
  struct trace_spec spec;
  unsigned nnodes; /* 0: one blade, without a network */
  unsigned nchips; /* of a node */
  double cycle_ps; /* picoseconds of a cycle */
  struct trace_text text;
  uint64_t nlines; /* of JSON, after the head */
  unsigned ntracks;
  uint64_t nflows;
};

/* The functions of a format. Calls come in the order of the cycles at which slices and waits end; for a
 * format with `begin` also of the cycles at which slices begin. */
struct trace_writer {
  void (*head)(struct trace_file *file);
  void (*track)(struct trace_file *file, struct trace_track *track, uint64_t at);
  void (*begin)(struct trace_file *file, const struct trace_track *track,
                const struct trace_slice *slice); /* NULL: the format writes only ends */
  void (*end)(struct trace_file *file, const struct trace_track *track, const struct trace_slice *slice);
  void (*flow)(struct trace_file *file, const struct trace_flow *flow);
  void (*value)(struct trace_file *file, const struct trace_value *value);
  void (*foot)(struct trace_file *file, uint64_t at);
  bool late; /* the format accepts slices of packets, begun before the latest text written */
};

extern const struct trace_writer trace_json, trace_paje;

/* Put the name of TRACK, such as "SPE 3 DMA 0", as the functions of trace_text.h do. */
char *trace_put_track(char *at, const struct trace_file *file, const struct trace_track *track);

/* --- the tracks of a node, in trace_tracks.c --- */

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
  ACTION_END,   /* track, slice: the slice ends; a transfer leaves the rings */
  ACTION_TAKE,  /* spe, issuer, slice: a command begins, in the lowest free place of the MFC */
  ACTION_FREE,  /* spe: a bus request leaves the window of the MFC at the end of the slice */
};

/* Something to be written when the slice begins or ends. */
struct trace_op {
  enum trace_action action;
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

/* --- comma-separated values: a line for each event of the machine, with all fields, in trace_csv.c --- */

/* Write the header line. New columns are only ever added at the end, for the sake of scripts. The meaning of
 * columns a to g depends on the event: see man/cellcoll.1. With NODES the last column is the node. */
void trace_csv_head(struct trace_text *text, bool nodes);

/* Write the line of EVENT, with NODES also the node. */
void trace_csv_event(struct trace_text *text, const struct probe_event *event, bool nodes);

/* --- GOAL: messages and requirements, in trace_goal.c --- */

/* Begin the trace of SPEC in GOAL; a cycle has CYCLE_PS picoseconds.
 * owner: the caller, with trace_goal_end. */
struct probe *trace_goal_new(const struct trace_spec *spec, double cycle_ps);

/* Write the trace of PROBE to STREAM, and release PROBE.
 * errors: the run has something without words in GOAL: main memory, mailboxes, atomic commands, PPEs. */
int trace_goal_end(struct probe *probe, FILE *stream, struct err *err);
