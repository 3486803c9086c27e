/* SPDX-License-Identifier: BSD-3-Clause
 * The one engine of a process, the message of the last refusal, and a machine. This folder only. */
#pragma once

#include <locale.h>
#include <stdbool.h>

struct err;

struct cellcoll_machine {
  struct platform *platform;
  struct machine *built; /* of the platform */
};

/* Check that no call is under way, and that the calling thread has the engine, if the engine is started.
 * returns: -1, with a message, if not. */
int engine_check(void);

/* Begin to use the engine; the engine belongs to the first calling thread. Until engine_leave numbers are
 * read and written as in the C locale, in any locale of the caller.
 * returns: -1, with a message, if another thread has the engine, or a call is under way. */
int engine_enter(void);

/* End the use of the engine. */
void engine_leave(void);

/* Call a function of the user between these two, in the user's locale, while the engine is in use. */
void engine_caller_begin(void);
void engine_caller_end(void);

/* Read and write numbers as in the C locale on the calling thread; for functions without use of the engine.
 * returns: the locale before, for uselocale. */
locale_t engine_plain_locale(void);

/* Keep WHY as the message of this refusal.
 * returns: -1. */
int engine_refuse(const struct err *why);
