/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll compare: simulation against the analytic models. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "sim/base/vec.h"
#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/model/compare.h"

static const char columns[] =
  "algorithm,platform,ranks,bytes,model,simulated_ns,predicted_ns,error_percent,cause,"
  "predicted_low_ns,predicted_high_ns,version,platform_checksum,outcome";

static struct table *table_of(const struct comparison *comparison) {
  struct table *table = table_new(columns);
  bool all_ok = true;
  table_hide(table, "predicted_low_ns,predicted_high_ns");
  VEC_EACH(point, comparison->points, comparison->npoints) {
    table_add(table, "%s %p %u %zu %s %.1f %.1f %.1f %s %.1f %.1f %s", catalogue_name(&point->algorithm),
              point->platform, point->ranks, point->bytes, predict_model_name(point->model), point->simulated,
              point->predicted.middle, point->error, point->cause, point->predicted.low,
              point->predicted.high, call_end_name(point->end));
    all_ok &= point->end == CALL_OK;
  }
  if (all_ok) {
    table_hide(table, "outcome");
  }
  return table;
}

/* Apply --strict to COMPARISON.
 * returns: an exit code. */
static int judge(const struct comparison *comparison, struct session *session) {
  const struct opts *opts = &session->opts;
  double tolerance = opts->given & OPT_TOLERANCE ? opts->tolerance : COMPARE_EXPLAINED;
  size_t unexplained = compare_summarize(comparison, MODEL_PUBLISHED, false).unexplained;
  size_t beyond = compare_beyond(comparison, MODEL_REFINED, tolerance);
  int outcome = sweep_outcome(&session->ledger);
  if (outcome != CLI_DONE || !opts->strict || unexplained + beyond == 0 || session_is_partial(session)) {
    return outcome;
  }
  return session_refuse(
    session, CLI_FAILED,
    "%zu errors of the published model beyond %d %% unexplained, %zu of the refined model "
    "beyond %g %%",
    unexplained, COMPARE_EXPLAINED, beyond, tolerance);
}

/* Tabulate COMPARISON in SESSION.
 * returns: an exit code. */
static int tabulate(const struct comparison *comparison, struct session *session) {
  char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE];
  if (comparison->npoints == 0 && !session_is_partial(session)) {
    return session_refuse(session, CLI_INPUT, "nothing that was asked for can be compared%s", sweep_reason());
  }
  session->table = table_of(comparison);
  compare_summary_lines(comparison, lines);
  VEC_EACH(line, lines, COMPARE_SUMMARIES) {
    if (**line) {
      table_note(session->table, "%s", *line);
    }
  }
  return judge(comparison, session);
}

int cmd_compare(struct session *session) {
  const struct opts *opts = &session->opts;
  const struct sweep_calls *calls = &session->calls;
  /* asked for more than the ground of the paper */
  bool asked = calls->n || opts->ranks.n || opts->bytes.n || opts->root;
  SCOPED struct algorithm *served =
    xcalloc(calls->n, sizeof *served); /* with software costs on the machine */
  struct compare_grid grid = {.ledger = &session->ledger,
                              .calls = calls->n ? served : NULL,
                              .ranks = opts->ranks,
                              .bytes = opts->bytes,
                              .root = opts->root,
                              .seed = opts->seed,
                              .skipped = asked ? sweep_skip_call : NULL,
                              .wrong = sweep_complain};
  struct comparison comparison = {0};
  struct machine *machine;
  int code = session_check_columns(session, columns);
  for (size_t i = 0; code == CLI_DONE && (machine = session_machine(session, i)); i++) {
    grid.ncalls = 0;
    VEC_EACH(call, calls->items, calls->n) {
      if (!sweep_is_listed(call->algo) || sweep_profile(machine_platform(machine), call, session->err)) {
        served[grid.ncalls++] = *call;
      }
    }
    int status = compare_run(&comparison, machine, &grid, session->err);
    code = status == 0 ? CLI_DONE : sweep_lost(&session->ledger);
  }
  code = code == CLI_DONE ? tabulate(&comparison, session) : code;
  comparison_fini(&comparison);
  return code;
}
