/* SPDX-License-Identifier: BSD-3-Clause
 * The one engine of a process, and the message of the last refusal. This folder only. */
#pragma once

#include <stdbool.h>

struct err;

/* Check that no call is under way, and that the calling thread is that of the engine, if there is one.
 * returns: -1, with a message, if not. */
int engine_check(void);

/* Begin to use the engine; the first time it is started.
 * returns: -1, with a message, if another thread has it, a call is under way, or SimGrid runs already for
 * somebody else. */
int engine_enter(void);

/* End that. */
void engine_leave(void);

/* Keep WHY as the message of this refusal.
 * returns: -1. */
int engine_refuse(const struct err *why);
