/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of a recorded call. Lanes have activities of programs, DMAs, notifications, rings, links and
 * memories; of a call on several nodes also messages between their PPEs and links of the network; the
 * critical path. Views have tables of the same, one row for each event. */
#pragma once

#include "draw/timeline/timeline.h"
#include "draw/view/view.h"
#include "sim/hw/watch/probe.h"

struct path;
struct path_records;
struct record;

/* --- lanes over time --- */

/* Return the lanes of the last call of RECORDS, none of them full, with the way of PATH, the stretches behind
 * others' bytes and the causes of the cycles; the lanes have no title yet. A message between nodes is a line
 * from one PPE to the other, and at the sending PPE a bar as high as the share of the link.
 * owner: the caller, with timeline_free. */
struct timeline *record_timeline(const struct path_records *records, const struct path *path);

/* Say where PATH waits behind others' bytes, the most cycles first: "on the ramp of SPE 0 for SPE 2
 * (2 012) and ...".
 * returns: a text without a full stop; "" if nobody does.
 * owner: the caller. */
char *path_timeline_say(const struct path_records *records, const struct path *path);

/* --- views --- */

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
