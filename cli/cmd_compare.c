/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll compare: simulation against the analytic models. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "validate/model/compare.h"

#include <stdio.h>
#include <stdlib.h>

static struct table *
table_of(const struct comparison *comparison)
{
  struct table *table =
    table_new("algorithm,platform,ranks,bytes,model,simulated_ns,predicted_ns,error_percent,cause,"
              "predicted_low_ns,predicted_high_ns");
  for (size_t i = 0; i < comparison->npoints; i++) {
    const struct compare_point *point = &comparison->points[i];
    char name[128], label[SWEEP_LABEL_SIZE];
    catalogue_format(&point->call, name, sizeof name);
    sweep_label(point->platform, label);
    table_add_text(table, name);
    table_add_text(table, label);
    table_add_count(table, point->ranks);
    table_add_count(table, point->bytes);
    table_add_text(table, predict_model_name(point->model));
    table_add_real(table, point->simulated, 1);
    table_add_real(table, point->predicted.middle, 1);
    table_add_real(table, point->error, 1);
    table_add_text(table, point->cause);
    table_add_real(table, point->predicted.low, 1);
    table_add_real(table, point->predicted.high, 1);
  }
  return table;
}

static void
print_summary(const struct comparison *comparison)
{
  char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE];
  compare_summary_lines(comparison, lines);
  for (size_t i = 0; i < COMPARE_SUMMARIES; i++) {
    if (*lines[i]) {
      puts(lines[i]);
    }
  }
}

/* A comparison under way. */
struct comparing {
  struct comparison *comparison;
  const struct compare_grid *grid;
};

static int
compare_on(void *context, struct blade *blade, struct err *err)
{
  const struct comparing *comparing = context;
  struct comparison *comparison = comparing->comparison;
  int status = compare_run(comparison, blade, comparing->grid, err);
  return status == 0 ? CLI_DONE : sweep_refusal(comparison->failed, comparison->stopped);
}

/* Apply --strict to COMPARISON.
 * returns: an exit code. */
static int
judge(const struct comparison *comparison, const struct opts *opts, struct err *err)
{
  double tolerance = opts->given & OPT_TOLERANCE ? opts->tolerance : COMPARE_EXPLAINED;
  size_t unexplained = compare_unexplained(comparison);
  size_t beyond = compare_beyond(comparison, MODEL_REFINED, tolerance);
  if (!opts->strict || unexplained + beyond == 0) {
    return CLI_DONE;
  }
  err_set(err,
          "compare: %zu errors of the published model beyond %d %% unexplained, %zu of the refined model "
          "beyond %g %%",
          unexplained, COMPARE_EXPLAINED, beyond, tolerance);
  return CLI_FAILED;
}

int
cmd_compare(const struct opts *opts, struct err *err)
{
  struct sweep_calls calls = {0};
  struct machines machines = {0};
  struct comparison comparison = {0};
  if ((opts->given & OPT_TOLERANCE) && !opts->strict) {
    err_set(err, "compare: --tolerance without --strict, expected both");
    return CLI_USAGE;
  }
  int code = sweep_find_calls(opts, &calls, err);
  if (code == CLI_DONE) {
    code = machines_load(&machines, opts, err);
  }
  bool asked =
    calls.n || opts->ranks.n || opts->bytes.n || opts->root; /* for more than the ground of the paper */
  if (code == CLI_DONE) {
    struct compare_grid grid = {.calls = calls.n ? calls.items : NULL,
                                .ncalls = calls.n,
                                .ranks = opts->ranks,
                                .bytes = opts->bytes,
                                .root = opts->root,
                                .seed = opts->seed,
                                .njobs = opts->jobs,
                                .progress = sweep_progress,
                                .skipped = asked ? sweep_skip : NULL};
    sweep_start(opts);
    code = sweep_blades(&machines, compare_on, &(struct comparing){&comparison, &grid}, err);
    sweep_clear_progress();
    if (code == CLI_DONE && comparison.npoints == 0 && !sweep_interrupted()) {
      err_set(err, "compare: nothing that was asked for can be compared");
      code = CLI_INPUT;
    }
  }
  if (code == CLI_DONE) {
    struct table *table = table_of(&comparison);
    code = machines_write_table(&machines, opts, table, err);
    table_free(table);
    if (code == CLI_DONE && opts->format == TABLE_TEXT) {
      print_summary(&comparison);
    }
    if (code == CLI_DONE && !sweep_interrupted()) {
      code = judge(&comparison, opts, err);
    }
  }
  comparison_fini(&comparison);
  machines_fini(&machines);
  free(calls.items);
  return code != CLI_DONE ? code : sweep_end(CLI_DONE);
}
