/* SPDX-License-Identifier: BSD-3-Clause
 * Checks of a program's requests, made by the vocabulary before the request is executed; for step*.c only. */
#pragma once

#include "algos/step/coll.h"
#include "algos/step/port.h"

#include <stdbool.h>
#include <stdio.h>

static inline const struct step_port *port(const struct coll *c) {
  return c->group->port;
}

/* Stop the program of C unless its machine HAS the feature called WHAT; hosts lack features of an MFC. */
static inline void require(const struct coll *c, bool has, const char *what) {
  if (!has) {
    port(c)->fault(what);
  }
}

/* Stop the program of C because of the invalid RANK. */
static inline void __attribute__((noreturn, cold)) fault_of_rank(const struct coll *c, unsigned rank) {
  char what[64];
  snprintf(what, sizeof what, "rank %u, expected one of 0 to %u", rank, c->nranks - 1);
  port(c)->fault(what);
}

/* Return RANK if C has such a rank, else stop the program. */
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
