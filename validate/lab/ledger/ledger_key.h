/* SPDX-License-Identifier: BSD-3-Clause
 * Keys of experiments: equal keys, equal results. */
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

  /* Make EXPERIMENT on the experiment's machine and pack the result. May run in another process: prints
   * nothing, and changes of memory are lost. Returns nonzero if an interruption prevented the end. */
  int (*run)(const struct experiment *experiment, struct pack *result);

  /* Instead of `run` and `stopped`, for results that are a number: return the number; NaN with ERR as the
   * reason. See ledger_value. */
  double (*measure)(const struct experiment *experiment, struct err *err);

  /* Pack a result for an EXPERIMENT that has crashed its process, or in which a run that had to be sound has
   * stopped (rig_run_sound, rig_note_stop); no store keeps this result. HOW begins with crash, fault or
   * deadlock. NULL: no run of the experiment may stop; after a crash the ledger ends with an error. */
  void (*stopped)(const struct experiment *experiment, const char *how, struct pack *result);

  /* Many other results depend on this kind: each process of a shared sweep makes the experiment. */
  bool shared;

  /* Name EXPERIMENT, for the message about a process that has died; NULL: the name is that of the call, or of
   * the kind. */
  void (*describe)(const struct experiment *experiment, char *text, size_t size);
};

/* Observers of a call besides the run of the call; bits. CALL_UTILISATION: counters; CALL_PATH: totals of the
 * critical path, and ranks in the way; CALL_CHAIN, with CALL_PATH: also parts and segments. */
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

/* Describe CALL for a message, by algorithm, ranks and bytes, in a TEXT of SIZE bytes;
 * CALL_TEXT_SIZE is enough. */
enum { CALL_TEXT_SIZE = CATALOGUE_NAME_SIZE + 64 };
void call_describe(const struct call *call, char *text, size_t size);

/* Name EXPERIMENT for a message. */
void experiment_describe(const struct experiment *experiment, char *text, size_t size);
