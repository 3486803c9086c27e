/* SPDX-License-Identifier: BSD-3-Clause
 * The result of a command as a picture, for --plot. */
#pragma once

struct err;
struct table;

/* What the rows of a table are. */
enum plot_kind { PLOT_RUN, PLOT_BENCH, PLOT_COMPARE, PLOT_TUNE };

enum { PLOT_NOTHING = -2 };

/* Draw the rows of TABLE, of KIND, to PATH.
 * returns: 0, or -1; PLOT_NOTHING if no row has a value.
 * errors: that; more series than a picture can have; as chart_write. */
int plot_table(const struct table *table, enum plot_kind kind, const char *path, struct err *err);
