/* SPDX-License-Identifier: BSD-3-Clause
 * Experiments: their kinds, keys and results; equal keys, equal results. */
#pragma once

#include "algos/catalogue.h"
#include "sim/base/pack.h"
#include "validate/lab/rig/rig.h"

#include <stdbool.h>
#include <stdint.h>

struct experiment;

/* A kind of experiments. */
struct experiment_kind {
  const char *name;

  /* Make EXPERIMENT on the experiment's machine and append the values to ROWS, see result_add; WHY becomes
   * the reason for missing values. May run in another process: prints nothing, and changes of memory are
   * lost. */
  void (*run)(const struct experiment *experiment, struct pack *rows, struct err *why);

  /* Instead of `run`: pack the whole RESULT, see result_end. Returns nonzero if an interruption prevented the
   * end. */
  int (*pack)(const struct experiment *experiment, struct pack *result);

  /* With `pack`: pack a result for an EXPERIMENT that has crashed its process, or in which a run that had to
   * be sound has stopped (rig_run_sound, rig_note_stop); no store keeps this result. HOW begins with crash,
   * fault or deadlock. NULL: no rows; the reason is the name of the experiment and HOW. */
  void (*stopped)(const struct experiment *experiment, const char *how, struct pack *result);

  /* Many other results depend on this kind: each process of a shared sweep makes the experiment. */
  bool shared;
};

/* Observers of a call besides the run of the call; bits. CALL_UTILISATION: counters; CALL_PATH: totals of the
 * critical path, and ranks in the way; CALL_CHAIN, with CALL_PATH: also parts and segments; CALL_CALLS: times
 * of the calls of a program, measured by the run itself. */
enum call_observers {
#define OBSERVER(name, bit, word, member) CALL_##name = bit,
#define FURTHER(name, bit, word) CALL_##name = bit,
#include "validate/lab/ledger/call_observers.def"
};

enum { EXPERIMENT_NUMBERS = 3 };

/* An experiment: everything that the result depends on. Members that a kind does not use are zero. */
struct experiment {
  const struct experiment_kind *kind;
  struct machine *machine;              /* always the same machine for the same platform */
  struct call call;                     /* without observers */
  unsigned observers;                   /* whose observations belong to the result: enum call_observers */
  const char *subject;                  /* a further name, such as the name of a benchmark; NULL: none */
  uint64_t numbers[EXPERIMENT_NUMBERS]; /* further arguments */
  const void *context;                  /* for run(): no information beyond the other fields */
  size_t *entry; /* the ledger keeps the number of the entry there, from 1 on; starts as 0; NULL: no place */
};

/* The fields of a key. */
enum ledger_field {
#define KEY(name) KEY_##name,
#include "validate/lab/ledger/ledger_key.def"
  KEY_FIELDS
};

/* Append the key of EXPERIMENT to PACK: the texts of all fields, each with a final NUL. */
void ledger_key(const struct experiment *experiment, struct pack *pack);

/* Return the number of the sweep's point that the experiment with KEY belongs to: the same for all
 * experiments on one call of an algorithm, simulation and predictions. */
uint64_t ledger_key_point(const struct pack *key);

/* Let TEXTS point to the fields of KEY, a key of NBYTES bytes.
 * returns: whether KEY is a valid key. */
bool ledger_key_split(const char *key, size_t nbytes, const char *texts[KEY_FIELDS]);

/* Return names and TEXTS of the fields of a key that are not empty.
 * owner: the caller. */
char *ledger_key_describe(const char *const texts[KEY_FIELDS]);

/* Return CALL in words for a message: algorithm, ranks and bytes; a text_brief. */
const char *call_words(const struct call *call);

/* --- results --- */

/* A value. */
struct result_row {
  const char *parameter; /* name of the value */
  unsigned ranks;        /* 0, as bytes: those of the experiment, or none */
  size_t bytes;
  double value;
  const char *unit;
  const char
    *part; /* of the machine, to which the value belongs; NULL: none; known rows have an empty text */
};

/* A known result; texts and packs belong to the ledger. */
struct result {
  struct pack rows;     /* for result_take */
  double number;        /* value of the first row; NaN: there is no row */
  const char *why;      /* reason for missing rows; empty: no row is missing */
  bool stopped;         /* by a fault, a deadlock or a crash, of which `why` tells */
  struct pack observed; /* values behind the rows and the reason, as the kind of experiment has added */
};

/* Append ROW to RESULT. */
void result_add(struct pack *result, const struct result_row *row);

/* Append a row without ranks and bytes; nothing if VALUE is NaN. */
void result_add_value(struct pack *result, const char *parameter, double value, const char *unit);

/* End the rows of RESULT; WHY as in struct result. */
void result_end(struct pack *result, const char *why);

/* Take the next ROW.
 * returns: whether there was one more row. */
bool result_take(struct pack *rows, struct result_row *row);

/* Return the result in PACK. */
struct result result_of(struct pack pack);
