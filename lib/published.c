/* SPDX-License-Identifier: BSD-3-Clause
 * Published measurements for the library, see cellcoll.h: simulated in this process. */
#include "validate/papers/published.h"

#include "lib/cellcoll.h"
#include "lib/engine.h"
#include "sim/base/err.h"
#include "validate/lab/ledger/ledger.h"

#include <math.h>

/* The receiver of the rows. */
struct taker {
  void (*take)(void *context, const struct cellcoll_published *row);
  void *context;
};

static void take_row(void *context, const struct published_row *row) {
  const struct taker *taker = context;
  const struct cellcoll_published told = {.id = row->id,
                                          .quantity = row->quantity,
                                          .unit = row->unit,
                                          .published = row->published,
                                          .simulated = row->stopped ? (double)NAN : row->simulated,
                                          .error_percent = row->stopped ? (double)NAN : row->error,
                                          .role = published_role_name(row->role),
                                          .source = row->source,
                                          .at_most = row->bound};
  engine_caller_begin();
  taker->take(taker->context, &told);
  engine_caller_end();
}

int cellcoll_published(struct cellcoll_machine *machine,
                       void (*take)(void *context, const struct cellcoll_published *row), void *context) {
  struct err err = {""};
  struct taker taker = {take, context};
  struct ledger ledger = {.njobs = 1};
  struct published_walk walk = {.ledger = &ledger, .context = &taker, .take = take_row};
  if (engine_enter() != 0) {
    return -1;
  }
  if (!machine || !take) {
    engine_leave();
    err_set(&err,
            machine ? "nobody takes what was measured, expected a function" : "no machine, expected one");
    return engine_refuse(&err);
  }
  int status = ledger_open(&ledger, &err) == 0 && published_run(machine->built, &walk, &err) == 0 ? 0 : -1;
  ledger_fini(&ledger);
  engine_leave();
  return status == 0 ? 0 : engine_refuse(&err);
}
