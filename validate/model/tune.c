/* SPDX-License-Identifier: BSD-3-Clause
 * The simulations of one decision are adjacent in the list of simulations, so that an interruption leaves
 * only few decisions with a part of the candidates. */
#include "validate/model/tune.h"

#include "algos/catalogue.h"
#include "algos/step/collective.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/call/placement.h"
#include "validate/lab/call/usual_ranks.h"
#include "validate/model/evaluation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 2 * COLL_COUNT };

/* --- problems --- */

/* Return the problem with number INDEX, below PROBLEMS. */
static struct tune_problem problem_of(size_t index) {
  return (struct tune_problem){.collective = (enum collective)(index / 2), .in_memory = index % 2 != 0};
}

void tune_problem_format(struct tune_problem problem, char name[TUNE_NAME_SIZE]) {
  snprintf(name, TUNE_NAME_SIZE, "%s%s", collective_name(problem.collective), problem.in_memory ? "-mm" : "");
}

static bool solves(const struct algo *algo, struct tune_problem problem) {
  return algo->collective == problem.collective && algo->in_memory == problem.in_memory && !algo->is_open;
}

/* Tell whether there are algorithms for PROBLEM; with SPANS_NODES, algorithms for PROBLEM on several nodes.
 */
static bool is_solved(struct tune_problem problem, bool spans_nodes) {
  bool some = false;
  for (size_t i = 0; i < catalogue_size; i++) {
    some |= solves(catalogue[i], problem) && (catalogue[i]->spans_nodes || !spans_nodes);
  }
  return some;
}

int tune_problem_find(const char *name, struct tune_problem *problem, struct err *err) {
  char names[PROBLEMS][TUNE_NAME_SIZE];
  const char *known[PROBLEMS];
  size_t n = 0;
  for (size_t i = 0; i < PROBLEMS; i++) {
    *problem = problem_of(i);
    if (is_solved(*problem, false)) {
      tune_problem_format(*problem, names[n]);
      if (strcmp(names[n], name) == 0) {
        return 0;
      }
      known[n] = names[n];
      n++;
    }
  }
  struct algorithm algorithm;
  struct err ignored = {""};
  if (catalogue_find(name, &algorithm, &ignored) == 0) {
    tune_problem_format((struct tune_problem){algorithm.algo->collective, algorithm.algo->in_memory},
                        names[0]);
    return err_set(err, "'%s' is an algorithm, expected a collective: '%s'", name, names[0]);
  }
  const char *nearest = collective_meant(name);
  nearest = nearest ? nearest : suggest_nearest(name, known, n);
  for (size_t i = 0; i < n; i++) {
    size_t length = strlen(name);
    if (strncmp(known[i], name, length) == 0 && strcmp(known[i] + length, "-mm") == 0) {
      return err_set(err, "collective '%s' has algorithms on data in main memory only: '%s'", name, known[i]);
    }
  }
  return nearest
           ? err_set(err, "unknown collective '%s'; did you mean '%s'?", name, nearest)
           : err_set(err, "unknown collective '%s', expected one of 'list collectives', or with -mm", name);
}

/* --- the list of simulations --- */

/* The use of a simulation: the time of a candidate under a profile. The first simulation of a candidate is
 * under the profile of the choice. */
struct purpose {
  size_t decision, candidate, profile; /* numbers */
  bool is_first;
};

/* A machine on which decisions are made. */
struct work {
  const struct tune_grid *grid;
  struct tuning *tuning;
  struct machine *machine;
  const struct platform *platform; /* of the machine */
  size_t nprofiles;                /* profiles of all simulations; 0: only the profile of the choice */
  struct points points;
  bool *unpredicted;        /* per point */
  struct purpose *purposes; /* per point */
  size_t *left;             /* per decision: simulations that have not been tried yet */
};

/* List the simulation of CALL for the newest candidate. */
static void list_simulation(struct work *work, const struct call *call, bool is_first) {
  size_t first = work->points.n, second = first, decision = work->tuning->n - 1;
  points_add(&work->points, &(struct point){.machine = work->machine, .call = *call});
  VEC_ADD(work->unpredicted, first) = !is_first || work->grid->unpredicted;
  VEC_ADD(work->purposes, second) =
    (struct purpose){.decision = decision,
                     .candidate = work->tuning->decisions[decision].n - 1,
                     .profile = (size_t)(call->profile - work->platform->profiles),
                     .is_first = is_first};
}

/* Return ALGORITHM of PROBLEM on NRANKS ranks with NBYTES, without its profile. */
static struct call spec_of(const struct tune_grid *grid, const struct algorithm *algorithm,
                           struct tune_problem problem, unsigned nranks, size_t nbytes) {
  return (struct call){.algorithm = *algorithm,
                       .nranks = nranks,
                       .root = usual_root(problem.collective, grid->root),
                       .nbytes = nbytes,
                       .repeat = 1,
                       .lengths_only = grid->lengths_only,
                       .seed = grid->seed,
                       .skew_seed = grid->seed};
}

struct call tune_call(const struct tune_grid *grid, const struct tune_decision *decision,
                      const struct algorithm *algorithm) {
  struct call call = spec_of(grid, algorithm, decision->problem, decision->ranks, decision->bytes);
  call.profile = rig_compared(decision->platform, grid->profile, algorithm);
  return call;
}

/* Tell whether ALGORITHM is like an earlier candidate of ALIKE, a decision or NULL. */
static bool is_like_another(const struct tune_decision *alike, const struct algorithm *algorithm) {
  const struct tune_candidate *same = alike ? tune_same(alike, algorithm) : NULL;
  return same && tune_alike(alike, (size_t)(same - alike->candidates)) != same;
}

/* List CALL, if the platform has the software costs, as a candidate of the newest decision. */
static void list_call(struct work *work, struct call *call) {
  struct tune_decision *decision = &work->tuning->decisions[work->tuning->n - 1];
  const struct profile *own = call->profile =
    rig_compared(work->platform, work->grid->profile, &call->algorithm);
  if (!own || is_like_another(work->grid->alike, &call->algorithm)) {
    return;
  }
  const struct algorithm *unlimited = work->grid->unlimited;
  call->limit = unlimited && catalogue_is_same(unlimited, &call->algorithm) ? 0 : work->grid->limit;
  double *under = xcalloc(work->nprofiles + 1, sizeof *under);
  VEC_ADD(decision->candidates, decision->n) = (struct tune_candidate){
    .algorithm = call->algorithm, .simulated = NAN, .under = under, .least = NAN, .most = NAN};
  list_simulation(work, call, true);
  for (size_t p = 0; p < work->nprofiles; p++) {
    under[p] = NAN;
    call->profile = &work->platform->profiles[p];
    if (call->profile != own) {
      list_simulation(work, call, false);
    }
  }
}

/* Tell whether a parameter of ALGORITHM that is an algorithm is not the default. */
static bool has_other_algorithm(const struct algorithm *algorithm) {
  const struct coll_param *params = algorithm->algo->params;
  bool other = false;
  for (unsigned p = 0; p < COLL_PARAMS_MAX && params[p].name; p++) {
    other |= params[p].algorithm && algorithm->values[p] != params[p].initial;
  }
  return other;
}

/* List CALL, of several nodes, that differ from the default in one parameter that is an
 * algorithm. */
static void list_algorithms(struct work *work, struct call *call) {
  call->algorithm = catalogue_call(call->algorithm.algo);
  while (catalogue_next(&call->algorithm)) {
    if (has_other_algorithm(&call->algorithm)) {
      list_call(work, call);
    }
  }
}

/* List the decision on PROBLEM with NRANKS and NBYTES, and its candidates. */
static void list_decision(struct work *work, struct tune_problem problem, unsigned nranks, size_t nbytes) {
  struct tuning *tuning = work->tuning;
  size_t before = work->points.n, last = tuning->n;
  const char *of;
  double bound = bound_cycles(work->machine, problem, nranks,
                              usual_root(problem.collective, work->grid->root), nbytes, &of);
  VEC_ADD(tuning->decisions, tuning->n) = (struct tune_decision){
    .platform = work->platform,
    .problem = problem,
    .ranks = nranks,
    .bytes = nbytes,
    .profile = platform_has_spes(work->platform) ? rig_comparison(work->platform, work->grid->profile) : "",
    .nprofiles = work->nprofiles,
    .bound = bound / work->platform->clock.spu};
  for (size_t i = 0; i < catalogue_size; i++) {
    if (solves(catalogue[i], problem)) {
      SCOPED struct algorithm *calls = NULL;
      size_t n = evaluation_variants(catalogue[i], nranks, &calls);
      struct call call = spec_of(work->grid, &calls[0], problem, nranks, nbytes);
      for (size_t k = 0; k < n; k++) {
        call.algorithm = calls[k];
        list_call(work, &call);
      }
      if (catalogue[i]->spans_nodes) {
        list_algorithms(work, &call);
      }
    }
  }
  work->left = xrealloc(work->left, tuning->n, sizeof *work->left);
  work->left[last] = work->points.n - before;
}

char *tune_untried(const struct tune_decision *decision) {
  char *text = NULL;
  const struct algo *before = NULL;
  for (size_t i = 0; i < decision->n; i++) {
    const struct algo *algo = decision->candidates[i].algorithm.algo;
    for (unsigned p = 0; algo != before && p < COLL_PARAMS_MAX && algo->params[p].name; p++) {
      if (!evaluation_tries_all(algo, p, decision->ranks)) {
        xappend(&text, "%s%s:%s:%s", text ? ";" : "", collective_name(algo->collective), algo->name,
                algo->params[p].name);
      }
    }
    before = algo;
  }
  return text;
}

/* List all decisions on PROBLEM. */
static void list_problem(struct work *work, struct tune_problem problem) {
  const struct tune_grid *grid = work->grid;
  const struct units_list *bytes = usual_sizes(problem.collective, &grid->bytes, &usual_bytes);
  uint64_t usual[USUAL_RANKS_MAX];
  unsigned nspes = usual_ranks_most(work->platform), nodes = placement_machine_nodes(work->platform);
  struct units_list ranks = grid->ranks.n ? grid->ranks : (struct units_list){.values = usual};
  if (!grid->ranks.n) {
    ranks.n = usual_ranks(nspes, false, usual);
    ranks.n += is_solved(problem, true) ? usual_ranks_of_nodes(nspes, nodes, usual + ranks.n) : 0;
  }
  for (size_t i = 0; i < ranks.n; i++) {
    for (size_t j = 0; j < bytes->n; j++) {
      list_decision(work, problem, placement_ranks(ranks.values[i], work->platform), bytes->values[j]);
    }
  }
}

static void add_failure(struct tune_decision *decision, const struct call *call, enum call_end end) {
  VEC_ADD(decision->failures, decision->nfailures) = (struct tune_failure){call->algorithm, end};
}

/* Take TRIAL, the first simulation of CANDIDATE of DECISION. A candidate without a time does not compete. */
static void take_first(const struct work *work, struct tune_decision *decision,
                       struct tune_candidate *candidate, const struct evaluation *evaluation) {
  double ghz = work->platform->clock.spu;
  if (evaluation->wrong) {
    add_failure(decision, evaluation->call, evaluation->end);
    decision->nstopped++;
  } else if (evaluation->refused) {
    decision->refused = decision->refused ? decision->refused : xstrdup(evaluation->refused);
  } else {
    if (evaluation->predicted[MODEL_REFINED].unmeasured ||
        evaluation->predicted[MODEL_PUBLISHED].unmeasured) {
      add_failure(decision, evaluation->call, CALL_UNPREDICTED);
    }
    candidate->simulated = evaluation->cycles / ghz;
    candidate->calls = evaluation->calls;
    for (enum model model = 0; model < MODEL_COUNT; model++) {
      candidate->predicted[model] = evaluation->predicted[model].middle / ghz;
    }
  }
}

static void take(void *context, size_t index, const struct evaluation *evaluation) {
  struct work *work = context;
  const struct purpose *purpose = &work->purposes[index];
  struct tune_decision *decision = &work->tuning->decisions[purpose->decision];
  struct tune_candidate *candidate = &decision->candidates[purpose->candidate];
  work->left[purpose->decision]--;
  if (purpose->is_first) {
    take_first(work, decision, candidate, evaluation);
  } else if (isnan(candidate->simulated)) {
    return; /* refused, wrong, or missing after an interruption */
  }
  if (evaluation->wrong && work->grid->wrong) {
    work->grid->wrong(evaluation->wrong);
  }
  if (!evaluation->wrong && !evaluation->refused && work->nprofiles > 0) {
    candidate->under[purpose->profile] = evaluation->cycles / work->platform->clock.spu;
  }
}

/* Release what DECISION holds. */
static void decision_fini(struct tune_decision *decision) {
  for (size_t i = 0; i < decision->n; i++) {
    free(decision->candidates[i].under);
  }
  free(decision->candidates);
  free(decision->failures);
  free(decision->refused);
}

/* Release the candidates of DECISION without a time. */
static void keep_candidates(struct tune_decision *decision) {
  size_t n = 0;
  for (size_t i = 0; i < decision->n; i++) {
    if (isnan(decision->candidates[i].simulated)) {
      free(decision->candidates[i].under);
    } else {
      decision->candidates[n++] = decision->candidates[i];
    }
  }
  decision->n = n;
}

/* Tell that no algorithm serves the call of DECISION, and why the first one does not. */
static void tell_unserved(struct tuning *tuning, const struct tune_decision *decision,
                          void (*skipped)(const char *why)) {
  char name[TUNE_NAME_SIZE], why[512];
  const char *refused = decision->refused ? decision->refused : "the platform has no software costs for it";
  tune_problem_format(decision->problem, name);
  if (tuning->unserved++ == 0) {
    snprintf(tuning->refused, sizeof tuning->refused, "%s", refused);
  }
  snprintf(why, sizeof why, "%s on %u rank%s with %zu bytes: no algorithm applies: %s", name, decision->ranks,
           text_plural(decision->ranks), decision->bytes, refused);
  if (skipped) {
    skipped(why);
  }
}

/* Of the decisions from FIRST on keep the complete decisions with an algorithm; release the others. */
static void keep_choices(struct work *work, size_t first) {
  struct tuning *tuning = work->tuning;
  size_t kept = first;
  for (size_t d = first; d < tuning->n; d++) {
    struct tune_decision decision = tuning->decisions[d];
    keep_candidates(&decision);
    if (work->left[d] == 0 && decision.n + decision.nstopped > 0) {
      tuning->decisions[kept++] = decision;
      continue;
    }
    if (work->left[d] == 0) {
      tell_unserved(tuning, &decision, work->grid->skipped);
    }
    decision_fini(&decision);
  }
  tuning->n = kept;
}

int tune_run(struct tuning *tuning, struct machine *machine, const struct tune_grid *grid, struct err *err) {
  const struct platform *platform = machine_platform(machine);
  struct work work = {.grid = grid,
                      .tuning = tuning,
                      .machine = machine,
                      .platform = platform,
                      .nprofiles =
                        grid->all_profiles && platform_has_spes(platform) ? platform->nprofiles : 0};
  size_t first = tuning->n;
  work.left = xcalloc(first + 1, sizeof *work.left);
  for (size_t i = 0; i < (grid->problems ? grid->nproblems : PROBLEMS); i++) {
    list_problem(&work, grid->problems ? grid->problems[i] : problem_of(i));
  }
  struct evaluations evaluations = {.ledger = grid->ledger,
                                    .machine = machine,
                                    .points = &work.points,
                                    .unpredicted = work.unpredicted,
                                    .all = true,
                                    .take = take,
                                    .complain = grid->wrong,
                                    .context = &work};
  int status = evaluations_run(&evaluations, err);
  tuning->interrupted |= evaluations.interrupted;
  keep_choices(&work, first);
  free(work.points.items);
  free(work.unpredicted);
  free(work.purposes);
  free(work.left);
  return status;
}

void tuning_fini(struct tuning *tuning) {
  for (size_t i = 0; i < tuning->n; i++) {
    decision_fini(&tuning->decisions[i]);
  }
  free(tuning->decisions);
  *tuning = (struct tuning){0};
}
