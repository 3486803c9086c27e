/* SPDX-License-Identifier: BSD-3-Clause
 * See store.h. Every failure of SQLite goes through `refuse`, which makes the only message about the
 * failure. */
#include "validate/lab/ledger/store_parts.h"

#include "config.h"
#include "sim/base/checksum.h"
#include "sim/base/err.h"
#include "sim/base/origin.h"
#include "sim/base/xalloc.h"
#include "validate/lab/ledger/ledger_call.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The mark of this project's files in SQLite ("coll"), and the time for which a process waits for other
 * processes. */
enum { APPLICATION = 0x636f6c6c, PATIENCE_MILLISECONDS = 60000 };

/* --- the tables --- */

/* The columns of `result`. */
enum { COLUMN_BUILD, COLUMN_KEY, COLUMN_RESULT = COLUMN_KEY + KEY_FIELDS, COLUMN_SUM };

static const char sql_create[] =
  "CREATE TABLE build(build TEXT NOT NULL PRIMARY KEY, version TEXT NOT NULL, since TEXT NOT NULL, "
  "revision TEXT NOT NULL, compiler TEXT NOT NULL, simgrid TEXT NOT NULL);"
  "CREATE TABLE result(build TEXT NOT NULL"
#define KEY(name) ", " #name " TEXT NOT NULL"
#include "validate/lab/ledger/ledger_key.def"
  ", result BLOB NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(build"
#define KEY(name) ", " #name
#include "validate/lab/ledger/ledger_key.def"
  ")) WITHOUT ROWID;"
  "CREATE TABLE asked(build TEXT NOT NULL"
#define KEY(name) ", " #name " TEXT NOT NULL"
#include "validate/lab/ledger/ledger_key.def"
  ", PRIMARY KEY(build"
#define KEY(name) ", " #name
#include "validate/lab/ledger/ledger_key.def"
  ")) WITHOUT ROWID;"
  "CREATE VIEW missing AS SELECT * FROM asked EXCEPT SELECT build"
#define KEY(name) ", " #name
#include "validate/lab/ledger/ledger_key.def"
  " FROM result";

static const char sql_find[] = "SELECT result, sum FROM result WHERE build = ?"
#define KEY(name) " AND " #name " = ?"
#include "validate/lab/ledger/ledger_key.def"
  ;

static const char sql_put[] = "INSERT OR IGNORE INTO result VALUES(?"
#define KEY(name) ", ?"
#include "validate/lab/ledger/ledger_key.def"
                              ", ?, ?)";

static const char sql_all[] = "SELECT build"
#define KEY(name) ", " #name
#include "validate/lab/ledger/ledger_key.def"
                              ", result, sum FROM result WHERE ?1 = '' OR build = ?1 ORDER BY build"
#define KEY(name) ", " #name
#include "validate/lab/ledger/ledger_key.def"
  ;

/* --- messages --- */

/* Return why the file of STORE cannot be opened; the errno of SQLite is that of its last try, for reading
 * only. */
static int find_errno(const struct store *store) {
  int number = sqlite3_system_errno(store->db);
  char *copy = xstrdup(store->path);
  if (number == ENOENT && access(dirname(copy), W_OK | X_OK) != 0) {
    number = errno;
  }
  free(copy);
  return number;
}

int store_refuse(const struct store *store, struct err *err) {
  const char *why = sqlite3_errmsg(store->db);
  switch (sqlite3_errcode(store->db) & 0xff) {
  case SQLITE_NOTADB:
    return err_set(err, "%s: is no SQLite database, expected a store of " PACKAGE_NAME, store->path);
  case SQLITE_CORRUPT:
  case SQLITE_FORMAT:
  case SQLITE_ERROR: /* the statements are ours, so that the tables are not */
    return err_set(err, "%s: is damaged (%s), expected a store of " PACKAGE_NAME, store->path, why);
  case SQLITE_CANTOPEN:
    return err_set(err, "%s: cannot be opened: %s", store->path, strerror(find_errno(store)));
  default:
    return err_set(err, "%s: cannot be used: %s", store->path, why);
  }
}

static int refuse_row(const struct store *store, struct err *err) {
  return err_set(err, "%s: is damaged (a result has changed), expected a store of " PACKAGE_NAME,
                 store->path);
}

/* --- statements --- */

int store_execute(struct store *store, const char *sql, struct err *err) {
  return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : store_refuse(store, err);
}

sqlite3_stmt *store_prepare(struct store *store, const char *sql, const char *const texts[],
                            struct err *err) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK) {
    store_refuse(store, err);
    return NULL;
  }
  for (int i = 0; texts[i]; i++) {
    sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_TRANSIENT);
  }
  return statement;
}

long store_change(struct store *store, const char *sql, const char *const texts[], struct err *err) {
  sqlite3_stmt *statement = store_prepare(store, sql, texts, err);
  if (!statement) {
    return -1;
  }
  long status =
    sqlite3_step(statement) == SQLITE_DONE ? sqlite3_changes(store->db) : store_refuse(store, err);
  sqlite3_finalize(statement);
  return status;
}

int store_next_row(struct store *store, sqlite3_stmt *statement, struct err *err) {
  int code = sqlite3_step(statement);
  return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : store_refuse(store, err);
}

/* Return the number that the query SQL yields, or -1 with ERR set. */
static int ask_number(struct store *store, const char *sql, struct err *err) {
  sqlite3_stmt *statement = store_prepare(store, sql, (const char *const[]){NULL}, err);
  int number =
    statement && store_next_row(store, statement, err) == 1 ? sqlite3_column_int(statement, 0) : -1;
  sqlite3_finalize(statement);
  return number;
}

const char *store_text(sqlite3_stmt *statement, int c) {
  const char *text = (const char *)sqlite3_column_text(statement, c);
  return text ? text : "";
}

/* --- opening --- */

static int create_tables(struct store *store, struct err *err) {
  char marks[96];
  snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", APPLICATION,
           STORE_VERSION);
  if (store_execute(store, "BEGIN IMMEDIATE", err) != 0) {
    return -1;
  }
  if (ask_number(store, "PRAGMA application_id", err) != 0) { /* another process was faster */
    return store_execute(store, "COMMIT", err);
  }
  return store_execute(store, sql_create, err) == 0 ? store_execute(store, marks, err) : -1;
}

/* Check that the file of STORE belongs to this project; with THOROUGHLY, that SQLite can read the whole
 * file. */
static int examine(struct store *store, bool thoroughly, struct err *err) {
  int application = ask_number(store, "PRAGMA application_id", err);
  if (application < 0) {
    return -1;
  }
  if (application != APPLICATION) {
    return err_set(err, "%s: belongs to another program, expected a store of " PACKAGE_NAME, store->path);
  }
  int version = ask_number(store, "PRAGMA user_version", err);
  if (version > 0 && version != STORE_VERSION) {
    return err_set(err, "%s: is of %s " PACKAGE_NAME ": version %d, expected %d", store->path,
                   version > STORE_VERSION ? "a later" : "an earlier", version, STORE_VERSION);
  }
  if (version != STORE_VERSION) {
    return err_set(err, "%s: is damaged (version %d), expected a store of " PACKAGE_NAME, store->path,
                   version);
  }
  if (!thoroughly) {
    return 0;
  }
  sqlite3_stmt *statement = store_prepare(store, "PRAGMA quick_check(1)", (const char *const[]){NULL}, err);
  int status = statement && store_next_row(store, statement, err) == 1 ? 0 : -1;
  if (status == 0 && strcmp(store_text(statement, 0), "ok") != 0) {
    status = err_set(err, "%s: is damaged (%.200s), expected a store of " PACKAGE_NAME, store->path,
                     store_text(statement, 0));
  }
  sqlite3_finalize(statement);
  return status;
}

struct store *store_open(const char *path, enum store_mode mode, struct err *err) {
  static const int flags[] = {[STORE_LOOK] = SQLITE_OPEN_READONLY,
                              [STORE_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                              [STORE_USE] = SQLITE_OPEN_READWRITE};
  struct store *store = xcalloc(1, sizeof *store);
  char *file = strchr(path, '/') ? xstrdup(path) : xasprintf("./%s", path); /* also one called :memory: */
  store->path = xstrdup(path);
  int status =
    sqlite3_open_v2(file, &store->db, flags[mode], NULL) == SQLITE_OK ? 0 : store_refuse(store, err);
  free(file);
  if (status == 0) {
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, PATIENCE_MILLISECONDS);
    int npages = mode == STORE_CREATE ? ask_number(store, "PRAGMA page_count", err) : 1;
    status = npages < 0 ? -1 : npages == 0 ? create_tables(store, err) : 0;
  }
  if (status == 0 && examine(store, mode != STORE_USE, err) == 0) {
    return store;
  }
  store_close(store);
  return NULL;
}

void store_close(struct store *store) {
  if (store) {
    sqlite3_finalize(store->find);
    sqlite3_finalize(store->put);
    sqlite3_finalize(store->ask);
    sqlite3_close(store->db);
    free(store->path);
    free(store);
  }
}

const char *store_build(struct err *err) {
  static char build[STORE_BUILD_SIZE];
  uint64_t sum;
  if (!*build && checksum_file("/proc/self/exe", &sum, err) == 0) {
    snprintf(build, sizeof build, "%016" PRIx64, sum);
  }
  return *build ? build : NULL;
}

/* --- results --- */

/* Return the checksum of a row: BUILD, the TEXTS of its key, and the NBYTES of RESULT. */
static sqlite3_int64 sum_of(const char *build, const char *const texts[], const void *result, size_t nbytes) {
  uint64_t sum = checksum_add(CHECKSUM_START, build, strlen(build) + 1);
  for (size_t i = 0; i < KEY_FIELDS; i++) {
    sum = checksum_add(sum, texts[i], strlen(texts[i]) + 1);
  }
  return (sqlite3_int64)checksum_add(sum, result, nbytes);
}

void store_bind_key(sqlite3_stmt *statement, const char *build, const char *const texts[]) {
  sqlite3_reset(statement);
  sqlite3_bind_text(statement, COLUMN_BUILD + 1, build, -1, SQLITE_STATIC);
  for (int i = 0; i < KEY_FIELDS; i++) {
    sqlite3_bind_text(statement, COLUMN_KEY + 1 + i, texts[i], -1, SQLITE_STATIC);
  }
}

int store_begin(struct store *store, struct err *err) {
  return store_execute(store, "BEGIN IMMEDIATE", err);
}

int store_commit(struct store *store, struct err *err) {
  return store_execute(store, "COMMIT", err);
}

int store_put_row(struct store *store, const struct store_row *row, struct err *err) {
  if (!store->put) {
    store->put = store_prepare(store, sql_put, (const char *const[]){NULL}, err);
  }
  if (!store->put) {
    return -1;
  }
  const struct pack *result = &row->result;
  store_bind_key(store->put, row->build, row->texts);
  sqlite3_bind_blob64(store->put, COLUMN_RESULT + 1, result->nbytes ? (void *)result->bytes : "",
                      result->nbytes, SQLITE_STATIC);
  sqlite3_bind_int64(store->put, COLUMN_SUM + 1,
                     sum_of(row->build, row->texts, result->bytes, result->nbytes));
  return store_next_row(store, store->put, err);
}

int store_put_build(struct store *store, const char *const texts[], struct err *err) {
  return store_change(store, "INSERT OR IGNORE INTO build VALUES(?, ?, ?, ?, ?, ?)", texts, err) < 0 ? -1 : 0;
}

int store_put_present(struct store *store, struct err *err) {
  const char *const texts[] = {store_build(err),  PACKAGE_VERSION,  origin_date(), origin_commit(),
                               origin_compiler(), origin_simgrid(), NULL};
  return texts[0] ? store_put_build(store, texts, err) : -1;
}

int store_put(struct store *store, const struct pack *key, const struct pack *result, struct err *err) {
  struct store_row row = {.build = store_build(err), .result = *result};
  if (!row.build || (!store->put && store_put_present(store, err) != 0)) {
    return -1;
  }
  ledger_key_split((const char *)key->bytes, key->nbytes, row.texts);
  return store_put_row(store, &row, err);
}

int store_find_row(struct store *store, const char *build, const char *const texts[], struct pack *result,
                   struct err *err) {
  if (!store->find) {
    store->find = store_prepare(store, sql_find, (const char *const[]){NULL}, err);
  }
  if (!store->find) {
    return -1;
  }
  store_bind_key(store->find, build, texts);
  int found = store_next_row(store, store->find, err);
  if (found == 1) {
    const void *bytes = sqlite3_column_blob(store->find, 0);
    size_t nbytes = (size_t)sqlite3_column_bytes(store->find, 0);
    if (sqlite3_column_int64(store->find, 1) != sum_of(build, texts, bytes, nbytes)) {
      return refuse_row(store, err);
    }
    pack_add_bytes(result, bytes, nbytes);
  }
  return found;
}

int store_find(struct store *store, const struct pack *key, struct pack *result, struct err *err) {
  const char *build = store_build(err), *texts[KEY_FIELDS];
  ledger_key_split((const char *)key->bytes, key->nbytes, texts);
  return build ? store_find_row(store, build, texts, result, err) : -1;
}

/* Let VISITOR look at the present row of STATEMENT. */
static int visit_row(struct store *store, sqlite3_stmt *statement, const struct store_visitor *visitor,
                     struct err *err) {
  struct store_row row = {.build = store_text(statement, COLUMN_BUILD)};
  for (int i = 0; i < KEY_FIELDS; i++) {
    row.texts[i] = store_text(statement, COLUMN_KEY + i);
  }
  const void *bytes = sqlite3_column_blob(statement, COLUMN_RESULT);
  size_t nbytes = (size_t)sqlite3_column_bytes(statement, COLUMN_RESULT);
  if (sqlite3_column_int64(statement, COLUMN_SUM) != sum_of(row.build, row.texts, bytes, nbytes)) {
    return refuse_row(store, err);
  }
  pack_add_bytes(&row.result, bytes, nbytes);
  int status = visitor->visit(visitor->context, &row, err);
  pack_fini(&row.result);
  return status;
}

int store_visit(struct store *store, const struct store_visitor *visitor, struct err *err) {
  const char *const texts[] = {visitor->build ? visitor->build : "", NULL};
  sqlite3_stmt *statement = store_prepare(store, sql_all, texts, err);
  int more = statement ? 1 : -1;
  while (more == 1) {
    more = store_next_row(store, statement, err);
    if (more == 1 && visit_row(store, statement, visitor, err) != 0) {
      more = -1;
    }
  }
  sqlite3_finalize(statement);
  return more;
}
