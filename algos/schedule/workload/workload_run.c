/* SPDX-License-Identifier: BSD-3-Clause
 * See workload_run.h: the places, and refusals. */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload_run.h"
#include "algos/step/call_map.h"
#include "algos/step/driver.h"
#include "algos/step/layout.h"
#include "algos/step/needs.h"
#include "algos/step/step.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return NBYTES and a guard, in whole lines. */
static size_t guarded(size_t nbytes) {
  return call_map_line(nbytes + CALL_MAP_GUARD);
}

/* --- groups --- */

/* Place GROUP on the SPEs or processes of OUTER: chips count without gaps. */
static struct coll_group place_group(const struct coll_group *outer, const struct workload_group *group) {
  struct coll_group g = *outer;
  g.call = (struct algorithm){0};
  g.nrepeats = 0;
  g.root_step = g.byte_step = 0;
  g.nranks = group->n;
  g.names = group->ranks;
  g.workload = NULL;
  group_make_places(&g, outer->nchips);
  for (unsigned r = 0; r < group->n; r++) {
    g.spe_of[r] = outer->spe_of[group->ranks[r]];
    g.chip_of[r] = outer->chip_of[group->ranks[r]];
  }
  group_list_chips(&g, outer->nchips);
  return g;
}

/* Tell whether calls of ALGORITHM may send signals; texts say so in a word of their own. */
static bool has_signals(const struct algorithm *algorithm) {
  const char *words = algorithm->algo->words;
  return needs_of_call(algorithm) & NEED_SIGNAL_BITS || (words && strstr(words, "signals"));
}

/* Return the index of ALGORITHM, of call CALL, among the algorithms of GROUP. */
static unsigned find_algorithm(struct workload_placed_group *group, const struct algorithm *algorithm,
                               size_t call) {
  size_t i = VEC_INDEX(group->algorithms, group->nalgorithms, catalogue_is_same(&item->algorithm, algorithm));
  if (i == group->nalgorithms) {
    VEC_ADD(group->algorithms, group->nalgorithms) =
      (struct workload_algorithm){.algorithm = *algorithm,
                                  .name = text_keep(catalogue_name(algorithm)),
                                  .first = call,
                                  .has_signals = has_signals(algorithm)};
  }
  return (unsigned)i;
}

struct coll_group workload_run_call(const struct coll_group *group, size_t index, unsigned turn,
                                    struct workload_turn *then) {
  const struct workload_run *run = group->workload;
  const struct workload_call *call = &run->workload->calls[index];
  const struct workload_placed_call *placed = &run->calls[index];
  const struct workload_placed_group *of = &run->groups[call->group];
  const struct workload_algorithm *algorithm = &of->algorithms[placed->algorithm];
  *then = (struct workload_turn){.number = (unsigned)index + turn * (unsigned)run->workload->ncalls,
                                 .own = placed->own + turn * algorithm->ncalls};
  struct coll_group now = of->base;
  now.call = algorithm->algorithm;
  now.root = call->root;
  now.nbytes = call->nbytes;
  now.most_bytes = algorithm->most_bytes;
  now.op = call->op;
  now.type = call->type;
  now.scratch_at = algorithm->scratch_at;
  now.shared_ea = group->shared_ea + algorithm->shared;
  now.shared = algorithm->algorithm.algo->shared;
  now.turn = then;
  return now;
}

/* --- refusals --- */

/* Return why no call of a program can have ALGO; NULL: no reason. */
static const char *refuse_algorithm(const struct algo *algo) {
  return algo->ppe           ? "a program on the PPE, expected programs of SPEs alone"
         : algo->spans_nodes ? "an algorithm of several nodes, expected one of one node"
         : algo->is_open     ? "no result is defined, expected a collective"
                             : NULL;
}

/* Refuse call INDEX of the program of GROUP if the machine does not meet all needs of the call. */
static void refuse_call(const struct coll_group *group, size_t index) {
  struct workload_run *run = group->workload;
  struct workload_turn then;
  struct refusal why;
  const struct coll_group now = workload_run_call(group, index, 0, &then);
  const char *reason = refuse_algorithm(now.call.algo);
  if (reason || needs_refuse(&now, &why)) {
    run->blamed[0] = index + 1;
    err_set(&run->refusal, "%.120s:%u: %s: %.250s", run->workload->path, run->workload->calls[index].line,
            catalogue_name(&now.call), reason ? reason : why.text);
  }
}

int workload_check_trace(const struct workload *workload, const unsigned *values, struct err *err) {
  const struct workload_call *mean = VEC_FIND(workload->calls, workload->ncalls, item->is_mean);
  if (mean && !values[PROGRAM_PARAM_MEAN]) {
    return err_set(
      err,
      "%.200s:%u: %s of blocks of different sizes, expected FILE:mean=1, which takes the mean, %zu bytes",
      workload->path, mean->line, collective_name(mean->collective), mean->nbytes);
  }
  if ((workload->flops_at || values[PROGRAM_PARAM_REDUCTIONS]) && !values[PROGRAM_PARAM_KFLOPS]) {
    return err_set(err, "%.250s: computing in flops, expected a rate, FILE:kflops=N, in thousands a second",
                   workload->flops_at ? workload->flops_at : workload->path);
  }
  struct workload_verdict *verdict = workload->verdict;
  if (!verdict->is_known || verdict->eager != values[WORKLOAD_PARAM_EAGER]) {
    *verdict = (struct workload_verdict){.is_known = true, .eager = values[WORKLOAD_PARAM_EAGER]};
    workload_judge(workload, verdict->eager, false, &verdict->found);
  }
  return *verdict->found.text ? err_set(err, "%s", verdict->found.text) : 0;
}

/* Refuse RUN if two groups with signals share a rank: an SPE has one register for signals. */
static void refuse_signals(struct workload_run *run) {
  const struct workload *workload = run->workload;
  SCOPED size_t *user = xcalloc(workload->nranks, sizeof *user); /* a call of the rank, from 1 */
  for (size_t i = 0; i < workload->ncalls && !*run->refusal.text; i++) {
    const struct workload_call *call = &workload->calls[i];
    const struct workload_group *group = &workload->groups[call->group];
    const struct workload_algorithm *algorithm =
      &run->groups[call->group].algorithms[run->calls[i].algorithm];
    for (unsigned r = 0; algorithm->has_signals && r < group->n; r++) {
      size_t *other = &user[group->ranks[r]];
      const struct workload_call *first = *other ? &workload->calls[*other - 1] : call;
      if (first->group != call->group) {
        run->blamed[0] = i + 1;
        run->blamed[1] = *other;
        err_set(&run->refusal,
                "%.120s:%u: %.80s: signals to rank %u in group %.40s, as in group %.40s at line %u, expected "
                "signals in one group of a rank: an SPE has one register for them",
                workload->path, call->line, algorithm->name, group->ranks[r], group->name,
                workload->groups[first->group].name, first->line);
        return;
      }
      *other = i + 1;
    }
  }
}

/* Refuse RUN if NBYTES are more than the ROOM in a local store, and tell the largest parts. */
static void refuse_room(struct workload_run *run, size_t nbytes, size_t room) {
  const struct workload_algorithm *largest = NULL;
  if (nbytes <= room) {
    return;
  }
  VEC_EACH(group, run->groups, run->workload->ngroups) {
    VEC_EACH(item, group->algorithms, group->nalgorithms) {
      largest = !largest || item->scratch > largest->scratch ? item : largest;
    }
  }
  const struct workload_call *call = largest ? &run->workload->calls[largest->first] : NULL;
  run->is_full = true;
  err_set(
    &run->refusal,
    "%.120s:%u: %zu bytes in a local store with room for %zu, %zu of them for connections, and %zu for the "
    "largest scratch, of %.80s",
    run->workload->path, call ? call->line : 1, nbytes, room, run->links.nbytes,
    largest ? largest->scratch : 0, largest ? largest->name : "no call");
}

/* --- places --- */

/* Choose the algorithms of the calls of OUTER, with MAP, and number the calls. */
static void number_calls(const struct coll_group *outer, const char *map) {
  struct workload_run *run = outer->workload;
  const struct workload *workload = run->workload;
  for (size_t i = 0; i < workload->ncalls && !*run->refusal.text; i++) {
    const struct workload_call *call = &workload->calls[i];
    struct workload_placed_group *group = &run->groups[call->group];
    struct algorithm algorithm;
    if (workload_choose(workload, call, map, &algorithm, &run->refusal) != 0) {
      return;
    }
    run->calls[i].algorithm = find_algorithm(group, &algorithm, i);
    struct workload_algorithm *of = &group->algorithms[run->calls[i].algorithm];
    run->calls[i].own = of->ncalls++;
    if (call->algorithm.algo && !catalogue_is_same(&call->algorithm, &algorithm)) {
      run->calls[i].name = text_keep(text_brief("call %zu line %u %s", i + 1, call->line, of->name));
    }
    RAISE(of->most_bytes, call->nbytes);
    refuse_call(outer, i);
  }
  if (!*run->refusal.text) {
    workload_check_map(workload, map, &run->refusal);
  }
}

/* Lay out the connections of RUN. */
static void lay_connections(struct workload_run *run, unsigned eager) {
  const struct workload *workload = run->workload;
  run->links = (struct links){.n = workload->nconnections,
                              .items = xcalloc(workload->nconnections + 1, sizeof(struct link))};
  for (size_t i = 0; i < workload->nconnections; i++) {
    const struct workload_connection *c = &workload->connections[i];
    size_t slot = MIN(c->largest, eager);
    run->links.items[i] =
      (struct link){.from = c->from, .to = c->to, .depth = workload_slots(c), .slot = (unsigned)slot};
  }
  links_lay(&run->links, workload->nranks);
}

/* Find the bytes of scratch of each algorithm of the calls of OUTER, and the bytes of data in main memory.
 * returns: the bytes of data in local store. */
static size_t measure_calls(const struct coll_group *outer) {
  struct workload_run *run = outer->workload;
  size_t data = 0;
  for (size_t i = 0; i < run->workload->ncalls; i++) {
    struct workload_turn then;
    const struct coll_group now = workload_run_call(outer, i, 0, &then);
    const struct algo *algo = now.call.algo;
    struct workload_algorithm *of =
      &run->groups[run->workload->calls[i].group].algorithms[run->calls[i].algorithm];
    size_t in = layout_in_bytes(&now), *most = algo->in_memory ? &run->memory : &data;
    size_t buffers = guarded(layout_buffer_bytes(&now)) + (in ? guarded(in) : 0),
           scratch = algo->scratch ? algo->scratch(&now) : 0;
    RAISE(*most, buffers);
    RAISE(of->scratch, scratch);
  }
  return data;
}

/* Place arrays and scratch of the groups of RUN behind AT, and main memory of SHARED bytes.
 * A group begins behind all earlier groups with a common rank.
 * returns: the address behind all. */
static size_t place_groups(struct workload_run *run, size_t at, size_t *shared) {
  const struct workload *workload = run->workload;
  SCOPED size_t *ends = xcalloc(workload->nranks, sizeof *ends);
  size_t all = at;
  *shared = 0;
  for (size_t g = 0; g < workload->ngroups; g++) {
    const struct workload_group *group = &workload->groups[g];
    struct workload_placed_group *placed = &run->groups[g];
    size_t end = at;
    VEC_EACH(rank, group->ranks, group->n) {
      RAISE(end, ends[*rank]);
    }
    placed->base.ls_base = (uint32_t)end;
    end += placed->nalgorithms ? guarded(step_arrays_bytes(group->n)) : 0;
    VEC_EACH(item, placed->algorithms, placed->nalgorithms) {
      item->scratch_at = (uint32_t)end;
      end += item->scratch ? guarded(item->scratch) : 0;
      item->shared = *shared;
      *shared += call_map_line(item->algorithm.algo->shared);
    }
    VEC_EACH(rank, group->ranks, group->n) {
      ends[*rank] = end;
    }
    RAISE(all, end);
  }
  return all;
}

/* Place the data of messages of RUN behind AT.
 * returns: the address behind. */
static size_t place_messages(struct workload_run *run, const struct coll_group *outer, size_t at) {
  size_t largest = 0;
  VEC_EACH(c, run->workload->connections, run->workload->nconnections) {
    RAISE(largest, c->largest);
  }
  run->places.eager = outer->call.values[WORKLOAD_PARAM_EAGER];
  return messages_place(&run->places, outer, largest, at) + CALL_MAP_GUARD;
}

/* Place all of RUN in the local stores of GROUP. */
static void place_all(struct workload_run *run, struct coll_group *group) {
  size_t start = call_map_scratch(group), data = measure_calls(group);
  lay_connections(run, group->call.values[WORKLOAD_PARAM_EAGER]);
  size_t at = place_groups(run, call_map_line(start + run->links.nbytes + CALL_MAP_GUARD), &group->shared);
  VEC_EACH(of, run->groups, run->workload->ngroups) {
    of->base.data_at = (uint32_t)at;
  }
  run->data_at = at;
  run->data = data;
  size_t end = run->workload->nconnections ? place_messages(run, group, at + data) : at + data;
  run->scratch = end - start;
  refuse_room(run, end - group->ls_base, group->ls_bytes - group->ls_base);
}

void workload_run_init(struct coll_group *group, const struct workload *workload, const char *map) {
  struct workload_run *run = group->workload = xcalloc(1, sizeof *run);
  run->workload = workload;
  run->nturns = group->nrepeats;
  run->groups = xcalloc(workload->ngroups, sizeof *run->groups);
  run->calls = xcalloc(workload->ncalls + 1, sizeof *run->calls);
  run->ranks = xcalloc(workload->nranks, sizeof *run->ranks);
  if (group->nranks != workload->nranks) {
    err_set(&run->refusal, "%u ranks, expected the %u of the file: -n %u", group->nranks, workload->nranks,
            workload->nranks);
  } else if (group_changes(group)) {
    err_set(&run->refusal, "calls with another root or size, expected equal calls");
  }
  for (size_t g = 0; g < workload->ngroups && !*run->refusal.text; g++) {
    run->groups[g].base = place_group(group, &workload->groups[g]);
  }
  if (workload->is_trace && !*run->refusal.text) {
    workload_check_trace(workload, group->call.values, &run->refusal);
  }
  number_calls(group, map);
  refuse_signals(run);
  if (!*run->refusal.text) {
    place_all(run, group);
  }
}

void workload_run_fini(struct coll_group *group) {
  struct workload_run *run = group->workload;
  for (unsigned r = 0; r < run->workload->nranks; r++) {
    workload_run_end(run, r);
  }
  VEC_EACH(of, run->groups, run->workload->ngroups) {
    free(of->base.spe_of);
    free(of->algorithms);
  }
  VEC_EACH(call, run->calls, run->workload->ncalls) {
    free(call->times);
  }
  free(run->groups);
  free(run->calls);
  free(run->ranks);
  free(run->links.items);
  free(run->pattern);
  free(run);
  group->workload = NULL;
}

/* --- for messages --- */

char *workload_call_name(const struct workload *workload, unsigned number) {
  const struct workload_call *call = &workload->calls[number % workload->ncalls];
  return xasprintf("call %u, line %u%s%s", number + 1, call->line, call->group ? ", group " : "",
                   call->group ? workload->groups[call->group].name : "");
}

char *workload_run_line(const struct workload_run *run, unsigned rank) {
  const struct workload *workload = run->workload;
  const struct workload_action *present = rank < workload->nranks ? run->ranks[rank].present : NULL;
  return present ? xasprintf(" at %.200s:%u", workload_path(workload, rank), present->line) : xstrdup("");
}

char *workload_run_left_early(const struct workload_run *run) {
  for (size_t i = 0; i < run->workload->ncalls; i++) {
    const struct workload_call *call = &run->workload->calls[i];
    const struct workload_group *group = &run->workload->groups[call->group];
    unsigned most = call->collective == COLL_BARRIER && run->calls[i].times ? run->nturns : 0;
    for (unsigned turn = 0; turn < most; turn++) {
      uint64_t(*times)[2] = &run->calls[i].times[(size_t)turn * group->n], last = 0;
      VEC_EACH(of, times, group->n) {
        RAISE(last, (*of)[0]);
      }
      unsigned early = (unsigned)VEC_INDEX(times, group->n, (*item)[1] < last);
      if (early < group->n) {
        SCOPED char *name = workload_call_name(run->workload, (unsigned)(i + turn * run->workload->ncalls));
        return xasprintf("%s: rank %u left at cycle %llu, the last rank entered at cycle %llu", name,
                         group->ranks[early], (unsigned long long)times[early][1], (unsigned long long)last);
      }
    }
  }
  return NULL;
}

/* --- times --- */

const char *const workload_time_names[] = {"first_entry", "last_entry", "end",       "cycles",
                                           "waiting",     "collective", "computing", "messages"};

/* Return the times of call INDEX of RUN, and add the times to those of RANKS; cycles count from START. */
static struct workload_spent spend(const struct workload_run *run, size_t index, uint64_t start,
                                   struct workload_spent *ranks) {
  const struct workload_group *group = &run->workload->groups[run->workload->calls[index].group];
  const uint64_t(*times)[2] = &run->calls[index].times[(size_t)(run->nturns - 1) * group->n];
  uint64_t first = UINT64_MAX, last = 0, end = 0;
  double waiting = 0, inside = 0;
  VEC_EACH(of, times, group->n) {
    LOWER(first, (*of)[0]);
    RAISE(last, (*of)[0]);
    RAISE(end, (*of)[1]);
  }
  for (unsigned r = 0; r < group->n; r++) {
    double *of = ranks[group->ranks[r]].cycles;
    double wait = (double)(MIN(times[r][1], last) - times[r][0]);
    double whole = (double)(times[r][1] - times[r][0]);
    of[WORKLOAD_WAITING] += wait;
    of[WORKLOAD_COLLECTIVE] += whole - wait;
    waiting += wait;
    inside += whole;
  }
  return (struct workload_spent){{(double)(first - start), (double)(last - start), (double)(end - start),
                                  (double)(end - last), waiting / group->n, (inside - waiting) / group->n,
                                  NAN, NAN}};
}

struct workload_spent *workload_run_spent(const struct workload_run *run, const uint64_t *started,
                                          const uint64_t *ended) {
  unsigned n = run->workload->nranks, latest = 0;
  size_t ncalls = run->workload->ncalls;
  uint64_t start = UINT64_MAX;
  struct workload_spent *all = xcalloc(ncalls + 2, sizeof *all), *mean = &all[ncalls];
  SCOPED struct workload_spent *ranks = xcalloc(n, sizeof *ranks);
  for (unsigned r = 0; r < n; r++) {
    double *of = ranks[r].cycles;
    LOWER(start, started[r]);
    latest = ended[r] > ended[latest] ? r : latest;
    of[WORKLOAD_CYCLES] = (double)(ended[r] - started[r]);
    of[WORKLOAD_COMPUTING] = (double)run->ranks[r].computing;
    of[WORKLOAD_MESSAGES] = (double)run->ranks[r].messaging;
    of[WORKLOAD_FIRST] = of[WORKLOAD_LAST] = of[WORKLOAD_END] = NAN;
  }
  for (size_t i = 0; i < ncalls; i++) {
    all[i] = spend(run, i, start, ranks);
  }
  VEC_EACH(rank, ranks, n) {
    for (unsigned i = 0; i < WORKLOAD_TIMES; i++) {
      mean->cycles[i] += rank->cycles[i] / n;
    }
  }
  all[ncalls + 1] = ranks[latest];
  return all;
}
