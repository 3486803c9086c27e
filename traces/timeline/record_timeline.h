/* SPDX-License-Identifier: BSD-3-Clause
 * The lanes of a recorded call: activities of programs, DMAs, notifications, rings, links and memories; of a
 * call on several nodes also messages between their PPEs and links of the network; the critical path. */
#pragma once

#include "draw/timeline/timeline.h"

struct path;
struct path_records;

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
