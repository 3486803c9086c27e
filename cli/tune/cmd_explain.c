/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll explain: which algorithm is the fastest for one call, how sure this is, why, what would turn it,
 * and how far the call is from what is possible; or the calls of a program (explain_program.c). Each answer
 * is a number of rows; people read the answers as sentences. */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload.h"
#include "algos/step/collective.h"
#include "cli/commands.h"
#include "cli/output/terminal.h"
#include "cli/table.h"
#include "cli/tune/explain.h"
#include "cli/tune/tune_options.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/call/call_watch.h"
#include "validate/model/tune.h"
#include "validate/model/what_if.h"
#include "validate/papers/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- text --- */

enum { INDENT = 12, COLUMNS = 80 };

static const char columns[] = "question,algorithm,subject,value,unit,version,platform_checksum";

struct explain_text explain_text_new(struct session *session, const char *what, unsigned nranks,
                                     const char *profile) {
  const struct platform *platform = session->machines.platforms[0];
  struct explain_text text = {.table = session->table = table_new(columns)};
  table_set_platform(text.table, platform);
  table_only_notes(text.table);
  table_note(text.table, "%s on %u rank%s of %s%s%s", what, nranks, text_plural(nranks),
             sweep_label(platform), *profile ? ", software costs of " : "",
             strcmp(profile, "source") == 0 ? "the paper of each algorithm" : profile);
  return text;
}

void explain_text_begin(struct explain_text *text, const char *question) {
  bool fits = strlen(question) < INDENT;
  table_note(text->table, "%s", "");
  text->question = fits ? question : "";
  if (!fits) {
    table_note(text->table, "%s", question);
  }
}

/* Add LINES behind the question. */
static void add_lines(struct explain_text *text, const char *lines) {
  table_note(text->table, "%-*s%s", INDENT, text->question, lines);
  text->question = "";
}

void explain_text_line(struct explain_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  SCOPED char *line = xvasprintf(format, arguments);
  va_end(arguments);
  add_lines(text, line);
}

void explain_text_end(struct explain_text *text) {
  if (text->paragraph) {
    SCOPED char *lines = terminal_wrapped(text->paragraph, INDENT, COLUMNS);
    lines[strlen(lines) - 1] = '\0';
    add_lines(text, lines);
  }
  free(text->paragraph);
  text->paragraph = NULL;
}

/* --- the explanation --- */

enum { CALLS = 20 /* back to back */, TIES = 5 /* names */, NAME = 30 /* columns */ };

/* One explanation under way. */
struct explanation {
  struct session *session;
  struct machine *machine;
  struct tune_problem problem;
  struct tune_grid grid;
  struct tuning tuning; /* the only decision */
  const struct tune_decision *decision;
  const struct tune_candidate *winner, *second; /* second NULL: no other algorithm */
  struct explain_text text;
};

/* --- rows --- */

/* Add a row: ALGORITHM may be NULL. */
static void add(struct explanation *x, const char *question, const struct algorithm *algorithm,
                const char *subject, double value, int decimals, const char *unit) {
  table_add(x->text.table, "%s %s %s %.*f %s", question, algorithm ? catalogue_name(algorithm) : "", subject,
            decimals, value, unit);
}

/* --- which --- */

/* Write the winner, ties, the next algorithm, files of --with, and the number of all. */
static void tell_which(struct explanation *x) {
  const struct tune_decision *decision = x->decision;
  double ghz = machine_platform(x->machine)->clock.spu;
  size_t ties = 0;
  VEC_EACH(c, decision->candidates, decision->n) {
    add(x, "which", &c->algorithm, "time", c->simulated * ghz, 0, "cycles");
  }
  explain_text_begin(&x->text, "Which?");
  explain_text_line(&x->text, "%-*s %9.0f cycles  %8.2f us", NAME,
                    catalogue_short_name(&x->winner->algorithm), x->winner->simulated * ghz,
                    x->winner->simulated / 1000);
  for (size_t i = 0; i < decision->n; i++) {
    if (tune_wins(decision, i) && &decision->candidates[i] != x->winner && ++ties <= TIES) {
      explain_text_line(&x->text, "%-*s the same time", NAME,
                        catalogue_short_name(&decision->candidates[i].algorithm));
    }
  }
  if (ties > TIES) {
    explain_text_line(&x->text, "and %zu more with the same time", ties - TIES);
  }
  VEC_EACH(c, decision->candidates, decision->n) {
    if ((c == x->second || with_files_path(x->session, c->algorithm.algo)) &&
        c->simulated > x->winner->simulated) {
      explain_text_line(&x->text, "%-*s %9.0f         %+7.1f %%", NAME, catalogue_short_name(&c->algorithm),
                        c->simulated * ghz, 100 * (c->simulated / x->winner->simulated - 1));
    }
  }
  unsigned algorithms = tune_algorithms(decision);
  const char *words = x->winner->algorithm.algo->words;
  SCOPED char *untried = tune_untried(decision);
  xappend(&x->text.paragraph, "of %u algorithm%s in %zu variant%s%s%s%s%s", algorithms,
          text_plural(algorithms), decision->n, text_plural(decision->n),
          untried ? "; not all values of " : "", untried ? untried : "",
          words ? "; the winner is a text with " : "", words ? words : "");
  explain_text_end(&x->text);
}

/* --- how sure --- */

/* Find the fastest of the candidates by TIMES, in a tie a winner of today, and in *MARGIN by how many percent
 * the fastest candidate of another algorithm takes longer; NaN: there is no other. */
static const struct tune_candidate *fastest_by(const struct tune_decision *decision, const double *times,
                                               double *margin) {
  size_t best = (size_t)(tune_fastest(decision) - decision->candidates);
  double next = INFINITY;
  for (size_t i = 0; i < decision->n; i++) {
    bool keeps = times[i] == times[best] && !tune_wins(decision, best) && tune_wins(decision, i);
    best = isnan(times[best]) || times[i] < times[best] || keeps ? i : best;
  }
  for (size_t i = 0; i < decision->n; i++) {
    bool other = decision->candidates[i].algorithm.algo != decision->candidates[best].algorithm.algo;
    next = other && times[i] < next ? times[i] : next;
  }
  *margin = isinf(next) ? NAN : times[best] > 0 ? 100 * (next / times[best] - 1) : 0;
  return &decision->candidates[best];
}

/* Tell the fastest by TIMES under WHEN, and the lead. */
static void tell_fastest(struct explanation *x, const char *when, const char *text, const double *times) {
  double margin;
  const struct tune_candidate *fastest = fastest_by(x->decision, times, &margin);
  add(x, "how sure", &fastest->algorithm, when, margin, 2, "percent");
  explain_text_line(&x->text, "  %-19s %-*s %8s", text, NAME, catalogue_short_name(&fastest->algorithm),
                    isnan(margin) ? ""
                    : margin > 0  ? text_brief("%.1f %%", margin)
                                  : "tie");
}

/* Return why the choice is not sure in CALLS calls in a row with TIMES, a lead that is less or of another
 * algorithm; NULL: the choice is as sure there. */
static const char *doubt_in_a_row(const struct explanation *x, const double *times) {
  double margin;
  const struct tune_candidate *fastest = fastest_by(x->decision, times, &margin);
  return fastest->algorithm.algo != x->winner->algorithm.algo
           ? text_brief("%s wins", catalogue_short_name(&fastest->algorithm))
         : margin < TUNE_ERROR_PERCENT ? text_brief("the lead is %.1f %%", margin)
                                       : NULL;
}

/* Say how sure the choice is; TIMES are those of CALLS calls in a row, NULL: unknown. */
static void tell_robust(struct explanation *x, const double *times) {
  const struct tune_decision *decision = x->decision;
  bool is_tie = x->second->simulated <= x->winner->simulated,
       asked = decision->nprofiles || decision->nsamples;
  double margin = is_tie ? 0 : 100 * (x->second->simulated / x->winner->simulated - 1);
  bool is_close = !is_tie && margin < TUNE_ERROR_PERCENT, robust = tune_is_robust(decision);
  add(x, "how sure", &x->second->algorithm, "margin", margin, 2, "percent");
  add(x, "how sure", &x->winner->algorithm, "robust", robust, 0, "yes=1");
  if (is_close) {
    xappend(&x->text.paragraph,
            "Not sure: the lead of %.1f %% is within the error of the simulator, %d percent.", margin,
            TUNE_ERROR_PERCENT);
  }
  const char *doubt = times && !is_tie && !is_close ? doubt_in_a_row(x, times) : NULL;
  if (doubt && (robust || !asked)) {
    xappend(&x->text.paragraph, "Not sure: in %d calls in a row %s.", CALLS, doubt);
  }
  if (asked && robust) {
    xappend(&x->text.paragraph, "%s with all software costs%s.",
            is_tie              ? "A tie"
            : is_close || doubt ? " The same choice wins"
                                : "Sure: the same choice wins",
            decision->nsamples ? " and on all drawn machines" : "");
  } else if (asked) {
    xappend(&x->text.paragraph, "%s software costs%s have another winner.",
            is_close ? " Other" : "Not sure: other", decision->nsamples ? ", or drawn machines," : "");
  } else if (!is_close && !doubt) {
    xappend(&x->text.paragraph,
            is_tie ? "A tie." : "A lead of %.1f %%, above the error of the simulator, %d percent.", margin,
            TUNE_ERROR_PERCENT);
  }
  explain_text_end(&x->text);
}

/* Fill TIMES with the cycles of CALLS calls back to back of each candidate, their mean without the first. */
static int back_to_back(struct explanation *x, double *times) {
  struct points points = {NULL, 0};
  for (size_t i = 0; i < x->decision->n; i++) {
    struct call call = tune_call(&x->grid, x->decision, &tune_alike(x->decision, i)->algorithm);
    call.repeat = CALLS;
    points_add(&points, &(struct point){.machine = x->machine, .call = call});
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

/* Say the result of sampled machines, or why there are none. */
static void tell_samples(struct explanation *x) {
  const struct tune_decision *decision = x->decision;
  double kept = tune_samples_kept(decision), ghz = machine_platform(x->machine)->clock.spu;
  SCOPED char *nothing = findings_nothing(machine_platform(x->machine));
  if (!isnan(kept)) {
    add(x, "how sure", &x->winner->algorithm, "draws", kept, 0, "percent");
    add(x, "how sure", &x->winner->algorithm, "least time on draws", x->winner->least * ghz, 0, "cycles");
    add(x, "how sure", &x->winner->algorithm, "most time on draws", x->winner->most * ghz, 0, "cycles");
    xappend(&x->text.paragraph,
            "Machines drawn at random: today's choice wins on %.0f %% of %u, in %.0f to %.0f cycles.", kept,
            decision->nsamples, x->winner->least * ghz, x->winner->most * ghz);
  } else if (nothing) {
    xappend(&x->text.paragraph, "Machines drawn at random: none, since %s.", nothing);
  } else if (decision->nprofiles) {
    xappend(&x->text.paragraph, "Machines drawn at random: ask with --samples 20.");
  }
  explain_text_end(&x->text);
}

static int tell_certainty(struct explanation *x) {
  const struct tune_decision *decision = x->decision;
  explain_text_begin(&x->text, "How sure?");
  if (!x->second) {
    explain_text_line(&x->text, "No other algorithm does this call.");
    return 0;
  }
  SCOPED double *times = xcalloc(decision->n, sizeof *times), *in_a_row = xcalloc(decision->n, sizeof *times);
  int status = back_to_back(x, in_a_row);
  tell_robust(x, status == 0 ? in_a_row : NULL);
  explain_text_line(&x->text, "  %-19s %-*s %8s", "costs of", NAME, "winner", "lead");
  for (size_t p = 0; p < decision->nprofiles; p++) {
    for (size_t i = 0; i < decision->n; i++) {
      times[i] = decision->candidates[i].under[p];
    }
    const char *name = decision->platform->profiles[p].name;
    tell_fastest(x, text_brief("costs of %s", name), name, times);
  }
  if (status == 0) {
    tell_fastest(x, "20 calls back to back", "20 calls in a row", in_a_row);
  }
  tell_samples(x);
  return status;
}

/* --- why --- */

/* Take the cycles of each group of causes, and the bytes that cross links, of ALGORITHM. */
static int take_path(struct explanation *x, const struct algorithm *algorithm, uint64_t groups[PATH_GROUPS],
                     uint64_t *crossing) {
  struct point point = {
    .machine = x->machine, .call = tune_call(&x->grid, x->decision, algorithm), .observers = CALL_PATH};
  struct points points = {&point, 1};
  struct call_result result;
  int status = ledger_calls(x->grid.ledger, &points, x->session->err);
  memset(groups, 0, PATH_GROUPS * sizeof *groups);
  *crossing = 0;
  if (status == 0 && ledger_call(x->grid.ledger, &point, &result) && result.end == CALL_OK) {
    struct pack pack = result.path;
    struct call_path found = call_unpack_path(&pack);
    path_sum_groups(found.path.totals, groups);
    *crossing = result.bif_bytes;
    call_path_fini(&found);
  }
  return status;
}

/* Write the cycles of each group of causes of the paths of the winner and of the next algorithm, the largest
 * of the winner first. */
static void tell_paths(struct explanation *x, uint64_t groups[2][PATH_GROUPS]) {
  bool told[PATH_GROUPS] = {false};
  const char *second = x->second ? text_keep(catalogue_short_name(&x->second->algorithm)) : "";
  explain_text_line(&x->text, "cycles of the critical path: %s%s%s",
                    catalogue_short_name(&x->winner->algorithm), x->second ? ", " : "", second);
  for (unsigned n = 0; n < PATH_GROUPS; n++) {
    unsigned most = PATH_GROUPS;
    for (unsigned i = 0; i < PATH_GROUPS; i++) {
      bool larger = most == PATH_GROUPS || groups[0][i] > groups[0][most] ||
                    (groups[0][i] == groups[0][most] && groups[1][i] > groups[1][most]);
      most = !told[i] && larger ? i : most;
    }
    told[most] = true;
    long long own = (long long)groups[0][most], other = (long long)groups[1][most];
    if (own || other) {
      const char *difference = x->second ? text_brief("%+lld", own - other) : "",
                 *next = x->second ? text_brief(" %9lld", other) : "";
      explain_text_line(&x->text, "  %-24s %9lld%s%9s", path_groups[most].text, own, next, difference);
    }
  }
}

static int tell_why(struct explanation *x) {
  const struct tune_candidate *both[] = {x->winner, x->second};
  uint64_t groups[2][PATH_GROUPS] = {{0}}, across[2] = {0};
  int status = 0;
  explain_text_begin(&x->text, "Why?");
  for (unsigned i = 0; i < 2 && both[i] && status == 0; i++) {
    status = take_path(x, &both[i]->algorithm, groups[i], &across[i]);
    for (unsigned k = 0; k < PATH_GROUPS; k++) {
      if (groups[i][k]) {
        add(x, "why", &both[i]->algorithm, path_groups[k].text, (double)groups[i][k], 0, "cycles");
      }
    }
    add(x, "why", &both[i]->algorithm, "bytes across links", (double)across[i], 0, "bytes");
  }
  if (status == 0) {
    tell_paths(x, groups);
  }
  if (x->second && across[0] != across[1]) {
    explain_text_line(&x->text, "  %-24s %9llu %9llu %+8lld", "bytes across links",
                      (unsigned long long)across[0], (unsigned long long)across[1],
                      (long long)(across[0] - across[1]));
  }
  return status;
}

/* --- what would turn it --- */

/* Write the turns of the choice by worse parameters, or BETTER ones; name the other parameters in *FIRM. */
static int tell_turns(struct explanation *x, bool better, char **firm) {
  const char *way = better ? "better" : "worse";
  int status = 0;
  for (size_t i = 0; i < what_if_count() && status >= 0; i++) {
    struct slack slack;
    struct algorithm winner;
    status = slack_find(x->decision, &x->grid, i, better, &slack, x->session->err);
    if (status != 1) {
      continue;
    }
    bool turns = !isnan(slack.turns) && catalogue_find(slack.winner, &winner, NULL) == 0;
    add(x, better ? "what turns it if better" : "what turns it", turns ? &winner : NULL, slack.name,
        turns ? slack.turns : slack.limit, 2,
        turns                ? "factor"
        : isnan(slack.limit) ? "nothing within 16"
                             : "nothing below this factor");
    if (!turns) {
      xappend(firm, isnan(slack.limit) ? "%s%s" : "%s%s (up to %.4g)", *firm ? ", " : "", slack.name,
              slack.limit);
      continue;
    }
    const char *again = "";
    if (!isnan(slack.back)) {
      add(x, "what turns it back", &x->winner->algorithm, slack.name, slack.back, 2, "factor");
      again = text_brief("  not from %g", slack.back);
    }
    explain_text_line(&x->text, "  %-7s %-17s %6.2f  %s%s", way, slack.name, slack.turns,
                      catalogue_short_name(&winner), again);
    way = "";
  }
  return status < 0 ? -1 : 0;
}

static int tell_slack(struct explanation *x) {
  int status = 0;
  explain_text_begin(&x->text, "What would turn it?");
  explain_text_line(&x->text, x->second ? "the first factor with another winner"
                                        : "Nothing: there is no other algorithm.");
  for (unsigned better = 0; better < 2 && status == 0 && x->second; better++) {
    SCOPED char *firm = NULL;
    status = tell_turns(x, better, &firm);
    xappend(&x->text.paragraph, "Nothing up to 16 times %s: %s.", better ? "better" : "worse",
            firm ? firm : "none");
    explain_text_end(&x->text);
  }
  return status;
}

/* --- how far from possible, and where to see it --- */

static void tell_bound(struct explanation *x) {
  const char *of;
  double bound =
    bound_cycles(x->machine, x->problem, x->decision->ranks, x->grid.root, x->decision->bytes, &of);
  explain_text_begin(&x->text, "How far from possible?");
  if (isnan(bound)) {
    xappend(&x->text.paragraph, "No bound is known of %s.",
            x->decision->platform->has_nodes ? "calls on several nodes or hosts" : "blocks of several sizes");
  } else {
    double cycles = x->winner->simulated * machine_platform(x->machine)->clock.spu,
           ratio = bound > 0 ? cycles / bound : NAN;
    add(x, "how far", NULL, of, bound, 0, "cycles");
    add(x, "how far", &x->winner->algorithm, "time over bound", ratio, 2, "ratio");
    xappend(&x->text.paragraph,
            bound > 0 ? "%.1f times the bound of %.0f cycles (%s). No program is faster than the bound."
                      : "The bound is 0 cycles.",
            ratio, bound, of);
  }
  explain_text_end(&x->text);
}

static void tell_where(struct explanation *x) {
  explain_text_begin(&x->text, "See it:");
  bool plays = !x->decision->platform->has_nodes; /* view shows one blade */
  SCOPED char *command = xasprintf("cellcoll %s", plays ? "view" : "run");
  const struct tune_candidate *both[] = {x->winner, x->second};
  for (unsigned i = 0; i < 2 && both[i]; i++) {
    const char *path = with_files_path(x->session, both[i]->algorithm.algo);
    xappend(&command, " %s", path ? path : catalogue_name(&both[i]->algorithm));
  }
  xappend(&command, " -n %u", x->decision->ranks);
  xappend(&command, collective_has_data(x->problem.collective) ? " -s %zu" : "", x->decision->bytes);
  xappend(&command, *x->decision->profile ? " --profile %s" : "", x->decision->profile);
  const struct opts *opts = &x->session->opts;
  struct opts_names words = {0};
  opts_words(&words, opts,
             (opts->given & (OPT_PLATFORM | OPT_SET | OPT_PLUGIN)) | (opts->root ? OPT_ROOT : 0));
  SCOPED char *options = opts_line(&words);
  xappend(&command, "%s%s", *options ? " " : "", options);
  opts_words_free(&words);
  xappend(&command, plays ? " -o view.html" : " --timeline call.svg");
  explain_text_line(&x->text, "%s", command);
}

/* --- the command --- */

/* Answer all questions about the one decision of X. */
static int answer(struct explanation *x) {
  bool is_tie = false;
  char problem[TUNE_NAME_SIZE];
  x->decision = &x->tuning.decisions[0];
  x->winner = tune_fastest(x->decision);
  x->second = tune_runner_up(x->decision, &is_tie);
  const char *size = units_format_bytes(x->decision->bytes), *unit = strchr(size, 'B') ? "" : " bytes";
  tune_problem_format(x->problem, problem);
  const char *what =
    text_brief(collective_has_data(x->problem.collective) ? "%s of %s%s" : "%s", problem, size, unit);
  x->text = explain_text_new(x->session, what, x->decision->ranks, x->decision->profile);
  tell_which(x);
  if (tell_certainty(x) != 0 || tell_why(x) != 0 || tell_slack(x) != 0) {
    return -1;
  }
  tell_bound(x);
  tell_where(x);
  return 0;
}

static int explain(struct explanation *x) {
  const struct platform *platform = machine_platform(x->machine);
  if (tune_run(&x->tuning, x->machine, &x->grid, x->session->err) != 0) {
    return sweep_lost(x->grid.ledger);
  }
  if (x->tuning.n == 0 || x->tuning.decisions[0].n == 0) {
    return sweep_interrupted()
             ? sweep_outcome(x->grid.ledger)
             : session_refuse(x->session, CLI_INPUT, "no algorithm does this call on %s: %s", platform->name,
                              x->tuning.refused);
  }
  SCOPED char *nothing = findings_nothing(platform);
  bool sampled = x->session->opts.samples && !nothing;
  if (sampled && sample_machines(x->session, &x->tuning, &x->grid) != 0) {
    return sweep_interrupted() ? sweep_outcome(x->grid.ledger) : CLI_INPUT;
  }
  if (answer(x) != 0) {
    return sweep_lost(x->grid.ledger);
  }
  with_files_tell(x->session, &x->tuning, false);
  return sweep_outcome(x->grid.ledger);
}

/* Options of a program, or of a collective. No row of a map names an algorithm of a file: such an algorithm
 * competes in no program. */
static const struct {
  opts_set option;
  bool of_program;
  const char *name;
} only_of[] = {{OPT_SAMPLES, false, "--samples"},
               {OPT_WITH, false, "--with"},
               {OPT_FOUND, false, "--found"},
               {OPT_MAP, true, "--map"},
               {OPT_PLACEMENT, true, "--placement"}};

int cmd_explain(struct session *session) {
  const struct opts *opts = &session->opts;
  struct explanation x = {.session = session};
  struct algorithm program;
  bool is_program = catalogue_find(opts->rest[0], &program, NULL) == 0 && workload_of_algo(program.algo);
  if (!is_program && tune_problem_find(opts->rest[0], &x.problem, session->err) != 0) {
    return CLI_USAGE;
  }
  int code =
    session_check_meaning(session, is_program ? &program.algo->collective : &x.problem.collective, 1);
  code = code == CLI_DONE ? session_check_columns(session, columns) : code;
  if (code != CLI_DONE) {
    return code;
  }
  VEC_EACH(only, only_of, VEC_LENGTH(only_of)) {
    if (opts->given & only->option && only->of_program != is_program) {
      return session_refuse(session, CLI_USAGE, "%s of a %s, expected a %s", only->name,
                            is_program ? "program" : "collective", is_program ? "collective" : "program");
    }
  }
  if (opts->ranks.n > 1 || opts->bytes.n > 1) {
    return session_refuse(session, CLI_USAGE, "several %s, expected one call (for many: tune)",
                          opts->ranks.n > 1 ? "numbers of ranks" : "sizes");
  }
  if (is_program) {
    return explain_program(session, &program);
  }
  if (!opts->bytes.n && collective_has_data(x.problem.collective)) {
    return session_refuse(session, CLI_USAGE, "no size, expected one, such as -s 4KiB");
  }
  x.grid = tune_options_grid(session, &x.problem, 1);
  x.grid.margins = true;
  x.grid.ranks = opts->ranks.n ? opts->ranks : (struct units_list)UNITS_OF(UNITS_ALL);
  x.machine = session_machine(session, 0);
  code = x.machine ? explain(&x) : CLI_DONE;
  tuning_fini(&x.tuning);
  return code;
}
