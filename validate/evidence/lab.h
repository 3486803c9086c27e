/* SPDX-License-Identifier: BSD-3-Clause
 * Published rows on variations of the machines on which they were measured, all asked for at once. */
#pragma once

#include "validate/papers/published.h"

#include <stdbool.h>
#include <stddef.h>

struct blade;
struct err;
struct ledger;
struct platform;

enum { LAB_TEXT_SIZE = 512 };

/* What one value of a variation is. */
struct lab_setting {
  const char *machine; /* NULL: all machines */
  const char *keys;    /* parameters that get the same value, separated by blanks */
  const char *value;   /* as typed after --set */
};

/* The machines with some values changed. */
struct variation {
  char label[LAB_TEXT_SIZE];   /* for messages: "key=value key=value" */
  struct platform **platforms; /* one for each machine of the lab */
  struct blade **blades;
  struct published_set **sets;
  double *values; /* of all published_count() rows; NaN: there is none */
};

struct lab {
  struct ledger *ledger;
  struct platform *const *machines; /* the ones that are varied */
  size_t nmachines;
  const bool *wanted; /* rows that are simulated; NULL: all */
  struct variation **items;
  size_t n;
  /* Called in each round, for what else is asked on a variation; NULL: nothing. */
  void (*also)(void *context, size_t index, const struct variation *variation);
  void *context;
};

/* Add a variation to LAB with the N SETTINGS. A setting of one machine also changes those machines that have
 * the same value there to begin with, since they are built on it.
 * errors: as platform_set and blade_new; nothing is added then. */
int lab_add(struct lab *lab, const struct lab_setting *settings, size_t n, struct err *err);

/* Simulate the wanted rows on all variations of LAB. After an interruption some values are NaN.
 * errors: a process that died; the store. */
int lab_run(struct lab *lab, struct err *err);

/* Release what LAB holds; its machines and ledger are not its own. */
void lab_fini(struct lab *lab);

/* Tell whether LAB has the machine called NAME, or can do with its first one: a qs20, on which the others are
 * built. */
bool lab_has(const struct lab *lab, const char *name);

/* A number of a machine. */
struct lab_number {
  double value;
  const char *unit;
};

/* Find the number that the first of KEYS has on the machine called MACHINE, or on the first one if that is
 * not there.
 * errors: there is no such parameter, or it is no number. */
int lab_value(const struct lab *lab, const char *machine, const char *keys, struct lab_number *number,
              struct err *err);
