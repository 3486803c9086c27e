/* SPDX-License-Identifier: BSD-3-Clause
 * The results of `cellcoll check`, as a table, as a summary and for continuous integration. */
#pragma once

#include "validate/lab/check/check.h"
#include "validate/lab/check/check_grid.h"

#include <stddef.h>

struct opts;
struct xml_writer;

/* A point and its verdict. */
struct check_item {
  struct check *check; /* first: for check_ask */
  struct call call;
  struct check_result result;
};

/* All checked points; the points of one algorithm on one machine are neighbours. */
struct check_report {
  struct check_item *items;
  size_t n;
  size_t count[CHECK_VERDICTS];
  bool is_untried;                  /* no point is applicable: JUnit says so of listed algorithms, too */
  size_t more;                      /* bytes: the most of `more` of the points */
  const struct judged_files *files; /* whose suite follows those of points in JUnit; NULL: none */
};

/* Append POINTS on the machine of CHECK, without verdicts yet, to REPORT, initially zero; POINTS becomes
 * empty. */
void check_report_add(struct check_report *report, struct check *check, struct check_points *points);
void check_report_fini(struct check_report *report);

/* Count the verdicts of REPORT, and tell sweep_skip_call the points without an applicable algorithm, of
 * listed algorithms only. */
void check_report_count(struct check_report *report);

/* Describe ITEM.
 * owner: the caller. */
char *check_report_describe(const struct check_item *item);

/* Make a table of all points that were served.
 * owner: the caller. */
struct table *check_report_table(const struct check_report *report);

/* Make a table with a row for each algorithm on each machine; listed algorithms without a served point have
 * no row.
 * owner: the caller. */
struct table *check_report_summary(const struct check_report *report);

/* Note below TABLE each algorithm of REPORT, unless listed, with at least twice the traffic needed by the
 * calls. */
void check_report_traffic(const struct check_report *report, struct table *table);

/* Note below TABLE the notes of texts in REPORT, one for each algorithm on each machine. */
void check_report_notes(const struct check_report *report, struct table *table);

/* Note the totals of REPORT below TABLE; unless OPTS has ranks also the most ranks of a point on one
 * node, unless OPTS has sizes also the largest size. */
void check_report_totals(const struct check_report *report, const struct opts *opts, struct table *table);

/* Write REPORT to PATH as JUnit XML, all or nothing; BROKEN, reported as an error, says why points are
 * missing, NULL: none is.
 * errors: the file cannot be written. */
int check_report_junit(const struct check_report *report, const char *path, const char *broken,
                       struct err *err);

/* Write for JUnit: the numbers of tests, failures and errors; the begin of the test NAMES, class and name;
 * its end with the MESSAGE of an element TROUBLE, NULL: no trouble; both. */
void check_report_counts(struct xml_writer *xml, size_t ntests, size_t nfailures, size_t nerrors);
void check_report_case_begin(struct xml_writer *xml, const char *const names[2]);
void check_report_case_end(struct xml_writer *xml, const char *trouble, const char *message);
void check_report_case(struct xml_writer *xml, const char *const names[2], const char *trouble,
                       const char *message);
