/* SPDX-License-Identifier: BSD-3-Clause
 * See run_table.h. */
#include "cli/run_table.h"

#include "algos/catalogue.h"
#include "platform/platform.h"

#include <math.h>

struct table *
run_table_new(const struct opts *opts, bool combines)
{
  static const struct {
    const char *name;
    unsigned option; /* that must be given if people are to see it */
  } details[] = {{"placement", OPT_PLACEMENT}, {"skew", OPT_SKEW}, {"cycles_from_first", OPT_SKEW},
                 {"repeat", OPT_REPEAT},       {"seed", OPT_SEED}, {"skew_seed", OPT_SKEW}};
  struct table *table =
    table_new("algorithm,platform,ranks,bytes,root,cycles,ns,bus_requests,eib_bytes,bif_bytes,verified,"
              "profile,op,type,placement,skew,cycles_from_first,repeat,seed,outcome,version,"
              "platform_checksum,skew_seed");
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

static void
add_measured(struct table *table, const struct call_result *result)
{
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

void
run_table_add(struct table *table, const struct run_table_row *row)
{
  const struct rig_spec *spec = row->spec;
  bool combines = collective_combines(spec->call.algo->collective);
  char name[128], placement[PLACEMENT_TEXT_SIZE];
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
}
