/* SPDX-License-Identifier: BSD-3-Clause
 * A call of an algorithm as lanes over time with title and subtitle, or on one blade as a view. */
#pragma once

#include "validate/lab/call/outcome.h"

struct machine;
struct err;
struct call;
struct view_call;

enum { CALL_TIMELINE_NODES = 32 };

/* Make CALL, which has no observers, on MACHINE; of several calls back to back the last one is
 * shown.
 * returns: its lanes, of SPEs or, if there are more than MOST, of chips, on several nodes of nodes; NULL
 * after an error or an interruption, which sets no message.
 * errors: CALL is refused, or needs more than CALL_TIMELINE_NODES nodes, the call stopped, or there is too
 * much to be kept.
 * owner: the caller, with timeline_free. */
struct timeline *call_timeline(struct machine *machine, const struct call *call, unsigned most,
                               struct err *err);

/* Make CALL, without observers, on MACHINE; END: of the call, CALL_OK if the call was not made.
 * returns: NULL after an error, or without a message after an interruption.
 * errors: CALL is refused or spans nodes, the call stopped, or there is too much to be kept.
 * owner: the caller, with view_call_free. */
struct view_call *call_view(struct machine *machine, const struct call *call, enum call_end *end,
                            struct err *err);
