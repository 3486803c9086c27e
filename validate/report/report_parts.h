/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of a report; each writes sections of its page. */
#pragma once

#include "validate/report/report.h"

struct err;
struct xml_writer;

/* Write latency curves, errors of the models and the points that are far off.
 * errors: as gnuplot_svg. */
int report_write_models(const struct report *report, struct xml_writer *page, struct err *err);

/* Write pictures of calls over time. */
void report_write_timelines(const struct report *report, struct xml_writer *page);

/* Write published measurements. */
void report_write_measurements(const struct report *report, struct xml_writer *page);

/* Write utilisation, machine and parameters. */
void report_write_basis(const struct report *report, struct xml_writer *page);
