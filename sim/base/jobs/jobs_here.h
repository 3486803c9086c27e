/* SPDX-License-Identifier: BSD-3-Clause
 * The work of jobs.h in this process, without workers. */
#pragma once

#include "sim/base/jobs/jobs.h"

/* Do everything that JOBS wants in this process.
 * returns: as jobs_run. */
int jobs_run_here(const struct jobs *jobs);

/* Do item I of JOBS and pack its RESULT; a copy of this process that the item forks ends at once.
 * returns: as the work of JOBS. */
int jobs_do(const struct jobs *jobs, size_t i, struct pack *result);

/* Tell whether a signal has asked for an end of JOBS. */
static inline bool jobs_interrupted(const struct jobs *jobs) {
  return jobs->interrupted && jobs->interrupted();
}

/* Show that so many items of JOBS are DONE. */
static inline void jobs_show_progress(const struct jobs *jobs, size_t done) {
  if (jobs->progress) {
    jobs->progress(jobs->context, done);
  }
}
