/* SPDX-License-Identifier: BSD-3-Clause
 * gnuplot as a child process that turns a script into a picture. */
#pragma once

#include <stddef.h>

struct err;

/* The message where SVG is expected of gnuplot. */
extern const char gnuplot_no_svg[];

/* Find out whether gnuplot draws.
 * errors: as gnuplot_batch_draw. */
int gnuplot_check(struct err *err);

/* Run gnuplot on SCRIPT and return the *NBYTES bytes that it writes to its standard output, with a zero
 * behind them.
 * errors: gnuplot is missing, ends with an error or writes nothing; NULL then.
 * owner: the caller frees them. */
char *gnuplot_output(const char *script, size_t *nbytes, struct err *err);
