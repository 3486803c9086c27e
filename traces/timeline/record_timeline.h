/* SPDX-License-Identifier: BSD-3-Clause
 * The lanes of a recorded call: what programs did, DMAs, notifications, rings, links and memories; of a call
 * on several nodes also messages between their PPEs and links of the network; the critical path. */
#pragma once

#include "draw/timeline/timeline.h"

struct path;
struct path_records;
struct record;

/* Return the lanes of the last call of RECORD, which is not full; curves get bins of BIN cycles. The lanes
 * have no title yet.
 * owner: the caller, with timeline_free. */
struct timeline *record_timeline(const struct record *record, uint64_t bin);

/* Return the lane of PROGRAM in unfolded TIMELINE made of RECORD; TIMELINE_NOBODY: no lane. */
unsigned record_lane(const struct record *record, unsigned program);

/* Return the lanes of the last call of RECORDS, all of whose nodes show the cycles of PATH; those of node i
 * begin with FIRST[i] (TIMELINE_NOBODY: it has none). A message is a line from one PPE to the other one, and
 * at the PPE that sends it a bar, whose height is its share of the link.
 * owner: the caller, with timeline_free. */
struct timeline *record_timeline_nodes(const struct path_records *records, const struct path *path,
                                       uint64_t bin, unsigned first[]);

/* Add PATH of RECORDS to TIMELINE, which were made of them and have not been folded; those of node i begin
 * with lane FIRST[i]: where it runs, where others' bytes stand in its way, what its cycles went to. */
void path_timeline_add(struct timeline *timeline, const struct path_records *records, const unsigned first[],
                       const struct path *path);

/* Say whose bytes stand in the way of PATH, and where, the most cycles first: "on the ramp of SPE 0 for SPE 2
 * (2 012) and ...".
 * returns: a text without a full stop; "" if nobody does.
 * owner: the caller. */
char *path_timeline_say(const struct path_records *records, const struct path *path);
