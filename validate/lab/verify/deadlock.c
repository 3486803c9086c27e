/* SPDX-License-Identifier: BSD-3-Clause
 * See call_run.h. A walk goes from each program to the first rank awaited by the program. */
#include "validate/lab/verify/call_run.h"

#include "algos/schedule/workload/workload_run.h"
#include "sim/base/engine/des.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 8 }; /* of a cycle, or of programs that poll */

/* A program without an end. A name is 2 N for rank N, 2 N + 1 for the PPE of node N, -1 for none. */
struct waiter {
  const char *line;
  int name, awaited;
  size_t walk; /* the first walk to come here; 0: none yet */
};

struct waiters {
  struct waiter *items;
  size_t n;
};

/* Return the name at the begin of TEXT. */
static int name_in(const char *text) {
  int n = -1, name = -1;
  if (text && sscanf(text, "rank %d", &n) == 1 && n >= 0) {
    name = 2 * n;
  } else if (text && sscanf(text, "node %d", &n) == 1) {
    name = 2 * n + 1;
  }
  return name;
}

/* Return the waiters of the lines of TEXT. The lines stay in TEXT. */
static struct waiters read_lines(char *text) {
  struct waiters waiters = {0};
  char *rest;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    const char *wait = strstr(line, " waits for "), *rank = strstr(line, "rank ");
    const char *from = wait ? strstr(wait, " from ") : NULL;
    VEC_ADD(waiters.items, waiters.n) =
      (struct waiter){.line = line,
                      .name = name_in(rank && (!wait || rank < wait) ? rank : line),
                      .awaited = name_in(from ? from + strlen(" from ") : NULL)};
  }
  return waiters;
}

/* Return the program awaited by program I of WAITERS; the number of waiters: none. */
static size_t next_of(const struct waiters *waiters, size_t i) {
  int awaited = waiters->items[i].awaited;
  return VEC_INDEX(waiters->items, waiters->n, awaited >= 0 && item->name == awaited);
}

/* Return a program of the first cycle of WAITERS; the number of waiters: there is no cycle. */
static size_t find_cycle(const struct waiters *waiters) {
  for (size_t start = 0; start < waiters->n; start++) {
    size_t i = start;
    while (i < waiters->n && !waiters->items[i].walk) {
      waiters->items[i].walk = start + 1;
      i = next_of(waiters, i);
    }
    if (i < waiters->n && waiters->items[i].walk == start + 1) {
      return i;
    }
  }
  return waiters->n;
}

/* Append to TOLD the lines of WAITERS about programs that poll for ever.
 * returns: the number of such programs. */
static size_t tell_polls(const struct waiters *waiters, char **told) {
  size_t n = 0;
  VEC_EACH(waiter, waiters->items, waiters->n) {
    bool polls = strstr(waiter->line, DES_POLLS);
    if (polls && n < LINES_MAX) {
      xappend(told, "%s\n", waiter->line);
    }
    n += polls;
  }
  return n;
}

char *deadlock_tell(const char *stuck, const struct workload_run *run) {
  SCOPED char *text = xstrdup(stuck);
  char *told = NULL;
  const struct waiters waiters = read_lines(text);
  size_t cycle = find_cycle(&waiters), first = cycle < waiters.n ? cycle : 0, i = first, count = 0;
  size_t npolls = tell_polls(&waiters, &told);
  int awaited = -1;
  bool walks = cycle < waiters.n || npolls == 0;
  while (walks) {
    if (count++ < LINES_MAX) {
      SCOPED char *line = run ? workload_run_line(run, (unsigned)waiters.items[i].name / 2) : xstrdup("");
      xappend(&told, "%s%s\n", waiters.items[i].line, line);
    }
    awaited = waiters.items[i].awaited;
    i = next_of(&waiters, i);
    walks = i < waiters.n && i != first;
  }
  if (i == first && count) {
    xappend(&told, "a cycle of %zu%s", count, count > LINES_MAX ? ", cut here" : "");
  } else if (awaited >= 0) {
    xappend(&told, "%s %d runs no more", awaited % 2 ? "node" : "rank", awaited / 2);
  }
  size_t others = waiters.n - count - npolls;
  if (others) {
    xappend(&told, "%s%zu other%s", (i == first && count) || awaited >= 0 ? "; " : "", others,
            others > 1 ? "s wait" : " waits");
  }
  free(waiters.items);
  return told;
}
