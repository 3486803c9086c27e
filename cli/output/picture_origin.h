/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures that say where they come from: where the format keeps such a text, and viewers do not draw it. */
#pragma once

struct err;

/* Add TEXT (lines of provenance.h) to the picture in file PATH, whose name ends in .svg (an element
 * `metadata`), .png (a text chunk `Description`) or .pdf (the subject of the document). A file that is no
 * ordinary one, such as a pipe, is left alone.
 * errors: the file cannot be read or written; it has no place where such a text goes. */
int picture_origin_add(const char *path, const char *text, struct err *err);
