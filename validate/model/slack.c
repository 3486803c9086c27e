/* SPDX-License-Identifier: BSD-3-Clause
 * See what_if.h. A winner that has lost may win again with a larger factor, so bisection alone misses turns:
 * a list of factors is searched for the first turn, and only the interval before the first turn is halved.
 *
 * A worse machine seldom makes a call faster, and never by much (docs/decisions/models.md). So between two
 * factors nothing turns if at the faster end all other calls take MARGIN times as long as today's fastest
 * call takes at the slower end. And no other call needs more than MARGIN times the time of today's fastest
 * call. Calls slower by MARGIN on a faster machine are left out. If each call takes its time of today at both
 * ends, to the cycle, the calls have no use for the parameter between the ends either. */

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/model/what_if.h"

#include <math.h>
#include <stdlib.h>

static const double factors[] = {1, 1.02, 1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 3, 4, 8, SLACK_FACTOR_MOST};
enum { NFACTORS = VEC_LENGTH(factors) };
static const double MARGIN = 1.25;

/* How a winner of today does on another machine. */
enum effect { NOT_JUDGED, KEEPS, TURNS, UNKNOWN };

/* What is known of a machine: times in ns. */
struct judged {
  enum effect effect;
  double limit;  /* other calls are cut at this time; NaN: no call is */
  double own;    /* today's fastest call, and calls in a tie, take this time */
  double others; /* no other call takes less */
  bool as_today; /* each call takes its time of today, or was cut and is far behind today */
  double *least; /* per candidate of today: the least time; NULL: not known */
};

/* A search. */
struct search {
  const struct tune_decision *today;
  struct tune_grid grid;
  size_t index;
  bool better; /* the parameter becomes better by the factor; else worse */
  struct slack *slack;
  struct judged judged[NFACTORS];
  size_t end;            /* the number of factors that the machine can be changed by */
  bool changes;          /* some factor gives another machine */
  struct algorithm turn; /* the fastest call at the first turn */
};

/* Make *MACHINE, with the parameter of SEARCH better, or worse, by FACTOR; NULL: the value is the same as
 * today.
 * returns: 0; -1: there is no such machine. */
static int make_machine(const struct search *search, double factor, struct machine **machine) {
  struct err refused = {""};
  struct platform *platform = NULL;
  factor = search->better ? factor : 1 / factor;
  if (what_if_platform(search->today->platform, search->index, factor, &platform, &refused) != 0) {
    return -1;
  }
  *machine = machine_owning(platform);
  return 0;
}

/* Tell whether ALGORITHM is the fastest call of TODAY, or in a tie. */
static bool wins_in(const struct tune_decision *decision, const struct algorithm *algorithm) {
  const struct tune_candidate *same = tune_same(decision, algorithm);
  return same && tune_wins(decision, (size_t)(same - decision->candidates));
}

/* Find the TIME of ALGORITHM on MACHINE in ns; NaN: there is none. */
static int time_of(const struct search *search, struct machine *machine, const struct algorithm *algorithm,
                   double *time, struct err *err) {
  struct tune_decision here = *search->today;
  struct point point = {.machine = machine};
  struct points points = {&point, 1};
  struct call_result result;
  here.platform = machine_platform(machine);
  point.call = tune_call(&search->grid, &here, algorithm);
  int status = ledger_calls(search->grid.ledger, &points, err);
  bool known = status == 0 && ledger_call(search->grid.ledger, &point, &result) && !*result.refused &&
               result.end == CALL_OK;
  *time = known ? result.cycles / here.platform->clock.spu : NAN;
  return status;
}

/* Tell whether CANDIDATE takes its time of TODAY, or was cut and is far behind today. */
static bool is_as_today(const struct tune_decision *today, const struct tune_candidate *candidate) {
  const struct tune_candidate *before = tune_same(today, &candidate->algorithm);
  double far = MARGIN * tune_fastest(today)->simulated;
  return before && (before->simulated == candidate->simulated ||
                    (isinf(candidate->simulated) && before->simulated >= far));
}

/* Take from NOW, the decision on a machine, the times and the effect. */
static struct judged take(const struct search *search, const struct tune_decision *now) {
  struct judged judged = {.effect = TURNS, .own = INFINITY, .others = INFINITY, .as_today = true};
  for (size_t i = 0; i < now->n; i++) {
    const struct tune_candidate *candidate = &now->candidates[i];
    bool own = wins_in(search->today, &candidate->algorithm);
    double *least = own ? &judged.own : &judged.others;
    *least = fmin(*least, candidate->simulated);
    judged.as_today = judged.as_today && is_as_today(search->today, candidate);
    if (own && tune_wins(now, i)) {
      judged.effect = KEEPS;
    }
  }
  return judged;
}

/* Return per candidate of today the least time on machines no faster than with FACTOR; NULL: not known. */
static const double *least_times(const struct search *search, double factor) {
  const double *least = search->better ? NULL : search->judged[0].least;
  for (size_t i = NFACTORS; search->better && i-- > 0 && factors[i] >= factor;) {
    least = search->judged[i].least ? search->judged[i].least : least;
  }
  return least;
}

/* Complete JUDGED, taken from NOW: the candidates of today LEFT_OUT take at least the times FAST of a faster
 * machine. */
static void take_left_out(const struct tune_decision *today, const struct tune_decision *now,
                          const bool *left_out, const double *fast, struct judged *judged) {
  double far = MARGIN * tune_fastest(today)->simulated;
  judged->least = xcalloc(today->n, sizeof *judged->least);
  for (size_t i = 0; i < today->n; i++) {
    const struct tune_candidate *here = tune_same(now, &tune_alike(today, i)->algorithm);
    judged->least[i] = left_out[i] ? fast[i] : here ? fmin(here->simulated, judged->limit) : 0;
    judged->others = left_out[i] ? fmin(judged->others, fast[i]) : judged->others;
    judged->as_today &= !left_out[i] || today->candidates[i].simulated >= far;
  }
}

/* Decide on the machine with the parameter better, or worse, by FACTOR. Other calls are cut after MARGIN
 * times the time of today's fastest call, or after AT_LEAST ns. */
static int judge(struct search *search, double factor, double at_least, struct judged *judged,
                 struct err *err) {
  const struct tune_candidate *fastest = tune_fastest(search->today);
  struct machine *machine;
  struct tuning tuning = {0};
  struct tune_grid grid = search->grid;
  double own = NAN, limit = NAN;
  if (make_machine(search, factor, &machine) != 0 || !machine) {
    *judged = search->judged[0];
    judged->least = NULL;
    return 0;
  }
  judged->effect = UNKNOWN;
  const double *fast = least_times(search, factor);
  SCOPED bool *left_out = xcalloc(search->today->n, sizeof *left_out);
  const struct platform *platform = machine_platform(machine);
  int status = time_of(search, machine, &fastest->algorithm, &own, err);
  if (!isnan(own) && platform_has_spes(platform) && !platform->has_nodes) {
    limit = fmax(own * MARGIN, at_least);
    grid.limit = (uint64_t)ceil(limit * platform->clock.spu);
    grid.unlimited = &fastest->algorithm;
    grid.left_out = left_out;
    for (size_t i = 0; fast && i < search->today->n; i++) {
      left_out[i] = fast[i] >= MARGIN * own && !tune_wins(search->today, i);
    }
  }
  status = status == 0 ? tune_run(&tuning, machine, &grid, err) : -1;
  search->slack->judgements++;
  if (status == 0 && tuning.n == 1 && tuning.decisions[0].n > 0) {
    struct tune_decision *now = &tuning.decisions[0];
    for (size_t i = 0; i < now->n; i++) { /* calls are not verified again */
      bool is_verified = tune_same(search->today, &now->candidates[i].algorithm);
      now->candidates[i].simulated = is_verified ? now->candidates[i].simulated : INFINITY;
    }
    *judged = take(search, now);
    judged->limit = limit;
    judged->others = fmin(judged->others, limit);
    take_left_out(search->today, now, left_out, fast, judged);
    if (judged->effect == TURNS) {
      search->turn = tune_fastest(now)->algorithm;
    }
  }
  tuning_fini(&tuning);
  machine_free(machine);
  return status;
}

/* Judge the machine of factor NUMBER, once, as judge. */
static int judge_number(struct search *search, size_t number, double at_least, struct err *err) {
  struct judged *judged = &search->judged[number];
  return judged->effect != NOT_JUDGED ? 0 : judge(search, factors[number], at_least, judged, err);
}

/* Find the time of ALGORITHM with factor NUMBER in ns, as time_of. */
static int time_with(const struct search *search, size_t number, const struct algorithm *algorithm,
                     double *time, struct err *err) {
  struct machine *machine;
  if (make_machine(search, factors[number], &machine) != 0 || !machine) {
    *time = tune_same(search->today, algorithm)->simulated;
    return 0;
  }
  int status = time_of(search, machine, algorithm, time, err);
  machine_free(machine);
  return status;
}

/* Tell in *EXCLUDED whether no factor after number LOW, up to number HIGH, has the effect WANTED. Before the
 * first turn today's fastest call is ahead of all rivals; then, until today's winner is back, the call that
 * has turned the choice is. */
static int exclude(struct search *search, size_t low, size_t high, enum effect wanted, bool *excluded,
                   struct err *err) {
  size_t number = low;
  while (search->judged[number].effect == NOT_JUDGED) {
    number--;
  }
  const struct judged *fast = &search->judged[number], *slow = fast;
  bool turns = wanted == TURNS, as_today = slow->as_today;
  double holder = turns ? slow->own : slow->others;
  int status;
  if (search->better) {
    fast = &search->judged[high];
    status = judge_number(search, high, turns ? MARGIN * holder : 0, err);
  } else {
    const struct tune_decision *today = search->today;
    const struct algorithm *algorithm = turns ? &tune_fastest(today)->algorithm : &search->turn;
    status = time_with(search, high, algorithm, &holder, err);
    as_today &= turns && holder == search->judged[0].own;
  }
  *excluded = (turns ? fast->others : fast->own) >= MARGIN * holder;
  if (status == 0 && !*excluded && as_today) {
    status = judge_number(search, high, 0, err);
    *excluded = search->judged[high].as_today;
  }
  return status;
}

/* Find in *FOUND the first number after LOW, up to HIGH, whose factor has the effect WANTED; 0: there is
 * none. */
static int find_first(struct search *search, size_t low, size_t high, enum effect wanted, size_t *found,
                      struct err *err) {
  bool excluded = false;
  *found = 0;
  if (low >= high || exclude(search, low, high, wanted, &excluded, err) != 0 || excluded) {
    return low >= high || excluded ? 0 : -1;
  }
  if (high - low == 1) {
    int status = judge_number(search, high, 0, err);
    *found = search->judged[high].effect == wanted ? high : 0;
    return status;
  }
  size_t middle = (low + high) / 2;
  int status = find_first(search, low, middle, wanted, found, err);
  return status != 0 || *found ? status : find_first(search, middle, high, wanted, found, err);
}

/* Halve the interval from LOW, which keeps the winner, to HIGH, which turns, to 1 %. */
static int bisect(struct search *search, double low, double high, struct err *err) {
  struct algorithm turn = search->turn;
  while (high / low > 1.01 && search->slack->judgements < SLACK_JUDGEMENTS_MOST) {
    double middle = sqrt(low * high);
    struct judged judged = {.least = NULL};
    int status = judge(search, middle, 0, &judged, err);
    free(judged.least);
    if (status != 0) {
      return -1;
    }
    if (judged.effect == UNKNOWN) {
      break;
    }
    if (judged.effect == KEEPS) {
      low = middle;
    } else {
      high = middle;
      turn = search->turn;
    }
  }
  search->slack->turns = high;
  catalogue_format(&turn, search->slack->winner, sizeof search->slack->winner);
  return 0;
}

/* Begin SEARCH: what is known of today's machine, and how far the machine can be changed. */
static void begin(struct search *search) {
  struct machine *machine = NULL;
  search->judged[0] = take(search, search->today);
  search->judged[0].least = xcalloc(search->today->n, sizeof(double));
  for (size_t i = 0; i < search->today->n; i++) {
    search->judged[0].least[i] = search->today->candidates[i].simulated;
  }
  search->end = 1;
  while (search->end < NFACTORS && make_machine(search, factors[search->end], &machine) == 0) {
    search->changes |= machine != NULL;
    machine_free(machine);
    search->end++;
  }
  search->slack->limit = search->end < NFACTORS ? factors[search->end] : NAN;
}

/* Find the turn of SEARCH, and the factor from which a winner of today wins again; returns: as slack_find. */
static int find_turn(struct search *search, struct err *err) {
  struct slack *slack = search->slack;
  size_t turn = 0, back = 0, last = search->end - 1;
  if (find_first(search, 0, last, TURNS, &turn, err) != 0) {
    return -1;
  }
  if (!turn) {
    return search->changes || !isnan(slack->limit);
  }
  struct algorithm first = search->turn;
  if (find_first(search, turn, last, KEEPS, &back, err) != 0) {
    return -1;
  }
  slack->back = back ? factors[back] : NAN;
  search->turn = first;
  return bisect(search, factors[turn - 1], factors[turn], err) == 0 ? 1 : -1;
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
  search.grid.lengths_only = true;
  search.grid.alike = decision;
  search.grid.skipped = NULL;
  search.grid.wrong = NULL;
  *slack = (struct slack){.name = what_if_name(index), .turns = NAN, .back = NAN, .limit = NAN};
  begin(&search);
  grid->ledger->tried = true; /* by the decision of today */
  int status = find_turn(&search, err);
  grid->ledger->tried = false;
  for (size_t i = 0; i < NFACTORS; i++) {
    free(search.judged[i].least);
  }
  return status;
}
