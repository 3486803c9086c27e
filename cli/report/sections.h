/* SPDX-License-Identifier: BSD-3-Clause
 * The sections of the pages of a report, from sections.def. */
#pragma once

#include "draw/chart.h"

#include <stdbool.h>
#include <stddef.h>

/* Kinds of pages; a page of collectives is made for each collective. */
enum report_page { INDEX, COLLECTIVE, ACCURACY, MODELS, MACHINE, REPORT_PAGES };

/* The lines below the table of a command that a section shows. */
enum report_notes { NOTES_NONE, NOTES_FIRST, NOTES_LAST, NOTES_ALL };

struct section {
  enum report_page page;
  const char *id, *title, *text; /* title NULL: goes on with the section before */
  const char *command;
  const char *file; /* the picture that the command draws; NULL: none */
  const char *more; /* where a link leads; NULL: no link */
  const char *
    where; /* conditions of rows, separated by commas: COLUMN=PATTERN;PATTERN (of the shell), COLUMN>NUMBER (absolute); NULL: all */
  const char *columns; /* of the table; NULL: no table */
  enum report_notes notes;
  bool grid;               /* the command gets the ranks, sizes, root and seed of the report */
  bool compared;           /* the command gets the software costs of comparisons */
  bool each;               /* once for each collective */
  bool folded;             /* opened by readers */
  bool second;             /* rows of the table appended by the command */
  struct chart_spec chart; /* y NULL: no chart */
};

extern const struct section sections[];
extern const size_t nsections;
