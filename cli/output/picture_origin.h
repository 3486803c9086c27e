/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures with a record of their origin. */
#pragma once

struct err;

/* Add TEXT (lines of provenance.h) to the picture in file PATH: an SVG gets an element `metadata`, which
 * viewers do not draw; a picture of any other format gets a file PATH.txt beside it. A PATH that is no
 * ordinary file, such as a pipe, is left alone.
 * errors: a file cannot be read or written. */
int picture_origin_add(const char *path, const char *text, struct err *err);
