/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/schedule/workload/workload.h"

#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4 /* of a connection; assumption */ };

struct workload *workload_new(const char *path, unsigned nranks) {
  struct workload *workload = xcalloc(1, sizeof *workload);
  *workload = (struct workload){.path = text_keep(path),
                                .nranks = nranks,
                                .eager = WORKLOAD_EAGER,
                                .ranks = xcalloc(nranks, sizeof *workload->ranks),
                                .verdict = xcalloc(1, sizeof *workload->verdict)};
  SCOPED unsigned *all = xcalloc(nranks, sizeof *all);
  for (unsigned rank = 0; rank < nranks; rank++) {
    all[rank] = rank;
  }
  workload_add_group(workload, "all", all, nranks);
  return workload;
}

void workload_free(struct workload *workload) {
  if (workload) {
    VEC_EACH(rank, workload->ranks, workload->nranks) {
      free(rank->actions);
    }
    VEC_EACH(group, workload->groups, workload->ngroups) {
      free(group->ranks);
    }
    free(workload->ranks);
    free(workload->groups);
    free(workload->calls);
    free(workload->connections);
    free(workload->verdict);
    free(workload);
  }
}

unsigned workload_add_group(struct workload *workload, const char *name, const unsigned *ranks, unsigned n) {
  struct workload_group *group = &VEC_ADD(workload->groups, workload->ngroups);
  *group = (struct workload_group){.name = text_keep(name), .n = n, .ranks = xcalloc(n, sizeof *ranks)};
  memcpy(group->ranks, ranks, n * sizeof *ranks);
  return (unsigned)workload->ngroups - 1;
}

void workload_act(struct workload *workload, unsigned rank, const struct workload_action *action) {
  struct workload_rank *of = &workload->ranks[rank];
  VEC_ADD(of->actions, of->n) = *action;
  workload->nactions++;
}

unsigned workload_add_call(struct workload *workload, const struct workload_call *call) {
  VEC_ADD(workload->calls, workload->ncalls) = *call;
  return (unsigned)workload->ncalls - 1;
}

unsigned workload_find_connection(const struct workload *workload,
                                  const struct workload_connection *connection) {
  const struct workload_connection *items = workload->connections;
  unsigned number = workload->ranks[connection->from].sends;
  while (number && (items[number - 1].to != connection->to || items[number - 1].tag != connection->tag)) {
    number = items[number - 1].next;
  }
  return number;
}

void workload_add_message(struct workload *workload, const struct workload_connection *connection,
                          struct workload_action action) {
  bool sends = action.kind == WORKLOAD_SEND || action.kind == WORKLOAD_ISEND;
  unsigned *last = &workload->ranks[connection->from].sends;
  unsigned number = workload_find_connection(workload, connection);
  if (number == 0) {
    struct workload_connection *added = &VEC_ADD(workload->connections, workload->nconnections);
    *added = *connection;
    added->line = action.line;
    added->next = *last;
    *last = number = (unsigned)workload->nconnections;
  }
  struct workload_connection *of = &workload->connections[number - 1];
  RAISE(of->largest, action.amount);
  of->nsends += sends;
  of->nrecvs += !sends;
  action.index = number - 1;
  workload_act(workload, sends ? of->from : of->to, &action);
}

const char *workload_path(const struct workload *workload, unsigned rank) {
  const char *path = workload->ranks[rank].path;
  return path ? path : workload->path;
}

unsigned workload_slots(const struct workload_connection *connection) {
  return MIN(connection->nsends, SLOTS);
}

int workload_check(const struct workload *workload, struct err *err) {
  if (workload->nactions > WORKLOAD_ACTIONS_MAX) {
    return err_set(err, "%.200s: %zu actions of all ranks, expected at most %d", workload->path,
                   workload->nactions, WORKLOAD_ACTIONS_MAX);
  }
  VEC_EACH(c, workload->connections, workload->nconnections) {
    if (c->nsends != c->nrecvs) {
      return err_set(
        err,
        "%.200s:%u: %u message%s from rank %u to rank %u with tag %lld sent, %u received, expected "
        "a receive for each",
        c->path ? c->path : workload->path, c->line, c->nsends, text_plural(c->nsends), c->from, c->to,
        (long long)c->tag, c->nrecvs);
    }
  }
  return 0;
}
