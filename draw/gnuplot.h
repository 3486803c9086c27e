/* SPDX-License-Identifier: BSD-3-Clause
 * gnuplot as a child process that turns a script into a picture. */
#pragma once

#include <stddef.h>

struct err;

/* Run gnuplot on SCRIPT, which draws one picture, and return the svg element it makes without its end tag, as html_picture
 * takes it. NAME (letters, digits, underscores) is part of every id in it, so that one page can hold several pictures. Nothing is
 * written to disk, and the user's gnuplot settings are not read.
 * errors: gnuplot is missing, ends with an error or makes no SVG; NULL then.
 * owner: the caller frees the text. */
char *gnuplot_svg(const char *name, const char *script, struct err *err);

/* Find out whether gnuplot draws.
 * errors: as gnuplot_svg. */
int gnuplot_check(struct err *err);

/* Run gnuplot on SCRIPT and return the *NBYTES bytes that it writes to its standard output, with a zero behind them.
 * errors: gnuplot is missing, ends with an error or writes nothing; NULL then.
 * owner: the caller frees them. */
char *gnuplot_output(const char *script, size_t *nbytes, struct err *err);
