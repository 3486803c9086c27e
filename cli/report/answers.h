/* SPDX-License-Identifier: BSD-3-Clause
 * The sections of a report, from sections.def, the commands of the sections, and the answers. */
#pragma once

#include "algos/step/collective.h"
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
    where; /* conditions of rows, separated by commas: COLUMN=PATTERN;PATTERN (of the shell; with `!` in front, not so), COLUMN>NUMBER (absolute); NULL: all */
  const char *columns; /* of the table; NULL: no table */
  enum report_notes notes;
  bool grid;               /* the command gets the ranks, sizes, root and seed of the report */
  bool compared;           /* the command gets the software costs of comparisons */
  bool each;               /* once for each collective */
  bool folded;             /* opened by readers */
  bool second;             /* rows of the table appended by the command */
  struct chart_spec chart; /* y NULL: no chart */
};

/* The columns of `tune` that pages show: no predictions, so that models are not asked. */
#define REPORT_CHOICES \
  "collective,ranks,bytes,best_of_all,ns,runner_up,margin_percent,robust,draws_percent,ns_least,ns_most," \
  "bound_ns,winners"

extern const struct section sections[];
extern const size_t nsections;

/* A command line and the answer. */
struct answer {
  char *words;         /* as readers type it */
  struct table *table; /* NULL: refused, or no table */
  int code;            /* an exit code */
  char message[200];   /* reason of a refusal; "": not refused */
  char *data;          /* file with the rows as csv; NULL: none yet */
};

/* The report under way. Starts as zero but for `session`, `platform` and `folder`. */
struct report {
  struct session *session;
  const struct platform *platform;
  const char *folder;         /* where pictures go */
  unsigned all, chip;         /* SPEs of a blade, of a chip */
  unsigned lanes;             /* ranks of a picture of a call: a chip, or the first hosts */
  enum collective collective; /* of the section */
  const char *told;           /* reason for no rows in the section before; NULL: none */
  struct chart_looks looks;   /* of all charts of the page under way */
  struct answer **answers;
  size_t n;
  struct page *pages; /* in cmd_report.c */
  size_t npages;
};

/* Return TEXT of a section with what REPORT has in place of words in braces.
 * owner: the caller frees the text. */
char *report_expand(struct report *report, const char *text);

/* Return the answer to the command of SECTION, computed once.
 * owner: REPORT. */
struct answer *report_ask(struct report *report, const struct section *section);

/* Return the rows of the answer for SECTION, *N rows; *TABLE is the table of the rows.
 * owner: the caller frees the numbers of the rows. */
size_t *report_rows(struct report *report, const struct section *section, const struct table **table,
                    size_t *n);

/* Release the answers of REPORT. */
void report_fini(struct report *report);
