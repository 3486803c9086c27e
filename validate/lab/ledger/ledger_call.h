/* SPDX-License-Identifier: BSD-3-Clause
 * The most frequent experiment: a call of an algorithm on a fresh machine, timed and verified. */
#pragma once

#include "validate/lab/ledger/ledger.h"
#include "validate/lab/call/outcome.h"

struct call_counters;
struct utilisation_row;

/* The name of the kind, as in keys. */
#define CALL_KIND "call"

/* The result of a call: the numbers of struct outcome, and more. Texts and packs belong to the ledger. */
struct call_result {
  double ghz; /* cycles in a nanosecond */
  enum call_end end;
#define RESULT(type, name, value) outcome_##type name;
#include "validate/lab/call/outcome.def"
  const char *refused; /* reason why the call was not made; empty: the call was made */
  const char *wrong;   /* the defect of the result; empty: none */
  uint64_t nhazards;   /* with CALL_HAZARDS: number of hazards; the first hazards are in the pack, as texts */
  struct pack hazards;
  struct pack utilisation; /* with CALL_UTILISATION: rows, see call_take_counter; with CALL_CALLS: before
                              them, see call_take_spent */
  struct pack path;        /* with CALL_PATH: see call_unpack_path */
};

/* A call on a machine. */
struct point {
  struct machine *machine;
  struct call call;
  unsigned observers; /* enum call_observers */
  size_t entry;       /* of the ledger, see struct experiment */
};

/* The points of a study. Starts as zero. */
struct points {
  struct point *items;
  size_t n;
};

/* Append POINT to POINTS.
 * owner: the caller frees the items. */
void points_add(struct points *points, const struct point *point);

/* Append POINT with each of RANKS, and for each of RANKS with each of BYTES; as points_add. */
void points_add_grid(struct points *points, const struct point *point, const struct units_list *ranks,
                     const struct units_list *bytes);

/* Ask for the call of POINT, whose call has no observers.
 * returns: whether RESULT is known, as for ledger_ask. */
bool ledger_call(struct ledger *ledger, struct point *point, struct call_result *result);

/* Make all calls of POINTS known.
 * errors: as ledger_settle. */
int ledger_calls(struct ledger *ledger, struct points *points, struct err *err);

/* A call made outside of a ledger. */
struct call_made {
  struct outcome outcome;
  struct pack pack;
  struct call_result result; /* of `pack` */
};

/* Make the call of POINT now, with the observers of the call of POINT.
 * returns: nonzero after an interruption. */
int call_make(const struct point *point, struct call_made *made);
void call_made_fini(struct call_made *made);

/* Append the key of the call of POINT to KEY, as ledger_key. */
void call_key(const struct point *point, struct pack *key);

/* Tell whether a call has stopped: a simulated fault or deadlock, or a program that crashed. */
bool call_stopped(const struct call_result *result);

/* Return the call that has given MADE, a result of the kind of calls. */
struct call_result call_unpack(const struct result *made);

/* Append the counts of COUNTERS as rows to RESULT, each with its part of the machine; the first row has the
 * cycles to which shares refer, of the part CALL_COUNTED, with RANKS and NBYTES. */
#define CALL_COUNTED "all"
void call_add_counters(struct pack *result, struct call_counters *counters, unsigned ranks, size_t nbytes);

/* Take the next COUNTER from ROWS. *CYCLES, NaN before the first one, becomes the cycles to which shares
 * refer.
 * returns: whether there was one more. */
bool call_take_counter(struct pack *rows, struct utilisation_row *counter, double *cycles);

/* Take from ROWS the times of the next call of a program, in the order of the program; behind the calls of
 * "mean rank" and of the last rank to leave. PART becomes the name.
 * returns: whether there was one more. */
bool call_take_spent(struct pack *rows, const char **part, struct workload_spent *spent);
