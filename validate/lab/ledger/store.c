/* SPDX-License-Identifier: BSD-3-Clause
 * Every failure of SQLite goes through `refuse`, which makes the only message about the failure. */
#include "validate/lab/ledger/store.h"

#include "config.h"
#include "sim/base/checksum.h"
#include "sim/base/err.h"
#include "sim/base/origin.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "validate/lab/ledger/ledger_call.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The mark of this project's files in SQLite ("coll"), and the time for which a process waits for other
 * processes. */
enum { APPLICATION = 0x636f6c6c, PATIENCE_MILLISECONDS = 60000 };

/* The statements that are prepared when first needed. */
enum { FIND, PUT, ASK, FIND_VALUES, PUT_VALUE, STATEMENTS };

struct store {
  char *path;
  sqlite3 *db;
  sqlite3_stmt *statements[STATEMENTS];
};

/* --- the tables --- */

/* The types of the columns with the numbers and texts of a call, and of the columns of a value, in the order
 * of a result: a real number, a count, a text. */
static const char types_of_call[] = "rn"
#define TYPE_REAL "r"
#define TYPE_COUNT "n"
#define RESULT(type, name, value) TYPE_##type
#include "validate/lab/call/outcome.def"
                                    "tn",
                  types_of_value[] = "tnnrtt";

/* The columns of `result`, and the version of the program behind the columns. */
enum {
  COLUMN_ID,
  COLUMN_BUILD,
  COLUMN_KEY,
  COLUMN_CALL = COLUMN_KEY + KEY_FIELDS,
  COLUMN_WHY = COLUMN_CALL + (int)sizeof types_of_call - 1,
  COLUMN_OBSERVED,
  COLUMN_SUM,
  COLUMN_VERSION
};

static const char sql_create[] =
  "CREATE TABLE build(build TEXT NOT NULL PRIMARY KEY, version TEXT NOT NULL, since TEXT NOT NULL, "
  "revision TEXT NOT NULL, compiler TEXT NOT NULL, simgrid TEXT NOT NULL);"
  "CREATE TABLE result(id INTEGER PRIMARY KEY, build TEXT NOT NULL"
#define KEY(name) ", " #name " TEXT NOT NULL"
#include "validate/lab/ledger/ledger_key.def"
  ", ghz REAL, outcome INTEGER"
#define RESULT(type, name, value) ", " #name " " #type
#include "validate/lab/call/outcome.def"
  ", refused TEXT, hazards INTEGER, why TEXT NOT NULL, observed BLOB, sum INTEGER NOT NULL);"
  "CREATE TABLE value(id INTEGER NOT NULL, number INTEGER NOT NULL, parameter TEXT, ranks INTEGER, "
  "bytes INTEGER, value REAL, unit TEXT, part TEXT, PRIMARY KEY(id, number)) WITHOUT ROWID;"
  "CREATE TABLE asked(id INTEGER PRIMARY KEY, build TEXT NOT NULL, platform TEXT NOT NULL);"
  "CREATE VIEW missing AS SELECT * FROM asked WHERE id NOT IN (SELECT id FROM result);";

static const char sql_put[] = "INSERT OR IGNORE INTO result VALUES(?, ?"
#define KEY(name) ", ?"
#include "validate/lab/ledger/ledger_key.def"
                              ", ?, ?"
#define RESULT(type, name, value) ", ?"
#include "validate/lab/call/outcome.def"
                              ", ?, ?, ?, ?, ?)";

/* The results for which a condition holds. */
static const char sql_visit[] = "SELECT result.*, version FROM result LEFT JOIN build USING(build) WHERE %s "
                                "ORDER BY build"
#define KEY(name) ", " #name
#include "validate/lab/ledger/ledger_key.def"
  ;

/* The columns STORE_COUNTS, where ?1 is the running program. */
static const char sql_count[] =
  "SELECT all_of.build, ifnull(version, ''), ifnull(since, ''), platform, sum(results), sum(calls), "
  "CASE all_of.build WHEN ?1 THEN 'yes' ELSE 'no' END, sum(missing), ifnull(revision, ''), "
  "ifnull(compiler, ''), ifnull(simgrid, '') FROM (SELECT build, "
  "platform, 1 AS results, experiment = '" CALL_KIND "' AS calls, "
  "0 AS missing FROM result UNION ALL SELECT build, platform, 0, 0, 1 FROM missing) "
  "AS all_of LEFT JOIN build ON build.build = all_of.build "
  "GROUP BY all_of.build, platform ORDER BY since, all_of.build, platform";

/* --- messages --- */

/* Return why the file of STORE cannot be opened; the errno of SQLite is that of its last try, for reading
 * only. */
static int find_errno(const struct store *store) {
  int number = sqlite3_system_errno(store->db);
  SCOPED char *copy = xstrdup(store->path);
  if (number == ENOENT && access(dirname(copy), W_OK | X_OK) != 0) {
    number = errno;
  }
  return number;
}

/* Set ERR to the last error of STORE: damaged, or not usable.
 * returns: -1. */
static int refuse(const struct store *store, struct err *err) {
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

/* --- statements --- */

/* Run SQL, without parameters; rows are ignored. */
static int execute(struct store *store, const char *sql, struct err *err) {
  return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : refuse(store, err);
}

/* Prepare SQL with TEXTS, ended by NULL, as the parameters; TEXTS NULL: none.
 * returns: NULL with ERR set.
 * owner: the caller, with sqlite3_finalize. */
static sqlite3_stmt *prepare(struct store *store, const char *sql, const char *const texts[],
                             struct err *err) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK) {
    refuse(store, err);
    return NULL;
  }
  for (int i = 0; texts && texts[i]; i++) {
    sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_TRANSIENT);
  }
  return statement;
}

/* Run SQL, a statement without rows, with TEXTS.
 * returns: the number of changed rows; -1 with ERR set. */
static long change(struct store *store, const char *sql, const char *const texts[], struct err *err) {
  sqlite3_stmt *statement = prepare(store, sql, texts, err);
  if (!statement) {
    return -1;
  }
  long status = sqlite3_step(statement) == SQLITE_DONE ? sqlite3_changes(store->db) : refuse(store, err);
  sqlite3_finalize(statement);
  return status;
}

/* Go on to the next row of STATEMENT; NULL: ERR tells why there is none.
 * returns: 1, or 0 after the last one; -1 with ERR set. */
static int next_row(struct store *store, sqlite3_stmt *statement, struct err *err) {
  if (!statement) {
    return -1;
  }
  int code = sqlite3_step(statement);
  return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : refuse(store, err);
}

/* Return the number that the query SQL yields, or -1 with ERR set. */
static int ask_number(struct store *store, const char *sql, struct err *err) {
  sqlite3_stmt *statement = prepare(store, sql, NULL, err);
  int number = next_row(store, statement, err) == 1 ? sqlite3_column_int(statement, 0) : -1;
  sqlite3_finalize(statement);
  return number;
}

/* Return column C of the present row of STATEMENT as a text. */
static const char *text_of(sqlite3_stmt *statement, int c) {
  const char *text = (const char *)sqlite3_column_text(statement, c);
  return text ? text : "";
}

/* --- opening --- */

static int create_tables(struct store *store, struct err *err) {
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
  sqlite3_stmt *statement = prepare(store, "PRAGMA quick_check(1)", NULL, err);
  int status = next_row(store, statement, err) == 1 ? 0 : -1;
  if (status == 0 && strcmp(text_of(statement, 0), "ok") != 0) {
    status = err_set(err, "%s: is damaged (%.200s), expected a store of " PACKAGE_NAME, store->path,
                     text_of(statement, 0));
  }
  sqlite3_finalize(statement);
  return status;
}

struct store *store_open(const char *path, enum store_mode mode, struct err *err) {
  static const int flags[] = {[STORE_LOOK] = SQLITE_OPEN_READONLY,
                              [STORE_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                              [STORE_USE] = SQLITE_OPEN_READWRITE};
  struct store *store = xcalloc(1, sizeof *store);
  SCOPED char *file = xasprintf("%s%s", strchr(path, '/') ? "" : "./", path); /* also one called :memory: */
  store->path = xstrdup(path);
  outfile_note_input(path);
  int status = sqlite3_open_v2(file, &store->db, flags[mode], NULL) == SQLITE_OK ? 0 : refuse(store, err);
  if (status == 0) {
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, PATIENCE_MILLISECONDS);
    sqlite3_exec(store->db, "PRAGMA cache_size = -512", NULL, NULL,
                 NULL); /* KiB; a lookup reads a few pages */
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
    VEC_EACH(statement, store->statements, STATEMENTS) {
      sqlite3_finalize(*statement);
    }
    sqlite3_close(store->db);
    free(store->path);
    free(store);
  }
}

const char *store_build(struct err *err) {
  static const char *build;
  uint64_t sum;
  if (!build && checksum_file("/proc/self/exe", &sum, err) == 0) {
    build = text_keep(text_brief("%016" PRIx64, sum));
  }
  return build;
}

/* --- results --- */

/* Return the number of the result with ROW's build and key. Should two keys ever share a number, the sum of
 * the result found does not fit. */
static uint64_t id_of(const struct store_row *row) {
  uint64_t id = checksum_add(CHECKSUM_START, row->build, strlen(row->build) + 1);
  VEC_EACH(text, row->texts, KEY_FIELDS) {
    id = checksum_add(id, *text, strlen(*text) + 1);
  }
  return id;
}

/* Return the checksum of ROW and of RESULT. */
static sqlite3_int64 sum_of(const struct store_row *row, const struct pack *result) {
  return (sqlite3_int64)checksum_add(id_of(row), result->bytes + result->taken,
                                     result->nbytes - result->taken);
}

static bool is_call(const struct store_row *row) {
  return strcmp(row->texts[KEY_experiment], CALL_KIND) == 0;
}

static void bind_text(sqlite3_stmt *statement, int c, const char *text) {
  sqlite3_bind_text(statement, c + 1, text, -1, SQLITE_STATIC);
}

/* Bind the next values of RESULT, of TYPES, from column C on. */
static void bind(sqlite3_stmt *statement, int c, const char *types, struct pack *result) {
  for (; *types; types++, c++) {
    if (*types == 'r') {
      sqlite3_bind_double(statement, c + 1, pack_take_real(result));
    } else if (*types == 'n') {
      sqlite3_bind_int64(statement, c + 1, (sqlite3_int64)pack_take_count(result));
    } else {
      bind_text(statement, c, pack_take_text(result));
    }
  }
}

/* Append the values of TYPES of the present row of STATEMENT, from column C on, to RESULT. */
static void append(sqlite3_stmt *statement, int c, const char *types, struct pack *result) {
  for (; *types; types++, c++) {
    if (*types == 'r') { /* NaN is NULL in a table */
      bool is_nan = sqlite3_column_type(statement, c) == SQLITE_NULL;
      pack_add_real(result, is_nan ? NAN : sqlite3_column_double(statement, c));
    } else if (*types == 'n') {
      pack_add_count(result, (uint64_t)sqlite3_column_int64(statement, c));
    } else {
      pack_add_text(result, text_of(statement, c));
    }
  }
}

/* Put the build of the running program unless present. */
static int put_present(struct store *store, struct err *err) {
  const char *const texts[] = {store_build(err),  PACKAGE_VERSION,  origin_date(), origin_commit(),
                               origin_compiler(), origin_simgrid(), NULL};
  return change(store, "INSERT OR IGNORE INTO build VALUES(?, ?, ?, ?, ?, ?)", texts, err) < 0 ? -1 : 0;
}

/* Return the row of the running program with KEY; `build` NULL: ERR tells why.
 * owner: the fields belong to KEY. */
static struct store_row row_of(const struct pack *key, struct err *err) {
  struct store_row row = {.build = store_build(err)};
  ledger_key_split((const char *)key->bytes, key->nbytes, row.texts);
  return row;
}

/* Return the statement WHICH of STORE for the result with ROW's build and key; NULL with ERR set. */
static sqlite3_stmt *statement_for(struct store *store, unsigned which, const struct store_row *row,
                                   struct err *err) {
  static const char *const sql[] = {
    [FIND] = "SELECT * FROM result WHERE id = ?",
    [PUT] = sql_put,
    [ASK] = "INSERT OR IGNORE INTO asked VALUES(?, ?, ?)",
    [FIND_VALUES] =
      "SELECT parameter, ranks, bytes, value, unit, part FROM value WHERE id = ? ORDER BY number",
    [PUT_VALUE] = "INSERT OR IGNORE INTO value VALUES(?, ?, ?, ?, ?, ?, ?, ?)"};
  sqlite3_stmt **statement = &store->statements[which];
  bool reads = which == FIND || which == FIND_VALUES;
  if (!*statement && row->build && (reads || put_present(store, err) == 0)) {
    *statement = prepare(store, sql[which], NULL, err);
  }
  if (*statement) {
    sqlite3_reset(*statement);
    sqlite3_clear_bindings(*statement);
    sqlite3_bind_int64(*statement, COLUMN_ID + 1, (sqlite3_int64)id_of(row));
  }
  return *statement;
}

int store_begin(struct store *store, struct err *err) {
  return execute(store, "BEGIN IMMEDIATE", err);
}

int store_commit(struct store *store, struct err *err) {
  return execute(store, "COMMIT", err);
}

/* Put the rows of RESULT with the build and the key of ROW. */
static int put_values(struct store *store, const struct store_row *row, struct pack *result,
                      struct err *err) {
  int status = 0;
  for (int number = 0; status == 0 && pack_take_count(result); number++) {
    sqlite3_stmt *statement = statement_for(store, PUT_VALUE, row, err);
    if (statement) {
      sqlite3_bind_int(statement, 2, number);
      bind(statement, 2, types_of_value, result);
    }
    status = next_row(store, statement, err);
  }
  return status;
}

int store_put(struct store *store, const struct pack *key, const struct pack *result, struct err *err) {
  const struct store_row row = row_of(key, err);
  struct pack rest = *result;
  sqlite3_stmt *statement =
    put_values(store, &row, &rest, err) == 0 ? statement_for(store, PUT, &row, err) : NULL;
  if (!statement) {
    return -1;
  }
  bind_text(statement, COLUMN_BUILD, row.build);
  for (int i = 0; i < KEY_FIELDS; i++) {
    bind_text(statement, COLUMN_KEY + i, row.texts[i]);
  }
  bind_text(statement, COLUMN_WHY, pack_take_text(&rest));
  bind(statement, COLUMN_CALL, is_call(&row) ? types_of_call : "", &rest);
  if (rest.taken < rest.nbytes) {
    sqlite3_bind_blob64(statement, COLUMN_OBSERVED + 1, rest.bytes + rest.taken, rest.nbytes - rest.taken,
                        SQLITE_STATIC);
  }
  sqlite3_bind_int64(statement, COLUMN_SUM + 1, sum_of(&row, result));
  return next_row(store, statement, err);
}

int store_ask(struct store *store, const struct pack *key, struct err *err) {
  const struct store_row row = row_of(key, err);
  sqlite3_stmt *statement = statement_for(store, ASK, &row, err);
  if (statement) {
    bind_text(statement, COLUMN_BUILD, row.build);
    bind_text(statement, COLUMN_KEY, row.texts[KEY_platform]);
  }
  return next_row(store, statement, err);
}

/* Append the result in the present row of STATEMENT, with the build and the key of ROW, to RESULT. */
static int take_result(struct store *store, sqlite3_stmt *statement, const struct store_row *row,
                       struct pack *result, struct err *err) {
  sqlite3_stmt *values = statement_for(store, FIND_VALUES, row, err);
  int more;
  while ((more = next_row(store, values, err)) == 1) {
    pack_add_count(result, true); /* one more row, see result_add */
    append(values, 0, types_of_value, result);
  }
  result_end(result, text_of(statement, COLUMN_WHY));
  append(statement, COLUMN_CALL, is_call(row) ? types_of_call : "", result);
  pack_add_bytes(result, sqlite3_column_blob(statement, COLUMN_OBSERVED),
                 (size_t)sqlite3_column_bytes(statement, COLUMN_OBSERVED));
  return more < 0 || sqlite3_column_int64(statement, COLUMN_SUM) == sum_of(row, result)
           ? more
           : err_set(err, "%s: is damaged (a result has changed), expected a store of " PACKAGE_NAME,
                     store->path);
}

int store_find(struct store *store, const struct pack *key, struct pack *result, struct err *err) {
  const struct store_row row = row_of(key, err);
  sqlite3_stmt *statement = statement_for(store, FIND, &row, err);
  int found = next_row(store, statement, err);
  return found == 1 && take_result(store, statement, &row, result, err) != 0 ? -1 : found;
}

long store_missing(struct store *store, struct err *err) {
  return ask_number(store, "SELECT count(*) FROM missing", err);
}

/* --- visits --- */

/* Show the results for which CONDITION holds with TEXTS, as for `prepare`, to VISITOR. */
static int visit(struct store *store, const char *condition, const char *const texts[],
                 const struct store_visitor *visitor, struct err *err) {
  SCOPED char *sql = xasprintf(sql_visit, condition);
  sqlite3_stmt *statement = prepare(store, sql, texts, err);
  int more, status = 0;
  while (status == 0 && (more = next_row(store, statement, err)) == 1) {
    struct store_row row = {.build = text_of(statement, COLUMN_BUILD),
                            .version = text_of(statement, COLUMN_VERSION)};
    for (int i = 0; i < KEY_FIELDS; i++) {
      row.texts[i] = text_of(statement, COLUMN_KEY + i);
    }
    status = take_result(store, statement, &row, &row.result, err);
    status = status == 0 && visitor->visit ? visitor->visit(visitor->context, &row, err) : status;
    pack_fini(&row.result);
  }
  sqlite3_finalize(statement);
  return status != 0 ? status : more;
}

int store_visit(struct store *store, const struct store_visitor *visitor, struct err *err) {
  const char *const texts[] = {visitor->build ? visitor->build : "", NULL};
  return visit(store, "?1 = '' OR build = ?1", texts, visitor, err);
}

int store_count(struct store *store, store_show *show, void *context, struct err *err) {
  const char *const texts[] = {store_build(err), NULL};
  sqlite3_stmt *statement = texts[0] ? prepare(store, sql_count, texts, err) : NULL;
  int more;
  while ((more = next_row(store, statement, err)) == 1) {
    for (int c = 0; c < sqlite3_column_count(statement); c++) {
      bool is_number = sqlite3_column_type(statement, c) == SQLITE_INTEGER; /* not known after text_of */
      show(context, text_of(statement, c), is_number);
    }
  }
  sqlite3_finalize(statement);
  return more;
}

const char *store_find_build(struct store *store, const char *prefix, struct err *err) {
  static const char sql[] = "SELECT count(DISTINCT build), min(build) FROM result "
                            "WHERE ?1 <> '' AND substr(build, 1, length(?1)) = ?1";
  const char *const texts[] = {prefix, NULL};
  sqlite3_stmt *statement = prepare(store, sql, texts, err);
  int more = next_row(store, statement, err), found = more == 1 ? sqlite3_column_int(statement, 0) : 0;
  const char *build = found == 1 ? text_keep(text_of(statement, 1)) : NULL;
  sqlite3_finalize(statement);
  if (more >= 0 && !build) {
    err_set(err, "%s: has %s build '%.20s', expected one that 'store list' shows", store->path,
            found ? "more than one" : "no", prefix);
  }
  return build;
}

/* --- several stores --- */

/* Results that are different in two stores. */
struct different {
  long n;
  char **first; /* the key of the first one */
};

static int note_different(void *context, const struct store_row *row, struct err *err) {
  struct different *different = context;
  (void)err;
  *different->first = different->n++ ? *different->first : ledger_key_describe(row->texts);
  return 0;
}

long store_merge(struct store *store, struct store *other, char **which, struct err *err) {
  struct different different = {.first = which};
  const struct store_visitor reader = {.visit = NULL},
                             noter = {.visit = note_different, .context = &different};
  const char *const file[] = {sqlite3_db_filename(other->db, "main"), NULL};
  if (store_visit(other, &reader, err) != 0 || store_missing(other, err) < 0 ||
      store_begin(store, err) != 0 || change(store, "ATTACH ? AS other", file, err) < 0 ||
      visit(store, "sum <> (SELECT sum FROM other.result AS theirs WHERE theirs.id = result.id)", NULL,
            &noter, err) != 0) {
    return -1; /* the end of the store's use ends the transaction */
  }
  const char *sql = different.n ? "ROLLBACK; DETACH other"
                                : "INSERT OR IGNORE INTO build SELECT * FROM other.build;"
                                  "INSERT OR IGNORE INTO result SELECT * FROM other.result;"
                                  "INSERT OR IGNORE INTO value SELECT * FROM other.value;"
                                  "INSERT OR IGNORE INTO asked SELECT * FROM other.asked;"
                                  "COMMIT; DETACH other";
  return execute(store, sql, err) == 0 ? different.n : -1;
}

long store_prune(struct store *store, const char *build, struct err *err) {
  const char *const texts[] = {build ? build : store_build(err), build ? "" : "all but", NULL};
  if (!texts[0] || store_begin(store, err) != 0) {
    return -1;
  }
  long n = change(store, "DELETE FROM result WHERE (build = ?1) = (?2 = '')", texts, err);
  if (n < 0 || change(store, "DELETE FROM asked WHERE (build = ?1) = (?2 = '')", texts, err) < 0 ||
      execute(store,
              "DELETE FROM value WHERE id NOT IN (SELECT id FROM result);"
              "DELETE FROM build WHERE build NOT IN (SELECT build FROM result)",
              err) != 0 ||
      store_commit(store, err) != 0 || execute(store, "VACUUM", err) != 0) {
    return -1;
  }
  return n;
}
