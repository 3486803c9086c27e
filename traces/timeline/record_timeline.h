/* SPDX-License-Identifier: BSD-3-Clause
 * The lanes of a recorded call: activities of programs, DMAs, notifications, rings, links and memories; of a
 * call on several nodes also messages between their PPEs and links of the network; the critical path. */
#pragma once

#include "draw/timeline/timeline.h"

struct path;
struct path_records;
struct record;

/* Return the lanes of the last call of RECORD, which is not full; curves get bins of BIN cycles. The lanes
 * have no title yet.
 * owner: the caller, with timeline_free. */
struct timeline *record_timeline(const struct record *record, uint64_t bin);

/* Return the lanes of the last call of RECORDS, with the cycles of PATH; the lanes of node i begin with
 * FIRST[i]. A message is a line from one PPE to the other, and at the sending PPE a bar as high as the share
 * of the link.
 * owner: the caller, with timeline_free. */
struct timeline *record_timeline_nodes(const struct path_records *records, const struct path *path,
                                       uint64_t bin, unsigned first[]);

/* Add PATH of RECORDS to TIMELINE, made of RECORDS and not folded; the lanes of node i begin with FIRST[i]:
 * the way of the path, the stretches behind others' bytes, the causes of the cycles. */
void path_timeline_add(struct timeline *timeline, const struct path_records *records, const unsigned first[],
                       const struct path *path);

/* Say where PATH waits behind others' bytes, the most cycles first: "on the ramp of SPE 0 for SPE 2
 * (2 012) and ...".
 * returns: a text without a full stop; "" if nobody does.
 * owner: the caller. */
char *path_timeline_say(const struct path_records *records, const struct path *path);
