/* SPDX-License-Identifier: BSD-3-Clause
 * What gnuplot writes as SVG, made smaller and fit to stand beside other pictures on a page. */
#pragma once

/* Copy SVG, a picture that gnuplot has named NAME: with NAME in front of every id, so that no two pictures of
 * a page share one; without what draws nothing, which is empty groups, marks that the picture does not use
 * and titles made of NAME; the texts of labels of the style `hypertext` as titles of what they belong to,
 * which browsers show beside the mouse pointer.
 * owner: the caller frees the text. */
char *gnuplot_tidy(const char *svg, const char *name);
