/* SPDX-License-Identifier: BSD-3-Clause
 * The builds whose results are in a store, noted questions, and the merging of stores. See store.h. */
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/ledger/store_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- builds --- */

long store_count(struct store *store, struct store_count **counts, struct err *err) {
  static const char sql[] =
    "SELECT all_of.build, ifnull(version, ''), ifnull(since, ''), platform, sum(results), sum(calls), "
    "sum(missing), ifnull(revision, ''), ifnull(compiler, ''), ifnull(simgrid, '') FROM (SELECT build, "
    "platform, 1 AS results, experiment = '" CALL_KIND "' AS calls, "
    "0 AS missing FROM result UNION ALL SELECT build, platform, 0, 0, 1 FROM missing) "
    "AS all_of LEFT JOIN build ON build.build = all_of.build "
    "GROUP BY all_of.build, platform ORDER BY since, all_of.build, platform";
  sqlite3_stmt *statement = store_prepare(store, sql, (const char *const[]){NULL}, err);
  long n = 0;
  int more = statement ? 1 : -1;
  *counts = NULL;
  while (more == 1 && (more = store_next_row(store, statement, err)) == 1) {
    *counts = xrealloc(*counts, (size_t)n + 1, sizeof **counts);
    struct store_count *count = &(*counts)[n++];
    snprintf(count->build, sizeof count->build, "%s", store_text(statement, 0));
    count->version = xstrdup(store_text(statement, 1));
    count->since = xstrdup(store_text(statement, 2));
    count->platform = xstrdup(store_text(statement, 3));
    count->nresults = (size_t)sqlite3_column_int64(statement, 4);
    count->ncalls = (size_t)sqlite3_column_int64(statement, 5);
    count->nmissing = (size_t)sqlite3_column_int64(statement, 6);
    count->commit = xstrdup(store_text(statement, 7));
    count->compiler = xstrdup(store_text(statement, 8));
    count->simgrid = xstrdup(store_text(statement, 9));
  }
  sqlite3_finalize(statement);
  if (more < 0) {
    store_free_counts(*counts, n);
    return -1;
  }
  return n;
}

void store_free_counts(struct store_count *counts, long n) {
  for (long i = 0; i < n; i++) {
    free(counts[i].version);
    free(counts[i].since);
    free(counts[i].platform);
    free(counts[i].commit);
    free(counts[i].compiler);
    free(counts[i].simgrid);
  }
  free(counts);
}

int store_find_build(struct store *store, const char *prefix, char build[STORE_BUILD_SIZE], struct err *err) {
  const char *const texts[] = {prefix, NULL};
  sqlite3_stmt *statement = store_prepare(
    store, "SELECT DISTINCT build FROM result WHERE ?1 <> '' AND substr(build, 1, length(?1)) = ?1", texts,
    err);
  int found = 0, more = statement ? 1 : -1;
  while (more == 1 && (more = store_next_row(store, statement, err)) == 1) {
    snprintf(build, STORE_BUILD_SIZE, "%s", store_text(statement, 0));
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

/* Stores that are merged. */
struct merging {
  struct store *store;
  long different; /* results */
  char **which;   /* the key of the first one */
};

/* Return the fields of the key of ROW that are not empty.
 * owner: the caller. */
static char *describe_key(const struct store_row *row) {
  char *text;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  for (unsigned i = 0; i < KEY_FIELDS; i++) {
    if (*row->texts[i]) {
      fprintf(stream, "%s%s %s", i ? ", " : "", ledger_field_name((enum ledger_field)i), row->texts[i]);
    }
  }
  fclose(stream);
  return text;
}

/* Put ROW into the store of CONTEXT unless present. A present result must be equal. */
static int merge_row(void *context, const struct store_row *row, struct err *err) {
  struct merging *merging = context;
  struct pack known = {0};
  int found = store_find_row(merging->store, row->build, row->texts, &known, err);
  if (found == 1 && (known.nbytes != row->result.nbytes ||
                     (known.nbytes && memcmp(known.bytes, row->result.bytes, known.nbytes) != 0))) {
    *merging->which = merging->different++ ? *merging->which : describe_key(row);
  }
  pack_fini(&known);
  return found == 0 ? store_put_row(merging->store, row, err) : found < 0 ? -1 : 0;
}

/* Add the builds of OTHER to STORE. */
static int merge_builds(struct store *store, struct store *other, struct err *err) {
  enum { COLUMNS = 6 };
  sqlite3_stmt *statement =
    store_prepare(other, "SELECT build, version, since, revision, compiler, simgrid FROM build",
                  (const char *const[]){NULL}, err);
  int more = statement ? 1 : -1;
  while (more == 1 && (more = store_next_row(other, statement, err)) == 1) {
    const char *texts[COLUMNS + 1] = {NULL};
    for (int i = 0; i < COLUMNS; i++) {
      texts[i] = store_text(statement, i);
    }
    if (store_put_build(store, texts, err) != 0) {
      more = -1;
    }
  }
  sqlite3_finalize(statement);
  return more;
}

long store_merge(struct store *store, struct store *other, char **which, struct err *err) {
  struct merging merging = {.store = store, .which = which};
  struct store_visitor visitor = {.visit = merge_row, .context = &merging};
  if (store_begin(store, err) != 0 || merge_builds(store, other, err) != 0 ||
      store_visit(other, &visitor, err) != 0 || store_merge_asked(store, other, err) != 0) {
    return -1; /* what is not committed goes when the store is closed */
  }
  if (merging.different) {
    return store_execute(store, "ROLLBACK", err) == 0 ? merging.different : -1;
  }
  return store_commit(store, err);
}

long store_prune(struct store *store, const char *build, struct err *err) {
  const char *const texts[] = {build ? build : store_build(err), NULL};
  if (!texts[0] || store_begin(store, err) != 0) {
    return -1;
  }
  long n = store_change(
    store, build ? "DELETE FROM result WHERE build = ?" : "DELETE FROM result WHERE build <> ?", texts, err);
  if (n < 0 ||
      store_change(store, build ? "DELETE FROM asked WHERE build = ?" : "DELETE FROM asked WHERE build <> ?",
                   texts, err) < 0 ||
      store_execute(store, "DELETE FROM build WHERE build NOT IN (SELECT build FROM result)", err) != 0 ||
      store_commit(store, err) != 0 || store_execute(store, "VACUUM", err) != 0) {
    return -1;
  }
  return n;
}

/* --- noted questions of processes that share a sweep: a question without a result is a missing result --- */

static const char sql_ask[] = "INSERT OR IGNORE INTO asked VALUES(?"
#define KEY(name) ", ?"
#include "validate/lab/ledger/ledger_key.def"
                              ")";

static const char sql_asked[] = "SELECT * FROM asked";

/* Note that BUILD was asked for the result of the key TEXTS. */
static int ask_rows(struct store *store, const char *build, const char *const texts[], struct err *err) {
  if (!store->ask) {
    store->ask = store_prepare(store, sql_ask, (const char *const[]){NULL}, err);
  }
  if (!store->ask) {
    return -1;
  }
  store_bind_key(store->ask, build, texts);
  return store_next_row(store, store->ask, err);
}

int store_ask(struct store *store, const struct pack *key, struct err *err) {
  const char *build = store_build(err), *texts[KEY_FIELDS];
  if (!build || (!store->ask && store_put_present(store, err) != 0)) {
    return -1;
  }
  ledger_key_split((const char *)key->bytes, key->nbytes, texts);
  return ask_rows(store, build, texts, err);
}

int store_merge_asked(struct store *store, struct store *other, struct err *err) {
  sqlite3_stmt *statement = store_prepare(other, sql_asked, (const char *const[]){NULL}, err);
  int more = statement ? 1 : -1;
  while (more == 1 && (more = store_next_row(other, statement, err)) == 1) {
    const char *texts[KEY_FIELDS];
    for (int i = 0; i < KEY_FIELDS; i++) {
      texts[i] = store_text(statement, 1 + i);
    }
    if (ask_rows(store, store_text(statement, 0), texts, err) != 0) {
      more = -1;
    }
  }
  sqlite3_finalize(statement);
  return more;
}

long store_missing(struct store *store, struct err *err) {
  sqlite3_stmt *statement =
    store_prepare(store, "SELECT count(*) FROM missing", (const char *const[]){NULL}, err);
  long n =
    statement && store_next_row(store, statement, err) == 1 ? (long)sqlite3_column_int64(statement, 0) : -1;
  sqlite3_finalize(statement);
  return n;
}
