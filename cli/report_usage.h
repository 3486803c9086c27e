/* SPDX-License-Identifier: BSD-3-Clause
 * How busy the parts of a machine are in a few runs, for its report. */
#pragma once

#include "validate/report/report.h"

struct blade;

/* Return the number of runs. */
size_t report_usage_count(void);

/* Make run INDEX on BLADE.
 * returns: -1 when the machine cannot serve it, or after an interruption. */
int report_usage_run(size_t index, struct blade *blade, struct report_usage *usage);
