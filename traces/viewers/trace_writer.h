/* SPDX-License-Identifier: BSD-3-Clause
 * What the formats for viewers have in common: tracks with slices that nest, flows between tracks,
 * counters. */
#pragma once

#include "traces/viewers/trace.h"
#include "traces/viewers/trace_text.h"

#include <stdbool.h>
#include <stdint.h>

/* What a track belongs to. Those of SPEs and PPEs show what programs do there; all others are places: each
 * slice is in the lowest one that is free. Messages and servers are those of a network between nodes. */
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
};

/* A track: one line of a viewer. */
struct trace_track {
  enum trace_owner owner;
  unsigned node; /* of messages the one that sends them */
  unsigned chip; /* of a link the one where it begins */
  /* of the SPE, of the program of a PPE, of the ring, of the chip where the link ends, of the server */
  unsigned number;
  unsigned place;
  unsigned index;           /* among all tracks, in the order in which they were first needed */
  unsigned process, thread; /* of JSON, which sets them when the track is written */
  const char *name;         /* of the program, of the server; NULL: none has been started, or it is a place */
  const struct trace_track *parent; /* of a place of an MFC the track of its SPE; NULL: none */
};

enum trace_state {
#define STATE(name, ...) STATE_##name,
#include "traces/viewers/trace_states.def"
  STATES
};

enum { TRACE_NAME_SIZE = 176 };

/* Something that takes time on a track. */
struct trace_slice {
  enum trace_state state;
  uint64_t from, to;          /* cycles */
  uint64_t number;            /* of the command that it belongs to, from 1 on; 0: of none */
  unsigned spe, offset;       /* of a bus request: whose MFC has it under way, and its first byte */
  unsigned tag;               /* of a DMA command */
  char name[TRACE_NAME_SIZE]; /* empty: a bus request, which is called by its numbers */
};

/* A program goes on because of something that was begun elsewhere. */
struct trace_flow {
  const struct trace_track *from, *to; /* from: the DMA or atomic command, or the program */
  const struct trace_track *issuer;    /* the program that began it */
  uint64_t began, ended;               /* cycles */
  uint64_t number;                     /* of the flow, from 1 on */
};

enum trace_counter { COUNTER_QUEUE, COUNTER_REQUESTS, COUNTER_TRANSFERS };

/* A value that lasts until the next one. */
struct trace_value {
  enum trace_counter counter;
  const struct trace_track
    *spe; /* whose queue or bus requests they are; NULL: they are transfers on the rings of CHIP */
  unsigned node, chip;
  uint64_t at, value;
};

/* A trace on its way to its file. */
struct trace_file {
  struct trace_spec spec;
  unsigned nnodes; /* 0: it is of one blade, without a network */
  unsigned nchips; /* of a node */
  double cycle_ps; /* picoseconds of a cycle */
  struct trace_text text;
  uint64_t nlines; /* of JSON, after the head */
  unsigned ntracks;
  uint64_t nflows;
};

/* What a format writes, in the order of the cycles at which slices and waits end, and for one that looks at
 * it begin. */
struct trace_writer {
  void (*head)(struct trace_file *file);
  void (*track)(struct trace_file *file, struct trace_track *track, uint64_t at);
  void (*begin)(struct trace_file *file, const struct trace_track *track,
                const struct trace_slice *slice); /* NULL: it does not look at that */
  void (*end)(struct trace_file *file, const struct trace_track *track, const struct trace_slice *slice);
  void (*flow)(struct trace_file *file, const struct trace_flow *flow);
  void (*value)(struct trace_file *file, const struct trace_value *value);
  void (*foot)(struct trace_file *file, uint64_t at);
  bool late; /* it takes slices that began before what was written last: those of packets */
};

extern const struct trace_writer trace_json, trace_paje;

/* Put what TRACK is called, such as "SPE 3 DMA 0", as the functions of trace_text.h do. */
char *trace_put_track(char *at, const struct trace_file *file, const struct trace_track *track);
