/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll explain: which algorithm is the fastest for one call, how sure this is, why, what would turn it,
 * and how far the call is from what is possible. Each answer is a number of rows; people read the answers as
 * sentences. */
#include "algos/catalogue.h"
#include "algos/step/collective.h"
#include "cli/commands.h"
#include "cli/tune/draw_machines.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/call_path.h"
#include "validate/model/tune.h"
#include "validate/model/what_if.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 20 /* back to back */, TIES = 10 /* names */, INDENT = 11 };

/* One explanation under way. */
struct explanation {
  struct session *session;
  struct machine *machine;
  struct tune_problem problem;
  struct tune_grid grid;
  struct tuning tuning; /* the only decision */
  const struct tune_decision *decision;
  const struct tune_candidate *winner, *second; /* second NULL: no other algorithm */
  struct table *table;
  FILE *text; /* lines of the current answer */
  char *answer;
  size_t nanswer;
};

/* --- rows and sentences --- */

/* Add a row: ALGORITHM may be NULL. */
static void add(struct explanation *x, const char *question, const struct algo_call *algorithm,
                const char *subject, double value, int decimals, const char *unit) {
  table_add(x->table, "%s %s %s %.*f %s", question, algorithm ? catalogue_name(algorithm) : "", subject,
            decimals, value, unit);
}

/* Return the name of CALL without the collective; the text lives until the next call. */
static const char *short_name(const struct algo_call *call) {
  return strchr(catalogue_name(call), ':') + 1;
}

static void __attribute__((format(printf, 2, 3))) say(const struct explanation *x, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(x->text, format, arguments);
  va_end(arguments);
}

/* Begin to write the answer to QUESTION. */
static void begin_answer(struct explanation *x, const char *question) {
  bool fits = strlen(question) < INDENT;
  if (!fits) {
    table_note(x->table, "%s", question);
  }
  x->text = open_memstream(&x->answer, &x->nanswer);
  say(x, "%-*s", INDENT, fits ? question : "");
}

/* End the answer: the lines of the answer go below the table. */
static void end(struct explanation *x) {
  fclose(x->text);
  table_note_filled(x->table, x->answer, INDENT);
  free(x->answer);
}

/* --- which --- */

/* Return the number of different algorithms among the candidates. */
static unsigned count_algorithms(const struct tune_decision *decision) {
  unsigned n = 0;
  for (size_t i = 0; i < decision->n; i++) {
    n += i == 0 || decision->candidates[i].call.algo != decision->candidates[i - 1].call.algo;
  }
  return n;
}

static void tell_which(struct explanation *x) {
  const struct tune_decision *decision = x->decision;
  double ghz = machine_platform(x->machine)->clock.spu;
  for (size_t i = 0; i < decision->n; i++) {
    const struct tune_candidate *c = &decision->candidates[i];
    add(x, "which", &c->call, "time", c->simulated * ghz, 0, "cycles");
  }
  begin_answer(x, "Which?");
  say(x, "%s", catalogue_name(&x->winner->call));
  const char *between = ", in a tie with ";
  size_t ties = 0;
  for (size_t i = 0; i < decision->n; i++) {
    if (tune_wins(decision->candidates, decision->n, i) && &decision->candidates[i] != x->winner &&
        ++ties <= TIES) {
      say(x, "%s%s", between, short_name(&decision->candidates[i].call));
      between = ", ";
    }
  }
  say(x, ties > TIES ? " and %zu more" : "", ties - TIES);
  unsigned algorithms = count_algorithms(decision);
  if (algorithms == 1) {
    say(x, decision->n == 1 ? ", the only algorithm" : ", the fastest of %zu variants of the only algorithm",
        decision->n);
  } else {
    say(x, ", the fastest of %u algorithms in %zu variants", algorithms, decision->n);
  }
  say(x, ": %.0f cycles, %.2f us%s%s.", x->winner->simulated * ghz, x->winner->simulated / 1000,
      *decision->profile ? ", with the software costs of " : "",
      strcmp(decision->profile, "source") == 0 ? "the paper of each algorithm" : decision->profile);
  end(x);
}

/* --- how sure --- */

/* Find the fastest of the candidates by TIMES, in a tie a winner of today, and in *MARGIN by how many percent
 * the fastest candidate of another algorithm takes longer; NaN: there is no other. */
static const struct tune_candidate *fastest_by(const struct tune_decision *decision, const double *times,
                                               double *margin) {
  size_t best = (size_t)(tune_fastest(decision->candidates, decision->n) - decision->candidates);
  double next = INFINITY;
  for (size_t i = 0; i < decision->n; i++) {
    bool keeps = times[i] == times[best] && !tune_wins(decision->candidates, decision->n, best) &&
                 tune_wins(decision->candidates, decision->n, i);
    best = isnan(times[best]) || times[i] < times[best] || keeps ? i : best;
  }
  for (size_t i = 0; i < decision->n; i++) {
    bool other = decision->candidates[i].call.algo != decision->candidates[best].call.algo;
    next = other && times[i] < next ? times[i] : next;
  }
  *margin = isinf(next) ? NAN : times[best] > 0 ? 100 * (next / times[best] - 1) : 0;
  return &decision->candidates[best];
}

/* Tell who is the fastest by TIMES under what WHEN says, and by how much. */
static void tell_fastest(struct explanation *x, const char *when, const double *times) {
  double margin;
  const struct tune_candidate *fastest = fastest_by(x->decision, times, &margin);
  add(x, "how sure", &fastest->call, when, margin, 2, "percent");
  say(x, "%c%s: %s wins", toupper(*when), when + 1, short_name(&fastest->call));
  say(x, isnan(margin) ? ". " : margin > 0 ? " by %.1f %%. " : ", in a tie. ", margin);
}

/* Tell which algorithm is next, and whether the choice is robust. */
static void tell_robust(struct explanation *x) {
  const struct tune_decision *decision = x->decision;
  bool robust = tune_is_robust(decision), is_tie = x->second->simulated <= x->winner->simulated;
  double margin = is_tie ? 0 : 100 * (x->second->simulated / x->winner->simulated - 1);
  add(x, "how sure", &x->second->call, "margin", margin, 2, "percent");
  add(x, "how sure", &x->winner->call, "robust", robust, 0, "yes=1");
  say(x, "The next algorithm, %s, takes ", short_name(&x->second->call));
  say(x, is_tie ? "the same time. " : "%.0f cycles, %.1f %% more. ",
      x->second->simulated * machine_platform(x->machine)->clock.spu, margin);
  bool asked = decision->nprofiles || decision->ndraws;
  const char *others = !decision->ndraws ? ""
                       : robust          ? " and on all drawn machines"
                                         : " or on a drawn machine";
  if (asked && !robust) {
    say(x, "Not sure: another choice wins with other software costs%s. ", others);
  }
  if (!is_tie && margin < TUNE_ERROR_PERCENT) {
    say(x, "%s lead below %d %% is within the error of the simulator%s. ",
        asked && robust ? "Not sure: a" : "A", TUNE_ERROR_PERCENT,
        asked && robust ? ", although the same choice wins with all software costs" : "");
  } else if (asked && robust) {
    say(x,
        is_tie ? "The tie holds with all software costs%s. "
               : "Sure: the same choice wins with all software costs%s. ",
        others);
  }
}

/* Fill TIMES with the cycles of CALLS calls back to back of each candidate, their mean without the first. */
static int back_to_back(struct explanation *x, double *times) {
  struct call_points points = {NULL, 0};
  for (size_t i = 0; i < x->decision->n; i++) {
    struct rig_spec spec = tune_spec(&x->grid, x->decision, &x->decision->candidates[i].call);
    spec.nrepeats = CALLS;
    call_points_add(&points, &(struct call_point){.machine = x->machine, .spec = spec});
  }
  int status = ledger_calls(x->grid.ledger, &points, x->session->err);
  for (size_t i = 0; i < points.n; i++) {
    struct call_result result;
    bool known = status == 0 && ledger_call(x->grid.ledger, &points.items[i], &result);
    times[i] = known && !*result.refused && result.end == CALL_OK ? result.cycles : NAN;
  }
  free(points.items);
  return status;
}

static int tell_certainty(struct explanation *x) {
  const struct tune_decision *decision = x->decision;
  double kept = tune_draws_kept(decision), ghz = machine_platform(x->machine)->clock.spu;
  begin_answer(x, "How sure?");
  if (!x->second) {
    say(x, "No other algorithm does this call.");
    end(x);
    return 0;
  }
  double *times = xcalloc(decision->n, sizeof *times);
  tell_robust(x);
  for (size_t p = 0; p < decision->nprofiles; p++) {
    for (size_t i = 0; i < decision->n; i++) {
      times[i] = decision->candidates[i].under[p];
    }
    char *when = xasprintf("costs of %s", decision->platform->profiles[p].name);
    tell_fastest(x, when, times);
    free(when);
  }
  int status = back_to_back(x, times);
  if (status == 0) {
    tell_fastest(x, "20 calls back to back", times);
  }
  if (!isnan(kept)) {
    add(x, "how sure", &x->winner->call, "draws", kept, 0, "percent");
    add(x, "how sure", &x->winner->call, "least time on draws", x->winner->least * ghz, 0, "cycles");
    add(x, "how sure", &x->winner->call, "most time on draws", x->winner->most * ghz, 0, "cycles");
    say(x, "Drawn machines: today's choice wins on %.0f %% of %u, in %.0f to %.0f cycles.", kept,
        decision->ndraws, x->winner->least * ghz, x->winner->most * ghz);
  } else if (decision->nprofiles) {
    say(x, "Drawn machines: not asked (--draws 20 asks 20).");
  }
  end(x);
  free(times);
  return status;
}

/* --- why --- */

/* Take the cycles of each group of causes, and the bytes that cross links, of CALL. */
static int take_path(struct explanation *x, const struct algo_call *call, uint64_t groups[PATH_GROUPS],
                     uint64_t *crossing) {
  struct call_point point = {
    .machine = x->machine, .spec = tune_spec(&x->grid, x->decision, call), .observers = CALL_PATH};
  struct call_points points = {&point, 1};
  struct call_result result;
  int status = ledger_calls(x->grid.ledger, &points, x->session->err);
  memset(groups, 0, PATH_GROUPS * sizeof *groups);
  *crossing = 0;
  if (status == 0 && ledger_call(x->grid.ledger, &point, &result) && result.end == CALL_OK) {
    struct pack pack = result.path;
    struct call_path found = call_unpack_path(&pack);
    for (unsigned i = 0; i < PATH_CAUSES; i++) {
      groups[path_cause_group(i)] += found.path.totals[i];
    }
    *crossing = result.bif_bytes;
    call_path_fini(&found);
  }
  return status;
}

/* Tell the path of CALL, most cycles first. */
static void tell_path(struct explanation *x, const struct algo_call *call,
                      const uint64_t groups[PATH_GROUPS]) {
  uint64_t left[PATH_GROUPS];
  memcpy(left, groups, sizeof left);
  say(x, "Critical path of %s", short_name(call));
  for (unsigned n = 0;; n++) {
    unsigned most = 0;
    for (unsigned i = 1; i < PATH_GROUPS; i++) {
      most = left[i] > left[most] ? i : most;
    }
    if (left[most] == 0) {
      say(x, n ? ". " : ": no time. ");
      return;
    }
    add(x, "why", call, path_group_text(most), (double)left[most], 0, "cycles");
    say(x, "%s%s %llu", n ? "; " : ", in cycles: ", path_group_text(most), (unsigned long long)left[most]);
    left[most] = 0;
  }
}

static int tell_why(struct explanation *x) {
  const struct tune_candidate *both[] = {x->winner, x->second};
  uint64_t groups[2][PATH_GROUPS], across[2];
  int status = 0;
  begin_answer(x, "Why?");
  for (unsigned i = 0; i < 2 && both[i] && status == 0; i++) {
    status = take_path(x, &both[i]->call, groups[i], &across[i]);
    tell_path(x, &both[i]->call, groups[i]);
    add(x, "why", &both[i]->call, "bytes across links", (double)across[i], 0, "bytes");
  }
  if (x->second && status == 0) {
    int64_t gain = 0, loss = 0;
    unsigned gained = 0, lost = 0;
    for (unsigned i = 0; i < PATH_GROUPS; i++) {
      int64_t difference = (int64_t)groups[1][i] - (int64_t)groups[0][i];
      gained = difference > gain ? i : gained;
      gain = difference > gain ? difference : gain;
      lost = difference < loss ? i : lost;
      loss = difference < loss ? difference : loss;
    }
    if (gain > 0) {
      say(x, "%s has %lld cycles less of \"%s\"", short_name(&x->winner->call), (long long)gain,
          path_group_text(gained));
      say(x, loss < 0 ? ", and %lld more of \"%s\"" : "", (long long)-loss, path_group_text(lost));
      say(x, ". ");
    }
    if (across[0] != across[1]) {
      say(x, "%llu instead of %llu bytes cross links.", (unsigned long long)across[0],
          (unsigned long long)across[1]);
    }
  }
  end(x);
  return status;
}

/* --- what would turn it --- */

static int tell_slack(struct explanation *x) {
  char *firm = NULL;
  int status = 0;
  begin_answer(x, "What would turn it?");
  for (size_t i = 0; i < what_if_count() && status >= 0 && x->second; i++) {
    struct slack slack;
    status = slack_find(x->decision, &x->grid, i, &slack, x->session->err);
    if (status != 1) {
      continue;
    }
    struct algo_call winner;
    struct err ignored = {""};
    bool turns = !isnan(slack.turns) && catalogue_find(slack.winner, &winner, &ignored) == 0;
    add(x, "what turns it", turns ? &winner : NULL, slack.name, turns ? slack.turns : slack.limit, 2,
        turns                ? "factor"
        : isnan(slack.limit) ? "nothing within 16"
                             : "nothing below this factor");
    if (!turns) {
      xappend(&firm, isnan(slack.limit) ? "%s%s" : "%s%s (cannot be %.4g times worse)", firm ? ", " : "",
              slack.name, slack.limit);
      continue;
    }
    say(x, "%s %.2f times worse: %s wins", slack.name, slack.turns, strchr(slack.winner, ':') + 1);
    if (!isnan(slack.back)) {
      add(x, "what turns it back", &x->winner->call, slack.name, slack.back, 2, "factor");
      say(x, " (today's choice again at %g)", slack.back);
    }
    say(x, ". ");
  }
  if (!x->second) {
    say(x, "Nothing: there is no other algorithm.");
  } else {
    say(x, "No turn up to 16 times worse: %s.", firm ? firm : "none");
  }
  free(firm);
  end(x);
  return status < 0 ? -1 : 0;
}

/* --- how far from possible, and where to see it --- */

static void tell_bound(struct explanation *x) {
  const char *of;
  double bound =
    bound_cycles(x->machine, x->problem, x->decision->ranks, x->grid.root, x->decision->bytes, &of);
  begin_answer(x, "How far from possible?");
  if (isnan(bound)) {
    say(x, "No bound is known of %s.",
        x->decision->platform->has_nodes ? "calls on several nodes or hosts" : "blocks of several sizes");
  } else {
    double cycles = x->winner->simulated * machine_platform(x->machine)->clock.spu,
           ratio = bound > 0 ? cycles / bound : NAN;
    add(x, "how far", NULL, of, bound, 0, "cycles");
    add(x, "how far", &x->winner->call, "time over bound", ratio, 2, "ratio");
    say(x,
        bound > 0 ? "%.1f times the bound of %.0f cycles (%s). No program is faster than the bound."
                  : "The bound is 0 cycles.",
        ratio, bound, of);
  }
  end(x);
}

static void tell_where(struct explanation *x) {
  begin_answer(x, "See it:");
  bool plays = !x->decision->platform->has_nodes; /* view shows one blade */
  say(x, "cellcoll %s %s", plays ? "view" : "run", catalogue_name(&x->winner->call));
  if (x->second) {
    say(x, " %s", catalogue_name(&x->second->call));
  }
  say(x, " -n %u", x->decision->ranks);
  if (collective_has_data(x->problem.collective)) {
    say(x, " -s %zu", x->decision->bytes);
  }
  if (*x->decision->profile) {
    say(x, " --profile %s", x->decision->profile);
  }
  const struct opts *opts = &x->session->opts;
  struct opts_names words = {0};
  opts_words(&words, opts,
             (opts->given & (OPT_PLATFORM | OPT_SET | OPT_PLUGIN)) | (opts->root ? OPT_ROOT : 0));
  char *line = opts_line(&words);
  say(x, "%s%s", *line ? " " : "", line);
  free(line);
  opts_words_free(&words);
  say(x, plays ? " -o view.html" : " --timeline call.svg");
  end(x);
}

/* --- the command --- */

/* Answer all questions about the one decision of X. */
static int answer(struct explanation *x) {
  bool is_tie = false;
  x->decision = &x->tuning.decisions[0];
  x->winner = tune_fastest(x->decision->candidates, x->decision->n);
  x->second = tune_runner_up(x->decision->candidates, x->decision->n, &is_tie);
  x->table = x->session->table = table_new("question,algorithm,subject,value,unit,version,platform_checksum");
  table_set_platform(x->table, x->decision->platform);
  table_only_notes(x->table);
  tell_which(x);
  if (tell_certainty(x) != 0 || tell_why(x) != 0 || tell_slack(x) != 0) {
    return -1;
  }
  tell_bound(x);
  tell_where(x);
  return 0;
}

static int explain_on(void *context, struct machine *machine, struct err *err) {
  struct explanation *x = context;
  x->machine = machine;
  if (tune_run(&x->tuning, machine, &x->grid, err) != 0) {
    return sweep_lost(x->grid.ledger);
  }
  if (x->tuning.n == 0 || x->tuning.decisions[0].n == 0) {
    return sweep_interrupted()
             ? sweep_outcome(x->grid.ledger)
             : session_refuse(x->session, CLI_INPUT, "no algorithm does this call on %s: %s",
                              machine_platform(machine)->name, x->tuning.refused);
  }
  if (x->session->opts.draws && draw_machines(x->session, &x->tuning, &x->grid, err) != 0) {
    return sweep_interrupted() ? sweep_outcome(x->grid.ledger) : CLI_INPUT;
  }
  return answer(x) == 0 ? sweep_outcome(x->grid.ledger) : sweep_lost(x->grid.ledger);
}

int cmd_explain(struct session *session) {
  const struct opts *opts = &session->opts;
  struct explanation x = {.session = session};
  if (tune_problem_find(opts->rest[0], &x.problem, session->err) != 0) {
    return CLI_USAGE;
  }
  int code = session_check_meaning(session, &x.problem.collective, 1);
  if (code != CLI_DONE) {
    return code;
  }
  if (opts->ranks.n > 1 || opts->bytes.n > 1) {
    return session_refuse(session, CLI_USAGE, "several %s, expected one call (for many: tune)",
                          opts->ranks.n > 1 ? "numbers of ranks" : "sizes");
  }
  if (!opts->bytes.n && collective_has_data(x.problem.collective)) {
    return session_refuse(session, CLI_USAGE, "no size, expected one, such as -s 4KiB");
  }
  static uint64_t all = UNITS_ALL;
  x.grid =
    (struct tune_grid){.ledger = &session->ledger,
                       .problems = &x.problem,
                       .nproblems = 1,
                       .ranks = opts->ranks.n ? opts->ranks : (struct units_list){.values = &all, .n = 1},
                       .bytes = opts->bytes,
                       .root = opts->root,
                       .seed = opts->seed,
                       .profile = opts->profile,
                       .all_profiles = true,
                       .unpredicted = true,
                       .alone = true,
                       .wrong = sweep_complain};
  code = session_machines(session, explain_on, &x);
  tuning_fini(&x.tuning);
  return code;
}
