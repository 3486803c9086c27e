/* SPDX-License-Identifier: BSD-3-Clause
 * What is different where somebody reads the output on a terminal: colours, and a pager for what is longer than the screen.
 *
 *   NO_COLOR        set and not empty: no colours (no-color.org)
 *   CLICOLOR_FORCE  set, and neither empty nor 0: colours wherever the output goes
 *   PAGER           the pager; empty or cat: none; not set: less, with LESS=FRX if LESS is not set */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* What a text means to who reads it. */
enum terminal_look { TERMINAL_PLAIN, TERMINAL_HEAD, TERMINAL_GOOD, TERMINAL_BAD, TERMINAL_OPEN };

/* Tell whether output to STREAM, standard output or the stream of errors, has colours. */
bool terminal_has_colours(FILE *stream);

/* Return what begins a text of LOOK, and what ends it; empty texts without COLOURS, and for TERMINAL_PLAIN. */
const char *terminal_begin(enum terminal_look look, bool colours);
const char *terminal_end(enum terminal_look look, bool colours);

/* Write TEXT to standard output: through the pager if that is a terminal with fewer lines than TEXT. A pager that cannot be started is
 * left out. */
void terminal_page(const char *text);
