/* SPDX-License-Identifier: BSD-3-Clause
 * The look of a cell on a terminal, by the meaning of the cell's text: the end of a run, or a finding. */
#pragma once

#include "cli/output/terminal.h"

/* Return the look of TEXT in COLUMN. */
enum terminal_look cell_look(const char *column, const char *text);
