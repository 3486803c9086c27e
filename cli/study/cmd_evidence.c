/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll evidence: experiments that tell how far the simulator can be believed. */
#include "cli/commands.h"
#include "validate/evidence/evidence.h"

#include <math.h>

enum { USUAL_DRAWS = 20 };

/* An experiment whose figures go into a table. */
struct filling {
  struct table *table;
  const char *experiment;
};

/* Return how many digits after the point tell VALUE well. */
static int digits(double value) {
  return fabs(value) >= 1000 ? 0 : fabs(value) >= 100 ? 1 : fabs(value) >= 10 ? 2 : 3;
}

static void take(void *context, const struct evidence_row *row) {
  const struct filling *filling = context;
  table_add_text(filling->table, filling->experiment);
  table_add_text(filling->table, row->subject);
  table_add_text(filling->table, row->row);
  table_add_real(filling->table, row->value, digits(row->value));
  table_add_text(filling->table, row->unit);
}

static void say(void *context, const char *line) {
  const struct filling *filling = context;
  table_note(filling->table, line);
}

int cmd_evidence(struct session *session) {
  const struct opts *opts = &session->opts;
  const struct evidence_experiment *experiment = evidence_find(opts->rest[0], session->err);
  if (!experiment) {
    return CLI_USAGE;
  }
  struct filling filling = {session->table =
                              table_new("experiment,subject,row,value,unit,version,platform_checksum"),
                            experiment->name};
  struct evidence evidence = {.ledger = &session->ledger,
                              .machines = session->machines.platforms,
                              .nmachines = session->machines.n,
                              .ndraws = opts->draws ? opts->draws : USUAL_DRAWS,
                              .seed = opts->seed,
                              .context = &filling,
                              .take = take,
                              .say = say};
  table_set_platform(session->table, session->machines.platforms[0]);
  int status = experiment->run(&evidence, session->err);
  return status == 0           ? sweep_outcome(&session->ledger)
         : sweep_interrupted() ? CLI_DONE
                               : sweep_lost(&session->ledger);
}
