/* SPDX-License-Identifier: BSD-3-Clause
 * One story for each bug that `cellcoll check` has found: the smallest point that fails, why, and the command
 * that repeats it. All failures of one algorithm are taken for one bug. */
#pragma once

#include "cli/check_report.h"

#include <stddef.h>

struct opts;
struct table;

enum { CHECK_STORIES_MAX = 8 };

/* Return what OPTS ask to be checked of CALL with the costs of PROFILE. */
struct check_grid check_asked(const struct algo_call *call, const struct profile *profile,
                              const struct opts *opts);

/* Return the seconds of processor time that OPTS allow for a point. */
unsigned check_seconds(const struct opts *opts);

/* One bug. */
struct check_story {
  const struct check_item *first; /* the first point that fails */
  const char *platform;           /* its machine, as typed */
  struct rig_spec spec;           /* the smallest one; its placement is that of the first one, or packed */
  struct check_result result;
  unsigned runs;   /* points that were tried to find it */
  size_t failures; /* points */
};

struct check_stories {
  struct check_story items[CHECK_STORIES_MAX];
  size_t n;
  size_t untold; /* bugs */
};

/* Find the bugs in REPORT, of which OPTS name the machines, from MACHINES on.
 * owner: the caller, with check_stories_fini; REPORT must outlive it. */
void check_stories_find(struct check_stories *stories, const struct check_report *report,
                        const struct check *machines, const struct opts *opts);

/* Release what STORIES hold. */
void check_stories_fini(struct check_stories *stories);

/* Make STORIES smaller within what OPTS ask for, in as many processes as OPTS say.
 * errors: a process was lost. */
void check_stories_shrink(struct check_stories *stories, const struct opts *opts, struct err *err);

/* Tell STORIES of REPORT below TABLE. */
void check_stories_tell(const struct check_stories *stories, const struct check_report *report,
                        const struct opts *opts, struct table *table);
