/* SPDX-License-Identifier: BSD-3-Clause
 * SVG written by gnuplot, made smaller and fit to stand beside other pictures on a page. */
#pragma once

/* Copy SVG, a picture with the name NAME in gnuplot. NAME goes in front of every id, so that no two pictures
 * of a page share an id. The copy leaves out all text without ink: empty groups, marks without use in the
 * picture, and titles made of NAME. The texts of labels of the style `hypertext` become titles of the
 * labelled elements; browsers show a title beside the mouse pointer.
 * owner: the caller frees the text. */
char *gnuplot_tidy(const char *svg, const char *name);
