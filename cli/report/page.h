/* SPDX-License-Identifier: BSD-3-Clause
 * Pages of a report as HTML. */
#pragma once

#include "cli/report/answers.h"

#include <stdio.h>

/* A page. */
struct page {
  char *file, *name; /* in the folder; in links */
  char *body;        /* HTML; NULL: no section has anything to show */
};

/* Write the sections of page KIND (of a collective: the collective of REPORT) into PAGE, and the data as csv
 * beside the page.
 * errors: a file cannot be written.
 * owner: the caller frees the texts. */
int page_make(struct report *report, enum report_page kind, struct page *page, struct err *err);

/* Write page INDEX of the N PAGES, with links to all, on STREAM. */
void page_write(const struct report *report, const struct page *pages, size_t n, size_t index, FILE *stream);
