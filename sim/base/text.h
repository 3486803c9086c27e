/* SPDX-License-Identifier: BSD-3-Clause
 * What texts from files and from the command line have in common. */
#pragma once

/* Copy TEXT without blanks at its ends and with one blank for each run of white space.
 * owner: the caller. */
char *text_tidy(const char *text);

/* Copy TEXT so that it is UTF-8: a byte that belongs to no character becomes \xNN.
 * owner: the caller. */
char *text_to_utf8(const char *text);
