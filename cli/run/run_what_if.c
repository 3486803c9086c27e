/* SPDX-License-Identifier: BSD-3-Clause
 * A way of run: the call on machines with one better parameter, ranked. */
#include "cli/run/run_ways.h"

#include "algos/catalogue.h"
#include "cli/exit_codes.h"
#include "cli/session.h"
#include "cli/sweep.h"
#include "cli/table.h"
#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/what_if.h"

#include <stdio.h>

static void add_gain(struct table *table, const struct point *call, const struct what_if_gain *gain) {
  for (size_t j = 0; j < WHAT_IF_FACTORS; j++) {
    if (gain->known[j]) {
      table_add(table, "%s %p %u %zu %s %.1f", catalogue_name(&call->call.algorithm),
                machine_platform(call->machine), call->call.nranks, call->call.nbytes, gain->name,
                what_if_factors[j]);
      table_add_mean(table, gain->cycles[j]);
      table_add(table, "%.2f %.1f %s", gain->change[j], gain->share * (1 - 1 / what_if_factors[j]),
                gain->note[j]);
    }
  }
}

/* Say why nothing is known of CALL, with OUTCOME; a refusal has its name already. */
static void tell_skipped(const struct point *call, const struct call_result *outcome) {
  if (*outcome->refused) {
    sweep_skip(outcome->refused);
    return;
  }
  char name[CALL_TEXT_SIZE], text[1024];
  call_describe(&call->call, name, sizeof name);
  snprintf(text, sizeof text, "%s: %s", name, outcome->wrong);
  sweep_skip(text);
}

/* Make the table of all that is known of the N CALLS of WHAT_IF.
 * returns: an exit code. */
static int add_all(struct session *session, const struct what_if *what_if, const struct points *points) {
  int code = CLI_DONE;
  SCOPED struct what_if_gain *gains = xcalloc(what_if_count(), sizeof *gains);
  for (size_t i = 0; i < points->n && code == CLI_DONE; i++) {
    struct call_result result;
    if (!what_if_find(what_if, i, &result, gains)) {
      continue;
    }
    if (*result.refused && points->n == 1) {
      code = session_refuse(session, CLI_INPUT, "%s", result.refused);
    } else if (*result.refused || result.end != CALL_OK) {
      tell_skipped(&points->items[i], &result);
    } else {
      for (size_t j = 0; j < what_if_count(); j++) {
        add_gain(session->table, &points->items[i], &gains[j]);
      }
    }
  }
  return code;
}

int run_what_if(struct session *session, struct points *points) {
  if (session_table(session,
                    table_new("algorithm,platform,ranks,bytes,parameter,factor,cycles,change_percent,"
                              "possible_percent,note,version,platform_checksum")) != CLI_DONE) {
    return CLI_USAGE;
  }
  struct what_if *what_if = what_if_open(&session->ledger, points, sweep_skip);
  int status = ledger_settle(&session->ledger, what_if_ask, what_if, session->err);
  int code = add_all(session, what_if, points);
  code = status != 0        ? sweep_lost(&session->ledger)
         : code == CLI_DONE ? sweep_outcome(&session->ledger)
                            : code;
  what_if_close(what_if);
  return code;
}
