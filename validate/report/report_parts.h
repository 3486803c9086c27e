/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of a report; each writes sections of its page. */
#pragma once

#include "validate/report/report.h"

struct err;
struct gnuplot_batch;
struct report_files;
struct xml_writer;

/* Ask PICTURES for what a page shows first, and write that with the next of PICTURES. */
void report_draw_first(const struct report *report, struct gnuplot_batch *pictures);
void report_write_first(const struct report *report, struct gnuplot_batch *pictures, struct xml_writer *page);

/* Ask PICTURES for all that the sections of latencies and of errors show, in their order. */
void report_draw_latencies(const struct report *report, struct gnuplot_batch *pictures);
void report_draw_errors(const struct report *report, struct gnuplot_batch *pictures);

/* Write latency curves and errors of the models, with the next of PICTURES. */
void report_write_latencies(const struct report *report, struct gnuplot_batch *pictures,
                            struct xml_writer *page);
void report_write_errors(const struct report *report, struct gnuplot_batch *pictures,
                         struct xml_writer *page);

/* Write the tables of the published model: by algorithm, and the points whose prediction is off by more than
 * 15 %. */
void report_write_algorithms(const struct report *report, struct xml_writer *page);
void report_write_far_points(const struct report *report, struct xml_writer *page);

/* Write pictures of calls over time: two calls into the page, others into FILES beside it, with previews in
 * the page.
 * errors: as report_files_add. */
int report_write_timelines(const struct report *report, struct report_files *files, struct xml_writer *page,
                           struct err *err);

/* Write a map of the fastest algorithms of each collective over ranks and sizes. */
void report_write_winners(const struct report *report, struct xml_writer *page);

/* Write what a better machine would bring some calls. */
void report_write_what_if(const struct report *report, struct xml_writer *page);

/* Write what not to believe. */
void report_write_distrust(const struct report *report, struct xml_writer *page);

/* Write published measurements. */
void report_write_measurements(const struct report *report, struct xml_writer *page);

/* Write utilisation, if there is any. */
void report_write_usage(const struct report *report, struct xml_writer *page);

/* Write the drawing of the machine as the first screen has it. */
void report_write_machine(const struct report *report, struct xml_writer *page);

/* Write machine and parameters. */
void report_write_basis(const struct report *report, struct xml_writer *page);
