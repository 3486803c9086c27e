/* SPDX-License-Identifier: BSD-3-Clause
 * A call of an algorithm on one blade as a view; in call_timeline.c. */
#pragma once

#include "validate/lab/outcome.h"

struct blade;
struct err;
struct rig_spec;
struct view;
struct view_call;

/* Make the call of SPEC, without observers, on BLADE; END: of the call, CALL_OK if the call was not made.
 * returns: NULL after an error, or without a message after an interruption.
 * errors: SPEC is refused or spans nodes, the call stopped, or there is too much to be kept.
 * owner: the caller, with view_call_free. */
struct view_call *call_view(struct blade *blade, const struct rig_spec *spec, enum call_end *end,
                            struct err *err);

/* The largest page, in bytes. */
enum { CALL_VIEW_BYTES_MAX = 2000000 };

/* Write VIEW, with machine and calls, as a page into memory; bus requests are joined (view_join)
 * if the page is too large otherwise.
 * returns: the page; NULL: the page is larger than CALL_VIEW_BYTES_MAX even so.
 * owner: the caller. */
char *call_view_page(struct view *view);
