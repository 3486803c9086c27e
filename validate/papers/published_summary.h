/* SPDX-License-Identifier: BSD-3-Clause
 * How far published rows of one role are off, and what was expected of those by which nothing was chosen. */
#pragma once

#include "validate/papers/published.h"

/* What was expected, fixed before the machine was changed, in percent: the median error of the rows of role
 * TEST, and the largest one, of all but the row that PUBLISHED_EXCEPTED names. That one contradicts
 * `bcast-mm-32k-16`: 16 copies of 1 MiB in 653 us are more than one memory controller serves. */
enum { PUBLISHED_MEDIAN_EXPECTED = 8, PUBLISHED_LARGEST_EXPECTED = 25 };
#define PUBLISHED_EXCEPTED "bcast-mm-1m-16"

/* Absolute errors in percent. */
struct published_summary {
  size_t n; /* rows; 0: the rest means nothing */
  double median;
  double largest;                    /* of those that are not excepted; 0: there are none */
  const struct published_row *worst; /* that one; NULL: there is none */
  size_t within_10;                  /* rows with errors of at most 10 % */
  bool expected; /* these are the rows of which something was expected: the excepted one is among them */
};

/* Summarize those of N ROWS that have ROLE and are no bounds. */
struct published_summary published_summarize(const struct published_row *rows, size_t n,
                                             enum published_role role);

/* Room for published_say. */
enum { PUBLISHED_TEXT_SIZE = 256 };

/* Say in one line what SUMMARY of the rows of ROLE tells, and if it is TEST and something was, what was
 * expected. */
void published_say(const struct published_summary *summary, enum published_role role,
                   char text[PUBLISHED_TEXT_SIZE]);
