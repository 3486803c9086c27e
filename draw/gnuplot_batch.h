/* SPDX-License-Identifier: BSD-3-Clause
 * Several pictures from one gnuplot: the start of gnuplot takes more processor time than a picture. */
#pragma once

#include <stddef.h>

struct err;

/* Pictures in the order of the calls of gnuplot_batch_add. Starts as zero. */
struct gnuplot_batch {
  char **names, **scripts, **pictures;
  size_t n, next;
};

/* Ask for the picture of SCRIPT. NAME (letters, digits, underscores) is part of every id in the picture.
 * owner: BATCH frees SCRIPT; BATCH copies NAME. */
void gnuplot_batch_add(struct gnuplot_batch *batch, const char *name, char *script);

/* Let gnuplot draw all pictures. Nothing is written to disk, and the user's gnuplot settings are not read.
 * errors: gnuplot is missing, ends with an error or does not make every picture. */
int gnuplot_batch_draw(struct gnuplot_batch *batch, struct err *err);

/* Return the next picture in the order of the calls of gnuplot_batch_add, an svg element without its end tag,
 * as html_picture takes pictures. */
const char *gnuplot_batch_next(struct gnuplot_batch *batch);

/* Release the contents of BATCH. */
void gnuplot_batch_fini(struct gnuplot_batch *batch);
