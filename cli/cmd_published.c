/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll published: simulation against measured values. */
#include "cli/commands.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "validate/papers/published.h"

#include <stdio.h>

static void
take(void *context, const struct published_row *row)
{
  struct table *table = context;
  table_add_text(table, row->id);
  table_add_text(table, row->quantity);
  table_add_real(table, row->published, 2);
  table_add_real(table, row->simulated, 2);
  table_add_text(table, row->unit);
  table_add_real(table, row->error, 1);
  table_add_text(table, row->timing);
  table_add_text(table, row->profile);
  table_add_text(table, row->source);
}

static void
skip(void *context, const char *why)
{
  (void)context;
  sweep_skip(why);
}

int
cmd_published(const struct opts *opts, struct err *err)
{
  struct machines machines;
  int code = machines_load(&machines, opts, err);
  if (code != CLI_DONE) {
    return code;
  }
  if (machines.n != 1) {
    machines_fini(&machines);
    err_set(err, "published: several platforms, expected one");
    return CLI_USAGE;
  }
  sweep_start(opts);
  struct table *table = table_new("id,quantity,published,simulated,unit,error_percent,timing,profile,source");
  struct blade *blade = blade_new(machines.platforms[0], err);
  struct published_walk walk = {
    .njobs = opts->jobs, .progress = sweep_progress, .context = table, .take = take, .skip = skip};
  if (!blade) {
    code = CLI_INPUT;
  } else if (published_run(blade, &walk, err) != 0) {
    code = CLI_FAILED;
  }
  sweep_clear_progress();
  if (code == CLI_DONE && table_nrows(table) == 0 && !sweep_interrupted()) {
    err_set(err, "published: no measurement can be reproduced on this platform");
    code = CLI_INPUT;
  }
  if (code == CLI_DONE) {
    code = machines_write_table(&machines, opts, table, err);
  }
  blade_free(blade);
  table_free(table);
  machines_fini(&machines);
  return code != CLI_DONE ? code : sweep_end(CLI_DONE);
}
