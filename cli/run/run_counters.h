/* SPDX-License-Identifier: BSD-3-Clause
 * The second table of `--counters`: how much each part of the machine was used. */
#pragma once

#include "cli/table.h"
#include "sim/base/pack.h"

#include <stdbool.h>

/* What was run. */
struct run_counters_subject {
  const char *name; /* of the algorithm or benchmark */
  const struct platform *platform;
  unsigned ranks;
  size_t bytes;
  bool only_busiest; /* of several nodes: the parts that were busiest, and not all */
};

/* Create the table of counters; KIND, the name of its first column, is what is run.
 * owner: TABLE, to which it is appended. */
struct table *run_counters_new(struct table *table, const char *kind);

/* Add the use of the machine among the ROWS of SUBJECT to COUNTERS, and note the busiest part below TABLE. */
void run_counters_add(struct table *table, struct table *counters, const struct run_counters_subject *subject,
                      struct pack rows);
