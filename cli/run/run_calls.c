/* SPDX-License-Identifier: BSD-3-Clause
 * The second table of `--calls`: the calls of a program. */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload_run.h"
#include "cli/run/run_ways.h"
#include "cli/session.h"
#include "platform/platform.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/rig/rig.h"

#include <math.h>

/* The cells from `call` to `root`. */
enum { CALL_CELLS = 7 };

int run_calls_check(const struct runs *runs, const char *option) {
  const struct point *other =
    VEC_FIND(runs->points.items, runs->points.n, !workload_of_algo(item->call.algorithm.algo));
  return other ? session_refuse(runs->session, CLI_USAGE,
                                "%s of %s, expected programs, such as examples/programs/halo.prog", option,
                                catalogue_name(&other->call.algorithm))
               : CLI_DONE;
}

/* Add the cells that tell which call of the program of POINT number INDEX is. */
static void add_call(struct table *calls, const struct point *point, size_t index) {
  const struct workload *workload = workload_of_algo(point->call.algorithm.algo);
  const struct workload_call *call = &workload->calls[index];
  const struct workload_group *group = &workload->groups[call->group];
  struct algorithm algorithm;
  bool known = workload_choose(workload, call, point->call.map, &algorithm, NULL) == 0;
  table_add(calls, "%zu %u %s %s %u %zu", index + 1, call->line, group->name,
            known ? catalogue_name(&algorithm) : NULL, group->n, call->nbytes);
  table_add_known(calls, collective_has_root(call->collective), group->ranks[call->root]);
}

/* --- calls alone on the machine --- */

/* Return call INDEX of the program of POINT without the program, on the SPEs or processes of the group.
 * owner: the caller, of the list of the placement, with units_list_fini. */
static struct point call_alone(const struct point *point, size_t index) {
  const struct call *whole = &point->call;
  const struct workload *workload = workload_of_algo(whole->algorithm.algo);
  const struct workload_call *call = &workload->calls[index];
  const struct workload_group *group = &workload->groups[call->group];
  struct point alone = {
    .machine = point->machine,
    .call = {.nranks = group->n,
             .root = call->root,
             .nbytes = call->nbytes,
             .placement = rig_place_group(machine_platform(point->machine), whole, group->ranks, group->n),
             .op = call->op,
             .type = call->type,
             .repeat = 1,
             .seed = whole->seed,
             .skew_seed = whole->seed,
             .profile = whole->profile}};
  workload_choose(workload, call, whole->map, &alone.call.algorithm, NULL);
  return alone;
}

/* Return the cycles of each call of the program of POINT alone on the machine, as points of LEDGER; NaN:
 * unknown.
 * owner: the caller. */
static double *measure_alone(struct ledger *ledger, const struct point *point) {
  size_t n = workload_of_algo(point->call.algorithm.algo)->ncalls;
  double *cycles = xcalloc(n + 1, sizeof *cycles);
  SCOPED struct point *calls = xcalloc(n + 1, sizeof *calls);
  struct points points = {calls, n};
  for (size_t i = 0; i < n; i++) {
    calls[i] = call_alone(point, i);
  }
  ledger_calls(ledger, &points, NULL);
  for (size_t i = 0; i < n; i++) {
    struct call_result result;
    bool known = ledger_call(ledger, &calls[i], &result);
    cycles[i] = known && !*result.refused && !call_stopped(&result) ? result.cycles : NAN;
    units_list_fini(&calls[i].call.placement.list);
  }
  return cycles;
}

/* --- the table --- */

static int begin(struct runs *runs) {
  int code = run_calls_check(runs, runs->opts->calls ? "--calls" : "--alone");
  if (code == CLI_DONE) {
    runs->calls = table_new(
      text_brief("program,platform,call,line,group,algorithm,ranks,bytes,root,first_entry,last_entry,end,"
                 "cycles,waiting,collective,computing,messages,%sversion,platform_checksum",
                 runs->opts->alone ? "alone,factor," : ""));
    table_append(runs->rows, "calls", runs->calls);
    if (runs->points.n == 1) {
      table_hide(runs->calls, "program,platform");
    }
  }
  return code;
}

/* Add the calls of the program of POINT, and the totals of a mean rank and of the last one; with --alone also
 * the cycles of each call alone on the machine, which the ledger makes. */
static void add(struct runs *runs, const struct point *point, const struct call_result *result) {
  struct table *calls = runs->calls;
  size_t ncalls = workload_of_algo(point->call.algorithm.algo)->ncalls;
  struct pack rows = result->utilisation;
  struct workload_spent spent;
  const char *part;
  SCOPED double *alone =
    runs->opts->alone && !call_stopped(result) ? measure_alone(&runs->session->ledger, point) : NULL;
  for (size_t i = 0; i < ncalls + 2 && call_take_spent(&rows, &part, &spent); i++) {
    table_add(calls, "%s %p", catalogue_name(&point->call.algorithm), machine_platform(point->machine));
    if (i < ncalls) {
      add_call(calls, point, i);
    } else {
      table_add_text(calls, part);
      for (unsigned cell = 1; cell < CALL_CELLS; cell++) {
        table_add_nothing(calls);
      }
    }
    VEC_EACH(cycles, spent.cycles, WORKLOAD_TIMES) {
      table_add_mean(calls, *cycles);
    }
    if (alone) {
      double cycles = i < ncalls ? alone[i] : NAN;
      table_add_mean(calls, cycles);
      table_add(calls, "%.2f", spent.cycles[WORKLOAD_CYCLES] / cycles);
    }
  }
}

const struct way run_calls = {OPT_CALLS | OPT_ALONE, CALL_CALLS, .begin = begin, .add = add};
