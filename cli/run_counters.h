/* SPDX-License-Identifier: BSD-3-Clause
 * The second table of `--counters`: how much each part of the machine was used. */
#pragma once

#include "cli/table.h"
#include "sim/base/pack.h"
#include "traces/utilisation.h"

/* What was run. */
struct run_counters_subject {
  const char *name; /* of the algorithm or benchmark */
  const struct platform *platform;
  unsigned ranks;
  size_t bytes;
};

/* Create the table of counters; KIND, the name of its first column, is what is run.
 * owner: TABLE, to which it is appended. */
struct table *run_counters_new(struct table *table, const char *kind);

/* Append to PACK what UTILISATION has seen of a run. */
void run_counters_pack(struct pack *pack, const struct utilisation *utilisation);

/* Take what run_counters_pack has appended to PACK in a run of SUBJECT, and add it as run_counters_add does. */
void run_counters_unpack(struct table *table, struct table *counters,
                         const struct run_counters_subject *subject, struct pack *pack);

/* Add what UTILISATION has seen of a run of SUBJECT to COUNTERS, and note the busiest part below TABLE. */
void run_counters_add(struct table *table, struct table *counters, const struct run_counters_subject *subject,
                      const struct utilisation *utilisation);
