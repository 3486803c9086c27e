/* SPDX-License-Identifier: BSD-3-Clause
 * See run_counters.h. */
#include "sim/cli/run_counters.h"

#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The run whose counters are added. */
struct adding {
  struct table *counters;
  const struct run_counters_subject *subject;
  char busiest[64];
  double share; /* percent, of the busiest */
};

struct table *
run_counters_new(struct table *table, const char *kind)
{
  char *columns = xasprintf("%s,platform,ranks,bytes,where,counter,value,unit", kind);
  struct table *counters = table_new(columns);
  free(columns);
  table_append(table, "counters", counters);
  return counters;
}

static void
add_row(void *context, const struct utilisation_row *row)
{
  struct adding *adding = context;
  struct table *table = adding->counters;
  table_add_text(table, adding->subject->name);
  table_add_text(table, adding->subject->label);
  table_add_count(table, adding->subject->ranks);
  table_add_count(table, adding->subject->bytes);
  table_add_text(table, row->where);
  table_add_text(table, row->counter);
  table_add_real(table, row->value, row->decimals);
  table_add_text(table, row->unit);
  if (strcmp(row->counter, "busy") == 0 && row->value > adding->share) {
    adding->share = row->value;
    snprintf(adding->busiest, sizeof adding->busiest, "%s", row->where);
  }
}

void
run_counters_add(struct table *table, struct table *counters, const struct run_counters_subject *subject,
                 const struct utilisation *utilisation)
{
  struct adding adding = {.counters = counters, .subject = subject};
  utilisation_list(utilisation, add_row, &adding);
  char *what =
    xasprintf("%s on %s, %u ranks, %zu bytes", subject->name, subject->label, subject->ranks, subject->bytes);
  char *line = adding.busiest[0] ? xasprintf("%s: busiest is %s, %.1f %% of %.0f cycles", what,
                                             adding.busiest, adding.share, utilisation_cycles(utilisation))
                                 : xasprintf("%s: nothing was used", what);
  free(what);
  table_note(table, line);
  free(line);
}
