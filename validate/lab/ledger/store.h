/* SPDX-License-Identifier: BSD-3-Clause
 * Results of experiments in a file: an SQLite database that several processes may use at once.
 *
 * A row of the table `result` is a result: the build of the program, the fields of the key, the numbers of
 * a call (outcome.def), and a checksum of the whole result, because SQLite does not notice a changed byte.
 * Rows of a result are rows of the table `value` with the `id` of the result. A store is open only while rows
 * are looked up or written, never while processes are forked. Processes that share a sweep also note the
 * questions, so that missing results can be listed. */
#pragma once

#include "validate/lab/ledger/ledger_key.h"

struct store;

/* The version of tables and of the results of calls (ledger_call.c); increases with every change. Each row
 * RESULT of outcome.def increases the version by one; other changes increase the number below: by one, for a
 * removed row by two. */
enum {
  STORE_VERSION = -5
#define PART(option, member, kind, meaning) +1
#include "validate/lab/call/call.def"
#define RESULT(type, name, value) +1
#include "validate/lab/call/outcome.def"
};

enum store_mode {
  STORE_LOOK,   /* read, and examine the whole file before */
  STORE_CREATE, /* read and write, examine the file, create a missing file */
  STORE_USE,    /* read and write a file opened before in another mode */
};

/* A result. */
struct store_row {
  const char *build, *version; /* of the program; the version is known to visitors only */
  const char *texts[KEY_FIELDS];
  struct pack result; /* belongs to the store */
};

/* Open the file PATH.
 * errors: the file cannot be read or written; is no SQLite database, belongs to another program, comes from a
 * later
 *   version or is damaged. The file is then unchanged.
 * owner: the caller, with store_close. */
struct store *store_open(const char *path, enum store_mode mode, struct err *err);

/* Close STORE; NULL is allowed. */
void store_close(struct store *store);

/* Return the build of the running program: a checksum of the program's file.
 * errors: the file cannot be read; NULL then. */
const char *store_build(struct err *err);

/* Begin and end a transaction: after the end either all rows put in between are in the file, or none.
 * errors: the file cannot be written. */
int store_begin(struct store *store, struct err *err);
int store_commit(struct store *store, struct err *err);

/* Put the RESULT of the experiment with KEY, made by the running program.
 * errors: the file cannot be written. */
int store_put(struct store *store, const struct pack *key, const struct pack *result, struct err *err);

/* Note that the running program was asked for the result with KEY: a result is missing until put.
 * errors: the file cannot be written. */
int store_ask(struct store *store, const struct pack *key, struct err *err);

/* Count the missing results.
 * returns: -1 with ERR set.
 * errors: the file cannot be read. */
long store_missing(struct store *store, struct err *err);

/* Append the result with KEY of the running program to RESULT.
 * returns: 1, or 0 when there is none; -1 with ERR set.
 * errors: the file cannot be read or is damaged. */
int store_find(struct store *store, const struct pack *key, struct pack *result, struct err *err);

/* A visitor of all results. */
struct store_visitor {
  const char *build; /* only results of this build; NULL: of all */
  /* returns -1: no more, with ERR set; NULL: results are only read */
  int (*visit)(void *context, const struct store_row *row, struct err *err);
  void *context;
};

/* Show all results to VISITOR, build by build in the order of the keys, until VISITOR returns -1.
 * errors: the file cannot be read or is damaged. */
int store_visit(struct store *store, const struct store_visitor *visitor, struct err *err);

/* Call SHOW with each cell of the table of all results of STORE, row by row: by build, oldest first, and
 * platform. A row has the columns STORE_COUNTS: the build of the program, with the day and time of the first
 * result; the platform's name, and in brackets the values changed by --set; all results, results of algorithm
 * calls; whether the build is the running program; results asked for by processes that share a sweep, and
 * missing.
 * errors: as store_visit and store_build. */
#define STORE_COUNTS "build,version,since,platform,results,calls,present,missing,commit,compiler,simgrid"
typedef void store_show(void *context, const char *cell, bool is_number);
int store_count(struct store *store, store_show *show, void *context, struct err *err);

/* Return the only build of STORE whose name begins with PREFIX; the text lasts as long as the process.
 * errors: no such build, or several; NULL then. */
const char *store_find_build(struct store *store, const char *prefix, struct err *err);

/* Add all results and noted questions of OTHER to STORE, unless the stores have different results with the
 * same key.
 * returns: the number of different results; if not 0, nothing is added and WHICH becomes the first such key,
 * which the caller frees. -1 with ERR set.
 * errors: as store_visit and store_put. Nothing is added then. */
long store_merge(struct store *store, struct store *other, char **which, struct err *err);

/* Remove all results of BUILD, or with NULL the results of all builds except the running program, and free
 * the room.
 * returns: the number of removed results; -1 with ERR set. */
long store_prune(struct store *store, const char *build, struct err *err);
