/* SPDX-License-Identifier: BSD-3-Clause
 * The common parts of the formats for viewers: tracks with nested slices, flows between tracks, counters. */
#pragma once

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

/* Put the name of TRACK, such as "SPE 3 DMA 0", as the functions of trace_text.h do; in trace_tracks.c. */
char *trace_put_track(char *at, const struct trace_file *file, const struct trace_track *track);

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
