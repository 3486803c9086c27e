/* SPDX-License-Identifier: BSD-3-Clause
 * The critical path of a recorded call on its lanes. */
#pragma once

struct lanes;
struct path;
struct path_records;

/* Add PATH of RECORDS to LANES, which were made of them and have not been folded; those of node i begin with
 * lane FIRST[i]: where it runs, where others' bytes stand in its way, what its cycles went to. */
void path_lanes_add(struct lanes *lanes, const struct path_records *records, const unsigned first[],
                    const struct path *path);

/* Say whose bytes stand in the way of PATH, and where, the most cycles first: "on the ramp of SPE 0 for SPE 2
 * (2 012) and ...".
 * returns: a text without a full stop; "" if nobody does.
 * owner: the caller. */
char *path_lanes_say(const struct path_records *records, const struct path *path);
