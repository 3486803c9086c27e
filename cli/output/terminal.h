/* SPDX-License-Identifier: BSD-3-Clause
 * What is different where somebody reads the output on a terminal: colours, and a pager for what is longer
 * than the screen.
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

/* Return what begins a text of LOOK, and what ends it; empty texts without COLOURS, and for
 * TERMINAL_PLAIN. */
const char *terminal_begin(enum terminal_look look, bool colours);
const char *terminal_end(enum terminal_look look, bool colours);

/* Return how many characters a line of standard output has; UINT_MAX: that is no terminal. */
unsigned terminal_columns(void);

/* Write TEXT to STREAM, where the cursor is in column INDENT, in lines of at most COLUMNS characters that all
 * begin there, and end the last one. A word that is too long is not cut; where less than 20 columns are left
 * lines end only where TEXT does. */
void terminal_wrap(const char *text, unsigned indent, unsigned columns, FILE *stream);

/* Write TEXT to standard output: through the pager if that is a terminal with fewer lines than TEXT. A pager
 * that cannot be started is left out. */
void terminal_page(const char *text);
