/* SPDX-License-Identifier: BSD-3-Clause
 * Published rows on variations of the machines of the measurements, simulated together. */
#pragma once

#include "validate/papers/published.h"

#include <stdbool.h>
#include <stddef.h>

struct blade;
struct err;
struct ledger;
struct platform;

enum { LAB_TEXT_SIZE = 512 };

/* A value of a variation. */
struct lab_setting {
  const char *machine; /* NULL: all machines */
  const char *keys;    /* parameters that get the value, separated by blanks */
  const char *value;   /* as typed after --set */
};

/* The machines with some values changed. */
struct variation {
  char label[LAB_TEXT_SIZE];   /* for messages: "key=value key=value" */
  struct platform **platforms; /* one for each machine of the lab */
  struct blade **blades;
  struct published_set **sets;
  double *values; /* values of all published_count() rows; NaN: no value */
};

struct lab {
  struct ledger *ledger;
  struct platform *const *machines; /* the machines to vary */
  size_t nmachines;
  const bool *wanted; /* rows to simulate; NULL: all */
  struct variation **items;
  size_t n;
  /* Called in each round of the ledger, for further questions on a variation; NULL: no further questions. */
  void (*also)(void *context, size_t index, const struct variation *variation);
  void *context;
};

/* Add a variation to LAB with the N SETTINGS. A setting of one machine also changes each machine with the
 * same original value of the parameter, because such a machine is built on the machine of the setting.
 * errors: as platform_set and blade_new; LAB is then unchanged. */
int lab_add(struct lab *lab, const struct lab_setting *settings, size_t n, struct err *err);

/* Simulate the wanted rows on all variations of LAB. After an interruption some values are NaN.
 * errors: a process that died; the store. */
int lab_run(struct lab *lab, struct err *err);

/* Release the contents of LAB, without the machines and the ledger. */
void lab_fini(struct lab *lab);

/* Tell whether LAB has the machine called NAME, or the first machine serves instead: for qs20, the base of
 * the others. */
bool lab_has(const struct lab *lab, const char *name);

/* A number of a machine. */
struct lab_number {
  double value;
  const char *unit;
};

/* Find the number of the first of KEYS on the machine called MACHINE, or on the first machine if LAB has no
 * MACHINE.
 * errors: no such parameter, or the value is no number. */
int lab_value(const struct lab *lab, const char *machine, const char *keys, struct lab_number *number,
              struct err *err);
