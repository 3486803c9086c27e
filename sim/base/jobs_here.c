/* SPDX-License-Identifier: BSD-3-Clause
 * See jobs_here.h. */
#include "sim/base/jobs_here.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What is being done. */
static struct {
  const struct jobs *jobs; /* NULL: nothing */
  size_t item;
} now;

/* This process ends with exit code STATUS: if an item has ended it, say which one; and do not let that pass for success. */
static void
end(int status, void *unused)
{
  (void)unused;
  char name[256];
  if (!now.jobs) {
    return;
  }
  now.jobs->describe(now.jobs->context, now.item, name, sizeof name);
  fprintf(stderr, "cellcoll: item %zu of %zu, %s: crash: it ended this process with exit code %d\n",
          now.item + 1, now.jobs->count, name, status);
  _exit(status ? status : JOBS_ENDED_EXIT);
}

void
jobs_name_exits(void)
{
  on_exit(end, NULL);
}

/* Do item I of JOBS and pack its RESULT.
 * returns: as the work of JOBS. */
static int
work(const struct jobs *jobs, size_t i, struct pack *result)
{
  now.jobs = jobs;
  now.item = i;
  int status = jobs->work(jobs->context, i, result);
  now.jobs = NULL;
  return status;
}

int
jobs_run_here(const struct jobs *jobs)
{
  struct pack result = {0};
  int status = 0;
  jobs_show_progress(jobs, 0);
  for (size_t i = 0; i < jobs->count && status == 0 && !jobs_interrupted(jobs); i++) {
    pack_clear(&result);
    if (work(jobs, i, &result) != 0) {
      break;
    }
    status = jobs->deliver(jobs->context, i, &result) ? -1 : 0;
    jobs_show_progress(jobs, i + 1);
  }
  pack_fini(&result);
  return status;
}
