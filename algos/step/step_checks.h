/* SPDX-License-Identifier: BSD-3-Clause
 * What the vocabulary asks of a program before it does what the program says; for step*.c only. */
#pragma once

#include "algos/step/coll.h"
#include "algos/step/port.h"

#include <stdbool.h>
#include <stdio.h>

static inline const struct step_port *port(const struct coll *c) {
  return c->group->port;
}

/* Stop the program of C unless its machine HAS what is called WHAT; hosts lack what only an MFC has. */
static inline void require(const struct coll *c, bool has, const char *what) {
  if (!has) {
    port(c)->fault(what);
  }
}

/* Stop the program of C, which has named RANK. */
static inline void __attribute__((noreturn, cold)) fault_of_rank(const struct coll *c, unsigned rank) {
  char what[64];
  snprintf(what, sizeof what, "rank %u, expected one of 0 to %u", rank, c->nranks - 1);
  port(c)->fault(what);
}

/* Return RANK if C has it, else stop the program. */
static inline unsigned known(const struct coll *c, unsigned rank) {
  if (__builtin_expect(rank >= c->nranks, 0)) {
    fault_of_rank(c, rank);
  }
  return rank;
}

/* Return the number of the SPE of RANK. */
static inline unsigned spe_of(const struct coll *c, unsigned rank) {
  return c->group->spe_of[known(c, rank)];
}
