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

/* Find the fastest algorithms on all SPEs of BLADE with the help of LEDGER, and make all calls that are
 * drawn; *N becomes the number of TIMELINES that the machine can serve, at most report_timelines_count().
 * Machines of many SPEs have a lane for each chip.
 * errors: as ledger_settle. After an interruption some may be missing.
 * owner: the caller, with report_timelines_fini, in any case. */
int report_timelines_run(struct blade *blade, struct ledger *ledger, struct report_timeline *timelines,
                         size_t *n, struct err *err);

/* Release what the N TIMELINES hold. */
void report_timelines_fini(struct report_timeline *timelines, size_t n);
