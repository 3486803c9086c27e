/* SPDX-License-Identifier: BSD-3-Clause
 * Simulation against published measurements. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blade;
struct err;
struct ledger;
struct platform;

/* What a row may be used for. */
enum published_role {
  PUBLISHED_FIT,     /* values of the machine are chosen by it, together with other rows */
  PUBLISHED_DERIVED, /* one value of the machine is solved for it, so that it agrees by construction */
  PUBLISHED_TEST,    /* nothing is chosen by it */
};

/* The machines on which rows were measured, by their platforms. */
#define PUBLISHED_PLATFORMS "qs20,ps3"

/* The same of several nodes, blades and hosts without SPEs, as far as a row takes less than a second of
 * processor time; others have rows for who names them. */
#define PUBLISHED_CLUSTERS "blades"
#define PUBLISHED_HOSTS "qsnet2"

/* Where a value was taken from. */
enum published_origin {
  PUBLISHED_READ,     /* its source */
  PUBLISHED_RECALLED, /* the memory of people who had read it; the source itself could not be had */
};

/* One published measurement and its simulation. */
struct published_row {
  char id[40];
  const char *quantity;
  double published, simulated;
  const char *unit;
  enum published_role role;
  enum published_origin origin;
  const char *platform; /* on which it was measured */
  double error;         /* percent: 100 (simulated - published) / published */
  bool bound;           /* the published value is the most that may be: the error is 0 up to it */
  bool stopped; /* by a fault, a deadlock or a crash, or it was wrong: then there is no simulated value */
  const char *timing;  /* what was timed */
  const char *profile; /* software costs */
  const char *source;
  /* of a collective: */
  const char *algorithm; /* NULL: it is none */
  unsigned ranks;
  size_t bytes;
  double published_ns,
    simulated_ns; /* mean time of a call in the loop; NaN: it is none, or has no simulated value */
};

/* Return ROLE as printed. */
const char *published_role_name(enum published_role role);

/* Return ORIGIN as printed. */
const char *published_origin_name(enum published_origin origin);

/* Return the number of rows of PUBLISHED_PLATFORMS, which come first, and that of all rows. */
size_t published_count(void);
size_t published_count_all(void);

/* Return the number of rows of MACHINE, a built-in platform. */
size_t published_count_on(const char *machine);

/* Return the built-in platform with rows and the values of PLATFORM, under any name; NULL: nothing was measured on
 * PLATFORM. */
const char *published_machine(const struct platform *platform);

/* Say in a line as of measured_elsewhere that nothing was measured on PLATFORM; NULL: PLATFORM has rows.
 * owner: the caller frees the text. */
char *published_nothing(const struct platform *platform);

/* Return the machine with the rows for variations of the platform called NAME: the platform itself, or without
 * rows the qs20, the base of the others. */
const char *published_varied(const char *name);

/* How to simulate all rows, and who takes them. */
struct published_walk {
  struct ledger *ledger;
  void *context;
  void (*take)(void *context, const struct published_row *row);
  void (*skip)(void *context, const char *why);     /* a row that BLADE cannot serve */
  void (*complain)(void *context, const char *why); /* one that has stopped; `take` gets it as well */
};

/* Simulate the rows of the machine BLADE; WALK takes the rows in their order. After an interruption some are missing.
 * errors: a process that died; the store. */
int published_run(struct blade *blade, const struct published_walk *walk, struct err *err);

/* Rows on one blade, for who asks a ledger in rounds of its own. */
struct published_set;

/* Prepare the rows of MACHINE for BLADE; NULL: none. LEDGER is the one that is asked.
 * owner: the caller, with published_close, once the ledger has settled. */
struct published_set *published_open(struct blade *blade, struct ledger *ledger, const char *machine);

/* Release SET; NULL is allowed. */
void published_close(struct published_set *set);

/* Tell whether row INDEX of all is one of SET. */
bool published_has(const struct published_set *set, size_t index);

/* Fill ROW, number INDEX of those of SET; `simulated` is NaN if the blade cannot serve it.
 * returns: whether it is known. */
bool published_ask(struct published_set *set, size_t index, struct published_row *row);

/* Return why row INDEX of SET cannot be had. */
const char *published_why(const struct published_set *set, size_t index);

/* Fill ROW, number INDEX, as if it could not be simulated. */
void published_describe(size_t index, struct published_row *row);
