/* SPDX-License-Identifier: BSD-3-Clause
 * See run_table.h. */
#include "cli/run_table.h"

#include "algos/catalogue.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "validate/lab/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char columns[] =
  "algorithm,platform,ranks,bytes,root,cycles,ns,bus_requests,eib_bytes,bif_bytes,verified,profile,op,type,"
  "placement,"
  "skew,cycles_from_first,repeat,seed,outcome,version,platform_checksum,skew_seed,nodes,net_messages,net_"
  "bytes,"
  "net_retransmissions,bus";

struct table *run_table_new(const struct opts *opts, bool combines) {
  static const struct {
    const char *name;
    unsigned option; /* that must be given if people are to see it */
  } details[] = {{"placement", OPT_PLACEMENT},
                 {"skew", OPT_SKEW},
                 {"cycles_from_first", OPT_SKEW},
                 {"repeat", OPT_REPEAT},
                 {"seed", OPT_SEED},
                 {"skew_seed", OPT_SKEW},
                 {"bus", OPT_BUS}};
  struct table *table = table_new(columns);
  for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
    if (!(opts->given & details[i].option)) {
      table_hide(table, details[i].name);
    }
  }
  if (!combines) {
    table_hide(table, "op");
    table_hide(table, "type");
  }
  return table;
}

static void add_measured(struct table *table, const struct call_result *result) {
  if (call_stopped(result)) {
    for (unsigned i = 0; i < 5; i++) {
      table_add_nothing(table);
    }
    return;
  }
  table_add_mean(table, result->cycles);
  table_add_real(table, result->cycles / result->ghz, 1);
  table_add_count(table, result->bus_requests);
  table_add_count(table, result->eib_bytes);
  table_add_count(table, result->bif_bytes);
}

void run_table_hide_traffic(struct table *table) {
  static const char *const names[] = {"nodes", "net_messages", "net_bytes", "net_retransmissions"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    table_hide(table, names[i]);
  }
}

/* Add what went between nodes. */
static void add_traffic(struct table *table, const struct call_result *result) {
  table_add_count(table, result->nodes);
  table_add_count(table, result->net_messages);
  table_add_count(table, result->net_bytes);
  table_add_count(table, result->net_retransmissions);
}

void run_table_add(struct table *table, const struct run_table_row *row) {
  const struct rig_spec *spec = row->spec;
  bool combines = collective_combines(spec->call.algo->collective);
  char name[CATALOGUE_NAME_SIZE], placement[PLACEMENT_TEXT_SIZE];
  catalogue_format(&spec->call, name, sizeof name);
  placement_format(&spec->placement, spec->nranks, placement);
  table_add_text(table, name);
  table_add_platform(table, row->platform);
  table_add_count(table, spec->nranks);
  table_add_count(table, spec->nbytes);
  table_add_count(table, spec->root);
  add_measured(table, row->result);
  table_add_text(table, row->result->end == CALL_OK ? "yes" : "no");
  table_add_text(table, spec->profile->name);
  table_add_text(table, combines ? combine_op_name(spec->op) : "");
  table_add_text(table, combines ? combine_type_name(spec->type) : "");
  table_add_text(table, placement);
  table_add_count(table, spec->skew);
  table_add_mean(table, call_stopped(row->result) ? NAN : row->result->from_first);
  table_add_count(table, spec->nrepeats);
  table_add_count(table, spec->seed);
  table_add_text(table, call_end_name(row->result->end));
  table_add_count(table, spec->skew_seed);
  add_traffic(table, row->result);
  table_add_text(table, platform_bus_name(row->platform->bus));
}

/* --- the calls of a store --- */

/* Rows on their way. */
struct listing {
  struct table *table;
  struct store_count *counts; /* the builds, for their versions */
  long ncounts;
};

static const char *version_of(const struct listing *listing, const char *build) {
  for (long i = 0; i < listing->ncounts; i++) {
    if (strcmp(listing->counts[i].build, build) == 0) {
      return listing->counts[i].version;
    }
  }
  return "";
}

/* Tell whether the collective of algorithm NAME combines elements. */
static bool combines(const char *name) {
  for (enum collective collective = 0; collective < COLL_COUNT; collective++) {
    const char *own = collective_name(collective);
    size_t length = strlen(own);
    if (strncmp(name, own, length) == 0 && name[length] == ':') {
      return collective_combines(collective);
    }
  }
  return false;
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

static void add_count(struct table *table, const char *text) {
  table_add_count(table, strtoull(text, NULL, 10));
}

static int add_stored(void *context, const struct store_row *row, struct err *err) {
  const struct listing *listing = context;
  struct table *table = listing->table;
  const char *const *texts = row->texts;
  struct pack pack = row->result;
  (void)err;
  if (strcmp(texts[KEY_experiment], CALL_KIND) != 0) {
    return 0;
  }
  struct call_result result = call_unpack(&pack);
  if (*result.refused) {
    return 0;
  }
  bool combining = combines(texts[KEY_algorithm]);
  table_add_text(table, texts[KEY_algorithm]);
  table_add_text(table, texts[KEY_platform]);
  add_count(table, texts[KEY_ranks]);
  add_count(table, texts[KEY_bytes]);
  add_count(table, texts[KEY_root]);
  add_measured(table, &result);
  table_add_text(table, result.end == CALL_OK ? "yes" : "no");
  table_add_text(table, texts[KEY_profile]);
  table_add_text(table, combining ? texts[KEY_operator] : "");
  table_add_text(table, combining ? texts[KEY_type] : "");
  table_add_text(table, texts[KEY_placement]);
  add_count(table, texts[KEY_skew]);
  table_add_mean(table, call_stopped(&result) ? NAN : result.from_first);
  add_count(table, texts[KEY_repeats]);
  add_count(table, texts[KEY_seed]);
  table_add_text(table, call_end_name(result.end));
  table_add_text(table, version_of(listing, row->build));
  table_add_text(table, texts[KEY_checksum]);
  add_count(table, texts[KEY_skew_seed]);
  add_traffic(table, &result);
  table_add_text(table, bus_of(texts[KEY_platform]));
  return 0;
}

struct table *stored_runs(struct store *store, const char *build, struct err *err) {
  struct listing listing = {.table = table_new_foreign(columns)};
  struct store_visitor visitor = {.build = build, .visit = add_stored, .context = &listing};
  listing.ncounts = store_count(store, &listing.counts, err);
  int status = listing.ncounts < 0 ? -1 : store_visit(store, &visitor, err);
  store_free_counts(listing.counts, listing.ncounts);
  if (status == 0) {
    return listing.table;
  }
  table_free(listing.table);
  return NULL;
}
