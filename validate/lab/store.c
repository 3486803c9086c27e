/* SPDX-License-Identifier: BSD-3-Clause
 * See store.h. Every failure of SQLite comes through `refuse`, which makes the one message of it. */
#include "validate/lab/store.h"

#include "config.h"
#include "sim/base/checksum.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "validate/lab/ledger_call.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How SQLite tells our files from those of others ("coll"), and how long a process waits for the others. */
enum { APPLICATION = 0x636f6c6c, PATIENCE_MILLISECONDS = 60000 };

struct store {
  char *path;
  sqlite3 *db;
  sqlite3_stmt *find, *put; /* prepared when first needed */
};

/* --- the tables --- */

/* The columns of `result`. */
enum { COLUMN_BUILD, COLUMN_KEY, COLUMN_RESULT = COLUMN_KEY + KEY_FIELDS, COLUMN_SUM };

static const char sql_create[] =
  "CREATE TABLE build(build TEXT NOT NULL PRIMARY KEY, version TEXT NOT NULL, since TEXT NOT NULL);"
  "CREATE TABLE result(build TEXT NOT NULL"
#define KEY(name) ", " #name " TEXT NOT NULL"
#include "validate/lab/ledger_key.def"
  ", result BLOB NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(build"
#define KEY(name) ", " #name
#include "validate/lab/ledger_key.def"
  ")) WITHOUT ROWID";

static const char sql_find[] = "SELECT result, sum FROM result WHERE build = ?"
#define KEY(name) " AND " #name " = ?"
#include "validate/lab/ledger_key.def"
  ;

static const char sql_put[] = "INSERT OR IGNORE INTO result VALUES(?"
#define KEY(name) ", ?"
#include "validate/lab/ledger_key.def"
                              ", ?, ?)";

static const char sql_all[] = "SELECT build"
#define KEY(name) ", " #name
#include "validate/lab/ledger_key.def"
                              ", result, sum FROM result WHERE ?1 = '' OR build = ?1 ORDER BY build"
#define KEY(name) ", " #name
#include "validate/lab/ledger_key.def"
  ;

/* --- messages --- */

/* Set ERR to what went wrong last with STORE: it is damaged, or cannot be used. */
static int
refuse(const struct store *store, struct err *err)
{
  const char *why = sqlite3_errmsg(store->db);
  switch (sqlite3_errcode(store->db) & 0xff) {
  case SQLITE_NOTADB:
    return err_set(err, "%s: is no SQLite database, expected a store of " PACKAGE_NAME, store->path);
  case SQLITE_CORRUPT:
  case SQLITE_FORMAT:
  case SQLITE_ERROR: /* the statements are ours, so that the tables are not */
    return err_set(err, "%s: is damaged (%s), expected a store of " PACKAGE_NAME, store->path, why);
  default:
    return err_set(err, "%s: cannot be used: %s", store->path, why);
  }
}

static int
refuse_row(const struct store *store, struct err *err)
{
  return err_set(err, "%s: is damaged (a result has changed), expected a store of " PACKAGE_NAME,
                 store->path);
}

/* --- statements --- */

static int
execute(struct store *store, const char *sql, struct err *err)
{
  return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : refuse(store, err);
}

/* Prepare SQL with the TEXTS, before a NULL, as its parameters.
 * returns: NULL with ERR set. */
static sqlite3_stmt *
prepare(struct store *store, const char *sql, const char *const texts[], struct err *err)
{
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK) {
    refuse(store, err);
    return NULL;
  }
  for (int i = 0; texts[i]; i++) {
    sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_TRANSIENT);
  }
  return statement;
}

/* Run SQL with TEXTS; it returns no rows.
 * returns: how many rows it has changed; -1 with ERR set. */
static long
change(struct store *store, const char *sql, const char *const texts[], struct err *err)
{
  sqlite3_stmt *statement = prepare(store, sql, texts, err);
  if (!statement) {
    return -1;
  }
  long status = sqlite3_step(statement) == SQLITE_DONE ? sqlite3_changes(store->db) : refuse(store, err);
  sqlite3_finalize(statement);
  return status;
}

/* Go on to the next row of STATEMENT.
 * returns: 1, or 0 after the last one; -1 with ERR set. */
static int
next_row(struct store *store, sqlite3_stmt *statement, struct err *err)
{
  int code = sqlite3_step(statement);
  return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : refuse(store, err);
}

/* Return the number that SQL says, or -1 with ERR set. */
static int
ask_number(struct store *store, const char *sql, struct err *err)
{
  sqlite3_stmt *statement = prepare(store, sql, (const char *const[]){NULL}, err);
  int number = statement && next_row(store, statement, err) == 1 ? sqlite3_column_int(statement, 0) : -1;
  sqlite3_finalize(statement);
  return number;
}

/* Return column C of the present row of STATEMENT as a text. */
static const char *
text_of(sqlite3_stmt *statement, int c)
{
  const char *text = (const char *)sqlite3_column_text(statement, c);
  return text ? text : "";
}

/* --- opening --- */

static int
create_tables(struct store *store, struct err *err)
{
  char marks[96];
  snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", APPLICATION,
           STORE_VERSION);
  if (execute(store, "BEGIN IMMEDIATE", err) != 0) {
    return -1;
  }
  if (ask_number(store, "PRAGMA application_id", err) != 0) { /* another process was faster */
    return execute(store, "COMMIT", err);
  }
  return execute(store, sql_create, err) == 0 ? execute(store, marks, err) : -1;
}

/* Check that the file of STORE is one of ours; with THOROUGHLY, that SQLite can read all of it. */
static int
examine(struct store *store, bool thoroughly, struct err *err)
{
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
  sqlite3_stmt *statement = prepare(store, "PRAGMA quick_check(1)", (const char *const[]){NULL}, err);
  int status = statement && next_row(store, statement, err) == 1 ? 0 : -1;
  if (status == 0 && strcmp(text_of(statement, 0), "ok") != 0) {
    status = err_set(err, "%s: is damaged (%.200s), expected a store of " PACKAGE_NAME, store->path,
                     text_of(statement, 0));
  }
  sqlite3_finalize(statement);
  return status;
}

struct store *
store_open(const char *path, enum store_mode mode, struct err *err)
{
  static const int flags[] = {[STORE_LOOK] = SQLITE_OPEN_READONLY,
                              [STORE_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                              [STORE_USE] = SQLITE_OPEN_READWRITE};
  struct store *store = xcalloc(1, sizeof *store);
  char *file = strchr(path, '/') ? xstrdup(path) : xasprintf("./%s", path); /* also one called :memory: */
  store->path = xstrdup(path);
  int status = sqlite3_open_v2(file, &store->db, flags[mode], NULL) == SQLITE_OK ? 0 : refuse(store, err);
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

void
store_close(struct store *store)
{
  if (store) {
    sqlite3_finalize(store->find);
    sqlite3_finalize(store->put);
    sqlite3_close(store->db);
    free(store->path);
    free(store);
  }
}

const char *
store_build(struct err *err)
{
  static char build[STORE_BUILD_SIZE];
  uint64_t sum;
  if (!*build && checksum_file("/proc/self/exe", &sum, err) == 0) {
    snprintf(build, sizeof build, "%016" PRIx64, sum);
  }
  return *build ? build : NULL;
}

/* --- results --- */

/* Return the checksum of a row: BUILD, the TEXTS of its key, and the NBYTES of RESULT. */
static sqlite3_int64
sum_of(const char *build, const char *const texts[], const void *result, size_t nbytes)
{
  uint64_t sum = checksum_add(CHECKSUM_START, build, strlen(build) + 1);
  for (size_t i = 0; i < KEY_FIELDS; i++) {
    sum = checksum_add(sum, texts[i], strlen(texts[i]) + 1);
  }
  return (sqlite3_int64)checksum_add(sum, result, nbytes);
}

/* Bind BUILD and the TEXTS of a key to STATEMENT. */
static void
bind_key(sqlite3_stmt *statement, const char *build, const char *const texts[])
{
  sqlite3_reset(statement);
  sqlite3_bind_text(statement, COLUMN_BUILD + 1, build, -1, SQLITE_STATIC);
  for (int i = 0; i < KEY_FIELDS; i++) {
    sqlite3_bind_text(statement, COLUMN_KEY + 1 + i, texts[i], -1, SQLITE_STATIC);
  }
}

int
store_begin(struct store *store, struct err *err)
{
  return execute(store, "BEGIN IMMEDIATE", err);
}

int
store_commit(struct store *store, struct err *err)
{
  return execute(store, "COMMIT", err);
}

/* Put a result of any build. */
static int
put(struct store *store, const struct store_row *row, struct err *err)
{
  if (!store->put) {
    store->put = prepare(store, sql_put, (const char *const[]){NULL}, err);
  }
  if (!store->put) {
    return -1;
  }
  const struct pack *result = &row->result;
  bind_key(store->put, row->build, row->texts);
  sqlite3_bind_blob64(store->put, COLUMN_RESULT + 1, result->nbytes ? (void *)result->bytes : "",
                      result->nbytes, SQLITE_STATIC);
  sqlite3_bind_int64(store->put, COLUMN_SUM + 1,
                     sum_of(row->build, row->texts, result->bytes, result->nbytes));
  return next_row(store, store->put, err);
}

static int
put_build(struct store *store, const char *build, const char *version, const char *since, struct err *err)
{
  const char *const texts[] = {build, version, since, NULL};
  return change(store,
                since ? "INSERT OR IGNORE INTO build VALUES(?, ?, ?)"
                      : "INSERT OR IGNORE INTO build VALUES(?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
                texts, err) < 0
           ? -1
           : 0;
}

int
store_put(struct store *store, const struct pack *key, const struct pack *result, struct err *err)
{
  struct store_row row = {.build = store_build(err), .result = *result};
  if (!row.build || (!store->put && put_build(store, row.build, PACKAGE_VERSION, NULL, err) != 0)) {
    return -1;
  }
  ledger_key_split((const char *)key->bytes, key->nbytes, row.texts);
  return put(store, &row, err);
}

int
store_find(struct store *store, const struct pack *key, struct pack *result, struct err *err)
{
  const char *build = store_build(err), *texts[KEY_FIELDS];
  if (!store->find) {
    store->find = prepare(store, sql_find, (const char *const[]){NULL}, err);
  }
  if (!build || !store->find) {
    return -1;
  }
  ledger_key_split((const char *)key->bytes, key->nbytes, texts);
  bind_key(store->find, build, texts);
  int found = next_row(store, store->find, err);
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

/* Let VISITOR look at the present row of STATEMENT. */
static int
visit_row(struct store *store, sqlite3_stmt *statement, const struct store_visitor *visitor, struct err *err)
{
  struct store_row row = {.build = text_of(statement, COLUMN_BUILD)};
  for (int i = 0; i < KEY_FIELDS; i++) {
    row.texts[i] = text_of(statement, COLUMN_KEY + i);
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

int
store_visit(struct store *store, const struct store_visitor *visitor, struct err *err)
{
  const char *const texts[] = {visitor->build ? visitor->build : "", NULL};
  sqlite3_stmt *statement = prepare(store, sql_all, texts, err);
  int more = statement ? 1 : -1;
  while (more == 1) {
    more = next_row(store, statement, err);
    if (more == 1 && visit_row(store, statement, visitor, err) != 0) {
      more = -1;
    }
  }
  sqlite3_finalize(statement);
  return more;
}

/* --- builds --- */

long
store_count(struct store *store, struct store_count **counts, struct err *err)
{
  static const char sql[] =
    "SELECT result.build, ifnull(version, ''), ifnull(since, ''), platform, count(*), "
    "sum(experiment = '" CALL_KIND "') FROM result LEFT JOIN build ON build.build = result.build "
    "GROUP BY result.build, platform ORDER BY since, result.build, platform";
  sqlite3_stmt *statement = prepare(store, sql, (const char *const[]){NULL}, err);
  long n = 0;
  int more = statement ? 1 : -1;
  *counts = NULL;
  while (more == 1 && (more = next_row(store, statement, err)) == 1) {
    *counts = xrealloc(*counts, (size_t)n + 1, sizeof **counts);
    struct store_count *count = &(*counts)[n++];
    snprintf(count->build, sizeof count->build, "%s", text_of(statement, 0));
    count->version = xstrdup(text_of(statement, 1));
    count->since = xstrdup(text_of(statement, 2));
    count->platform = xstrdup(text_of(statement, 3));
    count->nresults = (size_t)sqlite3_column_int64(statement, 4);
    count->ncalls = (size_t)sqlite3_column_int64(statement, 5);
  }
  sqlite3_finalize(statement);
  if (more < 0) {
    store_free_counts(*counts, n);
    return -1;
  }
  return n;
}

void
store_free_counts(struct store_count *counts, long n)
{
  for (long i = 0; i < n; i++) {
    free(counts[i].version);
    free(counts[i].since);
    free(counts[i].platform);
  }
  free(counts);
}

int
store_find_build(struct store *store, const char *prefix, char build[STORE_BUILD_SIZE], struct err *err)
{
  const char *const texts[] = {prefix, NULL};
  sqlite3_stmt *statement =
    prepare(store, "SELECT DISTINCT build FROM result WHERE substr(build, 1, length(?1)) = ?1", texts, err);
  int found = 0, more = statement ? 1 : -1;
  while (more == 1 && (more = next_row(store, statement, err)) == 1) {
    snprintf(build, STORE_BUILD_SIZE, "%s", text_of(statement, 0));
    found++;
  }
  sqlite3_finalize(statement);
  if (more < 0) {
    return -1;
  }
  if (found != 1) {
    return err_set(err, "%s: has %s build '%.20s', expected one that 'store list' shows", store->path,
                   found ? "more than one" : "no", prefix);
  }
  return 0;
}

/* --- several stores --- */

static int
put_row(void *context, const struct store_row *row, struct err *err)
{
  return put(context, row, err);
}

/* Add the builds of OTHER to STORE. */
static int
merge_builds(struct store *store, struct store *other, struct err *err)
{
  sqlite3_stmt *statement =
    prepare(other, "SELECT build, version, since FROM build", (const char *const[]){NULL}, err);
  int more = statement ? 1 : -1;
  while (more == 1 && (more = next_row(other, statement, err)) == 1) {
    if (put_build(store, text_of(statement, 0), text_of(statement, 1), text_of(statement, 2), err) != 0) {
      more = -1;
    }
  }
  sqlite3_finalize(statement);
  return more;
}

int
store_merge(struct store *store, struct store *other, struct err *err)
{
  struct store_visitor visitor = {.visit = put_row, .context = store};
  if (store_begin(store, err) != 0 || merge_builds(store, other, err) != 0 ||
      store_visit(other, &visitor, err) != 0) {
    return -1; /* what is not committed goes when the store is closed */
  }
  return store_commit(store, err);
}

long
store_prune(struct store *store, const char *build, struct err *err)
{
  const char *const texts[] = {build ? build : store_build(err), NULL};
  if (!texts[0] || store_begin(store, err) != 0) {
    return -1;
  }
  long n = change(store, build ? "DELETE FROM result WHERE build = ?" : "DELETE FROM result WHERE build <> ?",
                  texts, err);
  if (n < 0 || execute(store, "DELETE FROM build WHERE build NOT IN (SELECT build FROM result)", err) != 0 ||
      store_commit(store, err) != 0 || execute(store, "VACUUM", err) != 0) {
    return -1;
  }
  return n;
}
