/* SPDX-License-Identifier: BSD-3-Clause
 * The inside of stores, for store.c and store_builds.c. */
#pragma once

#include "validate/lab/ledger/store.h"

#include <sqlite3.h>

struct store {
  char *path;
  sqlite3 *db;
  sqlite3_stmt *find, *put, *ask; /* prepared when first needed */
};

/* Set ERR to the last error of STORE: damaged, or not usable.
 * returns: -1. */
int store_refuse(const struct store *store, struct err *err);

/* Run SQL, without parameters; rows are ignored. */
int store_execute(struct store *store, const char *sql, struct err *err);

/* Prepare SQL with TEXTS, ended by NULL, as the parameters.
 * returns: NULL with ERR set.
 * owner: the caller, with sqlite3_finalize. */
sqlite3_stmt *store_prepare(struct store *store, const char *sql, const char *const texts[], struct err *err);

/* Run SQL, a statement without rows, with TEXTS.
 * returns: the number of changed rows; -1 with ERR set. */
long store_change(struct store *store, const char *sql, const char *const texts[], struct err *err);

/* Go on to the next row of STATEMENT.
 * returns: 1, or 0 after the last one; -1 with ERR set. */
int store_next_row(struct store *store, sqlite3_stmt *statement, struct err *err);

/* Return column C of the present row of STATEMENT as a text. */
const char *store_text(sqlite3_stmt *statement, int c);

/* Reset STATEMENT and bind BUILD and the TEXTS of a key. */
void store_bind_key(sqlite3_stmt *statement, const char *build, const char *const texts[]);

/* Append the result of BUILD with the key TEXTS to RESULT; as store_find. */
int store_find_row(struct store *store, const char *build, const char *const texts[], struct pack *result,
                   struct err *err);

/* Put the result of ROW, of any build. */
int store_put_row(struct store *store, const struct store_row *row, struct err *err);

/* Put a build unless present: TEXTS are name, version, day and time of first use, commit, compiler and
 * SimGrid, and NULL. */
int store_put_build(struct store *store, const char *const texts[], struct err *err);

/* Put the build of the running program unless present. */
int store_put_present(struct store *store, struct err *err);

/* Add the noted questions of OTHER to STORE. */
int store_merge_asked(struct store *store, struct store *other, struct err *err);
