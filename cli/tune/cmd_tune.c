/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll tune: which algorithm is the best, by simulation and by model. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "cli/tune/tune_options.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "validate/model/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Append BEFORE and the name of ALGORITHM to TEXT, a list, unless ALGORITHM differs from LAST, the winner
 * before, in numbers of ranks alone: of these the least is told. */
static void append_winner(char **text, const char *before, const struct algorithm **last,
                          const struct algorithm *algorithm) {
  if (!*last || !tune_differ_in_ranks(*last, algorithm)) {
    xappend(text, "%s%s%s", *text ? ";" : "", before, catalogue_name(algorithm));
  }
  *last = algorithm;
}

/* Add a cell of TEXT (NULL: empty), which is freed. */
static void add_freed(struct table *table, char *text) {
  table_add_text(table, text ? text : "");
  free(text);
}

/* Return the name of CANDIDATE, which may be NULL. */
static const char *name_of(const struct tune_candidate *candidate) {
  return candidate ? catalogue_name(&candidate->algorithm) : "";
}

/* Add the names of all candidates of DECISION that are as fast as FASTEST, which may be NULL, and if
 * OF_PREDICTED have a prediction of the refined model. */
static void add_winners(struct table *table, const struct tune_decision *decision,
                        const struct tune_candidate *fastest, bool of_predicted) {
  const struct algorithm *last = NULL;
  char *names = NULL;
  for (size_t i = 0; fastest && i < decision->n; i++) {
    const struct tune_candidate *candidate = &decision->candidates[i];
    bool competes = !of_predicted || !isnan(candidate->predicted[MODEL_REFINED]);
    if (competes && candidate->simulated == fastest->simulated) {
      append_winner(&names, "", &last, &candidate->algorithm);
    }
  }
  add_freed(table, names);
}

/* Add the winner of DECISION under each profile: a list of `profile=algorithm`. */
static void add_winners_by_profile(struct table *table, const struct tune_decision *decision) {
  char *names = NULL;
  for (size_t p = 0; p < decision->nprofiles; p++) {
    const struct algorithm *last = NULL;
    SCOPED char *before = xasprintf("%s=", decision->platform->profiles[p].name);
    for (size_t i = 0; i < decision->n; i++) {
      if (tune_wins_under(decision, i, p)) {
        append_winner(&names, before, &last, &decision->candidates[i].algorithm);
      }
    }
  }
  add_freed(table, names);
}

/* Add the certainty of DECISION: the runner-up of all candidates, the runner-up's distance, and whether the
 * winner depends on the profile. */
static void add_certainty(struct table *table, const struct tune_decision *decision) {
  bool is_tie = false;
  const struct tune_candidate *fastest = tune_fastest(decision);
  const struct tune_candidate *second = fastest ? tune_runner_up(decision, &is_tie) : NULL;
  table_add(table, "%.1f %s %.2f %s %s", fastest ? fastest->simulated : NAN, is_tie ? "tie" : name_of(second),
            is_tie   ? 0
            : second ? 100 * (second->simulated / fastest->simulated - 1)
                     : NAN,
            decision->nprofiles && fastest ? tune_certainty_name(tune_certainty(decision)) : "",
            decision->profile);
  add_winners_by_profile(table, decision);
  table_add(table, "%.0f %.1f %.1f %.1f %s", tune_samples_kept(decision), decision->bound,
            fastest ? fastest->least : NAN, fastest ? fastest->most : NAN,
            fastest && fastest->algorithm.algo->words ? fastest->algorithm.algo->words : "");
  add_freed(table, tune_untried(decision));
}

/* Add the algorithms of DECISION with a wrong result, or without a prediction because a run has stopped. */
static void add_failures(struct table *table, const struct tune_decision *decision) {
  char *all = NULL;
  for (size_t i = 0; i < decision->nfailures; i++) {
    xappend(&all, "%s%s %s", i ? "; " : "", catalogue_name(&decision->failures[i].algorithm),
            call_end_name(decision->failures[i].end));
  }
  add_freed(table, all);
}

/* Add a row for DECISION. Where no candidate has a prediction, all candidates compete in the simulation. */
static void add_decision(struct table *table, const struct tune_decision *decision) {
  char problem[TUNE_NAME_SIZE];
  struct tune_choice refined = tune_choose(decision, MODEL_REFINED);
  struct tune_choice published = tune_choose(decision, MODEL_PUBLISHED);
  const struct tune_candidate *of_all = tune_fastest(decision);
  const struct tune_candidate *best = refined.n ? refined.fastest : of_all;
  tune_problem_format(decision->problem, problem);
  table_add(table, "%s %p %u %zu", problem, decision->platform, decision->ranks, decision->bytes);
  add_winners(table, decision, best, refined.n > 0);
  table_add(table, "%s %.1f %.1f %.1f %.1f %zu", name_of(refined.chosen), refined.loss,
            best ? best->simulated : NAN, refined.n ? refined.chosen->simulated : NAN,
            refined.n ? refined.chosen->predicted[MODEL_REFINED] : NAN, refined.n);
  table_add(table, "%s %.1f %zu", name_of(published.chosen), published.loss, published.n);
  add_winners(table, decision, of_all, false);
  table_add(table, "%.1f %zu", of_all ? of_all->simulated : NAN, decision->n);
  add_failures(table, decision);
  add_certainty(table, decision);
}

/* Add a line about how sure the choices are. */
static void note_robust(struct table *table, const struct tuning *tuning) {
  size_t n = 0, counts[TUNE_CERTAINTIES] = {0};
  VEC_EACH(decision, tuning->decisions, tuning->n) {
    if (decision->nprofiles > 0 && decision->n > 0) {
      counts[tune_certainty(decision)]++;
      n++;
    }
  }
  if (n > 0) {
    table_note(
      table,
      "robust: of %zu choice%s %zu lead by %d %% or more under every profile of software costs%s (yes), %zu "
      "by less (close), %zu tie (tie), %zu have no rival (only); %zu depend on the costs%s (no)",
      n, text_plural(n), counts[TUNE_YES], TUNE_ERROR_PERCENT,
      tuning->decisions[0].nsamples ? " and on every drawn machine" : "", counts[TUNE_CLOSE],
      counts[TUNE_TIE], counts[TUNE_ONLY], counts[TUNE_NO],
      tuning->decisions[0].nsamples ? " or the machine" : "");
  }
}

/* Add a line about the parameters of which not all values were tried. */
static void note_untried(struct table *table, const struct tuning *tuning) {
  const char *told = "";
  VEC_EACH(decision, tuning->decisions, tuning->n) {
    SCOPED char *untried = tune_untried(decision);
    if (untried && strcmp(told, untried) != 0) {
      table_note(table, "not all values were tried of %s", untried);
      told = text_keep(untried);
    }
  }
}

/* Add a line about the choices of MODEL, if any. */
static void note_summary(struct table *table, const struct tuning *tuning, enum model model) {
  struct tune_summary summary = tune_summarize(tuning, model);
  char problem[TUNE_NAME_SIZE];
  if (summary.n == 0) {
    return;
  }
  tune_problem_format(summary.worst->problem, problem);
  const char *where = summary.most > 0 ? text_brief(" (%s on %u ranks with %zu bytes)", problem,
                                                    summary.worst->ranks, summary.worst->bytes)
                                       : "";
  bool takes_time = isfinite(summary.spread); /* else the fastest take no time */
  const char *spread = takes_time ? text_brief("; always the slowest: median %.0f %%", summary.spread) : "";
  table_note(
    table, "%s: %zu choice%s: %zu (%.1f %%) the best; loss: median %.1f %%, mean %.1f %%, worst %.1f %%%s%s",
    predict_model_name(model), summary.n, text_plural(summary.n), summary.best,
    100 * (double)summary.best / (double)summary.n, summary.median, summary.mean, summary.most, where,
    spread);
}

static const char columns[] =
  "collective,platform,ranks,bytes,best_simulated,best_predicted,loss_percent,simulated_ns,chosen_ns,"
  "predicted_ns,candidates,best_published,published_loss_percent,published_candidates,best_of_all,"
  "best_of_all_ns,candidates_of_all,version,platform_checksum,failed,ns,runner_up,margin_percent,robust,"
  "profile,winners,draws_percent,bound_ns,ns_least,ns_most,words,untried";

static struct table *table_of(const struct tuning *tuning) {
  struct table *table = table_new(columns);
  table_hide(
    table,
    "simulated_ns,chosen_ns,predicted_ns,candidates,best_predicted,loss_percent,best_published,published_"
    "loss_percent,published_candidates,best_of_all_ns,candidates_of_all,profile,winners,bound_ns,words,"
    "untried");
  bool all_ok = true, all_predicted = true;
  for (size_t i = 0; i < tuning->n; i++) {
    add_decision(table, &tuning->decisions[i]);
    all_ok &= tuning->decisions[i].nfailures == 0;
    all_predicted &= strcmp(table_cell(table, i, "best_simulated"), table_cell(table, i, "best_of_all")) == 0;
  }
  if (all_predicted) {
    table_hide(table, "best_of_all");
  }
  table_stack(table, "best_simulated,best_of_all,winners");
  if (tuning->n == 0 || tuning->decisions[0].nsamples == 0) {
    table_hide(table, "draws_percent,ns_least,ns_most");
  }
  if (all_ok) {
    table_hide(table, "failed");
  }
  note_robust(table, tuning);
  note_untried(table, tuning);
  note_summary(table, tuning, MODEL_REFINED);
  note_summary(table, tuning, MODEL_PUBLISHED);
  return table;
}

/* Tabulate TUNING in SESSION.
 * returns: an exit code. */
static int tabulate(const struct tuning *tuning, struct session *session) {
  if (tuning->n == 0 && !session_is_partial(session)) {
    return session_refuse(session, CLI_INPUT, "nothing that was asked for can be served: %s",
                          tuning->refused);
  }
  session->table = table_of(tuning);
  with_files_tell(session, tuning, true);
  if (session->opts.nrest == 0 && tuning->unserved) {
    table_note(session->table, "calls that no algorithm serves: %zu; tune COLLECTIVE says why",
               tuning->unserved);
  }
  if (session->opts.profile && strcmp(session->opts.profile, "source") == 0) {
    session_say(session,
                "--profile source: each algorithm has the software costs of its own paper, so that a "
                "cheap message of one paper can win against a better algorithm of another one");
  }
  return sweep_outcome(&session->ledger);
}

/* Tell whether NAMES, columns of the table, have one that follows from predictions of models; no names stand
 * for all columns. */
static bool need_predictions(const struct opts_names *names) {
  static const char predicted[] = ",best_simulated,simulated_ns,best_predicted,predicted_ns,loss_percent,"
                                  "chosen_ns,candidates,best_published,published_loss_percent,"
                                  "published_candidates,";
  bool needed = names->n == 0;
  for (size_t i = 0; i < names->n && !needed; i++) {
    needed = strstr(predicted, text_brief(",%s,", names->names[i])) != NULL;
  }
  return needed;
}

/* Choose among the algorithms for PROBLEMS; NULL: for all problems. */
static int choose(struct session *session, const struct tune_problem *problems) {
  const struct opts *opts = &session->opts;
  struct tuning tuning = {0};
  struct tune_grid grid = tune_options_grid(session, problems, opts->nrest);
  grid.unpredicted = !need_predictions(&opts->columns);
  grid.margins = opts->with.n > 0; /* no call is cut: with_files_tell counts the faster ones */
  grid.skipped = opts->nrest ? sweep_skip : NULL;
  int status = 0, code = CLI_DONE;
  struct machine *machine;
  for (size_t i = 0; status == 0 && (machine = session_machine(session, i)); i++) {
    status = tune_run(&tuning, machine, &grid, session->err);
  }
  if (status != 0) {
    code = sweep_lost(&session->ledger);
  } else if (opts->samples && session->machines.n > 1) {
    code = session_refuse(session, CLI_USAGE, "--samples with several machines, expected one");
  } else if (opts->samples) {
    code = sample_machines(session, &tuning, &grid) == 0 ? CLI_DONE : CLI_INPUT;
  }
  code = code == CLI_DONE ? tabulate(&tuning, session) : code;
  tuning_fini(&tuning);
  return code;
}

int cmd_tune(struct session *session) {
  const struct opts *opts = &session->opts;
  SCOPED struct tune_problem *problems = xcalloc(opts->nrest, sizeof *problems);
  SCOPED enum collective *collectives = xcalloc(opts->nrest, sizeof *collectives);
  int status = 0;
  for (size_t i = 0; i < opts->nrest && status == 0; i++) {
    status = tune_problem_find(opts->rest[i], &problems[i], session->err);
    collectives[i] = problems[i].collective;
  }
  int code = status == 0 ? session_check_meaning(session, collectives, opts->nrest) : CLI_USAGE;
  code = code == CLI_DONE ? session_check_columns(session, columns) : code;
  code = code == CLI_DONE ? choose(session, opts->nrest ? problems : NULL) : code;
  return code;
}
