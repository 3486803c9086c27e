/* SPDX-License-Identifier: BSD-3-Clause
 * The parameter of the machine that bounds a call, found by running the call on machines with one better
 * parameter. Beside the gain of such a run stands the parameter's share of the critical path of the call. */
#pragma once

#include "algos/catalogue.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/model/tune.h"

#include <stdbool.h>
#include <stddef.h>

/* The factors of improvement. */
enum { WHAT_IF_FACTORS = 2 };
extern const double what_if_factors[WHAT_IF_FACTORS];

/* The result for one parameter. */
struct what_if_gain {
  const char *name;            /* of the parameter, see what_if.def */
  unsigned place;              /* index in what_if.def */
  bool known[WHAT_IF_FACTORS]; /* false: no such machine, or the call stopped on the machine */
  double change[WHAT_IF_FACTORS], cycles[WHAT_IF_FACTORS]; /* percent */
  double share;                                            /* of the critical path, percent */
  const char *note[WHAT_IF_FACTORS]; /* where the path says something else; may be empty */
};

/* Calls, and better machines for the calls. */
struct what_if;

/* Prepare the CALLS, which must outlive the result; the calls get CALL_PATH. LEDGER makes the runs. SKIP, if
 * not NULL, is told of each impossible machine. */
struct what_if *what_if_open(struct ledger *ledger, struct points *calls, void (*skip)(const char *why));
void what_if_close(struct what_if *what_if);

/* Ask the ledger for all runs: the function of a round of the ledger; CONTEXT is a what_if. */
void what_if_ask(void *context);

/* Return how many parameters there are, and the name of parameter INDEX, see what_if.def. */
size_t what_if_count(void);
const char *what_if_name(size_t index);

/* Make *CHANGED the platform whose parameter INDEX is FACTOR times as good as that of PLATFORM, or below 1
 * worse. NULL: no value differs.
 * errors: as platform_set_all; *CHANGED is then NULL.
 * owner: the caller, with platform_free. */
int what_if_platform(const struct platform *platform, size_t index, double factor, struct platform **changed,
                     struct err *err);

/* Fill FINDINGS, what_if_count() of them, for call NUMBER, the largest gain first.
 * returns: whether RESULT of the call is known; FINDINGS are valid if the call did its work. */
bool what_if_find(const struct what_if *what_if, size_t number, struct call_result *result,
                  struct what_if_gain *findings);

/* --- how much worse may a parameter become before another algorithm is the fastest --- */

/* The largest factor that is tried, and the most machines that are. */
#define SLACK_FACTOR_MOST 16.0
enum { SLACK_JUDGEMENTS_MOST = 20 };

/* What came of one parameter. */
struct slack {
  const char *name; /* see what_if.def */
  double turns;     /* the least factor, to 1 %, with which another algorithm is the fastest; NaN: none is */
  double back;  /* a later factor with which an algorithm of today is the fastest again; NaN: none was seen */
  double limit; /* the machine cannot be changed by this factor, or a larger one; NaN: it can */
  char winner[CATALOGUE_NAME_SIZE]; /* the fastest at the factor `turns` */
  unsigned judgements;              /* machines tried */
};

/* Find the slack of parameter INDEX of what_if.def for DECISION of GRID: on machines with a worse value, or
 * with a BETTER one.
 * returns: 1, or 0 if the machine has no such parameter, or after an interruption; -1 after an error.
 * errors: as tune_run. */
int slack_find(const struct tune_decision *decision, const struct tune_grid *grid, size_t index, bool better,
               struct slack *slack, struct err *err);
