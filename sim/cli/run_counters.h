/* SPDX-License-Identifier: BSD-3-Clause
 * The second table of `run --counters`: how much each part of the machine was used. */
#pragma once

#include "sim/cli/table.h"
#include "sim/hw/utilisation.h"
#include "validate/rig.h"

/* Create the table of counters.
 * owner: TABLE, to which it is appended. */
struct table *run_counters_new(struct table *table);

/* Add what UTILISATION has seen of a run of SPEC to COUNTERS, and note the busiest part below TABLE. */
void run_counters_add(struct table *table, struct table *counters, const struct rig_spec *spec,
                      const struct utilisation *utilisation);
