/* SPDX-License-Identifier: BSD-3-Clause
 * Keys of experiments: equal keys, equal results. */
#pragma once

#include "algos/catalogue.h"
#include "sim/base/pack.h"
#include "validate/lab/rig.h"

#include <stdbool.h>
#include <stdint.h>

struct experiment;

/* A kind of experiments. */
struct experiment_kind {
  const char *name;

  /* Make EXPERIMENT on its blade and pack what comes of it; perhaps in another process, so nothing is printed
   * there, and what it changes is lost. Nonzero: it could not be finished, because of an interruption. */
  int (*run)(const struct experiment *experiment, struct pack *result);

  /* EXPERIMENT has crashed its process, or a run in it that had to be sound has stopped (rig_run_sound,
   * rig_note_stop); HOW says how, and begins with crash, fault or deadlock: pack a result that says so, which
   * no store gets. NULL: nothing of it may stop; after a crash the ledger ends as after any process that
   * died. */
  void (*stopped)(const struct experiment *experiment, const char *how, struct pack *result);

  /* Results of many others depend on it: of processes that share a sweep each makes it. */
  bool shared;

  /* Name EXPERIMENT, for the message about a process that has died; NULL: by its call, or by the name of the
   * kind. */
  void (*describe)(const struct experiment *experiment, char *text, size_t size);
};

enum { EXPERIMENT_NUMBERS = 3 };

/* An experiment: all that its result depends on. What a kind does not use is zero. */
struct experiment {
  const struct experiment_kind *kind;
  struct blade *blade;                  /* its machine: of the same platform always the same */
  struct rig_spec spec;                 /* without observers */
  const char *observers;                /* names of those whose findings belong to the result; NULL: none */
  const char *subject;                  /* of what else, such as the name of a benchmark; NULL: nothing */
  uint64_t numbers[EXPERIMENT_NUMBERS]; /* further arguments */
  const void *context;                  /* for run(): nothing that the other fields do not tell */
  size_t *entry; /* the ledger keeps the number of the entry there, from 1 on; starts as 0; NULL: no place */
};

/* The fields of a key. */
enum ledger_field {
#define KEY(name) KEY_##name,
#include "validate/lab/ledger_key.def"
  KEY_FIELDS
};

/* Append the key of EXPERIMENT to PACK: the texts of all fields, each with its final NUL. */
void ledger_key(const struct experiment *experiment, struct pack *pack);

/* Return the number of the point of a sweep that the experiment with KEY belongs to: the same for all
 * experiments on one call of an algorithm, its simulation and its predictions. */
uint64_t ledger_key_point(const struct pack *key);

/* Let TEXTS point to the fields of KEY, which has NBYTES bytes.
 * returns: whether it is a key. */
bool ledger_key_split(const char *key, size_t nbytes, const char *texts[KEY_FIELDS]);

/* Return the name of FIELD. */
const char *ledger_field_name(enum ledger_field field);

/* As `stopped` of kinds whose results are a real number and, if it is NaN, why: pack NaN, the name of
 * EXPERIMENT and HOW. */
void experiment_has_no_value(const struct experiment *experiment, const char *how, struct pack *result);

/* Describe the call of SPEC for a message, by algorithm, ranks and bytes, in a TEXT of SIZE bytes;
 * CALL_TEXT_SIZE is enough. */
enum { CALL_TEXT_SIZE = CATALOGUE_NAME_SIZE + 64 };
void call_describe(const struct rig_spec *spec, char *text, size_t size);

/* Name EXPERIMENT for a message. */
void experiment_describe(const struct experiment *experiment, char *text, size_t size);
