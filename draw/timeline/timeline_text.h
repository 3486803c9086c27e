/* SPDX-License-Identifier: BSD-3-Clause
 * Calls as lanes over time in letters, for terminals. */
#pragma once

#include "draw/timeline/timeline.h"

#include <stdio.h>

/* Columns of a drawing: minimum, maximum, and the number where the terminal's width is unknown. */
enum { TIMELINE_COLUMNS_LEAST = 72, TIMELINE_COLUMNS_MOST = 200, TIMELINE_COLUMNS_USUAL = 100 };

/* Write the N CALLS on STREAM, one below the other on one time axis, as wide as COLUMNS. */
void timeline_text_write(const struct timeline *const calls[], size_t n, unsigned columns, FILE *stream);
