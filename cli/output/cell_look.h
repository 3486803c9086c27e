/* SPDX-License-Identifier: BSD-3-Clause
 * How a cell of a table looks on a terminal: by what it says of how something has ended, or of what has been
 * found. */
#pragma once

#include "cli/output/terminal.h"

/* Return the look of TEXT in COLUMN. */
enum terminal_look cell_look(const char *column, const char *text);
