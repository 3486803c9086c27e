/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of calls over time for a report: two broadcasts of which one makes its ranks wait for each other,
 * and the fastest algorithm of each collective. */
#pragma once

#include "validate/report/report.h"

struct blade;
struct err;
struct ledger;

/* Most pictures that there are. */
size_t report_timelines_count(void);

/* Where pictures come from. */
struct report_timelines_asked {
  struct blade *blade;
  struct ledger *ledger;
  const char *profile; /* software costs of all calls, see rig_compared */
};

/* Find the fastest algorithms on all SPEs as ASKED, and make the calls of all pictures; *N becomes the number
 * of TIMELINES, at most report_timelines_count(). Machines of many SPEs have a lane for each chip.
 * errors: as ledger_settle. After an interruption some may be missing.
 * owner: the caller, with report_timelines_fini, in any case. */
int report_timelines_run(const struct report_timelines_asked *asked, struct report_timeline *timelines,
                         size_t *n, struct err *err);

/* Release what the N TIMELINES hold. */
void report_timelines_fini(struct report_timeline *timelines, size_t n);
