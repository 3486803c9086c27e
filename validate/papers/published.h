/* SPDX-License-Identifier: BSD-3-Clause
 * Simulation against published measurements. */
#pragma once

#include "validate/papers/figure.h"

/* The permitted use of a row. */
enum published_role {
  PUBLISHED_FIT,     /* the row was used, together with other rows, to choose values of the machine */
  PUBLISHED_DERIVED, /* one value of the machine is solved for the row: the row agrees by construction */
  PUBLISHED_TEST,    /* the row was never used to choose anything */
};

/* Blade platforms with rows: the machines of the measurements. */
#define PUBLISHED_PLATFORMS "qs20,ps3"

/* Cluster and host platforms with rows in the default run (each row below one CPU second), and all platforms
 * of that run. Rows of other platforms run only if the platform is named. */
#define PUBLISHED_CLUSTERS "blades"
#define PUBLISHED_HOSTS "qsnet2,icluster2-myrinet"
#define PUBLISHED_ALL PUBLISHED_PLATFORMS "," PUBLISHED_CLUSTERS "," PUBLISHED_HOSTS

/* The origin of a published value. */
enum published_origin {
  PUBLISHED_READ,     /* the source */
  PUBLISHED_RECALLED, /* the memory of readers of the source; the source itself was not available */
};

/* A measurement, a row of published.def or of a user's file, and the simulation. */
struct published_row {
  const char *id;
  enum published_role role;
  enum published_origin origin;
  const char *platform, *quantity;
  double published;
  const char *unit, *source;
  struct figure figure;
  enum published_bound { PUBLISHED_EXACTLY, PUBLISHED_AT_MOST, PUBLISHED_AT_LEAST } bound;
  const char *where; /* file and line; NULL: published.def */
  double simulated;  /* NaN: no simulation, or none is possible */
  double error;      /* percent: 100 (simulated - published) / published; a kept bound has the error 0 */
  bool stopped;      /* by a fault, a deadlock, a crash or a wrong result: then there is no simulated value */
};

/* Maximum number of letters of an id. */
enum { PUBLISHED_ID_MOST = 39 };

/* The rows of published.def, not simulated; published_count_all() of them. */
extern const struct published_row published_rows[];

/* Return ROLE as printed. */
const char *published_role_name(enum published_role role);

/* Return ORIGIN as printed. */
const char *published_origin_name(enum published_origin origin);

/* Return the number of rows of PUBLISHED_PLATFORMS, the first ones; return the number of all rows. */
size_t published_count(void);
size_t published_count_all(void);

/* Return the number of rows of the built-in platform NAME. */
size_t published_count_on(const char *name);

/* --- measurements and findings count only on the machine of the source, known by values, not by name --- */

/* Tell whether PLATFORM is the built-in platform MACHINE: both checksums are equal. */
bool measured_on(const struct platform *platform, const char *machine);

/* Return a line saying NOTHING, such as "nothing was measured", for PLATFORM, with the values in which
 * PLATFORM differs from the nearest of N MACHINES, the one with the fewest differences.
 * owner: the caller frees the text. */
char *measured_elsewhere(const char *nothing, const struct platform *platform, const char *const machines[],
                         size_t n);

/* Return the built-in platform with rows and the values of PLATFORM, under any name; NULL: no rows. */
const char *published_machine(const struct platform *platform);

/* Return a line, as from measured_elsewhere, saying that nothing was measured on PLATFORM; NULL: PLATFORM has
 * rows.
 * owner: the caller frees the text. */
char *published_nothing(const struct platform *platform);

/* Return the machine with the rows for variations of the platform called NAME: NAME itself, or, for a
 * platform without rows, qs20, the base of the others. */
const char *published_varied(const char *name);

/* The ledger and the receivers of simulated rows. */
struct published_walk {
  struct ledger *ledger;
  const struct published_row *rows; /* of a user; NULL: the rows of the machine in published.def */
  size_t nrows;
  void *context;
  void (*take)(void *context, const struct published_row *row);
  /* receive the reason of a row impossible on MACHINE, and of a stopped row; may be NULL */
  void (*skip)(const char *why), (*complain)(const char *why);
};

/* Simulate the rows of WALK on MACHINE; WALK receives the rows in order. After an interruption some rows are
 * missing.
 * errors: a process that died; the store; a user's row with a unit of another quantity, or with a
 *   parameter unknown to the benchmark: WALK then receives nothing. */
int published_run(struct machine *machine, const struct published_walk *walk, struct err *err);

/* Simulate ROW on MACHINE; `simulated` is NaN if the row is impossible on MACHINE. ASKED and ROW must live
 * until the results are known.
 * returns: false while results are missing from LEDGER. */
bool published_ask(struct published_row *row, struct figure_asked *asked, struct ledger *ledger,
                   struct machine *machine);

/* --- the errors of rows of one role --- */

/* Expected errors in percent, fixed before the machine was changed: the median error of the rows of role
 * TEST, and the largest one of all but the row PUBLISHED_EXCEPTED. The excepted row contradicts
 * `bcast-mm-32k-16`: 16 copies of 1 MiB in 653 us exceed the rate of one memory controller. */
enum { PUBLISHED_MEDIAN_EXPECTED = 8, PUBLISHED_LARGEST_EXPECTED = 25 };
#define PUBLISHED_EXCEPTED "bcast-mm-1m-16"

/* Absolute errors in percent. */
struct published_summary {
  size_t n; /* rows; 0: the other members are meaningless */
  double median;
  double largest;
  const struct published_row *worst; /* row with the largest error */
  size_t within_10;                  /* rows with errors of at most 10 % */
  bool expected;                     /* expectations apply to these rows: the excepted row is among them */
};

/* Summarize the rows with ROLE and an error among N ROWS, bounds left out. */
struct published_summary published_summarize(const struct published_row *rows, size_t n,
                                             enum published_role role);

/* Room for published_say. */
enum { PUBLISHED_TEXT_SIZE = 256 };

/* Write SUMMARY of the rows of ROLE into TEXT, one line; with the expected errors if ROLE is TEST and
 * expectations apply. */
void published_say(const struct published_summary *summary, enum published_role role,
                   char text[PUBLISHED_TEXT_SIZE]);
