/* SPDX-License-Identifier: BSD-3-Clause
 * See draw_machines.h. */
#include "cli/tune/draw_machines.h"

#include "cli/session.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "validate/evidence/evidence.h"
#include "validate/papers/findings.h"

/* Decisions, and how they are made. */
struct drawing {
  struct tuning *tuning;
  struct tune_grid grid;
};

static int decide(void *context, struct machine *machine, struct err *err) {
  struct drawing *drawing = context;
  struct tuning drawn = {0};
  int status = tune_run(&drawn, machine, &drawing->grid, err);
  if (status == 0) {
    tune_count_draw(drawing->tuning, &drawn);
  }
  tuning_fini(&drawn);
  return status;
}

int draw_machines(struct session *session, struct tuning *tuning, const struct tune_grid *grid,
                  struct err *err) {
  struct evidence evidence = session_evidence(session);
  SCOPED char *nothing = findings_nothing(session->machines.platforms[0]);
  if (nothing) {
    return err_set(err, "--draws: %s", nothing);
  }
  struct drawing drawing = {tuning, *grid};
  drawing.grid.all_profiles = false;
  drawing.grid.unpredicted = true;
  drawing.grid.skipped = NULL;
  return draws_visit(&evidence, decide, &drawing, err);
}
