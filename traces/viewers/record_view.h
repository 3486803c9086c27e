/* SPDX-License-Identifier: BSD-3-Clause
 * A recorded call on one blade as the tables of a view. */
#pragma once

#include "draw/view/view.h"
#include "sim/hw/watch/probe.h"

struct path;
struct record;

/* An observer of deliveries and atomic commands, of which records keep only parts. */
struct view_watch {
  struct probe probe;
  struct view_call seen; /* both tables, in cycles of the machine */
};

/* Make WATCH ready for one call. */
void view_watch_init(struct view_watch *watch);
void view_watch_fini(struct view_watch *watch);

/* Return the tables of the call of RECORD and WATCH, with the critical path PATH; the caller adds title and
 * note.
 * owner: the caller, with view_call_free. */
struct view_call *record_view(const struct record *record, const struct view_watch *watch,
                              const struct path *path);

/* Return words for the causes of a path, and the meanings of the causes, for struct view. */
const char *const *record_view_causes(void);
const char *const *record_view_meanings(void);
