/* SPDX-License-Identifier: BSD-3-Clause
 * gnuplot as a child process: a script becomes a picture. */
#pragma once

#include <stddef.h>

struct err;

/* The message where SVG is expected of gnuplot. */
extern const char gnuplot_no_svg[];

/* Find out whether gnuplot draws.
 * errors: as gnuplot_batch_draw. */
int gnuplot_check(struct err *err);

/* Run gnuplot on SCRIPT and return the bytes of the standard output, *NBYTES of them, with a zero behind the
 * last.
 * errors: gnuplot is missing, ends with an error or writes nothing; NULL then.
 * owner: the caller frees the bytes. */
char *gnuplot_output(const char *script, size_t *nbytes, struct err *err);
