/* SPDX-License-Identifier: BSD-3-Clause
 * See run_counters.h. */
#include "cli/run_counters.h"

#include "cli/sweep.h"
#include "sim/base/xalloc.h"
#include "validate/lab/ledger_call.h"

#include <stdlib.h>
#include <string.h>

struct table *
run_counters_new(struct table *table, const char *kind)
{
  char *columns =
    xasprintf("%s,platform,ranks,bytes,where,counter,value,unit,version,platform_checksum", kind);
  struct table *counters = table_new(columns);
  free(columns);
  table_append(table, "counters", counters);
  return counters;
}

/* Counters on their way into a table. */
struct filling {
  struct table *counters;
  const struct run_counters_subject *subject;
  struct utilisation_row busiest;
};

static void
add_row(void *context, const struct utilisation_row *row)
{
  struct filling *filling = context;
  struct table *counters = filling->counters;
  table_add_text(counters, filling->subject->name);
  table_add_platform(counters, filling->subject->platform);
  table_add_count(counters, filling->subject->ranks);
  table_add_count(counters, filling->subject->bytes);
  table_add_text(counters, row->where);
  table_add_text(counters, row->counter);
  table_add_real(counters, row->value, row->decimals);
  table_add_text(counters, row->unit);
  if (strcmp(row->counter, "busy") == 0 && row->value > filling->busiest.value) {
    filling->busiest = *row;
  }
}

void
run_counters_add(struct table *table, struct table *counters, const struct run_counters_subject *subject,
                 struct pack *utilised)
{
  struct filling filling = {.counters = counters, .subject = subject};
  double cycles = call_list_utilisation(utilised, add_row, &filling);
  const struct utilisation_row *busiest = &filling.busiest;
  char label[SWEEP_LABEL_SIZE];
  sweep_label(subject->platform, label);
  char *what =
    xasprintf("%s on %s, %u ranks, %zu bytes", subject->name, label, subject->ranks, subject->bytes);
  char *line = busiest->where ? xasprintf("%s: busiest is %s, %.1f %% of %.0f cycles", what, busiest->where,
                                          busiest->value, cycles)
                              : xasprintf("%s: nothing was used", what);
  free(what);
  table_note(table, line);
  free(line);
}
