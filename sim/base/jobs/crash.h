/* SPDX-License-Identifier: BSD-3-Clause
 * Signals that end this process because of what it does itself. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Signals that a program brings about itself. */
enum { CRASH_SIGNALS = 7 };
extern const int crash_signals[CRASH_SIGNALS];

/* What to add to the name of the signal if the stack of a program was full. */
#define CRASH_STACK_FULL ": the stack of a rank, 128 KiB, was full"

/* Have TELL called when such a signal NUMBER comes, and then go on as if nobody had asked: to the debugger,
 * the sanitizer or the end. FULL: a program of the machine has used up its stack. TELL may call only what is
 * safe in handlers of signals; each signal is told once. */
void crash_watch(void (*tell)(int number, bool full));
