/* SPDX-License-Identifier: BSD-3-Clause
 * Calls as lanes over time in letters, for terminals. */
#pragma once

#include "draw/lanes.h"

#include <stdio.h>

/* Columns of a drawing: minimum, maximum, and the number where the terminal's width is unknown. */
enum { LANES_COLUMNS_LEAST = 72, LANES_COLUMNS_MOST = 200, LANES_COLUMNS_USUAL = 100 };

/* Write the N CALLS on STREAM, one below the other on one time axis, as wide as COLUMNS. */
void lanes_text_write(const struct lanes *const calls[], size_t n, unsigned columns, FILE *stream);
