/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll explain of a program: the calls with the most cycles on the critical path, and the program run
 * again with each algorithm that can make these calls. The critical path counts, since a program gets shorter
 * only where the path gets shorter. */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload_run.h"
#include "cli/run/run_points.h"
#include "cli/session.h"
#include "cli/table.h"
#include "cli/tune/explain.h"
#include "cli/tune/tune_options.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/call/call_watch.h"
#include "validate/lab/call/placement.h"
#include "validate/lab/ledger/ledger_call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 3 /* explained */, NAME = 46 /* columns */ };

/* Calls of one line; of a trace, which has no loops, calls of a collective on as many ranks with as many
 * bytes. */
struct site {
  const char *name, *row;               /* for people; of a map */
  size_t first, ncalls;                 /* number of the first call */
  struct algorithm algorithm;           /* of the program, of the first call */
  bool is_mixed;                        /* other calls have other algorithms, by rows of a map with lines */
  struct workload_spent sum;            /* of the calls */
  uint64_t cycles, causes[PATH_GROUPS]; /* on the critical path */
  struct tuning tuning;                 /* one decision: whole programs with each algorithm at the site */
  /* the fastest, or, if the program has the fastest, the next one; NULL: no other one makes the calls */
  const struct tune_candidate *best, *next; /* NEXT: after BEST, another algorithm */
  double saved;                             /* cycles of the program, with BEST */
};

/* The explanation of a program. */
struct explanation {
  struct session *session;
  const struct workload *workload;
  struct point point;
  struct call_result result;
  struct site *sites; /* most cycles first */
  size_t nsites;
  uint64_t path; /* cycles */
  struct explain_text text;
};

typedef unsigned long long ull;

#define SEVERAL "several algorithms"

/* --- the sites, and the critical path --- */

/* Add call INDEX, which takes SPENT, to the site of the call.
 * returns: the number of the site. */
static size_t add_call(struct explanation *x, size_t index, const struct workload_spent *spent) {
  const struct workload *workload = x->workload;
  const struct workload_call *call = &workload->calls[index];
  const char *collective = collective_name(call->collective);
  unsigned nranks = workload->groups[call->group].n;
  const char *row = text_keep(workload->is_trace ? text_brief("%s/%u/%zu", collective, nranks, call->nbytes)
                                                 : text_brief("%s/*/*/%u", collective, call->line));
  struct algorithm algorithm;
  workload_choose(workload, call, x->point.call.map, &algorithm, NULL);
  size_t at = VEC_INDEX(x->sites, x->nsites, item->row == row);
  if (at == x->nsites) {
    const char *name = workload->is_trace ? row : text_keep(text_brief("line %u", call->line));
    VEC_ADD(x->sites, x->nsites) =
      (struct site){.name = name, .row = row, .first = index, .algorithm = algorithm};
  }
  struct site *site = &x->sites[at];
  site->is_mixed |= !catalogue_is_same(&algorithm, &site->algorithm);
  site->ncalls++;
  for (unsigned i = 0; i < WORKLOAD_TIMES; i++) {
    site->sum.cycles[i] += spent->cycles[i];
  }
  return at;
}

static int compare_sites(const void *a, const void *b) {
  const struct site *first = a, *second = b;
  return first->cycles == second->cycles
           ? (first->first > second->first) - (first->first < second->first)
           : (first->cycles < second->cycles) - (first->cycles > second->cycles);
}

/* List the sites of the result of X, with the segments of the critical path in calls: steps of calls have the
 * names `call NUMBER line LINE`. */
static void list_sites(struct explanation *x) {
  struct pack rows = x->result.utilisation, pack = x->result.path;
  struct call_path found = call_unpack_path(&pack);
  const struct path *path = &found.path;
  SCOPED size_t *site_of = xcalloc(x->workload->ncalls + 1, sizeof *site_of);
  struct workload_spent spent;
  const char *part;
  for (size_t i = 0; i < x->workload->ncalls && call_take_spent(&rows, &part, &spent); i++) {
    site_of[i] = add_call(x, i, &spent);
  }
  VEC_EACH(segment, path->segments, path->nsegments) {
    const char *step = path->parts[segment->part].step;
    size_t number;
    if (step && sscanf(step, "call %zu line", &number) == 1 && number - 1 < x->workload->ncalls) {
      struct site *site = &x->sites[site_of[number - 1]];
      site->cycles += segment->to - segment->from;
      site->causes[path_causes[segment->cause].group] += segment->to - segment->from;
    }
  }
  if (x->nsites) {
    qsort(x->sites, x->nsites, sizeof *x->sites, compare_sites);
  }
  while (x->nsites && x->sites[x->nsites - 1].cycles == 0) {
    x->nsites--;
  }
  x->path = path->end - path->begin;
  call_path_fini(&found);
}

/* Return the algorithm of the calls of SITE; NULL: several. */
static const struct algorithm *algorithm_of(const struct site *site) {
  return site->is_mixed ? NULL : &site->algorithm;
}

/* --- other algorithms --- */

/* Return the cycles of the program of X with CANDIDATE. */
static double cycles_with(const struct explanation *x, const struct tune_candidate *candidate) {
  return round(candidate->simulated * machine_platform(x->point.machine)->clock.spu);
}

/* Run the program of X with each other algorithm at SITE. */
static int try_others(struct explanation *x, struct site *site) {
  const struct workload_call *call = &x->workload->calls[site->first];
  const struct tune_problem problem = {call->collective, site->algorithm.algo->in_memory};
  struct tune_grid grid = tune_options_grid(x->session, &problem, 1);
  grid.all_profiles = false;
  grid.in_map = true;
  grid.profile = x->point.call.profile->name;
  grid.program = &x->point.call;
  grid.row = site->row;
  grid.ranks = (struct units_list)UNITS_OF(x->workload->groups[call->group].n);
  grid.bytes = (struct units_list)UNITS_OF(call->nbytes);
  int status = tune_run(&site->tuning, x->point.machine, &grid, x->session->err);
  if (status == 0 && site->tuning.n && site->tuning.decisions[0].n) {
    const struct tune_decision *decision = &site->tuning.decisions[0];
    const struct tune_candidate *fastest = tune_fastest(decision), *second;
    bool is_tie, is_own = !site->is_mixed && fastest->algorithm.algo == site->algorithm.algo;
    second = tune_runner_up(decision, &is_tie);
    is_own &= cycles_with(x, fastest) >= x->result.cycles;
    site->best = is_own ? second : fastest;
    site->next = is_own || !second || second->algorithm.algo == site->algorithm.algo ? NULL : second;
    site->saved = site->best ? x->result.cycles - cycles_with(x, site->best) : 0;
  }
  return status;
}

/* --- the text and the rows --- */

/* Add a row. ALGORITHM may be NULL. */
static void add(struct explanation *x, const char *question, const struct algorithm *algorithm,
                const char *subject, double value) {
  bool is_lead = strcmp(question, "how sure") == 0;
  table_add(x->text.table, "%s %s %s %.*f %s", question, algorithm ? catalogue_name(algorithm) : "", subject,
            is_lead ? 2 : 0, value, is_lead ? "percent" : "cycles");
}

/* Tell the critical path: the sites explained, and the rest. */
static void tell_where(struct explanation *x) {
  uint64_t rest = x->path;
  explain_text_begin(&x->text, "Where?");
  explain_text_line(&x->text, "%-*s %9llu cycles", NAME + 2, "critical path", (ull)x->path);
  add(x, "where", NULL, "critical path", (double)x->path);
  for (size_t i = 0; i <= x->nsites && i <= SITES; i++) {
    const struct site *site = i < x->nsites && i < SITES ? &x->sites[i] : NULL;
    uint64_t cycles = site ? site->cycles : rest;
    const struct algorithm *own = site ? algorithm_of(site) : NULL;
    const char *label = site
                          ? text_brief("%s: %s, %zu call%s", site->name, own ? catalogue_name(own) : SEVERAL,
                                       site->ncalls, text_plural(site->ncalls))
                          : "computing, messages, other calls";
    explain_text_line(&x->text, "  %-*s %9llu %6.1f %%", NAME, label, (ull)cycles,
                      x->path ? 100 * (double)cycles / (double)x->path : 0);
    add(x, "where", own, site ? site->name : "the rest", (double)cycles);
    rest -= cycles;
  }
}

/* Tell why SITE has cycles on the critical path, and how late ranks enter. */
static void tell_why(struct explanation *x, const struct site *site) {
  const double *sum = site->sum.cycles, n = (double)site->ncalls;
  double apart = (sum[WORKLOAD_LAST] - sum[WORKLOAD_FIRST]) / n, waiting = sum[WORKLOAD_WAITING] / n,
         inside = waiting + sum[WORKLOAD_COLLECTIVE] / n;
  xappend(&x->text.paragraph, "On the path:");
  for (unsigned group = 0; group < PATH_GROUPS; group++) {
    if (site->causes[group]) {
      xappend(&x->text.paragraph, " %s %llu,", path_groups[group].text, (ull)site->causes[group]);
      add(x, "why", algorithm_of(site), text_brief("%s: %s", site->name, path_groups[group].text),
          (double)site->causes[group]);
    }
  }
  xappend(&x->text.paragraph,
          " in all %llu cycles. Ranks enter %.0f cycles apart%s. A mean rank waits %.0f of "
          "its %.0f cycles in a call for the last one to enter.",
          (ull)site->cycles, apart, waiting > inside / 2 ? ": no algorithm shortens that" : "", waiting,
          inside);
  explain_text_end(&x->text);
  add(x, "late", algorithm_of(site), text_brief("%s: first to last entry", site->name), apart);
  add(x, "late", algorithm_of(site), text_brief("%s: wait for the last entry", site->name), waiting);
}

/* Tell the cycles of the program with CANDIDATE at SITE; NULL: with the algorithms of the program. */
static void tell_total(struct explanation *x, const struct site *site,
                       const struct tune_candidate *candidate) {
  const struct algorithm *algorithm = candidate ? &candidate->algorithm : algorithm_of(site);
  double cycles = candidate ? cycles_with(x, candidate) : x->result.cycles;
  explain_text_line(&x->text, "  %-*s %9.0f%s", NAME, algorithm ? catalogue_short_name(algorithm) : SEVERAL,
                    cycles,
                    candidate ? text_brief(" %+6.1f %%", 100 * (cycles / x->result.cycles - 1)) : "  now");
  add(x, "which", algorithm, site->name, cycles);
}

/* Tell what other algorithms give at SITE, and whether that is above the error of the simulator. The error is
 * one of calls, not of computing: the lead is in percent of the cycles that the site has on the critical path
 * with the faster algorithm. */
static void tell_site(struct explanation *x, const struct site *site) {
  double own = (double)site->cycles - fmax(site->saved, 0),
         lead = own > 0 ? 100 * fabs(site->saved) / own : INFINITY;
  bool is_close = lead < TUNE_ERROR_PERCENT;
  explain_text_begin(&x->text, site->name);
  tell_why(x, site);
  tell_total(x, site, NULL);
  if (!site->best) {
    explain_text_line(&x->text, "No other algorithm makes these calls.");
    return;
  }
  tell_total(x, site, site->best);
  if (site->next) {
    tell_total(x, site, site->next);
  }
  add(x, "how sure", site->saved > 0 ? &site->best->algorithm : algorithm_of(site), site->name, lead);
  if (site->saved == 0) {
    xappend(&x->text.paragraph, "A tie.");
  } else {
    xappend(&x->text.paragraph, "%s%s %s %.0f cycles%s, ", is_close ? "Not sure: " : "",
            catalogue_short_name(&site->best->algorithm), site->saved > 0 ? "saves" : "takes",
            fabs(site->saved), site->saved > 0 ? "" : " more");
    xappend(&x->text.paragraph, isinf(lead) ? "as many as the calls have on the path" : "a lead of %.1f %%",
            lead);
    xappend(&x->text.paragraph, ", %s the error of the simulator, %d percent.", is_close ? "within" : "above",
            TUNE_ERROR_PERCENT);
  }
  explain_text_end(&x->text);
}

/* Name the command that runs the program of X with MAP. */
static void tell_command(struct explanation *x, const char *map) {
  const struct opts *opts = &x->session->opts;
  const struct call *call = &x->point.call;
  const char *parameters = strchr(catalogue_short_name(&call->algorithm), ':');
  struct opts_names words = {0};
  VEC_ADD(words.names, words.n) = xasprintf("%s%s", x->workload->path, parameters ? parameters : "");
  opts_words(&words, opts, opts->given & (OPT_PLATFORM | OPT_SET | OPT_PROFILE | OPT_SEED | OPT_PLUGIN));
  SCOPED char *line = opts_line(&words);
  if (opts->given & OPT_PLACEMENT) {
    xappend(&line, " --placement ");
    placement_append(&line, &call->placement, call->nranks, ",");
  }
  xappend(&line, map ? " --map '%s'" : "", map);
  opts_words_free(&words);
  explain_text_begin(&x->text, "See it:");
  explain_text_line(&x->text, "cellcoll run %s --calls", line);
}

/* Run the program of X with the best of one site after the other, as far as they go together. */
static int tell_together(struct explanation *x) {
  struct call call = x->point.call;
  double cycles = x->result.cycles;
  explain_text_begin(&x->text, "Together?");
  for (size_t i = 0; i < x->nsites && i < SITES; i++) {
    struct site *site = &x->sites[i];
    struct call_result result;
    if (site->saved <= 0) {
      continue;
    }
    struct point point = {.machine = x->point.machine,
                          .call = tune_call(&(struct tune_grid){.program = &call, .row = site->row}, NULL,
                                            &site->best->algorithm)};
    struct points points = {&point, 1};
    if (ledger_calls(&x->session->ledger, &points, x->session->err) != 0 ||
        !ledger_call(&x->session->ledger, &point, &result)) {
      return -1;
    }
    if (*result.refused || result.end != CALL_OK) {
      xappend(&x->text.paragraph, "Not at %s as well: %s", site->name,
              *result.refused ? result.refused : result.wrong);
      explain_text_end(&x->text);
    } else {
      cycles = result.cycles;
      call = point.call;
    }
  }
  add(x, "together", NULL, "the fastest of each", cycles);
  if (cycles < x->result.cycles) {
    explain_text_line(&x->text, "%-*s %9.0f %+6.1f %%", NAME + 2, "the fastest of each", cycles,
                      100 * (cycles / x->result.cycles - 1));
  } else {
    explain_text_line(&x->text, "No other algorithm makes the program shorter.");
  }
  tell_command(x, call.map);
  return 0;
}

/* --- the command --- */

/* Answer all questions about the program of X, whose result is known. */
static int answer(struct explanation *x) {
  const struct platform *platform = machine_platform(x->point.machine);
  list_sites(x);
  const struct call *call = &x->point.call;
  x->text = explain_text_new(x->session, catalogue_name(&call->algorithm), call->nranks,
                             platform_has_spes(platform) ? call->profile->name : "");
  tell_where(x);
  for (size_t i = 0; i < x->nsites && i < SITES; i++) {
    if (try_others(x, &x->sites[i]) != 0 || sweep_interrupted()) {
      return -1;
    }
    tell_site(x, &x->sites[i]);
  }
  if (x->nsites == 0) {
    explain_text_line(&x->text, "No call of a collective is on the critical path: see run --critical-path.");
  }
  return x->nsites ? tell_together(x) : 0;
}

/* Run the program of X, and explain the result. */
static int explain(struct explanation *x) {
  struct ledger *ledger = &x->session->ledger;
  struct err *err = x->session->err;
  struct points points = {&x->point, 1};
  if (ledger_calls(ledger, &points, err) != 0) {
    return sweep_lost(ledger);
  }
  if (!ledger_call(ledger, &x->point, &x->result)) {
    return CLI_DONE;
  }
  if (*x->result.refused) {
    err_set(err, "%s", x->result.refused);
    return CLI_INPUT;
  }
  if (*x->result.wrong) {
    err_set(err, "%s: %s", call_words(&x->point.call), x->result.wrong);
    return sweep_outcome(ledger);
  }
  return answer(x) == 0 ? sweep_outcome(ledger) : sweep_lost(ledger);
}

int explain_program(struct session *session, const struct algorithm *program) {
  struct explanation x = {.session = session, .workload = workload_of_algo(program->algo)};
  struct machine *machine = session_machine(session, 0);
  struct points points = {0};
  int code = machine ? run_points_add(session, &points, machine, program, 0) : CLI_DONE;
  code = code == CLI_DONE ? run_single(session, "one run of a program is explained", points.n) : code;
  if (code == CLI_DONE && points.n) {
    x.point = *points.items;
    x.point.observers = CALL_PATH | CALL_CHAIN | CALL_CALLS;
    code = explain(&x);
  }
  VEC_EACH(site, x.sites, x.nsites) {
    tuning_fini(&site->tuning);
  }
  free(x.sites);
  free(points.items);
  return code;
}
