/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run/run_calls.h"

#include "algos/catalogue.h"
#include "algos/schedule/workload/workload_run.h"
#include "cli/session.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger_call.h"

/* The cells from `call` to `root`. */
enum { CALL_CELLS = 7 };

struct table *run_calls_new(struct table *table) {
  struct table *calls =
    table_new("program,platform,call,line,group,algorithm,ranks,bytes,root,first_entry,last_entry,end,cycles,"
              "waiting,collective,computing,messages,version,platform_checksum");
  table_append(table, "calls", calls);
  return calls;
}

int run_calls_check(struct session *session, const struct points *points) {
  for (size_t i = 0; i < points->n; i++) {
    const struct algorithm *algorithm = &points->items[i].call.algorithm;
    if (!workload_of_algo(algorithm->algo)) {
      return session_refuse(session, CLI_USAGE,
                            "--calls of %s, expected programs, such as examples/programs/halo.prog",
                            catalogue_name(algorithm));
    }
  }
  return CLI_DONE;
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
  if (collective_has_root(call->collective)) {
    table_add_count(calls, group->ranks[call->root]);
  } else {
    table_add_nothing(calls);
  }
}

void run_calls_add(struct table *calls, const struct run_table_row *row) {
  const struct point *point = row->point;
  size_t ncalls = workload_of_algo(point->call.algorithm.algo)->ncalls;
  struct pack rows = row->result->utilisation;
  struct workload_spent spent;
  const char *part;
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
    for (unsigned j = 0; j < WORKLOAD_TIMES; j++) {
      table_add_mean(calls, spent.cycles[j]);
    }
  }
}
