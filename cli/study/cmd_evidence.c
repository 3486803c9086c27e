/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll evidence: experiments that tell how far the simulator can be believed. */
#include "cli/commands.h"
#include "validate/evidence/evidence.h"

#include <math.h>

enum { USUAL_SAMPLES = 20 };

/* Add ROW, with so many digits after the point that the value is told well. */
static void take_figure(void *context, const struct evidence_row *row) {
  const struct session *session = context;
  int decimals = 3;
  for (double least = 10; decimals > 0 && fabs(row->value) >= least; least *= 10) {
    decimals--;
  }
  table_add(session->table, "%s %s %s %.*f %s", session->opts.rest[0], row->subject, row->row, decimals,
            row->value, row->unit);
}

static void say(void *context, const char *line) {
  const struct session *session = context;
  table_note(session->table, "%s", line);
}

int cmd_evidence(struct session *session) {
  const struct opts *opts = &session->opts;
  const struct evidence_experiment *experiment = evidence_find(opts->rest[0], session->err);
  if (!experiment) {
    return CLI_USAGE;
  }
  if (experiment->run != evidence_samples && opts->given & (OPT_SAMPLES | OPT_SEED)) {
    return session_refuse(session, CLI_USAGE, "--%s means nothing to '%s', expected experiment samples",
                          opts->given & OPT_SAMPLES ? "samples" : "seed", experiment->name);
  }
  if (session_table(session, table_new("experiment,subject,row,value,unit,version,platform_checksum")) !=
      CLI_DONE) {
    return CLI_USAGE;
  }
  struct evidence evidence = session_evidence(session);
  evidence.nsamples = opts->samples ? opts->samples : USUAL_SAMPLES;
  evidence.context = session;
  evidence.take = take_figure;
  evidence.say = say;
  table_set_platform(session->table, session->machines.platforms[0]);
  int status = experiment->run(&evidence, session->err);
  return status == 0           ? sweep_outcome(&session->ledger)
         : sweep_interrupted() ? CLI_DONE
                               : sweep_lost(&session->ledger);
}
