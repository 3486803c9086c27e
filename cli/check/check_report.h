/* SPDX-License-Identifier: BSD-3-Clause
 * The results of `cellcoll check`, as a table, as a summary and for continuous integration. */
#pragma once

#include "validate/lab/check/check.h"
#include "validate/lab/check/check_grid.h"

#include <stddef.h>

struct opts;

/* A point and its verdict. */
struct check_item {
  struct check *check; /* first: for check_ask */
  struct call call;
  struct check_result result;
};

/* The points of one algorithm on one machine, which are neighbours. */
struct check_subject {
  const struct check_item *items;
  size_t n, count[CHECK_VERDICTS];
};

/* All checked points. */
struct check_report {
  struct check_item *items;
  size_t n;
  size_t count[CHECK_VERDICTS];
  struct check_subject *subjects; /* by check_report_count */
  size_t nsubjects;
  bool is_untried;                  /* no point is applicable: JUnit says so of listed algorithms, too */
  size_t more;                      /* bytes: the most of `more` of the points */
  const struct judged_files *files; /* whose suite follows those of points in JUnit; NULL: none */
};

/* Append POINTS on the machine of CHECK, without verdicts yet, to REPORT, initially zero; POINTS becomes
 * empty. */
void check_report_add(struct check_report *report, struct check *check, struct check_points *points);
void check_report_fini(struct check_report *report);

/* Find the subjects of REPORT, count the verdicts, and tell sweep_skip_call the points without an applicable
 * algorithm, of listed algorithms only. */
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

/* A test of JUnit, with texts that last. */
struct check_test {
  const char *suite; /* NULL: of the test before */
  const char *class, *name;
  const char *trouble, *message; /* an element in the test; NULL: none */
  const char *protocol;          /* property, as the numbers; NULL: no properties */
  unsigned slots, depth;
};

struct check_junit {
  struct check_test *tests; /* suite by suite */
  size_t n;
};

/* Write REPORT to PATH as JUnit XML, all or nothing; BROKEN, reported as an error, says why points are
 * missing, NULL: none is.
 * errors: the file cannot be written. */
int check_report_junit(const struct check_report *report, const char *path, const char *broken,
                       struct err *err);
