/* SPDX-License-Identifier: BSD-3-Clause
 * The result of a command as a picture, for --plot. */
#pragma once

#include "draw/chart.h"

struct err;
struct session;
struct table;

enum { PLOT_NOTHING = -2 };

/* Return the cell of COLUMN in ROW of the table CONTEXT, for chart_rows. Beside the columns of the table
 * there are `machine`, the platform without overrides, and each key of --set. */
const char *plot_cell(const void *context, size_t row, const char *column);

/* Check the key of --x of SESSION before anything is run.
 * errors: no such key; the nearest one is suggested. */
int plot_check(const struct session *session, struct err *err);

/* Draw the table of SESSION to the file of --plot.
 * returns: 0, or -1; PLOT_NOTHING if no row has a value.
 * errors: that; more series than a picture can have; as picture_write. */
int plot_table(const struct session *session, struct err *err);
