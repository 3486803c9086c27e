/* SPDX-License-Identifier: BSD-3-Clause
 * The critical path of a recorded call, drawn on the lanes of the call. */
#pragma once

struct lanes;
struct path;
struct path_records;

/* Add PATH of RECORDS to LANES: its course, the stretches behind others' bytes, and the causes of its cycles.
 * LANES were made of RECORDS and are not folded; the lanes of node i begin with lane FIRST[i]. */
void path_lanes_add(struct lanes *lanes, const struct path_records *records, const unsigned first[],
                    const struct path *path);

/* Describe the blockers of PATH and the servers, most cycles first: "on the ramp of SPE 0 for SPE 2 (2 012)
 * and ...".
 * returns: a text without a full stop; "" without blockers.
 * owner: the caller. */
char *path_lanes_say(const struct path_records *records, const struct path *path);
