/* SPDX-License-Identifier: BSD-3-Clause
 * The second table of `--counters`. */
#include "cli/run/run_table.h"
#include "cli/sweep.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "traces/utilisation.h"
#include "validate/lab/ledger/ledger_call.h"

#include <math.h>
#include <string.h>

/* Of several nodes as many parts are shown of the network, of NICs, and of blades. */
enum { BUSIEST = 10 };

/* What a part belongs to, by how its name begins; the whole network is shown anyway. */
static const char *const families[] = {"link ", "bus ", "copies ", "pcie ", "nic ", "node "};
enum { FAMILIES = VEC_LENGTH(families) };

struct table *run_counters_new(struct table *table, const char *kind) {
  struct table *counters =
    table_new(text_brief("%s,platform,ranks,bytes,where,counter,value,unit,version,platform_checksum", kind));
  table_append(table, "counters", counters);
  return counters;
}

/* Return the family of the part WHERE; FAMILIES: none. */
static unsigned family_of(const char *where) {
  return (unsigned)VEC_INDEX(families, FAMILIES, strncmp(where, *item, strlen(*item)) == 0);
}

/* --- which parts are shown --- */

/* The busiest parts of each family, the busiest first; the names are those of the pack. */
struct choice {
  struct {
    const char *where;
    double busy;
  } parts[FAMILIES][BUSIEST];
  size_t nparts;
  const char *latest; /* part of the row before */
};

/* Let CHOICE consider ROW. */
static void consider(struct choice *choice, const struct utilisation_row *row) {
  unsigned family = family_of(row->where);
  choice->nparts += !choice->latest || strcmp(choice->latest, row->where) != 0;
  choice->latest = row->where;
  if (family == FAMILIES || strcmp(row->counter, "busy") != 0) {
    return;
  }
  unsigned place = BUSIEST;
  while (place > 0 &&
         (!choice->parts[family][place - 1].where || row->value > choice->parts[family][place - 1].busy)) {
    place--;
  }
  if (place < BUSIEST) {
    memmove(&choice->parts[family][place + 1], &choice->parts[family][place],
            (BUSIEST - 1 - place) * sizeof choice->parts[family][0]);
    choice->parts[family][place].where = row->where;
    choice->parts[family][place].busy = row->value;
  }
}

void run_counters_add(struct table *table, struct table *counters, const struct run_counters_subject *subject,
                      struct pack rows) {
  struct choice choice = {.nparts = 0};
  struct pack all = rows;
  struct utilisation_row row, busiest = {.where = NULL};
  double cycles = NAN;
  while (subject->only_busiest && call_take_counter(&all, &row, &cycles)) {
    consider(&choice, &row);
  }
  for (cycles = NAN; call_take_counter(&rows, &row, &cycles);) {
    unsigned family = subject->only_busiest ? family_of(row.where) : FAMILIES;
    if (strcmp(row.counter, "busy") == 0 && row.value > busiest.value) {
      busiest = row;
    }
    if (family == FAMILIES ||
        VEC_FIND(choice.parts[family], BUSIEST, item->where && strcmp(item->where, row.where) == 0)) {
      table_add(counters, "%s %p %u %zu %s %s %.*f %s", subject->name, subject->platform, subject->ranks,
                subject->bytes, row.where, row.counter, utilisation_decimals(&row), row.value, row.unit);
    }
  }
  table_note(table,
             busiest.where ? "%s on %s, %u ranks, %zu bytes: busiest is %s, %.1f %% of %.0f cycles"
                           : "%s on %s, %u ranks, %zu bytes: nothing was used",
             subject->name, sweep_label(subject->platform), subject->ranks, subject->bytes, busiest.where,
             busiest.value, cycles);
  if (subject->only_busiest) {
    table_note(table, "of %zu parts the %d busiest of each kind are shown: --format=csv and json list all",
               choice.nparts, BUSIEST);
  }
}
