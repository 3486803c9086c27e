/* SPDX-License-Identifier: BSD-3-Clause
 * The commands of a report, and their answers. */
#pragma once

#include "algos/step/collective.h"
#include "cli/opts_read.h"
#include "cli/report/sections.h"

#include <stddef.h>

struct err;
struct platform;
struct session;
struct table;

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
  unsigned lanes;             /* ranks of a picture of a call */
  enum collective collective; /* of the section */
  struct answer **answers;
  size_t n;
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
