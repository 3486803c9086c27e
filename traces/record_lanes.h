/* SPDX-License-Identifier: BSD-3-Clause
 * The lanes of a recorded call: activities of programs, DMAs, notifications, rings, links and memories. */
#pragma once

#include "draw/lanes.h"

struct record;

/* Return the lanes of the last call of RECORD, which is not full; curves get bins of BIN cycles. The lanes
 * have no title yet.
 * owner: the caller, with lanes_free. */
struct lanes *record_lanes(const struct record *record, uint64_t bin);

/* Return the lane of PROGRAM in unfolded LANES made of RECORD; LANES_NOBODY: no lane. */
unsigned record_lane(const struct record *record, unsigned program);
