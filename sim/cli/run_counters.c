/* SPDX-License-Identifier: BSD-3-Clause
 * See run_counters.h. */
#include "sim/cli/run_counters.h"

#include "algos/catalogue.h"
#include "sim/base/xalloc.h"
#include "sim/cli/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The run whose counters are added. */
struct adding {
  struct table *counters;
  const struct rig_spec *spec;
  char name[128], label[SWEEP_LABEL_SIZE];
  char busiest[64];
  double share; /* percent, of the busiest */
};

struct table *
run_counters_new(struct table *table)
{
  struct table *counters = table_new("algorithm,platform,ranks,bytes,where,counter,value,unit");
  table_append(table, "counters", counters);
  return counters;
}

static void
add_row(void *context, const struct utilisation_row *row)
{
  struct adding *adding = context;
  struct table *table = adding->counters;
  table_add_text(table, adding->name);
  table_add_text(table, adding->label);
  table_add_count(table, adding->spec->nranks);
  table_add_count(table, adding->spec->nbytes);
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
run_counters_add(struct table *table, struct table *counters, const struct rig_spec *spec,
                 const struct utilisation *utilisation)
{
  struct adding adding = {.counters = counters, .spec = spec};
  catalogue_format(&spec->call, adding.name, sizeof adding.name);
  sweep_label(utilisation->blade->platform, adding.label);
  utilisation_list(utilisation, add_row, &adding);
  char *line = adding.busiest[0]
                 ? xasprintf("%s on %s, %u ranks, %zu bytes: busiest is %s, %.1f %% of %.0f cycles",
                             adding.name, adding.label, spec->nranks, spec->nbytes, adding.busiest,
                             adding.share, utilisation_cycles(utilisation))
                 : xasprintf("%s on %s, %u ranks, %zu bytes: nothing was used", adding.name, adding.label,
                             spec->nranks, spec->nbytes);
  table_note(table, line);
  free(line);
}
