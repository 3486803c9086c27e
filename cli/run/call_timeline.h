/* SPDX-License-Identifier: BSD-3-Clause
 * A call of an algorithm as lanes over time, with title and subtitle. */
#pragma once

#include <stdbool.h>

struct blade;
struct call_records;
struct err;
struct outcome;
struct timeline;
struct rig_spec;

enum { CALL_TIMELINE_NODES = 32 };

/* Make the call of SPEC, which has no observers, on BLADE; of several calls back to back the last one is
 * shown.
 * returns: its lanes, of SPEs or, if there are more than MOST, of chips, on several nodes of nodes; NULL
 * after an error or an interruption, which sets no message.
 * errors: SPEC is refused, or needs more than CALL_TIMELINE_NODES nodes, the call stopped, or there is too
 * much to be kept.
 * owner: the caller, with timeline_free. */
struct timeline *call_timeline(struct blade *blade, const struct rig_spec *spec, unsigned most,
                               struct err *err);

/* Make the call of SPEC on BLADE; the list of observers ends with the observer of RECORDS.
 * returns: whether the call has ended, and RECORDS has everything.
 * errors: SPEC is refused, the call stopped, or there is too much to be kept.
 * owner: the caller of RECORDS and OUTCOME, with call_records_fini and outcome_fini. */
bool call_timeline_record(struct blade *blade, const struct rig_spec *spec, struct call_records *records,
                          struct outcome *outcome, struct err *err);
