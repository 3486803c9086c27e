/* SPDX-License-Identifier: BSD-3-Clause
 * gnuplot as a child process that turns a script into SVG. */
#pragma once

struct err;

/* Run gnuplot on SCRIPT, which draws one picture, and return the svg element it makes without its end tag, as html_picture
 * takes it. NAME (letters, digits, underscores) is part of every id in it, so that one page can hold several pictures. Nothing is
 * written to disk, and the user's gnuplot settings are not read.
 * errors: gnuplot is missing, ends with an error or makes no SVG; NULL then.
 * owner: the caller frees the text. */
char *gnuplot_svg(const char *name, const char *script, struct err *err);
