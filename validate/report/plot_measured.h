/* SPDX-License-Identifier: BSD-3-Clause
 * A picture of how far simulation and published measurements are apart, as SVG for an HTML page. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct gnuplot_batch;
struct published_row;

/* Ask PICTURES for one called NAME of the errors of N ROWS in ascending order, by their roles.
 * returns: whether there are any. */
bool plot_measured(const struct published_row *rows, size_t n, const char *name,
                   struct gnuplot_batch *pictures);

/* Write what that picture shows to CSV, a line for each row. */
void plot_measured_csv(const struct published_row *rows, size_t n, FILE *csv);
