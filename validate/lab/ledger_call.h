/* SPDX-License-Identifier: BSD-3-Clause
 * The experiment that most ask for: a call of an algorithm on a fresh machine, timed and verified. */
#pragma once

#include "validate/lab/ledger.h"
#include "validate/lab/outcome.h"

struct blade;
struct call_counters;
struct rig_spec;
struct utilisation_row;

/* Who else watches the call; bits. */
enum call_observers {
  CALL_HAZARDS = 1,
  CALL_UTILISATION = 2,
  CALL_PATH =
    4, /* the recorder: totals of the critical path, and who stood in the way; not with CALL_UTILISATION */
  CALL_CHAIN = 8, /* with CALL_PATH: also its parts and segments */
};

/* The name of the kind, as in keys. */
#define CALL_KIND "call"

/* What came of a call: the numbers of struct outcome, and more. Texts and packs belong to the ledger. */
struct call_result {
  double ghz; /* cycles in a nanosecond */
  enum call_end end;
#define RESULT(type, name, value) outcome_##type name;
#include "validate/lab/outcome.def"
  const char *refused; /* why it was not made; empty: it was */
  const char *wrong;   /* what is; empty: nothing */
  uint64_t nhazards;   /* with CALL_HAZARDS: how many; the first of them are in the pack, as texts */
  struct pack hazards;
  struct pack utilisation; /* with CALL_UTILISATION: see call_list_utilisation */
  struct pack path;        /* with CALL_PATH: see call_unpack_path */
};

/* Ask for the call of SPEC, which has no observers, on BLADE, watched by OBSERVERS.
 * returns: whether it is known, as for ledger_ask. */
bool ledger_call(struct ledger *ledger, struct blade *blade, const struct rig_spec *spec, unsigned observers,
                 struct call_result *result);

/* A call made outside of a ledger. */
struct call_made {
  struct outcome outcome;
  struct pack pack;
  struct call_result result; /* of `pack` */
};

/* Make the call of SPEC on BLADE now, watched by OBSERVERS and by the observers of SPEC.
 * returns: nonzero after an interruption.
 * owner: the caller, with call_made_fini. */
int call_make(struct blade *blade, const struct rig_spec *spec, unsigned observers, struct call_made *made);

/* Release what MADE holds. */
void call_made_fini(struct call_made *made);

/* Append the key of the call of SPEC on BLADE to KEY, as ledger_key. */
void call_key(struct blade *blade, const struct rig_spec *spec, struct pack *key);

/* Tell whether a call has stopped: a simulated fault or deadlock, or a program that crashed. */
bool call_stopped(const struct call_result *result);

/* Take the result of a call from PACK. */
struct call_result call_unpack(struct pack *pack);

/* Append what COUNTERS have seen to PACK. */
void call_pack_counters(struct pack *pack, struct call_counters *counters);

/* Call SHOW with every counter that call_pack_counters has appended to PACK.
 * returns: the cycles to which shares refer. */
double call_list_utilisation(struct pack *pack,
                             void (*show)(void *context, const struct utilisation_row *row), void *context);
