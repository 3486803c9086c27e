/* SPDX-License-Identifier: BSD-3-Clause
 * Observers of the library's calls: lines of a trace. This folder only. */
#pragma once

#include "lib/cellcoll.h"

#include "validate/lab/call_watch.h"

#include <stdio.h>

struct platform;
struct rig_spec;

/* Hands the lines of a trace on. */
struct observe_lines {
  cellcoll_observer *observer;
  void *context;
  FILE *stream;
  struct call_trace trace;
  char *line; /* the part written so far */
  size_t n, room;
};

/* Make LINES ready for the observer of CALL; SPEC is CALL on a machine of PLATFORM.
 * owner: the caller, with observe_lines_fini, which hands on the last line. */
void observe_lines_init(struct observe_lines *lines, const struct cellcoll_call *call,
                        const struct platform *platform, struct rig_spec *spec);
void observe_lines_fini(struct observe_lines *lines);
