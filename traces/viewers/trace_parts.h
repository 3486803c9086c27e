/* SPDX-License-Identifier: BSD-3-Clause
 * From events of the machine to what viewers show: slices of programs, commands and bus requests, flows,
 * counters. */
#pragma once

#include "platform/parameters.h"
#include "traces/viewers/trace_order.h"
#include "traces/viewers/trace_writer.h"

#include <stdbool.h>

struct probe_event;

/* One of the places that share something, and what is or was in it last. */
struct trace_place {
  struct trace_track track;
  uint64_t free_at; /* cycle; UINT64_MAX: nobody knows yet */
  struct trace_slice slice;
  const struct trace_track *issuer; /* of a command: the program that gave it */
};

/* Starts as zero. */
struct trace_places {
  struct trace_place **items;
  unsigned n;
};

/* The program, the call, the step, and what it does there. */
enum { TRACE_DEPTH = 4 };

/* A program; that of an SPE is there even if nothing runs on it. */
struct trace_program {
  struct trace_track track;
  bool shown;                           /* its track has been written */
  struct trace_slice open[TRACE_DEPTH]; /* slices that have begun, the outer one first */
  unsigned depth;                       /* how many */
};

/* The MFC of an SPE. */
struct trace_mfc {
  unsigned spe;
  struct trace_places commands, atomics;
  unsigned queued, in_flight;
};

/* What becomes of events. */
struct trace_parts {
  struct trace_file *file;
  const struct trace_writer *writer;
  /* those of all nodes, this one and the network (the last one) among them; NULL: there is one blade */
  struct trace_parts *nodes;
  unsigned node;
  struct parameters parameters;
  struct trace_order order;
  struct trace_program **programs; /* by number */
  unsigned nprograms;
  struct trace_mfc *mfcs;                        /* one for each SPE */
  struct trace_places *rings, *links, *memories; /* of all chips; of each pair of chips; of each chip */
  unsigned *transfers;                           /* on the rings of each chip */
  struct trace_places messages;                  /* that the node sends */
  struct trace_places *servers;                  /* of the network; by number */
  size_t nservers;
  uint64_t now; /* cycle of what was written last */
};

/* Prepare PARTS, of NODE (0: the one blade) or of the network, which write to FILE with WRITER.
 * owner: the caller, with trace_parts_fini. */
void trace_parts_init(struct trace_parts *parts, struct trace_file *file, const struct trace_writer *writer,
                      unsigned node);
void trace_parts_init_network(struct trace_parts *parts, struct trace_file *file,
                              const struct trace_writer *writer);

/* End all that is under way; release what PARTS, which have ended, hold. */
void trace_parts_end(struct trace_parts *parts);
void trace_parts_fini(struct trace_parts *parts);

/* Show EVENT; or EVENT of the network between NODES. A message keeps its place for MARGIN cycles more than it
 * takes, so that whom it wakes finds it. */
void trace_parts_see(struct trace_parts *parts, const struct probe_event *event);
void trace_messages_see(struct trace_parts *nodes, const struct probe_event *event, uint64_t margin);

/* Write what is due at CYCLE or before it; then also let what is written from now on belong to CYCLE. */
void trace_parts_catch_up(struct trace_parts *parts, uint64_t cycle);
void trace_parts_reach(struct trace_parts *parts, uint64_t cycle);

/* --- for its files --- */

/* Write that there is TRACK. */
void trace_parts_show(struct trace_parts *parts, struct trace_track *track);

/* Write OP at once if its cycle has come, that is CYCLE, else later. */
void trace_parts_act(struct trace_parts *parts, const struct trace_op *op, uint64_t cycle);

/* Return the lowest one of PLACES that is free at FROM; a new one is a place of TRACK. */
struct trace_place *trace_places_take(struct trace_parts *parts, struct trace_places *places,
                                      const struct trace_track *track, uint64_t from);

/* Return the place of PLACES with command NUMBER, which is under way or was the last one there; NULL:
 * none. */
struct trace_place *trace_places_find(const struct trace_places *places, uint64_t number);

/* Return program NUMBER, whose track has been written. */
struct trace_program *trace_parts_program(struct trace_parts *parts, unsigned number);

/* Show what a program does.
 * returns: false if EVENT is something else. */
bool trace_programs_see(struct trace_parts *parts, const struct probe_event *event);

/* Let all programs end now. */
void trace_programs_end(struct trace_parts *parts);

/* Show what happens to a command.
 * returns: false if EVENT is something else. */
bool trace_commands_see(struct trace_parts *parts, const struct probe_event *event);

/* Let the command of OP begin. */
void trace_commands_begin(struct trace_parts *parts, const struct trace_op *op);

/* Let all commands end now. */
void trace_commands_end(struct trace_parts *parts);

/* Let all messages end now. */
void trace_messages_end(struct trace_parts *parts);

/* Show what happens to a bus request. */
void trace_requests_see(struct trace_parts *parts, const struct probe_event *event);

/* Count that a bus request leaves its window in MFC, that a transfer leaves the rings of CHIP. */
void trace_requests_free(struct trace_parts *parts, struct trace_mfc *mfc);
void trace_requests_land(struct trace_parts *parts, unsigned chip);
