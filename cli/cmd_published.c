/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll published: simulation against measured values. */
#include "cli/commands.h"
#include "cli/sweep.h"
#include "validate/papers/published.h"

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

static int
reproduce(void *context, struct blade *blade, struct err *err)
{
  const struct published_walk *walk = context;
  return published_run(blade, walk, err) == 0 ? CLI_DONE : sweep_lost(walk->ledger);
}

int
cmd_published(struct session *session)
{
  struct table *table = session->table = table_new(
    "id,quantity,published,simulated,unit,error_percent,timing,profile,source,version,platform_checksum");
  table_set_platform(table, session->machines.platforms[0]);
  struct published_walk walk = {.ledger = &session->ledger, .context = table, .take = take, .skip = skip};
  int code = session_blades(session, reproduce, &walk);
  if (code == CLI_DONE && table_nrows(table) == 0 && !sweep_interrupted()) {
    return session_refuse(session, CLI_INPUT, "no measurement can be reproduced on this platform");
  }
  return code;
}
