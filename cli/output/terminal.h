/* SPDX-License-Identifier: BSD-3-Clause
 * Output on a terminal: colours, and a pager for texts longer than the screen.
 *
 *   NO_COLOR        set and not empty: no colours (no-color.org)
 *   CLICOLOR_FORCE  set, and neither empty nor 0: colours wherever the output goes
 *   PAGER           the pager; empty or cat: none; not set: less, with LESS=FRX if LESS is not set */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* The meaning of a text to a reader. */
enum terminal_look { TERMINAL_PLAIN, TERMINAL_HEAD, TERMINAL_GOOD, TERMINAL_BAD, TERMINAL_OPEN };

/* Tell whether output to STREAM, standard output or the stream of errors, has colours. */
bool terminal_has_colours(FILE *stream);

/* Return the texts before and after a text of LOOK; empty for TERMINAL_PLAIN. */
const char *terminal_begin(enum terminal_look look);
const char *terminal_end(enum terminal_look look);

/* Return the look of the cell TEXT in COLUMN of a table: the end of a run, or a finding. */
enum terminal_look terminal_look_of(const char *column, const char *text);

/* Return the number of characters in a line of standard output; UINT_MAX: no terminal, or of
 * terminal_columns one with no more abilities than lines. */
unsigned terminal_columns(void);
unsigned terminal_width(void);

/* Write TEXT to STREAM in lines of at most COLUMNS characters and end the last line. The cursor is in column
 * INDENT, and every line begins in that column. A too long word is not cut. With less than 20 columns left,
 * lines end only at the line ends of TEXT. */
void terminal_wrap(const char *text, unsigned indent, unsigned columns, FILE *stream);

/* Return these lines.
 * owner: the caller. */
char *terminal_wrapped(const char *text, unsigned indent, unsigned columns);

/* Write TEXT to standard output: through the pager on a terminal with fewer lines than TEXT. Without a
 * working pager TEXT is written directly. */
void terminal_page(const char *text);
