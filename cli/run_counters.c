/* SPDX-License-Identifier: BSD-3-Clause
 * See run_counters.h. */
#include "cli/run_counters.h"

#include "cli/sweep.h"
#include "sim/base/xalloc.h"

#include <stdbool.h>
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

static void
pack_row(void *context, const struct utilisation_row *row)
{
  struct pack *pack = context;
  pack_add_count(pack, true); /* there is one more row */
  pack_add_text(pack, row->where);
  pack_add_text(pack, row->counter);
  pack_add_real(pack, row->value);
  pack_add_count(pack, (uint64_t)row->decimals);
  pack_add_text(pack, row->unit);
}

void
run_counters_pack(struct pack *pack, const struct utilisation *utilisation)
{
  pack_add_real(pack, utilisation_cycles(utilisation));
  utilisation_list(utilisation, pack_row, pack);
  pack_add_count(pack, false);
}

static struct utilisation_row
unpack_row(struct pack *pack)
{
  struct utilisation_row row;
  row.where = pack_take_text(pack);
  row.counter = pack_take_text(pack);
  row.value = pack_take_real(pack);
  row.decimals = (int)pack_take_count(pack);
  row.unit = pack_take_text(pack);
  return row;
}

static void
add_row(struct table *counters, const struct run_counters_subject *subject, const struct utilisation_row *row)
{
  table_add_text(counters, subject->name);
  table_add_platform(counters, subject->platform);
  table_add_count(counters, subject->ranks);
  table_add_count(counters, subject->bytes);
  table_add_text(counters, row->where);
  table_add_text(counters, row->counter);
  table_add_real(counters, row->value, row->decimals);
  table_add_text(counters, row->unit);
}

void
run_counters_unpack(struct table *table, struct table *counters, const struct run_counters_subject *subject,
                    struct pack *pack)
{
  struct utilisation_row busiest = {0};
  double cycles = pack_take_real(pack);
  while (pack_take_count(pack)) {
    struct utilisation_row row = unpack_row(pack);
    add_row(counters, subject, &row);
    if (strcmp(row.counter, "busy") == 0 && row.value > busiest.value) {
      busiest = row;
    }
  }
  char label[SWEEP_LABEL_SIZE];
  sweep_label(subject->platform, label);
  char *what =
    xasprintf("%s on %s, %u ranks, %zu bytes", subject->name, label, subject->ranks, subject->bytes);
  char *line = busiest.where ? xasprintf("%s: busiest is %s, %.1f %% of %.0f cycles", what, busiest.where,
                                         busiest.value, cycles)
                             : xasprintf("%s: nothing was used", what);
  free(what);
  table_note(table, line);
  free(line);
}

void
run_counters_add(struct table *table, struct table *counters, const struct run_counters_subject *subject,
                 const struct utilisation *utilisation)
{
  struct pack pack = {0};
  run_counters_pack(&pack, utilisation);
  run_counters_unpack(table, counters, subject, &pack);
  pack_fini(&pack);
}
