/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of a report; each writes sections of its page. */
#pragma once

#include "validate/report/report.h"

struct err;
struct report_files;
struct xml_writer;

/* Write latency curves, errors of the models and the points that are far off.
 * errors: as gnuplot_svg. */
int report_write_models(const struct report *report, struct xml_writer *page, struct err *err);

/* Write pictures of calls over time: two calls into the page, others into FILES beside it, with previews in the page.
 * errors: as report_files_add. */
int report_write_timelines(const struct report *report, struct report_files *files, struct xml_writer *page,
                           struct err *err);

/* Write a map of the fastest algorithms of each collective over ranks and sizes. */
void report_write_winners(const struct report *report, struct xml_writer *page);

/* Write published measurements. */
void report_write_measurements(const struct report *report, struct xml_writer *page);

/* Write utilisation, machine and parameters. */
void report_write_basis(const struct report *report, struct xml_writer *page);
