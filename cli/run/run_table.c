/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run/run_table.h"

#include "algos/catalogue.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char columns[] =
#define COLUMN(name, ...) "," #name
#include "validate/lab/call/outcome.def"
  ;

/* When people see a column, besides the sets of options. */
enum { ALWAYS = (opts_set)1 << 61, COMBINING = (opts_set)1 << 62, ON_NODES = (opts_set)1 << 63 };

struct table *run_table_new(const struct opts *opts, bool combines, bool spans_nodes) {
  struct table *table = table_new(columns + 1);
  opts_set shown = opts->given | ALWAYS | (combines ? COMBINING : 0) | (spans_nodes ? ON_NODES : 0);
  const struct {
    const char *name;
    opts_set shown;
  } all[] = {
#define SHOWN_FIELD(field, option) (call_fields[FIELD_##field].kind->combines ? COMBINING : option)
#define COLUMN(name, shown, meaning, cell) {#name, shown},
#include "validate/lab/call/outcome.def"
  };
  VEC_EACH(column, all, VEC_LENGTH(all)) {
    if (!(shown & column->shown)) {
      table_hide(table, column->name);
    }
  }
  return table;
}

/* Return the bandwidth of RESULT with the key TEXTS in bytes per nanosecond, with ON_BUS times the factor
 * that makes collectives comparable; NaN: nccl-tests has no such collective.
 * source: nccl-tests, its page on performance */
static double bandwidth_of(enum collective collective, const char *const texts[KEY_FIELDS],
                           const struct call_result *result, bool on_bus) {
  double n = strtod(texts[KEY_ranks], NULL), others = (n - 1) / n;
  bool whole = collective == COLL_BCAST || collective == COLL_REDUCE, all = collective == COLL_ALLREDUCE;
  bool blocks = collective == COLL_ALLGATHER || collective == COLL_GATHER || collective == COLL_SCATTER ||
                collective == COLL_ALLTOALL || collective == COLL_REDUCESCATTER;
  double factor = whole ? 1 : all ? 2 * others : blocks ? others : NAN;
  return (blocks ? n : 1) * strtod(texts[KEY_bytes], NULL) * result->ghz / result->cycles *
         (on_bus || isnan(factor) ? factor : 1);
}

/* Return the word for the bus of a platform with this LABEL, in which a bus other than the exact one is the
 * first override. */
static const char *bus_of(const char *label) {
  unsigned bus = PLATFORM_BUSES - 1;
  const char *overrides = strchr(label, '[');
  for (; bus != PLATFORM_BUS_EXACT; bus--) {
    const char *name = platform_bus_name(bus);
    if (overrides && strncmp(overrides, "[bus=", 5) == 0 && strncmp(overrides + 5, name, strlen(name)) == 0) {
      break;
    }
  }
  return platform_bus_name(bus);
}

/* Return the settings of a platform with this LABEL, separated by semicolons; the bus is no setting; a
 * text_brief. */
static const char *settings_of(const char *label) {
  const char *from = strchr(label, '[');
  from = from ? from + 1 : "";
  if (strncmp(from, "bus=", 4) == 0) {
    from += strcspn(from, ";]");
    from += strspn(from, ";");
  }
  return text_brief("%.*s", (int)strcspn(from, "]"), from);
}

/* Add FIELD of a call of a reduction, or of another collective; TEXT is of the key. */
static void add_field(struct table *table, const struct call_field *field, bool combining, const char *text) {
  if (field->kind->is_number) {
    table_add_count(table, strtoull(text, NULL, 10));
  } else {
    table_add_text(table, combining || !field->kind->combines ? text : "");
  }
}

/* Add the run with the key TEXTS and RESULT, which has measured nothing if it has stopped; VERSION, of the
 * program, is NULL where the table adds that and the checksum by itself. */
static void add_run(struct table *table, const char *const texts[KEY_FIELDS],
                    const struct call_result *result, const char *version) {
  const char *name = texts[KEY_algorithm]; /* which may be of a file */
  struct algorithm algorithm;
  enum collective collective = catalogue_find(name, &algorithm, NULL) == 0
                                 ? algorithm.algo->collective
                                 : collective_find(name, strcspn(name, ":"));
  bool combining = collective < COLL_COUNT && collective_combines(collective);
#define TEXT(field) table_add_text(table, texts[KEY_##field])
#define WORD(word) table_add_text(table, word)
#define NUMBER(field) table_add_count(table, strtoull(texts[KEY_##field], NULL, 10))
#define FIELD_CELL(field) add_field(table, &call_fields[FIELD_##field], combining, texts[KEY_##field])
#define MEASURED(kind, ...) \
  call_stopped(result) ? table_add_nothing(table) : table_add_##kind(table, __VA_ARGS__)
#define COUNTED(name) table_add_count(table, result->name)
#define ORIGIN(text) version ? table_add_text(table, text) : (void)0
#define COLUMN(name, shown, meaning, cell) cell;
#include "validate/lab/call/outcome.def"
}

void run_table_add(struct table *table, const struct point *point, const struct call_result *result) {
  const char *texts[KEY_FIELDS];
  struct pack key = {0};
  call_key(point, &key);
  ledger_key_split((const char *)key.bytes, key.nbytes, texts);
  table_set_platform(table, machine_platform(point->machine));
  add_run(table, texts, result, NULL);
  pack_fini(&key);
}

/* --- the calls of a store --- */

static int add_stored(void *context, const struct store_row *row, struct err *err) {
  (void)err;
  if (strcmp(row->texts[KEY_experiment], CALL_KIND) == 0) {
    const struct result made = result_of(row->result);
    struct call_result result = call_unpack(&made);
    if (!*result.refused) {
      add_run(context, row->texts, &result, row->version);
    }
  }
  return 0;
}

struct table *stored_runs(struct store *store, const char *build, struct err *err) {
  struct table *table = table_new_foreign(columns + 1);
  const struct store_visitor visitor = {.build = build, .visit = add_stored, .context = table};
  if (store_visit(store, &visitor, err) == 0) {
    return table;
  }
  table_free(table);
  return NULL;
}
