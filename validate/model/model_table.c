/* SPDX-License-Identifier: BSD-3-Clause
 * See model_table.h. */
#include "validate/model/model_table.h"

#include "algos/cost/model_machine.h"
#include "platform/parameters.h"
#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/ledger.h"
#include "validate/lab/rig.h"
#include "validate/model/model_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
  const char *name;
  enum cause_term term;
  enum { ONE, ALL, PAIRS } ways;
} kinds[MODEL_VALUES] = {
#define MODEL_VALUE(id, name, term, ways) [MODEL_##id] = {name, CAUSE_##term, ways},
#include "algos/cost/cost.def"
};

enum { CHANGES = 3 }; /* of a term, see below */

struct model_table {
  struct blade *blade;
  struct model_shape shape;
  struct model_values values;
  unsigned *numbers; /* of the shape */
  double *measured[MODEL_VALUES];
  const char *unmeasured; /* why one of them has no value; NULL: all have */
  bool known;
  struct model_machine *machine;
  struct model_table
    *changed[CAUSE_TERMS][CHANGES]; /* lowered, as they are, raised; NULL: not yet asked for */
};

/* Return how many values there are of VALUE. */
static unsigned ways_of(const struct model_shape *shape, unsigned value) {
  return kinds[value].ways == ALL     ? shape->links_max + 1
         : kinds[value].ways == PAIRS ? shape->spes_per_chip * shape->spes_per_chip
                                      : 1;
}

static void describe_shape(struct model_table *table) {
  const struct blade *blade = table->blade;
  unsigned n = blade_nchips(blade), *numbers = xcalloc((2 * (size_t)n + 1) * n, sizeof *numbers);
  struct model_shape *shape = &table->shape;
  *shape = (struct model_shape){.nspes = blade_nspes(blade),
                                .spes_per_chip = blade_spes_per_chip(blade),
                                .nchips = n,
                                .links = numbers,
                                .neighbour = numbers + n * n,
                                .data_chip = numbers + 2 * n * n,
                                .queue = blade_parameters(blade)->queue,
                                .command = (unsigned)blade_parameters(blade)->command_interval,
                                .window = model_measure_window(blade),
                                .windows = blade_parameters(blade)->nwindows};
  for (unsigned from = 0; from < n; from++) {
    for (unsigned to = 0; to < n; to++) {
      unsigned links = blade_links_between(blade, from, to);
      numbers[from * n + to] = links;
      numbers[n * n + from * n + to] = blade_next_chip(blade, from, to);
      shape->links_max = links > shape->links_max ? links : shape->links_max;
    }
    numbers[2 * n * n + from] = blade_data_chip(blade, from);
  }
  table->numbers = numbers;
}

struct model_table *model_table_new(struct blade *blade) {
  struct model_table *table = xcalloc(1, sizeof *table);
  table->blade = blade;
  describe_shape(table);
  table->values.shape = &table->shape;
  for (unsigned value = 0; value < MODEL_VALUES; value++) {
    table->values.of[value] = table->measured[value] = xcalloc(ways_of(&table->shape, value), sizeof(double));
  }
  return table;
}

void model_table_free(struct model_table *table) {
  if (table) {
    for (unsigned i = 0; i < CHANGES * CAUSE_TERMS; i++) {
      model_table_free(table->changed[i / CHANGES][i % CHANGES]);
    }
    model_machine_free(table->machine);
    free(table->numbers);
    for (unsigned value = 0; value < MODEL_VALUES; value++) {
      free(table->measured[value]);
    }
    free(table);
  }
}

const char *model_table_lacks(const struct blade *blade) {
  unsigned nspes = blade_spes_per_chip(blade);
  return nspes < 2                                          ? "one SPE on a chip"
         : rig_room(blade, 2 * nspes) < 2 * MODEL_DMA_BYTES ? "less than 32 KiB of room in local stores"
                                                            : NULL;
}

/* Return a table like TABLE in the unit of changed ones, with TERM raised by BY parts. */
static struct model_table *change(const struct model_table *table, enum cause_term term, int by) {
  struct model_table *changed = model_table_new(table->blade);
  for (unsigned value = 0; value < MODEL_VALUES; value++) {
    const double *from = table->values.of[value];
    for (unsigned links = 0; links < ways_of(&table->shape, value); links++) {
      double more = kinds[value].term != CAUSE_STEPS ? (kinds[value].term == term ? from[links] : 0)
                    : term == CAUSE_CROSSINGS        ? from[links] - from[0]
                    : term == CAUSE_STEPS            ? from[0]
                                                     : 0;
      changed->measured[value][links] = MODEL_TABLE_SCALE * from[links] + by * more;
    }
  }
  changed->shape.command *= MODEL_TABLE_SCALE;
  changed->known = true;
  return changed;
}

struct model_machine *model_table_changed(struct model_table *table, enum cause_term term, int by) {
  struct model_table **place = &table->changed[term][by + 1];
  *place = *place ? *place : change(table, term, by);
  return model_table_machine(*place, NULL);
}

static int run_measurement(const struct experiment *experiment, struct pack *result) {
  pack_add_real(result, model_measure(experiment->blade, (enum model_value)experiment->numbers[0],
                                      (unsigned)experiment->numbers[1]));
  return des_interrupted() ? -1 : 0;
}

static void describe_measurement(const struct experiment *experiment, char *text, size_t size) {
  snprintf(text, size, "platform %s: value %s of the model machine", blade_platform(experiment->blade)->name,
           experiment->subject);
}

/* Learn VALUE over LINKS.
 * returns: whether it is known now. */
static bool learn(struct model_table *table, struct ledger *ledger, unsigned value, unsigned links) {
  static const struct experiment_kind kind = {.name = "model-value",
                                              .shared = true,
                                              .run = run_measurement,
                                              .stopped = experiment_has_no_value,
                                              .describe = describe_measurement};
  double *place = &table->measured[value][links];
  struct experiment experiment = {.kind = &kind,
                                  .blade = table->blade,
                                  .spec = {.profile = &blade_platform(table->blade)->profiles[0]},
                                  .subject = kinds[value].name,
                                  .numbers = {value, links}};
  struct pack result;
  if (!ledger) {
    *place = model_measure(table->blade, (enum model_value)value, links);
    return !des_interrupted();
  }
  if (!ledger_ask(ledger, &experiment, &result)) {
    return false;
  }
  *place = pack_take_real(&result);
  if (isnan(*place) && !table->unmeasured) {
    table->unmeasured = pack_take_text(&result);
  }
  return true;
}

const char *model_table_unmeasured(const struct model_table *table) {
  return table->unmeasured;
}

struct model_machine *model_table_machine(struct model_table *table, struct ledger *ledger) {
  bool known = true;
  for (unsigned value = 0; value < MODEL_VALUES && !table->known; value++) {
    for (unsigned links = 0; links < ways_of(&table->shape, value); links++) {
      known &= learn(table, ledger, value, links);
    }
  }
  table->known |= known;
  if (table->known && !table->machine && !table->unmeasured) {
    table->machine = model_machine_new(&table->values);
  }
  return table->machine;
}
