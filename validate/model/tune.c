/* SPDX-License-Identifier: BSD-3-Clause
 * See tune.h.
 *
 * The simulations of one decision are adjacent in the list of simulations, so that an interruption leaves
 * only few decisions with a part of the candidates. */
#include "validate/model/tune.h"

#include "algos/catalogue.h"
#include "algos/step/collective.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/hw/blade.h"
#include "validate/lab/placement.h"
#include "validate/lab/usual_ranks.h"
#include "validate/model/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 2 * COLL_COUNT, VALUES_MAX = COLL_CHOICES_MAX + COLL_COMPARED_MAX + 1 + CATALOGUE_NUMBERS };

/* --- problems --- */

/* Return the problem with number INDEX, below PROBLEMS. */
static struct tune_problem problem_of(size_t index) {
  return (struct tune_problem){.collective = (enum collective)(index / 2), .in_memory = index % 2 != 0};
}

void tune_problem_format(struct tune_problem problem, char name[TUNE_NAME_SIZE]) {
  snprintf(name, TUNE_NAME_SIZE, "%s%s", collective_name(problem.collective), problem.in_memory ? "-mm" : "");
}

static bool solves(const struct algo *algo, struct tune_problem problem) {
  return algo->collective == problem.collective && algo->in_memory == problem.in_memory;
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
  struct algo_call call;
  struct err ignored = {""};
  if (catalogue_find(name, &call, &ignored) == 0) {
    tune_problem_format((struct tune_problem){call.algo->collective, call.algo->in_memory}, names[0]);
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

/* The use of a simulation: a time of a candidate. The first simulation of a candidate is under the profile of
 * the choice. */
struct purpose {
  size_t decision, first, under; /* numbers of a decision, a simulation, a profile */
};

/* A machine on which decisions are made. */
struct work {
  const struct tune_grid *grid;
  struct tuning *tuning;
  struct blade *blade;
  size_t nprofiles; /* profiles of all simulations; 0: only the profile of the choice */
  struct call_points points;
  bool *unpredicted;        /* per point */
  struct purpose *purposes; /* per point */
  /* the candidate of simulation newest_first; NULL: the algorithm does not compete */
  struct tune_candidate *newest;
  size_t newest_first;
  size_t *left; /* per decision: simulations that have not been tried yet */
};

/* Write the values of PARAM that compete into VALUES.
 * returns: how many. */
static unsigned values_of(const struct coll_param *param, unsigned values[]) {
  unsigned n = 0, step = param->multiple ? param->multiple : 1;
  if (param->algorithm) {
    values[n++] = 0; /* the default */
    return n;
  }
  if (param->choices[0].word) {
    for (; n < COLL_CHOICES_MAX && param->choices[n].word; n++) {
      values[n] = n;
    }
    return n;
  }
  for (; n < COLL_COMPARED_MAX && param->compared[n]; n++) {
    values[n] = param->compared[n];
  }
  if (n == 0) {
    values[n++] = param->initial;
    for (unsigned i = 0; i < CATALOGUE_NUMBERS && param->least + i * step <= param->most; i++) {
      if (param->least + i * step != param->initial) {
        values[n++] = param->least + i * step;
      }
    }
  }
  return n;
}

/* List the simulation of SPEC, for PURPOSE. */
static void list_simulation(struct work *work, const struct rig_spec *spec, struct purpose purpose) {
  size_t n = work->points.n, first = n, second = n;
  call_points_add(&work->points, &(struct call_point){.blade = work->blade, .spec = *spec});
  VEC_ADD(work->unpredicted, first) = purpose.first != n || work->grid->unpredicted;
  VEC_ADD(work->purposes, second) = purpose;
}

/* Return CALL of PROBLEM on NRANKS ranks with NBYTES, without its profile. */
static struct rig_spec spec_of(const struct tune_grid *grid, const struct algo_call *call,
                               struct tune_problem problem, unsigned nranks, size_t nbytes) {
  return (struct rig_spec){.call = *call,
                           .nranks = nranks,
                           .root = usual_root(problem.collective, grid->root),
                           .nbytes = nbytes,
                           .nrepeats = 1,
                           .seed = grid->seed,
                           .skew_seed = grid->seed};
}

struct rig_spec tune_spec(const struct tune_grid *grid, const struct tune_decision *decision,
                          const struct algo_call *call) {
  struct rig_spec spec = spec_of(grid, call, decision->problem, decision->ranks, decision->bytes);
  spec.profile = rig_compared(decision->platform, grid->profile, call);
  return spec;
}

/* List the call of SPEC, if the platform has the software costs. */
static void list_call(struct work *work, struct rig_spec *spec) {
  const struct platform *platform = blade_platform(work->blade);
  spec->profile = rig_compared(platform, work->grid->profile, &spec->call);
  if (!spec->profile) {
    return;
  }
  size_t own = (size_t)(spec->profile - platform->profiles), first = work->points.n;
  list_simulation(work, spec, (struct purpose){work->tuning->n, first, own});
  for (size_t p = 0; p < work->nprofiles; p++) {
    spec->profile = &platform->profiles[p];
    if (p != own) {
      list_simulation(work, spec, (struct purpose){work->tuning->n, first, p});
    }
  }
}

/* List the call of SPEC with all values of the parameters from number P on; parameters that are algorithms
 * keep their defaults. */
static void list_variants(struct work *work, struct rig_spec *spec, unsigned p) {
  const struct coll_param *param = &spec->call.algo->params[p];
  unsigned values[VALUES_MAX];
  if (p == COLL_PARAMS_MAX || !param->name) {
    list_call(work, spec);
    return;
  }
  unsigned n = values_of(param, values);
  for (unsigned i = 0; i < n; i++) {
    spec->call.values[p] = values[i];
    list_variants(work, spec, p + 1);
  }
}

/* Tell whether a parameter of CALL that is an algorithm is not the default. */
static bool has_other_algorithm(const struct algo_call *call) {
  const struct coll_param *params = call->algo->params;
  bool other = false;
  for (unsigned p = 0; p < COLL_PARAMS_MAX && params[p].name; p++) {
    other |= params[p].algorithm && call->values[p] != params[p].initial;
  }
  return other;
}

/* List the calls of SPEC, of several nodes, that differ from the default in one parameter that is an
 * algorithm. */
static void list_algorithms(struct work *work, struct rig_spec *spec) {
  spec->call = catalogue_call(spec->call.algo);
  while (catalogue_next(&spec->call)) {
    if (has_other_algorithm(&spec->call)) {
      list_call(work, spec);
    }
  }
}

/* List the decision on PROBLEM with NRANKS and NBYTES, and its candidates. */
static void list_decision(struct work *work, struct tune_problem problem, unsigned nranks, size_t nbytes) {
  struct tuning *tuning = work->tuning;
  const struct platform *platform = blade_platform(work->blade);
  size_t before = work->points.n;
  const char *of;
  for (size_t i = 0; i < catalogue_size; i++) {
    if (solves(catalogue[i], problem)) {
      struct algo_call call = catalogue_call(catalogue[i]);
      struct rig_spec spec = spec_of(work->grid, &call, problem, nranks, nbytes);
      list_variants(work, &spec, 0);
      if (catalogue[i]->spans_nodes) {
        list_algorithms(work, &spec);
      }
    }
  }
  if (work->points.n - before <= work->nprofiles && !work->grid->alone) {
    /* there is no choice: one simulation tells whether the algorithm applies */
    work->points.n = before + (work->points.n > before);
  }
  work->left = xrealloc(work->left, tuning->n + 1, sizeof *work->left);
  size_t ncandidates = work->left[tuning->n] = work->points.n - before;
  VEC_ADD(tuning->decisions, tuning->n) = (struct tune_decision){
    .platform = platform,
    .problem = problem,
    .ranks = nranks,
    .bytes = nbytes,
    .profile = platform_has_spes(platform) ? rig_comparison(platform, work->grid->profile) : "",
    .nprofiles = work->nprofiles,
    .bound = bound_cycles(work->blade, problem, nranks, usual_root(problem.collective, work->grid->root),
                          nbytes, &of) /
             blade_ghz(work->blade),
    .candidates = xcalloc(ncandidates, sizeof(struct tune_candidate)),
    .under = xcalloc(ncandidates * work->nprofiles + 1, sizeof(double))};
}

/* List all decisions on PROBLEM. */
static void list_problem(struct work *work, struct tune_problem problem) {
  const struct tune_grid *grid = work->grid;
  const struct units_list *bytes = usual_sizes(problem.collective, &grid->bytes, &usual_bytes);
  uint64_t usual[USUAL_RANKS_MAX];
  unsigned nspes = usual_ranks_most(work->blade), nodes = placement_machine_nodes(work->blade);
  struct units_list ranks = grid->ranks.n ? grid->ranks : (struct units_list){.values = usual};
  if (!grid->ranks.n) {
    ranks.n = usual_ranks(nspes, false, usual);
    ranks.n += is_solved(problem, true) ? usual_ranks_of_nodes(nspes, nodes, usual + ranks.n) : 0;
  }
  for (size_t i = 0; i < ranks.n; i++) {
    for (size_t j = 0; j < bytes->n; j++) {
      list_decision(work, problem, placement_ranks(ranks.values[i], work->blade), bytes->values[j]);
    }
  }
}

static void add_failure(struct tune_decision *decision, const struct rig_spec *spec, enum call_end end) {
  VEC_ADD(decision->failures, decision->nfailures) = (struct tune_failure){spec->call, end};
}

/* Take TRIAL, the first simulation of a candidate of DECISION.
 * returns: the candidate; NULL: the algorithm does not compete. */
static struct tune_candidate *take_first(struct work *work, struct tune_decision *decision,
                                         const struct trial *trial) {
  double ghz = blade_ghz(work->blade);
  if (trial->wrong) {
    add_failure(decision, trial->spec, trial->end);
    decision->nstopped++;
    if (work->grid->wrong) {
      work->grid->wrong(trial->wrong);
    }
  }
  if (trial->refused && !*work->tuning->refused) {
    snprintf(work->tuning->refused, sizeof work->tuning->refused, "%s", trial->refused);
  }
  if (trial->refused || trial->wrong) {
    return NULL;
  }
  if (trial->predicted[MODEL_REFINED].unmeasured || trial->predicted[MODEL_PUBLISHED].unmeasured) {
    add_failure(decision, trial->spec, CALL_UNPREDICTED);
  }
  struct tune_candidate *candidate = &decision->candidates[decision->n];
  candidate->call = trial->spec->call;
  candidate->simulated = trial->cycles / ghz;
  candidate->least = candidate->most = NAN;
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    candidate->predicted[model] = trial->predicted[model].middle / ghz;
  }
  candidate->under = decision->under + decision->n++ * work->nprofiles;
  for (size_t p = 0; p < work->nprofiles; p++) {
    candidate->under[p] = NAN;
  }
  return candidate;
}

static void take(void *context, size_t index, const struct trial *trial) {
  struct work *work = context;
  const struct purpose *purpose = &work->purposes[index];
  bool is_first = purpose->first == index;
  work->left[purpose->decision]--;
  if (is_first) {
    work->newest = take_first(work, &work->tuning->decisions[purpose->decision], trial);
    work->newest_first = index;
  }
  if (!work->newest || work->newest_first != purpose->first || work->nprofiles == 0) {
    return; /* after an interruption the first simulation may be missing */
  }
  if (trial->wrong && work->grid->wrong) {
    work->grid->wrong(trial->wrong);
  }
  if (!trial->wrong && !trial->refused) {
    work->newest->under[purpose->under] = trial->cycles / blade_ghz(work->blade);
  }
}

/* Release what DECISION holds. */
static void decision_fini(struct tune_decision *decision) {
  free(decision->candidates);
  free(decision->under);
  free(decision->failures);
}

/* Of the decisions from FIRST on keep the complete decisions with at least two algorithms, or one if the grid
 * allows one; release the others. */
static void keep_choices(struct work *work, size_t first) {
  struct tuning *tuning = work->tuning;
  size_t kept = first;
  for (size_t d = first; d < tuning->n; d++) {
    struct tune_decision decision = tuning->decisions[d];
    if (work->left[d] == 0 && decision.n + decision.nstopped >= (work->grid->alone ? 1 : 2)) {
      tuning->decisions[kept++] = decision;
      continue;
    }
    if (work->left[d] == 0 && work->grid->skipped) {
      char name[TUNE_NAME_SIZE], why[160];
      tune_problem_format(decision.problem, name);
      snprintf(why, sizeof why,
               "%s on %u ranks with %zu bytes: algorithms that apply: %zu, expected two or more", name,
               decision.ranks, decision.bytes, decision.n);
      work->grid->skipped(why);
    }
    decision_fini(&decision);
  }
  tuning->n = kept;
}

int tune_run(struct tuning *tuning, struct blade *blade, const struct tune_grid *grid, struct err *err) {
  const struct platform *platform = blade_platform(blade);
  struct work work = {.grid = grid,
                      .tuning = tuning,
                      .blade = blade,
                      .nprofiles =
                        grid->all_profiles && platform_has_spes(platform) ? platform->nprofiles : 0};
  size_t first = tuning->n;
  work.left = xcalloc(first + 1, sizeof *work.left);
  for (size_t i = 0; i < (grid->problems ? grid->nproblems : PROBLEMS); i++) {
    list_problem(&work, grid->problems ? grid->problems[i] : problem_of(i));
  }
  struct trials trials = {.ledger = grid->ledger,
                          .blade = blade,
                          .points = &work.points,
                          .unpredicted = work.unpredicted,
                          .all = true,
                          .take = take,
                          .complain = grid->wrong,
                          .context = &work};
  int status = trials_run(&trials, err);
  tuning->interrupted |= trials.interrupted;
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
