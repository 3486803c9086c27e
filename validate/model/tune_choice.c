/* SPDX-License-Identifier: BSD-3-Clause
 * Who wins the decisions of tune.h, how sure that is, and how good the choices of models are. */
#include "validate/model/tune.h"

#include "algos/catalogue.h"
#include "sim/base/reals.h"
#include "sim/base/vec.h"

#include <math.h>

const struct tune_candidate *tune_fastest(const struct tune_decision *decision) {
  const struct tune_candidate *fastest = NULL;
  VEC_EACH(c, decision->candidates, decision->n) {
    fastest = !fastest || c->simulated < fastest->simulated ? c : fastest;
  }
  return fastest;
}

bool tune_wins(const struct tune_decision *decision, size_t index) {
  return decision->candidates[index].simulated == tune_fastest(decision)->simulated;
}

const struct tune_candidate *tune_runner_up(const struct tune_decision *decision, bool *is_tie) {
  const struct tune_candidate *winner = tune_fastest(decision), *second = NULL;
  VEC_EACH(c, decision->candidates, decision->n) {
    if (c->algorithm.algo != winner->algorithm.algo && (!second || c->simulated < second->simulated)) {
      second = c;
    }
  }
  *is_tie = second && second->simulated == winner->simulated;
  return second;
}

bool tune_wins_under(const struct tune_decision *decision, size_t index, size_t profile) {
  double least = INFINITY;
  VEC_EACH(c, decision->candidates, decision->n) {
    least = fmin(least, c->under[profile]);
  }
  return decision->candidates[index].under[profile] == least;
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
  return VEC_FIND(cases, sizeof cases / sizeof *cases, item->holds)->certainty;
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

/* --- how good the choices are --- */

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
  for (unsigned p = 0; alike && p < COLL_PARAMS_MAX && a->algo->params[p].name; p++) {
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
