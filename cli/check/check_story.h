/* SPDX-License-Identifier: BSD-3-Clause
 * One story for each bug found by `cellcoll check`: the smallest failing point, the reason, and the command
 * that repeats the point. All failures of one algorithm count as one bug. */
#pragma once

#include "cli/check/check_report.h"

#include <stddef.h>

struct opts;

enum { CHECK_STORIES_MAX = 8 };

/* Return the request for a check of ALGORITHM in OPTS, with the costs of PROFILE. */
struct check_grid check_asked(const struct algorithm *algorithm, const struct profile *profile,
                              const struct opts *opts);

/* One bug. */
struct check_story {
  const struct check_item *first; /* the first failing point */
  const char *platform;           /* the machine, as typed */
  /* the smallest failing point; the placement is the placement of `first`, or packed */
  struct call call;
  struct check_result result;
  unsigned runs;   /* points tried in the search */
  size_t failures; /* points */
};

struct check_stories {
  struct check_story items[CHECK_STORIES_MAX];
  size_t n;
  size_t untold; /* bugs */
};

/* Find the bugs in REPORT, on the machines named in OPTS and in CHECKS.
 * owner: the caller, with check_stories_fini; REPORT must outlive STORIES. */
void check_stories_find(struct check_stories *stories, const struct check_report *report,
                        const struct check *checks, const struct opts *opts);
void check_stories_fini(struct check_stories *stories);

/* Make STORIES smaller within the request of OPTS, in the number of processes of OPTS.
 * errors: a process was lost. */
void check_stories_shrink(struct check_stories *stories, const struct opts *opts, struct err *err);

/* Tell STORIES of REPORT below TABLE. */
void check_stories_tell(const struct check_stories *stories, const struct check_report *report,
                        const struct opts *opts, struct table *table);
