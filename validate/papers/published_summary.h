/* SPDX-License-Identifier: BSD-3-Clause
 * The errors of published rows of one role, and the errors expected of rows never used to choose anything. */
#pragma once

#include "validate/papers/published.h"

/* Expected errors in percent, fixed before the machine was changed: the median error of the rows of role
 * TEST, and the largest one of all but the row PUBLISHED_EXCEPTED. The excepted row contradicts
 * `bcast-mm-32k-16`: 16 copies of 1 MiB in 653 us exceed the rate of one memory controller. */
enum { PUBLISHED_MEDIAN_EXPECTED = 8, PUBLISHED_LARGEST_EXPECTED = 25 };
#define PUBLISHED_EXCEPTED "bcast-mm-1m-16"

/* Absolute errors in percent. */
struct published_summary {
  size_t n; /* rows; 0: the other members are meaningless */
  double median;
  double largest;
  const struct published_row *worst; /* row with the largest error */
  size_t within_10;                  /* rows with errors of at most 10 % */
  bool expected;                     /* expectations apply to these rows: the excepted row is among them */
};

/* Summarize the rows with ROLE among N ROWS, bounds left out. */
struct published_summary published_summarize(const struct published_row *rows, size_t n,
                                             enum published_role role);

/* Room for published_say. */
enum { PUBLISHED_TEXT_SIZE = 256 };

/* Write SUMMARY of the rows of ROLE into TEXT, one line; with the expected errors if ROLE is TEST and
 * expectations apply. */
void published_say(const struct published_summary *summary, enum published_role role,
                   char text[PUBLISHED_TEXT_SIZE]);
