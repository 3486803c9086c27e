/* SPDX-License-Identifier: BSD-3-Clause
 * Of the times under other costs, and of the predictions, only the least are printed. So the likely winners
 * run first; all other calls are cut at the least time so far, or left out as too slow
 * (docs/decisions/models.md). Decisions are made in groups: an interruption loses one group. */
#include "validate/model/tune.h"

#include "algos/catalogue.h"
#include "algos/step/collective.h"
#include "sim/base/err.h"
#include "sim/base/reals.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/call/placement.h"
#include "validate/lab/call/usual_ranks.h"
#include "validate/model/evaluation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 2 * COLL_COUNT, GROUP = 128 /* decisions */ };

/* Under a profile with no cost that is lower by more than COST_CHEAPER cycles no call is faster by this
 * factor: measured, docs/decisions/models.md. */
static const double COSTS_MARGIN = 1.25;
static const double COST_CHEAPER = 64;

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
  return VEC_FIND(catalogue, catalogue_size,
                  solves(*item, problem) && ((*item)->spans_nodes || !spans_nodes));
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
  if (catalogue_find(name, &algorithm, NULL) == 0) {
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

/* --- candidates --- */

/* The times of a candidate, found in this order: under the profile of the choice; under the other profiles;
 * as the refined model predicts. */
enum aim { TODAY, COSTS, PREDICTED, AIMS };

/* Who runs: all, without limits; the likely winners; the others, with times of winners as limits. */
enum stage { ALL, LEADERS, OTHERS };

/* The use of a point: a time of a candidate. */
struct purpose {
  size_t decision, candidate, profile; /* numbers */
};

/* A machine on which decisions are made. */
struct work {
  const struct tune_grid *grid;
  struct tuning *tuning;
  struct machine *machine;
  const struct platform *platform; /* of the machine */
  size_t nprofiles;                /* profiles of all simulations; 0: only the profile of the choice */
  enum aim aim;
  enum stage stage;
  struct points points;
  struct purpose *purposes; /* per point */
};

/* A time that is not known yet; NaN: the candidate has none. */
static const double NOT_YET = -1;

static double *time_of(struct tune_candidate *candidate, enum aim aim, size_t profile) {
  return aim == TODAY   ? &candidate->simulated
         : aim == COSTS ? &candidate->under[profile]
                        : &candidate->predicted[MODEL_REFINED];
}

/* Return the candidate of DECISION with the least known time AIM under PROFILE, of other algorithms than BUT;
 * NULL: there is none. */
static struct tune_candidate *least_of(const struct tune_decision *decision, enum aim aim, size_t profile,
                                       const struct algo *but) {
  struct tune_candidate *least = NULL;
  VEC_EACH(c, decision->candidates, decision->n) {
    double time = *time_of(c, aim, profile);
    bool counts = time >= 0 && (!but || c->algorithm.algo != but);
    least = counts && (!least || time < *time_of(least, aim, profile)) ? c : least;
  }
  return least;
}

struct call tune_call(const struct tune_grid *grid, const struct tune_decision *decision,
                      const struct algorithm *algorithm) {
  if (grid->program) {
    struct call call = *grid->program;
    SCOPED char *map = xasprintf("%s%s%s=%s", call.map ? call.map : "", call.map ? "," : "", grid->row,
                                 catalogue_short_name(algorithm));
    call.map = text_keep(map);
    return call;
  }
  return (struct call){.algorithm = *algorithm,
                       .profile = rig_compared(decision->platform, grid->profile, algorithm),
                       .nranks = decision->ranks,
                       .root = usual_root(decision->problem.collective, grid->root),
                       .nbytes = decision->bytes,
                       .placement = grid->placement,
                       .op = grid->op,
                       .type = grid->type,
                       .repeat = 1,
                       .lengths_only = grid->lengths_only,
                       .seed = grid->seed,
                       .skew_seed = grid->seed};
}

/* Tell whether GRID leaves ALGORITHM out, or an earlier candidate of `alike` is like ALGORITHM. */
static bool is_left_out(const struct tune_grid *grid, const struct algorithm *algorithm) {
  const struct tune_candidate *same = grid->alike ? tune_same(grid->alike, algorithm) : NULL;
  size_t index = same ? (size_t)(same - grid->alike->candidates) : 0;
  return same && ((grid->left_out && grid->left_out[index]) || tune_alike(grid->alike, index) != same);
}

/* List ALGORITHM, if the platform has the software costs, as a candidate of the newest decision. */
static void list_candidate(struct work *work, const struct algorithm *algorithm) {
  struct tune_decision *decision = &work->tuning->decisions[work->tuning->n - 1];
  if (!rig_compared(work->platform, work->grid->profile, algorithm) || is_left_out(work->grid, algorithm)) {
    return;
  }
  struct tune_candidate candidate = {
    .algorithm = *algorithm, .simulated = NOT_YET, .least = NAN, .most = NAN};
  candidate.under = xcalloc(work->nprofiles + 1, sizeof *candidate.under);
  VEC_EACH(time, candidate.under, work->nprofiles) {
    *time = NOT_YET;
  }
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    candidate.predicted[model] = work->grid->unpredicted ? NAN : NOT_YET;
  }
  VEC_ADD(decision->candidates, decision->n) = candidate;
}

/* Tell whether a parameter of ALGORITHM that is an algorithm is not the default. */
static bool has_other_algorithm(const struct algorithm *algorithm) {
  const struct coll_param *params = algorithm->algo->params;
  bool other = false;
  for (unsigned p = 0; p < algo_nparams(algorithm->algo); p++) {
    other |= params[p].algorithm && algorithm->values[p] != params[p].initial;
  }
  return other;
}

/* List the variants of ALGO, of several nodes, that differ from the default in one parameter that is an
 * algorithm. */
static void list_algorithms(struct work *work, const struct algo *algo) {
  struct algorithm algorithm = catalogue_call(algo);
  while (catalogue_next(&algorithm)) {
    if (has_other_algorithm(&algorithm)) {
      list_candidate(work, &algorithm);
    }
  }
}

/* List the decision on PROBLEM with NRANKS and NBYTES, and its candidates. */
static void list_decision(struct work *work, struct tune_problem problem, unsigned nranks, size_t nbytes) {
  struct tuning *tuning = work->tuning;
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
    bool counts = (!work->grid->of_papers || strcmp(catalogue[i]->source, ALGO_SOURCE_OWN) != 0) &&
                  (!work->grid->in_map || !catalogue[i]->kind);
    if (solves(catalogue[i], problem) && counts) {
      SCOPED struct algorithm *calls = NULL;
      size_t n = evaluation_variants(catalogue[i], nranks, &calls);
      VEC_EACH(call, calls, n) {
        list_candidate(work, call);
      }
      if (catalogue[i]->spans_nodes) {
        list_algorithms(work, catalogue[i]);
      }
    }
  }
}

char *tune_untried(const struct tune_decision *decision) {
  char *text = NULL;
  const struct algo *before = NULL;
  VEC_EACH(c, decision->candidates, decision->n) {
    const struct algo *algo = c->algorithm.algo;
    for (unsigned p = 0; algo != before && p < algo_nparams(algo); p++) {
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
    VEC_EACH(size, bytes->values, bytes->n) {
      list_decision(work, problem, placement_ranks(ranks.values[i], work->platform), *size);
    }
  }
}

/* --- the times of candidates --- */

static void add_failure(struct tune_decision *decision, const struct call *call, enum call_end end) {
  VEC_ADD(decision->failures, decision->nfailures) = (struct tune_failure){call->algorithm, end};
}

/* Take EVALUATION of point INDEX. A candidate without a time today does not compete. */
static void take(void *context, size_t index, const struct evaluation *evaluation) {
  struct work *work = context;
  const struct purpose *purpose = &work->purposes[index];
  struct tune_decision *decision = &work->tuning->decisions[purpose->decision];
  struct tune_candidate *candidate = &decision->candidates[purpose->candidate];
  const struct prediction *predicted = evaluation->predicted;
  bool fails = evaluation->wrong || evaluation->refused, predicts = work->aim == PREDICTED;
  double ghz = work->platform->clock.spu, time = fails ? NAN : evaluation->cycles / ghz;
  for (enum model model = 0; model < MODEL_COUNT && predicts; model++) {
    candidate->predicted[model] = predicted[model].middle / ghz;
  }
  if (predicts && (predicted[MODEL_REFINED].unmeasured || predicted[MODEL_PUBLISHED].unmeasured)) {
    add_failure(decision, evaluation->call, CALL_UNPREDICTED);
  }
  if (work->aim == TODAY) {
    candidate->simulated = time;
    candidate->calls = evaluation->calls;
    if (evaluation->wrong) {
      add_failure(decision, evaluation->call, evaluation->end);
      decision->nstopped++;
    } else if (evaluation->refused && !decision->refused) {
      decision->refused = xstrdup(evaluation->refused);
    }
  }
  if (work->nprofiles > 0 && !predicts) {
    candidate->under[purpose->profile] = time;
  }
  if (evaluation->wrong && work->grid->wrong) {
    work->grid->wrong(evaluation->wrong);
  }
}

/* Return the slowest candidate of DECISION of interest to WORK, by the known times AIM under PROFILE: the
 * winner, or the runner-up if the aim of WORK has margins. NULL: there is none. */
static struct tune_candidate *last_of(const struct work *work, const struct tune_decision *decision,
                                      enum aim aim, size_t profile) {
  bool margins = work->aim == TODAY || (work->aim == COSTS && work->grid->margins);
  struct tune_candidate *least = least_of(decision, aim, profile, NULL);
  return least && margins ? least_of(decision, aim, profile, least->algorithm.algo) : least;
}

/* Tell whether CANDIDATE of DECISION is a likely winner: the defaults today, then the winner of today. */
static bool leads(const struct work *work, const struct tune_decision *decision,
                  const struct tune_candidate *candidate) {
  if (work->aim == TODAY) {
    bool brief =
      work->grid->program || (work->grid->unpredicted && !work->grid->margins && work->nprofiles > 0);
    struct algorithm usual = catalogue_call(candidate->algorithm.algo);
    return !brief || catalogue_is_same(&usual, &candidate->algorithm);
  }
  const struct tune_candidate *last = last_of(work, decision, TODAY, 0);
  return !last || candidate->simulated <= last->simulated;
}

/* Return the longest time of DECISION under PROFILE of interest to WORK; INFINITY: no call is cut. */
static double bound_of(const struct work *work, const struct tune_decision *decision, size_t profile) {
  struct tune_candidate *last = last_of(work, decision, work->aim, profile);
  bool cuts = work->stage == OTHERS && platform_has_spes(work->platform) && !work->platform->has_nodes;
  return cuts && last ? *time_of(last, work->aim, profile) : INFINITY;
}

/* Tell whether some cost of PROFILE is by far below the cost of OWN. */
static bool is_cheaper(const struct profile *profile, const struct profile *own) {
  bool is_cheaper = false;
#define PROFILE_FIELD(field, unit, min, max, doc, term) \
  is_cheaper |= profile->field < own->field - COST_CHEAPER;
#include "platform/platform.def"
  return is_cheaper;
}

/* Tell whether CANDIDATE of DECISION, today under the costs OWN, needs no run under PROFILE to take longer
 * than BOUND, or to win alone. A cut call takes no less than the runner-up, or all other calls. */
static bool is_decided(const struct tune_decision *decision, const struct tune_candidate *candidate,
                       const struct profile *own, const struct profile *profile, double bound) {
  const struct tune_candidate *least = least_of(decision, TODAY, 0, NULL), *second = candidate;
  if (isinf(candidate->simulated)) {
    second = least_of(decision, TODAY, 0, least->algorithm.algo);
  }
  bool alone = !VEC_FIND(decision->candidates, decision->n, item != candidate && !isnan(item->simulated));
  return alone || (second->simulated > COSTS_MARGIN * bound && !is_cheaper(profile, own));
}

/* List the point of PURPOSE, unless the time is known, or not needed. */
static void list_point(struct work *work, struct purpose purpose) {
  struct tune_decision *decision = &work->tuning->decisions[purpose.decision];
  struct tune_candidate *candidate = &decision->candidates[purpose.candidate];
  const struct tune_grid *grid = work->grid;
  double *time = time_of(candidate, work->aim, purpose.profile);
  if (*time != NOT_YET || isnan(candidate->simulated) ||
      (work->stage == LEADERS && !leads(work, decision, candidate))) {
    return;
  }
  struct call call = tune_call(grid, decision, &candidate->algorithm);
  double bound = bound_of(work, decision, purpose.profile);
  if (work->aim == COSTS) {
    const struct profile *own = call.profile;
    call.profile = &work->platform->profiles[purpose.profile];
    if (work->stage != ALL && is_decided(decision, candidate, own, call.profile, bound)) {
      *time = INFINITY;
      return;
    }
  } else {
    purpose.profile = (size_t)(call.profile - work->platform->profiles);
  }
  if (work->aim == TODAY && !(grid->unlimited && catalogue_is_same(grid->unlimited, &call.algorithm))) {
    call.limit = grid->limit;
  }
  if (!isinf(bound)) {
    call.limit = (uint64_t)ceil(bound * work->platform->clock.spu);
  }
  size_t n = work->points.n;
  points_add(&work->points, &(struct point){.machine = work->machine, .call = call});
  VEC_ADD(work->purposes, n) = purpose;
}

/* Find the times of the aim and the stage of WORK, of the decisions from FIRST on. */
static int find_times(struct work *work, size_t first, struct err *err) {
  const struct tuning *tuning = work->tuning;
  work->points.n = 0;
  for (size_t d = first; d < tuning->n; d++) {
    for (size_t i = 0; i < tuning->decisions[d].n; i++) {
      for (size_t p = 0; p < (work->aim == COSTS ? work->nprofiles : 1); p++) {
        list_point(work, (struct purpose){.decision = d, .candidate = i, .profile = p});
      }
    }
  }
  struct evaluations evaluations = {.ledger = work->grid->ledger,
                                    .machine = work->machine,
                                    .points = &work->points,
                                    .unpredicted = work->aim != PREDICTED,
                                    .unsimulated = work->aim == PREDICTED,
                                    .all = true,
                                    .take = take,
                                    .complain = work->grid->wrong,
                                    .context = work};
  int status = work->points.n ? evaluations_run(&evaluations, err) : 0;
  work->tuning->interrupted |= evaluations.interrupted;
  return status;
}

/* Find the times of the decisions from FIRST on. A part of a shared sweep knows only some times, and so sets
 * no limits. Results without a limit in a store serve calls with a limit. */
static int decide(struct work *work, size_t first, struct err *err) {
  struct ledger *ledger = work->grid->ledger;
  size_t nfound = ledger->nfound;
  int status = 0;
  for (work->aim = TODAY; work->aim < AIMS; work->aim++) {
    for (work->stage = ALL; work->stage <= OTHERS && status == 0; work->stage++) {
      bool all = work->stage == ALL, recalls = work->aim == TODAY || ledger->nfound > nfound;
      ledger->recalled = all && !ledger->parts;
      if (ledger->parts ? all : !all || (ledger->store && recalls)) {
        status = find_times(work, first, err);
      }
    }
  }
  ledger->recalled = false;
  return status;
}

/* --- decisions --- */

/* Release what DECISION holds. */
static void decision_fini(struct tune_decision *decision) {
  VEC_EACH(c, decision->candidates, decision->n) {
    free(c->under);
  }
  free(decision->candidates);
  free(decision->failures);
  free(decision->refused);
}

/* Release the candidates of DECISION without a time.
 * returns: whether no time is missing. */
static bool keep_candidates(struct tune_decision *decision) {
  bool complete = true;
  size_t n = 0;
  VEC_EACH(c, decision->candidates, decision->n) {
    if (isnan(c->simulated)) {
      free(c->under);
      continue;
    }
    complete &= c->simulated != NOT_YET && c->predicted[MODEL_REFINED] != NOT_YET;
    VEC_EACH(time, c->under, decision->nprofiles) {
      complete &= *time != NOT_YET;
    }
    decision->candidates[n++] = *c;
  }
  decision->n = n;
  return complete;
}

/* Tell that no algorithm serves the call of DECISION, and why the first one does not. */
static void tell_unserved(struct tuning *tuning, const struct tune_decision *decision,
                          void (*skipped)(const char *why)) {
  char name[TUNE_NAME_SIZE];
  const char *refused = decision->refused ? decision->refused : "the platform has no software costs for it";
  tune_problem_format(decision->problem, name);
  if (tuning->unserved++ == 0) {
    snprintf(tuning->refused, sizeof tuning->refused, "%s", refused);
  }
  if (skipped) {
    skipped(text_brief("%s on %u rank%s with %zu bytes: no algorithm applies: %s", name, decision->ranks,
                       text_plural(decision->ranks), decision->bytes, refused));
  }
}

/* Of the decisions from FIRST on keep the complete decisions with an algorithm; release the others. */
static void keep_choices(struct work *work, size_t first) {
  struct tuning *tuning = work->tuning;
  size_t kept = first;
  for (size_t d = first; d < tuning->n; d++) {
    struct tune_decision decision = tuning->decisions[d];
    bool complete = keep_candidates(&decision);
    if (complete && decision.n + decision.nstopped > 0) {
      tuning->decisions[kept++] = decision;
      continue;
    }
    if (complete) {
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
  size_t first = tuning->n, decided = first;
  size_t nproblems = grid->problems ? grid->nproblems : PROBLEMS;
  int status = 0;
  for (size_t i = 0; i < nproblems && status == 0; i++) {
    list_problem(&work, grid->problems ? grid->problems[i] : problem_of(i));
    if (tuning->n - decided >= GROUP || i + 1 == nproblems) {
      status = decide(&work, decided, err);
      decided = tuning->n;
    }
  }
  keep_choices(&work, first);
  free(work.points.items);
  free(work.purposes);
  return status;
}

void tuning_fini(struct tuning *tuning) {
  VEC_EACH(decision, tuning->decisions, tuning->n) {
    decision_fini(decision);
  }
  free(tuning->decisions);
  *tuning = (struct tuning){0};
}

/* --- who wins, how sure that is, and how good the choices of models are --- */

const struct tune_candidate *tune_fastest(const struct tune_decision *decision) {
  return least_of(decision, TODAY, 0, NULL);
}

bool tune_wins(const struct tune_decision *decision, size_t index) {
  return decision->candidates[index].simulated == tune_fastest(decision)->simulated;
}

const struct tune_candidate *tune_runner_up(const struct tune_decision *decision, bool *is_tie) {
  const struct tune_candidate *winner = tune_fastest(decision),
                              *second = least_of(decision, TODAY, 0, winner->algorithm.algo);
  *is_tie = second && second->simulated == winner->simulated;
  return second;
}

bool tune_wins_under(const struct tune_decision *decision, size_t index, size_t profile) {
  const struct tune_candidate *least = least_of(decision, COSTS, profile, NULL);
  return least && decision->candidates[index].under[profile] == least->under[profile];
}

bool tune_is_robust(const struct tune_decision *decision) {
  const struct tune_candidate *all = decision->candidates;
  bool robust = false;
  for (size_t i = 0; i < decision->n && !robust; i++) {
    robust = tune_wins(decision, i) && all[i].wins == decision->nsamples;
    for (size_t p = 0; p < decision->nprofiles && robust; p++) {
      robust = VEC_FIND(all, decision->n,
                        item->algorithm.algo == all[i].algorithm.algo &&
                          tune_wins_under(decision, (size_t)(item - all), p));
    }
  }
  return robust;
}

enum tune_certainty tune_certainty(const struct tune_decision *decision) {
  bool is_tie = false;
  const struct tune_candidate *second = tune_runner_up(decision, &is_tie);
  double least = tune_fastest(decision)->simulated;
  bool is_close = second && second->simulated < least * (1 + TUNE_ERROR_PERCENT / 100.0);
  const struct {
    bool holds;
    enum tune_certainty certainty;
  } cases[] = {{!tune_is_robust(decision), TUNE_NO},
               {!second, TUNE_ONLY},
               {is_tie, TUNE_TIE},
               {is_close, TUNE_CLOSE},
               {true, TUNE_YES}};
  return VEC_FIND(cases, VEC_LENGTH(cases), item->holds)->certainty;
}

const char *tune_certainty_name(enum tune_certainty certainty) {
  static const char *const names[] = {
#define CERTAINTY(id, word, meaning) word,
#include "validate/model/certainty.def"
  };
  return names[certainty];
}

void tune_write_words(FILE *stream) {
  fprintf(stream, "How sure a choice is (column robust of tune, explain):\n");
#define CERTAINTY(id, word, meaning) fprintf(stream, "  %-5s %s\n", word, meaning);
#include "validate/model/certainty.def"
}

double tune_samples_kept(const struct tune_decision *decision) {
  unsigned most = 0;
  for (size_t i = 0; i < decision->n; i++) {
    unsigned wins = decision->candidates[i].wins;
    most = wins > most && tune_wins(decision, i) ? wins : most;
  }
  return decision->nsamples ? 100.0 * most / decision->nsamples : NAN;
}

const struct tune_candidate *tune_same(const struct tune_decision *decision,
                                       const struct algorithm *algorithm) {
  return VEC_FIND(decision->candidates, decision->n, catalogue_is_same(&item->algorithm, algorithm));
}

const struct tune_candidate *tune_alike(const struct tune_decision *decision, size_t index) {
  const struct tune_candidate *of = &decision->candidates[index];
  return VEC_FIND(decision->candidates, decision->n,
                  item->calls == of->calls && item->simulated == of->simulated &&
                    item->algorithm.algo == of->algorithm.algo);
}

void tune_count_sample(struct tuning *tuning, const struct tuning *sample) {
  VEC_EACH(decision, tuning->decisions, tuning->n) {
    VEC_EACH(other, sample->decisions, sample->n) {
      bool same = other->problem.collective == decision->problem.collective &&
                  other->ranks == decision->ranks &&
                  other->problem.in_memory == decision->problem.in_memory && other->bytes == decision->bytes;
      for (size_t k = 0; k < decision->n && same; k++) {
        struct tune_candidate *own = &decision->candidates[k];
        const struct tune_candidate *c = tune_same(other, &own->algorithm);
        own->wins += VEC_FIND(other->candidates, other->n,
                              item->algorithm.algo == own->algorithm.algo &&
                                tune_wins(other, (size_t)(item - other->candidates))) != NULL;
        own->least = fmin(own->least, c ? c->simulated : NAN);
        own->most = fmax(own->most, c ? c->simulated : NAN);
      }
      decision->nsamples += same;
    }
  }
}

/* Return by how many percent VALUE is above LEAST. Calls of one rank may take no time: they are equal. */
static double percent_above(double least, double value) {
  return value > least ? 100 * (value - least) / least : 0;
}

struct tune_choice tune_choose(const struct tune_decision *decision, enum model model) {
  struct tune_choice choice = {.loss = NAN, .spread = NAN};
  double slowest = 0;
  VEC_EACH(c, decision->candidates, decision->n) {
    if (isnan(c->predicted[model])) {
      continue;
    }
    choice.n++;
    choice.fastest = choice.fastest && choice.fastest->simulated <= c->simulated ? choice.fastest : c;
    choice.chosen =
      choice.chosen && choice.chosen->predicted[model] <= c->predicted[model] ? choice.chosen : c;
    slowest = fmax(slowest, c->simulated);
  }
  if (choice.n) {
    double least = choice.fastest->simulated;
    choice.loss = percent_above(least, choice.chosen->simulated);
    choice.spread = percent_above(least, slowest);
  }
  return choice;
}

struct tune_summary tune_summarize(const struct tuning *tuning, enum model model) {
  struct tune_summary summary = {.most = -1};
  SCOPED double *losses = xcalloc(tuning->n, sizeof *losses), *spreads = xcalloc(tuning->n, sizeof *spreads);
  VEC_EACH(decision, tuning->decisions, tuning->n) {
    struct tune_choice choice = tune_choose(decision, model);
    if (choice.n < 2) {
      continue;
    }
    losses[summary.n] = choice.loss;
    spreads[summary.n++] = choice.spread;
    summary.best += choice.loss == 0;
    summary.mean += choice.loss;
    if (choice.loss > summary.most) {
      summary.most = choice.loss;
      summary.worst = decision;
    }
  }
  if (summary.n) {
    summary.mean /= (double)summary.n;
    summary.median = reals_median(losses, summary.n);
    summary.spread = reals_median(spreads, summary.n);
  }
  return summary;
}

bool tune_differ_in_ranks(const struct algorithm *a, const struct algorithm *b) {
  bool alike = a->algo == b->algo;
  for (unsigned p = 0; alike && p < algo_nparams(a->algo); p++) {
    alike = a->algo->params[p].of_ranks || a->values[p] == b->values[p];
  }
  return alike;
}

unsigned tune_algorithms(const struct tune_decision *decision) {
  unsigned n = 0;
  for (size_t i = 0; i < decision->n; i++) {
    n += i == 0 || decision->candidates[i].algorithm.algo != decision->candidates[i - 1].algorithm.algo;
  }
  return n;
}
