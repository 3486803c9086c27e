/* SPDX-License-Identifier: BSD-3-Clause
 * The result of a command as a picture, for --plot. */
#pragma once

struct err;
struct session;

enum { PLOT_NOTHING = -2 };

/* Check the key of --x of SESSION, which is given, before anything is run.
 * errors: no such key, as an exit code; the nearest one is suggested. */
int plot_check(struct session *session);

/* Draw the table of SESSION to the file of --plot.
 * returns: 0, or -1; PLOT_NOTHING if no row has a value.
 * errors: that; more series than a picture can have; as picture_write. */
int plot_table(const struct session *session, struct err *err);

/* Return where the data of the call NAME lies, for panels: in main memory, or empty. */
const char *plot_data(const char *name);
