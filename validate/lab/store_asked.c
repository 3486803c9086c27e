/* SPDX-License-Identifier: BSD-3-Clause
 * What a store says was asked for by processes that share a sweep: what of that has no result is missing. See
 * store.h. */
#include "validate/lab/store_parts.h"

static const char sql_ask[] = "INSERT OR IGNORE INTO asked VALUES(?"
#define KEY(name) ", ?"
#include "validate/lab/ledger_key.def"
                              ")";

static const char sql_asked[] = "SELECT * FROM asked";

/* Note that BUILD was asked for the result of the key with TEXTS. */
static int ask(struct store *store, const char *build, const char *const texts[], struct err *err) {
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
  return ask(store, build, texts, err);
}

int store_merge_asked(struct store *store, struct store *other, struct err *err) {
  sqlite3_stmt *statement = store_prepare(other, sql_asked, (const char *const[]){NULL}, err);
  int more = statement ? 1 : -1;
  while (more == 1 && (more = store_next_row(other, statement, err)) == 1) {
    const char *texts[KEY_FIELDS];
    for (int i = 0; i < KEY_FIELDS; i++) {
      texts[i] = store_text(statement, 1 + i);
    }
    if (ask(store, store_text(statement, 0), texts, err) != 0) {
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
