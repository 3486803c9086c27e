/* SPDX-License-Identifier: BSD-3-Clause
 * Stores: a stored result is found again, by several processes too; other or damaged files are refused and
 * left alone. */
#include "sim/base/text.h"
#include "tests/call_bed.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/ledger/store.h"

#include <math.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/cellcoll-store-XXXXXX";
static char *path;
static const struct experiment_kind kind = {.name = "test"};

static void start(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  path = xasprintf("%s/store", folder);
  bed_use("qs20", "");
}

static void stop(void) {
  char *command = xasprintf("rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
  free(command);
  free(path);
  bed_end();
}

/* The key of experiment NUMBER. */
static struct pack key_of(unsigned number) {
  struct experiment experiment = {.kind = &kind, .machine = bed.machine, .numbers = {number}};
  struct pack key = {0};
  ledger_key(&experiment, &key);
  return key;
}

static struct store *must_open(enum store_mode mode) {
  struct store *store = store_open(path, mode, &failure);
  ck_assert_msg(store != NULL, "%s", failure.text);
  return store;
}

/* Return result NUMBER: the number as a value; every second result has a further row without a value, a
 * reason, and bytes behind the rows. */
static struct pack result_of_number(unsigned number) {
  struct pack result = {0};
  result_add(&result, &(struct result_row){"number", number, SIZE_MAX, number, "1", NULL});
  if (number % 2) {
    result_add(&result, &(struct result_row){"", 0, 0, NAN, "", "ring 0"});
  }
  result_end(&result, number % 2 ? "why not" : "");
  pack_add_bytes(&result, "\0bytes", number % 2 ? 6 : 0);
  return result;
}

/* Put results FIRST .. END - 1. */
static void put(struct store *store, unsigned first, unsigned end) {
  SUCCEEDS(store_begin(store, &failure));
  for (unsigned i = first; i < end; i++) {
    struct pack key = key_of(i), result = result_of_number(i);
    SUCCEEDS(store_put(store, &key, &result, &failure));
    pack_fini(&key);
    pack_fini(&result);
  }
  SUCCEEDS(store_commit(store, &failure));
}

/* Find out the results of STORE among 0 .. COUNT - 1.
 * returns: how many are there; -1 after an error; a wrong result fails the test. */
static int find(struct store *store, unsigned count, struct err *err) {
  int found = 0;
  for (unsigned i = 0; i < count; i++) {
    struct pack key = key_of(i), expected = result_of_number(i), result = {0};
    int status = store_find(store, &key, &result, err);
    ck_assert(status != 1 || (result.nbytes == expected.nbytes &&
                              memcmp(result.bytes, expected.bytes, expected.nbytes) == 0));
    pack_fini(&key);
    pack_fini(&expected);
    pack_fini(&result);
    if (status < 0) {
      return -1;
    }
    found += status;
  }
  return found;
}

TESTS(store, .start = start, .stop = stop);

TEST(what_is_put_is_found_again) {
  struct store *store = must_open(STORE_CREATE);
  SUCCEEDS(find(store, 10, &failure));
  put(store, 0, 10);
  put(store, 5, 8); /* again */
  store_close(store);
  store = must_open(STORE_LOOK);
  ck_assert_int_eq(find(store, 12, &failure), 10);
  store_close(store);
  store = must_open(STORE_CREATE);
  ck_assert_int_eq(find(store, 12, &failure), 10);
  store_close(store);
}

TEST(what_is_not_committed_is_not_there) {
  struct pack key = key_of(0), result = result_of_number(0);
  struct store *store = must_open(STORE_CREATE);
  SUCCEEDS(store_begin(store, &failure));
  SUCCEEDS(store_put(store, &key, &result, &failure));
  pack_fini(&result);
  store_close(store);
  store = must_open(STORE_USE);
  SUCCEEDS(find(store, 1, &failure));
  store_close(store);
  pack_fini(&key);
}

TEST(several_processes_write_at_once) {
  enum { WRITERS = 4, EACH = 60, AT_ONCE = 6 };
  pid_t pids[WRITERS];
  for (unsigned i = 0; i < WRITERS; i++) {
    pids[i] = fork();
    if (pids[i] == 0) {
      for (unsigned j = 0; j < EACH; j += AT_ONCE) {
        struct store *store = store_open(path, j ? STORE_USE : STORE_CREATE, &failure);
        if (!store) {
          _exit(1);
        }
        put(store, i * EACH + j, i * EACH + j + AT_ONCE);
        store_close(store);
      }
      _exit(0);
    }
  }
  for (unsigned i = 0; i < WRITERS; i++) {
    int status;
    waitpid(pids[i], &status, 0);
    ck_assert_int_eq(status, 0);
  }
  struct store *store = must_open(STORE_LOOK);
  ck_assert_int_eq(find(store, WRITERS * EACH, &failure), WRITERS * EACH);
  store_close(store);
}

/* --- refused files --- */

static void write_file(const void *bytes, size_t nbytes) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, nbytes, file), nbytes);
  fclose(file);
}

/* Read the file.
 * owner: the caller frees it. */
static unsigned char *read_file(size_t *nbytes) {
  struct stat status;
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  fstat(fileno(file), &status);
  *nbytes = (size_t)status.st_size;
  unsigned char *bytes = xcalloc(*nbytes + 1, 1);
  ck_assert_uint_eq(fread(bytes, 1, *nbytes, file), *nbytes);
  fclose(file);
  return bytes;
}

/* Check that the file is refused with a message that contains WHY, and not touched. */
static void expect_refused(const char *why) {
  for (enum store_mode mode = STORE_LOOK; mode <= STORE_CREATE; mode++) {
    struct err err = {""};
    size_t before, after;
    unsigned char *old = read_file(&before);
    ck_assert_ptr_null(store_open(path, mode, &err));
    unsigned char *new = read_file(&after);
    ck_assert_msg(strstr(err.text, why) && strncmp(err.text, path, strlen(path)) == 0, "%s", err.text);
    ck_assert_uint_eq(before, after);
    ck_assert_mem_eq(old, new, before);
    free(old);
    free(new);
  }
}

/* Run SQL on the file. */
static void change_database(const char *sql) {
  sqlite3 *db;
  ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
  ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
  sqlite3_close(db);
}

/* Return the number that SQL yields of the file. */
static int ask_database(const char *sql) {
  sqlite3 *db;
  sqlite3_stmt *statement;
  ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
  ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
  ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
  int number = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return number;
}

TEST(what_is_no_database_is_refused) {
  static const char text[] = "algorithm,platform,ranks,bytes\nbcast:tree,qs20,8,64\n";
  char *long_text = xcalloc(10000, 1);
  memset(long_text, 'x', 10000);
  write_file(text, strlen(text));
  expect_refused("is no SQLite database, expected a store of cellcoll");
  write_file(long_text, 10000);
  expect_refused("is no SQLite database, expected a store of cellcoll");
  free(long_text);
}

TEST(databases_of_others_are_refused) {
  change_database("CREATE TABLE letters(text TEXT); INSERT INTO letters VALUES('dear')");
  expect_refused("belongs to another program, expected a store of cellcoll");
}

TEST(stores_of_other_versions_are_refused) {
  store_close(must_open(STORE_CREATE));
  change_database("PRAGMA user_version = 1000");
  expect_refused("is of a later cellcoll: version 1000");
  change_database("PRAGMA user_version = 1");
  expect_refused("is of an earlier cellcoll: version 1");
}

TEST(stores_without_a_table_are_refused_when_used) {
  struct err err = {""};
  store_close(must_open(STORE_CREATE));
  change_database("DROP TABLE result");
  struct store *store = must_open(STORE_LOOK);
  ck_assert_int_eq(find(store, 1, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "is damaged (no such table: result)"));
  store_close(store);
}

/* Fill the file with results, and read the file. */
static unsigned char *filled(size_t *nbytes) {
  struct store *store = must_open(STORE_CREATE);
  put(store, 0, 100);
  store_close(store);
  return read_file(nbytes);
}

static int check_row(void *context, const struct store_row *row, struct err *err) {
  char number[32];
  snprintf(number, sizeof number, "%.0f 0 0", result_of(row->result).number);
  ck_assert_str_eq(row->texts[KEY_arguments], number);
  ck_assert_str_eq(row->texts[KEY_experiment], "test");
  ++*(int *)context;
  return 0;
}

/* Look at all results in the file.
 * returns: whether the file was refused; wrong or missing results fail the test. */
static bool is_refused(struct err *err) {
  int n = 0;
  struct store_visitor visitor = {.visit = check_row, .context = &n};
  struct store *store = store_open(path, STORE_LOOK, err);
  bool refused = !store || store_visit(store, &visitor, err) != 0;
  ck_assert_msg(refused || n == 100, "%d results", n);
  store_close(store);
  return refused;
}

TEST(a_store_that_was_cut_is_refused) {
  size_t nbytes;
  unsigned char *bytes = filled(&nbytes);
  for (size_t left = 1; left < nbytes; left += 511) {
    struct err err = {""};
    write_file(bytes, left);
    ck_assert_msg(is_refused(&err), "%zu of %zu bytes", left, nbytes);
    ck_assert(*err.text);
  }
  free(bytes);
}

/* No flipped bit changes a result: the store is refused, or the byte was not used. */
TEST(a_damaged_store_gives_no_wrong_results) {
  size_t nbytes, nrefused = 0, n = 0;
  unsigned char *bytes = filled(&nbytes);
  for (size_t i = 0; i < nbytes; i += BED_SANITIZED ? 291 : 29) {
    bytes[i] ^= (unsigned char)(1 << i % 8);
    write_file(bytes, nbytes);
    bytes[i] ^= (unsigned char)(1 << i % 8);
    nrefused += is_refused(&failure);
    n++;
  }
  ck_assert_msg(4 * nrefused > n, "%zu of %zu", nrefused, n); /* the rest of the file is room for more */
  free(bytes);
}

TEST_EACH(a_changed_result_is_noticed, 0, 3) {
  static const char *const changes[] = {
    "UPDATE value SET value = 7 WHERE ranks = 8",
    "DELETE FROM value WHERE number = 1",
    "UPDATE result SET observed = x'00' WHERE arguments = '7 0 0'",
  };
  struct err err = {""};
  size_t nbytes;
  free(filled(&nbytes));
  change_database(changes[_i]);
  struct store *store = must_open(STORE_LOOK);
  ck_assert_int_eq(find(store, 100, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "is damaged (a result has changed), expected a store of cellcoll"));
  store_close(store);
}

static void ask_call(void *context) {
  struct call_result result;
  struct point point = {bed.machine, call_bed_call("bcast:tree", 4, 64), CALL_HAZARDS, 0};
  ledger_call(context, &point, &result);
}

/* A store knows a call as well as a new run: the numbers are columns, see docs/how-to/sweeps.md. */
TEST(the_numbers_of_a_call_are_columns) {
  struct ledger ledger = {.njobs = 1, .store = path}, again = {.njobs = 1, .store = path};
  struct outcome outcome;
  struct call call = call_bed_call("bcast:tree", 4, 64);
  SUCCEEDS(ledger_open(&ledger, &failure));
  SUCCEEDS(ledger_settle(&ledger, ask_call, &ledger, &failure));
  SUCCEEDS(ledger_settle(&again, ask_call, &again, &failure));
  ck_assert_uint_eq(again.nfound, 1);
  SUCCEEDS(call_run(bed.machine, &call, &outcome, &failure));
  char *sql =
    xasprintf("SELECT count(*) FROM result WHERE experiment = 'call' AND ranks = 4 AND bytes = 64 "
              "AND cycles = %.17g AND ghz = 3.2 AND outcome = 0 AND bus_requests = %llu AND refused = '' "
              "AND why = '' AND hazards = 0",
              outcome.cycles, (unsigned long long)outcome.bus_requests);
  ck_assert_int_eq(ask_database(sql), 1);
  free(sql);
  outcome_fini(&outcome);
  ledger_fini(&ledger);
  ledger_fini(&again);
}

/* --- several builds --- */

/* Two stores have the results 10 .. 19, of which two differ: nothing is added, and the first one is named. */
TEST(a_store_with_other_results_is_not_merged) {
  char *second = xasprintf("%s/third", folder), *which = NULL;
  struct store *store = must_open(STORE_CREATE), *other = store_open(second, STORE_CREATE, &failure);
  struct pack wrong = result_of_number(1000);
  store_prune(store, store_build(&failure), &failure);
  put(store, 10, 30);
  put(other, 0, 12);
  SUCCEEDS(store_begin(other, &failure));
  for (unsigned i = 12; i < 14; i++) {
    struct pack key = key_of(i);
    SUCCEEDS(store_put(other, &key, &wrong, &failure));
    pack_fini(&key);
  }
  SUCCEEDS(store_commit(other, &failure));
  ck_assert_int_eq(store_merge(store, other, &which, &failure), 2);
  ck_assert_msg(strstr(which, "experiment test, platform qs20, ") && strstr(which, ", arguments 12 "), "%s",
                which);
  ck_assert_int_eq(find(store, 40, &failure), 20);
  ck_assert_int_eq(store_prune(store, store_build(&failure), &failure), 20);
  store_close(store);
  store_close(other);
  pack_fini(&wrong);
  free(which);
  free(second);
}

/* The cells of STORE_COUNTS for two builds: build, platform, results and calls. */
enum { CELLS = 11, BUILD = 0, PLATFORM = 3, RESULTS = 4, CALLS = 5, PRESENT = 6, MISSING = 7 };
struct counted {
  size_t n;
  const char *cells[2 * CELLS];
};

static void note_cell(void *context, const char *cell, bool is_number) {
  struct counted *counted = context;
  ck_assert_uint_lt(counted->n, 2 * CELLS);
  size_t column = counted->n % CELLS;
  ck_assert(is_number == (column == RESULTS || column == CALLS || column == MISSING));
  counted->cells[counted->n++] = text_keep(cell);
}

TEST(stores_are_counted_merged_and_pruned) {
  struct err err = {""};
  struct counted counted = {.n = 0};
  char *second = xasprintf("%s/second", folder), *which = NULL;
  struct store *store = must_open(STORE_CREATE), *other = store_open(second, STORE_CREATE, &err);
  put(other, 0, 20);
  put(store, 10, 30);
  ck_assert_int_eq(store_merge(store, other, &which, &err), 0);
  ck_assert_int_eq(find(store, 40, &err), 30);
  ck_assert_int_eq(find(other, 40, &err), 20);
  store_close(other);
  store_close(store);
  /* a build other than the present one: a build's name is a hexadecimal number, and no such number begins
   * with "yy" */
  change_database("INSERT INTO build SELECT 'yy11', version, '2020-01-01T00:00:00Z', revision, compiler, "
                  "simgrid FROM build;"
                  "UPDATE result SET build = 'yy11' WHERE arguments < '2'");
  store = must_open(STORE_USE);
  ck_assert_int_eq(store_count(store, note_cell, &counted, &err), 0);
  ck_assert_uint_eq(counted.n, 2 * CELLS);
  ck_assert_str_eq(counted.cells[BUILD], "yy11");
  ck_assert_str_eq(counted.cells[PLATFORM], "qs20");
  ck_assert_str_eq(counted.cells[PRESENT], "no");
  ck_assert_str_eq(counted.cells[CELLS + BUILD], store_build(&err));
  ck_assert_str_eq(counted.cells[CELLS + PRESENT], "yes");
  ck_assert_str_eq(counted.cells[RESULTS], "12"); /* 0, 1, 10 .. 19 */
  ck_assert_str_eq(counted.cells[CELLS + RESULTS], "18");
  ck_assert_str_eq(counted.cells[CELLS + CALLS], "0");
  ck_assert_str_eq(store_find_build(store, "yy", &err), "yy11");
  ck_assert_ptr_null(store_find_build(store, "", &err));
  ck_assert_ptr_nonnull(strstr(err.text, "has no build ''"));
  ck_assert_int_eq(store_prune(store, NULL, &err), 12);
  ck_assert_int_eq(find(store, 40, &err), 18);
  ck_assert_int_eq(store_prune(store, "zz", &err), 0);
  ck_assert_int_eq(store_prune(store, store_build(&err), &err), 18);
  counted.n = 0;
  ck_assert_int_eq(store_count(store, note_cell, &counted, &err), 0);
  ck_assert_uint_eq(counted.n, 0);
  put(store, 0, 2);
  store_close(store);
  change_database("UPDATE result SET build = 'yy' || substr(arguments, 1, 1)");
  store = must_open(STORE_LOOK);
  *err.text = '\0';
  ck_assert_ptr_null(store_find_build(store, "yy", &err));
  ck_assert_msg(strstr(err.text, "has more than one build 'yy'") != NULL, "%s", err.text);
  store_close(store);
  free(second);
}
