/* SPDX-License-Identifier: BSD-3-Clause
 * The fastest algorithms for the calls of a program. Equal calls have one decision; where the program refuses
 * an algorithm, the decision loses the candidate. */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload_run.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/model/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Equal calls. */
struct kind {
  const struct workload_call *call; /* the first */
  struct tuning tuning;             /* with one decision */
  char *refused;                    /* why the program refuses the fastest one; NULL: not refused */
  struct tune_candidate fastest;    /* if refused */
};

struct map {
  const struct workload *workload;
  const struct platform *platform;
  struct call whole; /* of the program, with the rows so far as map */
  const char *rows;  /* behind the word; NULL: none */
  struct kind *kinds;
  size_t nkinds;
  size_t *kind_of; /* [call]: from 1; 0: the program or a row names the algorithm */
};

static bool is_equal(const struct workload_call *a, const struct workload_call *b) {
  return a->group == b->group && a->root == b->root && a->collective == b->collective && a->op == b->op &&
         a->type == b->type && a->nbytes == b->nbytes;
}

/* List the kinds of MAP. */
static void list_kinds(struct map *map) {
  struct algorithm algorithm;
  map->kind_of = xcalloc(map->workload->ncalls + 1, sizeof *map->kind_of);
  for (size_t i = 0; i < map->workload->ncalls; i++) {
    const struct workload_call *call = &map->workload->calls[i];
    if (workload_choose(map->workload, call, map->rows, &algorithm, NULL) != 0) {
      size_t k = VEC_INDEX(map->kinds, map->nkinds, is_equal(item->call, call));
      if (k == map->nkinds) {
        VEC_ADD(map->kinds, map->nkinds) = (struct kind){.call = call};
      }
      map->kind_of[i] = k + 1;
    }
  }
}

/* Return the fastest candidate of KIND; refused ones take INFINITY. NULL: nothing serves the call. */
static struct tune_candidate *fastest_of(const struct kind *kind) {
  const struct tune_decision *decision = kind->tuning.decisions;
  return kind->tuning.n ? (struct tune_candidate *)tune_fastest(decision) : NULL;
}

/* Decide on KIND with GRID, which has what is the same for all kinds. */
static int decide(const struct map *map, struct kind *kind, struct machine *machine, struct tune_grid grid,
                  struct err *err) {
  const struct workload_call *call = kind->call;
  const struct workload_group *group = &map->workload->groups[call->group];
  int status = 0;
  grid.ranks = (struct units_list)UNITS_OF(group->n);
  grid.bytes = (struct units_list)UNITS_OF(call->nbytes);
  grid.root = call->root;
  grid.op = call->op;
  grid.type = call->type;
  grid.placement = rig_place_group(map->platform, &map->whole, group->ranks, group->n);
  for (int in_memory = 0; in_memory < 2 && kind->tuning.n == 0 && status == 0; in_memory++) {
    const struct tune_problem problem = {call->collective, in_memory};
    grid.problems = &problem;
    grid.nproblems = 1;
    status = tune_run(&kind->tuning, machine, &grid, err);
  }
  units_list_fini(&grid.placement.list);
  bool served = fastest_of(kind) || kind->tuning.interrupted;
  return status || served ? status
                          : err_set(err, "%.200s:%u: no algorithm for %s of %zu bytes on %u ranks: %.160s",
                                    map->workload->path, call->line, collective_name(call->collective),
                                    call->nbytes, group->n, kind->tuning.refused);
}

/* Let the rows of MAP name the fastest candidates: of calls of a collective, size and number of ranks the
 * first one has a row for all, and another choice has a row for the line. */
static void write_rows(struct map *map) {
  SCOPED char *rows = NULL;
  for (size_t i = 0; i < map->workload->ncalls; i++) {
    const struct workload_call *call = &map->workload->calls[i];
    struct algorithm named;
    if (!map->kind_of[i]) {
      continue;
    }
    const struct algorithm *fastest = &fastest_of(&map->kinds[map->kind_of[i] - 1])->algorithm;
    bool is_named = workload_choose(map->workload, call, rows, &named, NULL) == 0;
    if (!is_named || !catalogue_is_same(&named, fastest)) {
      xappend(&rows, "%s%s/%u/%zu", rows ? "," : "", collective_name(call->collective),
              map->workload->groups[call->group].n, call->nbytes);
      xappend(&rows, is_named ? "/%u" : "", call->line);
      xappend(&rows, "=%s", catalogue_short_name(fastest));
    }
  }
  if (map->rows) {
    xappend(&rows, "%s%s", rows ? "," : "", map->rows);
  }
  map->whole.map = text_keep(rows);
}

/* Return the kind of MAP of call NUMBER (from 1; 0: none) if another candidate is left; NULL: none. */
static struct kind *changeable(const struct map *map, size_t number) {
  size_t of = number ? map->kind_of[number - 1] : 0, left = 0;
  const struct tune_decision *decision = of ? map->kinds[of - 1].tuning.decisions : NULL;
  for (size_t i = 0; decision && i < decision->n; i++) {
    left += isfinite(decision->candidates[i].simulated);
  }
  return left > 1 ? &map->kinds[of - 1] : NULL;
}

/* Return the kind of MAP that RUN, which is refused, needs another algorithm for: of two groups with signals
 * the later one, of local stores that are full the one with the largest scratch. NULL: none. */
static struct kind *blame(const struct map *map, const struct workload_run *run) {
  struct kind *first = changeable(map, run->blamed[0]), *second = changeable(map, run->blamed[1]);
  struct kind *found = first ? first : second;
  size_t most = 0;
  for (size_t g = 0; run->is_full && g < map->workload->ngroups; g++) {
    VEC_EACH(item, run->groups[g].algorithms, run->groups[g].nalgorithms) {
      struct kind *kind = item->scratch > most ? changeable(map, item->first + 1) : NULL;
      most = kind ? item->scratch : most;
      found = kind ? kind : found;
    }
  }
  return found;
}

/* Let a kind of MAP lose the fastest candidate if the program is refused with the rows so far.
 * returns: whether there is another choice. */
static bool drop(const struct map *map) {
  struct coll_group group = rig_group(map->platform, &map->whole);
  const struct workload_run *run = group.workload;
  struct kind *kind = blame(map, run);
  if (kind) {
    struct tune_candidate *fastest = fastest_of(kind);
    kind->fastest = kind->refused ? kind->fastest : *fastest;
    kind->refused = kind->refused ? kind->refused : xstrdup(run->refusal.text);
    fastest->simulated = INFINITY;
  }
  rig_group_fini(&group);
  return kind;
}

/* Tell TOLD which algorithms have taken the places of refused ones. */
static void tell(const struct map *map, void (*told)(const char *what)) {
  for (size_t k = 0; k < map->nkinds && told; k++) {
    const struct kind *kind = &map->kinds[k];
    if (kind->refused) {
      const struct tune_candidate *next = fastest_of(kind);
      SCOPED char *what = xasprintf("%s; %s in place of ", kind->refused, catalogue_name(&next->algorithm));
      xappend(&what, "%s takes %.2f times as long alone", catalogue_name(&kind->fastest.algorithm),
              next->simulated / kind->fastest.simulated);
      told(what);
    }
  }
}

int tune_map(struct ledger *ledger, struct point *point, void (*told)(const char *what), struct err *err) {
  struct call *call = &point->call;
  struct map map = {.workload = workload_of_algo(call->algorithm.algo),
                    .platform = machine_platform(point->machine),
                    .whole = *call};
  enum workload_map_word word = workload_map_word(call->map, &map.rows);
  if (!map.workload || word == WORKLOAD_MAP_ROWS) {
    return 0;
  }
  const struct tune_grid grid = {.ledger = ledger,
                                 .seed = call->seed,
                                 .profile = call->profile->name,
                                 .of_papers = word == WORKLOAD_MAP_PUBLISHED,
                                 .in_map = true,
                                 .unpredicted = true,
                                 .wrong = told};
  map.whole.nranks = map.workload->nranks;
  int status = rig_check_ranks(map.platform, &map.whole, err);
  if (status == 0 && map.workload->is_trace) {
    status = workload_check_trace(map.workload, call->algorithm.values, err);
  }
  list_kinds(&map);
  bool interrupted = false;
  for (size_t k = 0; k < map.nkinds && status == 0 && !interrupted; k++) {
    status = decide(&map, &map.kinds[k], point->machine, grid, err);
    interrupted = map.kinds[k].tuning.interrupted;
  }
  if (status == 0 && !interrupted) {
    do {
      write_rows(&map);
    } while (map.nkinds && drop(&map));
    call->map = map.whole.map;
    tell(&map, told);
  }
  for (size_t k = 0; k < map.nkinds; k++) {
    tuning_fini(&map.kinds[k].tuning);
    free(map.kinds[k].refused);
  }
  free(map.kinds);
  free(map.kind_of);
  return status;
}
