/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that writes the events of a blade, or of several nodes and the network, one line each, in the
 * order of cycles. */
#pragma once

#include "sim/hw/watch/probe.h"
#include "traces/cycle_queue.h"

#include <stdint.h>

/* EVENT_LOG_NODE_SIZE: bytes of the name of a node before a line, with the blanks behind the name. */
enum { EVENT_LOG_NAME_SIZE = 16, EVENT_LOG_RECENT = 64, EVENT_LOG_NODE_SIZE = NODE_NAME_SIZE + 2 };

/* A program, and the recent DMA commands of its SPE: the last EVENT_LOG_RECENT numbers. */
struct event_log_program {
  char name[EVENT_LOG_NAME_SIZE]; /* empty: the program has not started */
  unsigned step;                  /* the current one; 0: none */
  struct {
    uint64_t number;
    const char *what; /* "put", "getf", ... */
  } recent[EVENT_LOG_RECENT];
};

/* The programs of a node. */
struct event_log_node {
  struct cycle_lines *lines;
  bool on_host;                     /* of a triblade */
  char before[EVENT_LOG_NODE_SIZE]; /* begins each line, behind the cycle: "node 0    "; empty on one blade */
  struct event_log_program *programs;
  unsigned nprograms;
};

struct event_log {
  struct probe probe;
  struct cycle_lines *lines;
  struct event_log_node *nodes;
  unsigned n; /* nodes, at least 1 */
};

/* Make EVENT_LOG ready to be attached to one blade (NNODES 0), or to NNODES nodes, named by LINES, and their
 * network; all have just been reset. EVENT_LOG writes to LINES. A line is the cycle, a program, and the
 * activity of the program or of its MFC. Programs are named as in messages; DMA commands and atomic commands
 * are counted from 1 on by SPE. Stages of a command or of a bus request are indented; bus request #2+128 is
 * the request of command 2 that begins with byte 128.
 *
 *           60  rank 0     put #2: 16 bytes to rank 4 (tag 5)
 *          150  rank 0       #2 comes to the bus
 *          152  rank 0       #2+0 issued: 16 bytes
 *          260  rank 0       #2+0 ring 2 of chip 0 from unit 1 to unit 4 (3 hops) after 0 cycles
 *          290  rank 0       #2+0 visible in rank 4
 *          290  rank 4     step 1: goes on after 182 cycles, woken by put #2 of rank 0
 *          ...
 *
 * With several nodes a line has the node behind the cycle. Messages between nodes are counted from 1 on,
 * packets of a message from 0 on (#2.1: packet 1 of message 2):
 *
 *        7233  node 0    network    message #2 to node 1: 16384 bytes
 *       32833  node 0    network      #2.0 on n0-up from cycle 32833 to 72205, after 0 cycles: 1538 bytes
 *
 * owner: the caller, with event_log_fini; of LINES as well. */
void event_log_init(struct event_log *event_log, struct cycle_lines *lines, unsigned nnodes);
void event_log_fini(struct event_log *event_log);
