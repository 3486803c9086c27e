/* SPDX-License-Identifier: BSD-3-Clause
 * Which parameter of the machine bounds a call, found by running it on machines that have a better one.
 * Beside what such a run brings stands what the critical path of the call says: which share of it the
 * parameter is behind. */
#pragma once

#include "validate/lab/ledger_call.h"

#include <stdbool.h>
#include <stddef.h>

/* By which factors parameters are made better. */
enum { WHAT_IF_FACTORS = 2 };
extern const double what_if_factors[WHAT_IF_FACTORS];

/* What came of one parameter. */
struct what_if_finding {
  const char *name;            /* of the parameter, see what_if.def */
  unsigned place;              /* its place there */
  bool known[WHAT_IF_FACTORS]; /* false: there is no such machine, or the call stopped on it */
  double change[WHAT_IF_FACTORS], cycles[WHAT_IF_FACTORS]; /* percent */
  double share;                                            /* of the critical path, percent */
  const char *note[WHAT_IF_FACTORS]; /* where the path says something else; may be empty */
};

/* Calls, and better machines for them. */
struct what_if;

/* Prepare the CALLS, which outlive the result and get CALL_PATH; LEDGER is the one that is asked. SKIP, which
 * may be NULL, is told which better machines there are not.
 * owner: the caller, with what_if_close. */
struct what_if *what_if_open(struct ledger *ledger, struct call_points *calls, void (*skip)(const char *why));

/* Ask the ledger for all that is needed: a round of it, whose context is a what_if. */
void what_if_ask(void *context);

/* Return how many parameters there are. */
size_t what_if_count(void);

/* Fill FINDINGS, what_if_count() of them, for call NUMBER: those that bring most come first.
 * returns: whether the call is known, with its RESULT; FINDINGS mean something if the call did its work. */
bool what_if_find(const struct what_if *what_if, size_t number, struct call_result *result,
                  struct what_if_finding *findings);

/* Release WHAT_IF. */
void what_if_close(struct what_if *what_if);
