/* SPDX-License-Identifier: BSD-3-Clause
 * How busy the parts of a machine are in a few runs, for its report. */
#pragma once

#include "validate/report/report.h"

struct blade;
struct err;
struct ledger;

/* Return the number of runs. */
size_t report_usage_count(void);

/* Find out with the help of LEDGER how busy BLADE is into USAGE, report_usage_count() of them; `ns` is 0 for
 * a run that the machine cannot serve.
 * errors: as ledger_settle. */
int report_usage_run(struct blade *blade, struct ledger *ledger, struct report_usage *usage, struct err *err);
