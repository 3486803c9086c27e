/* SPDX-License-Identifier: BSD-3-Clause
 * Results of experiments in a file: an SQLite database that several processes may use at once.
 *
 * A row is a result: the build of the program that has made it, the fields of its key, its bytes, and a
 * checksum of all of that, since SQLite would not notice a byte that has changed within a row. A store is
 * opened for as long as something is looked up or written, never while processes are forked. Processes that
 * share a sweep also note what was asked for, so that what is missing can be told. */
#pragma once

#include "validate/lab/ledger_key.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct store;

/* The layout of tables and of the results of calls (ledger_call.c); one more whenever it changes. */
enum { STORE_VERSION = 6 };

enum store_mode {
  STORE_LOOK,   /* read, and examine the whole file before */
  STORE_CREATE, /* read and write, examine it, and create it unless it is there */
  STORE_USE,    /* read and write what has been opened before in one of the other ways */
};

enum { STORE_BUILD_SIZE = 17 };

/* A result. */
struct store_row {
  const char *build;
  const char *texts[KEY_FIELDS];
  struct pack result; /* belongs to the store */
};

/* Open the file PATH.
 * errors: it cannot be read or written; it is no SQLite database, belongs to another program, comes from a
 *   later version or is damaged. It is then left as it is.
 * owner: the caller, with store_close. */
struct store *store_open(const char *path, enum store_mode mode, struct err *err);

/* Close STORE, which may be NULL. */
void store_close(struct store *store);

/* Return the build of the running program: a checksum of its file.
 * errors: it cannot be read; NULL then. */
const char *store_build(struct err *err);

/* Begin to write, and end: either all that is put in between is in the file then, or nothing.
 * errors: the file cannot be written. */
int store_begin(struct store *store, struct err *err);
int store_commit(struct store *store, struct err *err);

/* Put the RESULT of the experiment with KEY, which the running program has made.
 * errors: the file cannot be written. */
int store_put(struct store *store, const struct pack *key, const struct pack *result, struct err *err);

/* Note that the running program was asked for the result with KEY: it is missing as long as there is none.
 * errors: the file cannot be written. */
int store_ask(struct store *store, const struct pack *key, struct err *err);

/* Count the results that are missing.
 * returns: -1 with ERR set.
 * errors: the file cannot be read. */
long store_missing(struct store *store, struct err *err);

/* Append the result with KEY of the running program to RESULT.
 * returns: 1, or 0 when there is none; -1 with ERR set.
 * errors: the file cannot be read or is damaged. */
int store_find(struct store *store, const struct pack *key, struct pack *result, struct err *err);

/* Who looks at all results. */
struct store_visitor {
  const char *build; /* only those of this one; NULL: of all */
  int (*visit)(void *context, const struct store_row *row, struct err *err); /* -1: no more, with ERR set */
  void *context;
};

/* Let VISITOR look at all results, build by build in the order of their keys, until it returns -1.
 * errors: the file cannot be read or is damaged. */
int store_visit(struct store *store, const struct store_visitor *visitor, struct err *err);

/* A build that has made results. */
struct store_count {
  char build[STORE_BUILD_SIZE];
  char *version, *since; /* of the program; day and time of its first result */
  char *commit, *compiler, *simgrid;
  char *platform;          /* its name, and in brackets what --set has changed */
  size_t nresults, ncalls; /* all; those that are calls of algorithms */
  size_t nmissing;         /* asked for by processes that share a sweep, and not there */
};

/* Count the results of STORE by build, oldest first, and platform into COUNTS.
 * returns: how many there are; -1 with ERR set.
 * owner: the caller, with store_free_counts. */
long store_count(struct store *store, struct store_count **counts, struct err *err);
void store_free_counts(struct store_count *counts, long n);

/* Find the one build of STORE whose name begins with PREFIX.
 * errors: there is none, or several. */
int store_find_build(struct store *store, const char *prefix, char build[STORE_BUILD_SIZE], struct err *err);

/* Add all results of OTHER to STORE, and what it was asked for, unless both have another result with the same
 * key.
 * returns: how many results differ; if any does, nothing is added and WHICH becomes the key of the first one,
 * which the caller frees. -1 with ERR set.
 * errors: as store_visit and store_put. Nothing is added then. */
long store_merge(struct store *store, struct store *other, char **which, struct err *err);

/* Remove all results of BUILD, or if it is NULL those of all but the running program, and give back their
 * room.
 * returns: how many there were; -1 with ERR set. */
long store_prune(struct store *store, const char *build, struct err *err);
