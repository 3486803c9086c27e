/* SPDX-License-Identifier: BSD-3-Clause
 * See what_if.h. A winner that has lost may win again with a larger factor, so bisection alone misses turns:
 * a list of factors is tried first, and only the interval before the first turn is halved. */

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/node/machine.h"
#include "validate/model/what_if.h"

#include <math.h>
#include <string.h>

static const double factors[] = {1, 1.02, 1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 3, 4, 8, SLACK_FACTOR_MOST};
enum { NFACTORS = sizeof factors / sizeof *factors };

/* How a winner of today does on a worse machine. */
enum effect { KEEPS, TURNS, CANNOT, UNKNOWN };

/* A search. */
struct search {
  const struct tune_decision *today;
  struct tune_grid grid;
  size_t index;
  bool better; /* the parameter becomes better by the factor; else worse */
  struct slack *slack;
};

/* Tell whether a winner of TODAY is among the winners of NOW. */
static bool still_wins(const struct tune_decision *today, const struct tune_decision *now) {
  for (size_t i = 0; i < today->n; i++) {
    const struct tune_candidate *winner =
      tune_wins(today->candidates, today->n, i) ? tune_same(now, &today->candidates[i].call) : NULL;
    if (winner && tune_wins(now->candidates, now->n, (size_t)(winner - now->candidates))) {
      return true;
    }
  }
  return false;
}

/* Decide on the machine with the parameter better, or worse, by FACTOR. */
static int judge(struct search *search, double factor, enum effect *effect, struct err *err) {
  struct platform *platform;
  struct err refused = {""};
  struct tuning tuning = {0};
  *effect = KEEPS;
  factor = search->better ? factor : 1 / factor;
  if (what_if_platform(search->today->platform, search->index, factor, &platform, &refused) != 0) {
    *effect = CANNOT;
    return 0;
  }
  if (!platform) {
    return 0; /* the value is the same as today */
  }
  struct machine *machine = machine_owning(platform);
  int status = tune_run(&tuning, machine, &search->grid, err);
  search->slack->judgements++;
  *effect = UNKNOWN;
  if (status == 0 && tuning.n == 1 && tuning.decisions[0].n > 0) {
    struct tune_decision *now = &tuning.decisions[0];
    for (size_t i = 0; i < now->n; i++) { /* calls of hosts are not verified again */
      bool is_verified = !search->grid.lengths_only || tune_same(search->today, &now->candidates[i].call);
      now->candidates[i].simulated = is_verified ? now->candidates[i].simulated : INFINITY;
    }
    *effect = still_wins(search->today, now) ? KEEPS : TURNS;
    if (*effect == TURNS) {
      catalogue_format(&tune_fastest(now->candidates, now->n)->call, search->slack->winner,
                       sizeof search->slack->winner);
    }
  }
  tuning_fini(&tuning);
  machine_free(machine);
  return status;
}

/* Halve the interval from LOW, which keeps the winner, to HIGH, which turns, to 1 %. */
static int bisect(struct search *search, double low, double high, struct err *err) {
  struct slack *slack = search->slack;
  char winner[CATALOGUE_NAME_SIZE];
  memcpy(winner, slack->winner, sizeof winner);
  while (high / low > 1.01 && slack->judgements < SLACK_JUDGEMENTS_MOST) {
    double middle = sqrt(low * high);
    enum effect effect;
    if (judge(search, middle, &effect, err) != 0) {
      return -1;
    }
    if (effect == UNKNOWN) {
      break;
    }
    if (effect == KEEPS) {
      low = middle;
    } else {
      high = middle;
      memcpy(winner, slack->winner, sizeof winner);
    }
  }
  slack->turns = high;
  memcpy(slack->winner, winner, sizeof winner);
  return 0;
}

int slack_find(const struct tune_decision *decision, const struct tune_grid *grid, size_t index, bool better,
               struct slack *slack, struct err *err) {
  uint64_t ranks = decision->ranks, nbytes = decision->bytes;
  struct search search = {.today = decision, .grid = *grid, .index = index, .better = better, .slack = slack};
  search.grid.problems = &decision->problem;
  search.grid.nproblems = 1;
  search.grid.ranks = (struct units_list){.values = &ranks, .n = 1};
  search.grid.bytes = (struct units_list){.values = &nbytes, .n = 1};
  search.grid.all_profiles = false;
  search.grid.unpredicted = true;
  search.grid.lengths_only = rig_needs_lengths_only(decision->platform);
  search.grid.alike = decision;
  search.grid.skipped = NULL;
  search.grid.wrong = NULL;
  *slack = (struct slack){
    .name = what_if_name(index), .keys = what_if_keys(index), .turns = NAN, .back = NAN, .limit = NAN};
  double low = 1, high = NAN;
  char winner[CATALOGUE_NAME_SIZE] = "";
  for (size_t i = 1; i < NFACTORS && isnan(slack->back); i++) {
    enum effect effect;
    if (judge(&search, factors[i], &effect, err) != 0) {
      return -1;
    }
    if (effect == UNKNOWN) {
      return 0;
    }
    if (effect == CANNOT) {
      slack->limit = factors[i];
      break;
    }
    if (isnan(high) && effect == TURNS) {
      low = factors[i - 1];
      high = factors[i];
      memcpy(winner, slack->winner, sizeof winner);
    } else if (!isnan(high) && effect == KEEPS) {
      slack->back = factors[i];
    }
  }
  if (!isnan(high)) {
    memcpy(slack->winner, winner, sizeof winner);
    return bisect(&search, low, high, err) == 0 ? 1 : -1;
  }
  return slack->judgements > 0 || !isnan(slack->limit);
}
