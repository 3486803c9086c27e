/* SPDX-License-Identifier: BSD-3-Clause
 * What a better machine would bring some calls, for a report. */
#pragma once

#include "validate/model/what_if.h"

#include <stddef.h>

struct blade;
struct err;
struct ledger;

/* A call on better machines. */
struct report_what_if {
  const char *name; /* of the algorithm */
  unsigned ranks;
  size_t bytes;
  double ns;                        /* as the machine is */
  struct what_if_finding *findings; /* those that bring most come first */
  size_t nfindings;
};

/* Most calls of which that is asked. */
size_t report_what_if_count(void);

/* Run the calls that BLADE can serve with the help of LEDGER; *N becomes the number of CALLS, at most
 * report_what_if_count().
 * errors: as ledger_settle.
 * owner: the caller, with report_what_if_fini, in any case. */
int report_what_if_run(struct blade *blade, struct ledger *ledger, struct report_what_if *calls, size_t *n,
                       struct err *err);

/* Release what the N CALLS hold. */
void report_what_if_fini(struct report_what_if *calls, size_t n);
