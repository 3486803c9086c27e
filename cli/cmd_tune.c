/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll tune: which algorithm is the best, by simulation and by model. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "sim/base/xalloc.h"
#include "validate/model/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Add the name of CANDIDATE, which may be NULL. */
static void add_name(struct table *table, const struct tune_candidate *candidate) {
  char name[128] = "";
  if (candidate) {
    catalogue_format(&candidate->call, name, sizeof name);
  }
  table_add_text(table, name);
}

/* Add the algorithms that did not do their work in DECISION, or have no prediction since something has
 * stopped. */
static void add_failures(struct table *table, const struct tune_decision *decision) {
  char *all = xstrdup("");
  for (size_t i = 0; i < decision->nfailures; i++) {
    char name[128];
    catalogue_format(&decision->failures[i].call, name, sizeof name);
    char *longer = xasprintf("%s%s%s %s", all, i ? "; " : "", name, call_end_name(decision->failures[i].end));
    free(all);
    all = longer;
  }
  table_add_text(table, all);
  free(all);
}

/* Add a row for DECISION. Where no candidate has a prediction, all of them compete in the simulation. */
static void add_row(struct table *table, const struct tune_decision *decision) {
  char problem[TUNE_NAME_SIZE];
  struct tune_choice refined = tune_choose(decision->candidates, decision->n, MODEL_REFINED);
  struct tune_choice published = tune_choose(decision->candidates, decision->n, MODEL_PUBLISHED);
  const struct tune_candidate *of_all = tune_fastest(decision->candidates, decision->n);
  const struct tune_candidate *best = refined.n ? refined.fastest : of_all;
  tune_problem_format(decision->problem, problem);
  table_add_text(table, problem);
  table_add_platform(table, decision->platform);
  table_add_count(table, decision->ranks);
  table_add_count(table, decision->bytes);
  add_name(table, best);
  add_name(table, refined.chosen);
  table_add_real(table, refined.loss, 1);
  table_add_real(table, best ? best->simulated : NAN, 1);
  table_add_real(table, refined.n ? refined.chosen->simulated : NAN, 1);
  table_add_real(table, refined.n ? refined.chosen->predicted[MODEL_REFINED] : NAN, 1);
  table_add_count(table, refined.n);
  add_name(table, published.chosen);
  table_add_real(table, published.loss, 1);
  table_add_count(table, published.n);
  add_name(table, of_all);
  table_add_real(table, of_all ? of_all->simulated : NAN, 1);
  table_add_count(table, decision->n);
  add_failures(table, decision);
}

/* Add a line about the choices of MODEL, if it has made any. */
static void note_summary(struct table *table, const struct tuning *tuning, enum model model) {
  struct tune_summary summary = tune_summarize(tuning, model);
  char problem[TUNE_NAME_SIZE], where[80] = "", spread[48] = "", line[320];
  if (summary.n == 0) {
    return;
  }
  tune_problem_format(summary.worst->problem, problem);
  if (summary.most > 0) {
    snprintf(where, sizeof where, " (%s on %u ranks with %zu bytes)", problem, summary.worst->ranks,
             summary.worst->bytes);
  }
  if (isfinite(summary.spread)) { /* else the fastest take no time */
    snprintf(spread, sizeof spread, "; always the slowest: median %.0f %%", summary.spread);
  }
  snprintf(line, sizeof line,
           "%s: %zu choices: %zu (%.1f %%) the best; loss: median %.1f %%, mean %.1f %%, worst %.1f %%%s%s",
           predict_model_name(model), summary.n, summary.best, 100 * (double)summary.best / (double)summary.n,
           summary.median, summary.mean, summary.most, where, spread);
  table_note(table, line);
}

static struct table *table_of(const struct tuning *tuning) {
  static const char *const hidden[] = {"simulated_ns",         "chosen_ns",      "predicted_ns",
                                       "candidates",           "best_published", "published_loss_percent",
                                       "published_candidates", "best_of_all_ns", "candidates_of_all"};
  struct table *table = table_new(
    "collective,platform,ranks,bytes,best_simulated,best_predicted,loss_percent,simulated_ns,chosen_ns,"
    "predicted_ns,candidates,best_published,published_loss_percent,published_candidates,best_of_all,"
    "best_of_all_ns,candidates_of_all,version,platform_checksum,failed");
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
    table_hide(table, hidden[i]);
  }
  bool all_ok = true;
  for (size_t i = 0; i < tuning->n; i++) {
    add_row(table, &tuning->decisions[i]);
    all_ok &= tuning->decisions[i].nfailures == 0;
  }
  if (all_ok) {
    table_hide(table, "failed");
  }
  note_summary(table, tuning, MODEL_REFINED);
  note_summary(table, tuning, MODEL_PUBLISHED);
  return table;
}

/* A choice under way. */
struct choosing {
  struct tuning tuning;
  struct tune_grid grid;
};

static int tune_on(void *context, struct blade *blade, struct err *err) {
  struct choosing *choosing = context;
  int status = tune_run(&choosing->tuning, blade, &choosing->grid, err);
  return status == 0 ? CLI_DONE : sweep_lost(choosing->grid.ledger);
}

/* Tabulate TUNING in SESSION.
 * returns: an exit code. */
static int tabulate(const struct tuning *tuning, struct session *session) {
  if (tuning->n == 0 && !session_is_partial(session)) {
    return session_refuse(
      session, CLI_INPUT,
      "there is nothing to choose from: fewer than two algorithms apply to what was asked for");
  }
  session->table = table_of(tuning);
  return sweep_outcome(&session->ledger);
}

/* Choose among the algorithms for PROBLEMS, or if it is NULL for all there are. */
static int choose(struct session *session, const struct tune_problem *problems) {
  const struct opts *opts = &session->opts;
  bool asked = opts->nrest || opts->ranks.n || opts->bytes.n || opts->root;
  struct choosing choosing = {.grid = {.ledger = &session->ledger,
                                       .problems = problems,
                                       .nproblems = opts->nrest,
                                       .ranks = opts->ranks,
                                       .bytes = opts->bytes,
                                       .root = opts->root,
                                       .seed = opts->seed,
                                       .skipped = asked ? sweep_skip : NULL,
                                       .wrong = sweep_complain}};
  int code = session_blades(session, tune_on, &choosing);
  code = code == CLI_DONE ? tabulate(&choosing.tuning, session) : code;
  tuning_fini(&choosing.tuning);
  return code;
}

int cmd_tune(struct session *session) {
  const struct opts *opts = &session->opts;
  struct tune_problem *problems = xcalloc(opts->nrest, sizeof *problems);
  enum collective *collectives = xcalloc(opts->nrest, sizeof *collectives);
  int status = 0;
  for (size_t i = 0; i < opts->nrest && status == 0; i++) {
    status = tune_problem_find(opts->rest[i], &problems[i], session->err);
    collectives[i] = problems[i].collective;
  }
  int code = status == 0 ? session_check_meaning(session, collectives, opts->nrest) : CLI_USAGE;
  code = code == CLI_DONE ? choose(session, opts->nrest ? problems : NULL) : code;
  free(collectives);
  free(problems);
  return code;
}
