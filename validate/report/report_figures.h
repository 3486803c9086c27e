/* SPDX-License-Identifier: BSD-3-Clause
 * Where the pictures of latency curves and the rows of algorithms are on a page, so that they can lead to
 * each other. */
#pragma once

#include "algos/catalogue.h"

#include <stdbool.h>

struct algo_call;
struct curves;
struct plot_group;
struct report;

/* Room for the id of a picture, or of a row of the table of algorithms. */
enum { REPORT_FIGURE_SIZE = 48, REPORT_ROW_SIZE = CATALOGUE_NAME_SIZE + 4 };

/* Find the row of CALL in the table of the published model by algorithm.
 * returns: false if there is none; else ID is that row. */
bool report_row_of(const struct report *report, const struct algo_call *call, char id[REPORT_ROW_SIZE]);

/* Write the id of the picture of GROUP, some of CURVES, into ID. */
void report_figure_id(const struct curves *curves, const struct plot_group *group,
                      char id[REPORT_FIGURE_SIZE]);

/* Find the picture of REPORT with the curve of CALL under its usual profile, or else of its algorithm with
 * other parameters: on all SPEs of a chip, or of the machine for more RANKS.
 * returns: false if there is none; else ID is that picture. */
bool report_figure_of(const struct report *report, const struct algo_call *call, unsigned ranks,
                      char id[REPORT_FIGURE_SIZE]);
