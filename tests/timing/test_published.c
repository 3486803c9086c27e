/* SPDX-License-Identifier: BSD-3-Clause
 * Every published measurement is reproduced within the tolerance promised for it.
 * source: the rows of validate/papers/published.def. */
#include "sim/base/network/network_reader.h"
#include "sim/base/reals.h"
#include "tests/bed.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/papers/published.h"

/* Rows with a common beginning of their names: the largest error of one row and the largest median error, in
 * percent. */
struct promise {
  const char *prefix;
  double each, median;
};

static const struct promise promises[] = {
  {"rtt-signal-", 3, 3},
  {"barrier-pe-signal-16", 8, 8},
  {"bcast-ttopt-16k-16", 10, 10},
  {"bcast-atoopt-16k-16", 10, 10},
  {"reduce-ttopt-32f-16", 15, 15},
  {"barrier-pe-flag-8", 15, 15},
  {"bcast-mm-", 25, 12},
  {"reduce-mm-", 25, 12},
  {"mm-", 3, 3},
  {"reduce-treemm-", 8, 8},
  {"ls-", 8, 8},
  {"kistler-", 8, 8},
  {"bif-", 5, 5},
  {"dma-", 1, 1},
  {"readers-", 2, 2},
  {"mem-", 5, 1},
  {"direction-share-1", 3, 3},
  {"direction-share-2", 3, 3},
  {"directions", 0, 0},
  {"exchange-3pairs", 1, 1},
  {"atomic-", 1, 1},
  {"put-both-", 3, 3},
  {"gather-gain-", 15, 15},
  {"alltoall-gain-", 15, 15},
  {"qian-put-rails", 2.5, 2.5},
};

enum { ROWS_MAX = 80 };

/* Check PROMISE on the COUNT ROWS. */
static void expect_kept(const struct promise *promise, const struct published_row *rows, size_t count) {
  double errors[ROWS_MAX];
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    const struct published_row *row = &rows[i];
    if (strncmp(row->id, promise->prefix, strlen(promise->prefix)) == 0 &&
        strcmp(row->id, PUBLISHED_EXCEPTED) != 0) {
      ck_assert_msg(fabs(row->error) <= promise->each, "%s: %g instead of %g %s", row->id, row->simulated,
                    row->published, row->unit);
      errors[n++] = fabs(row->error);
    }
  }
  ck_assert_uint_gt(n, 0);
  double median = reals_median(errors, n);
  ck_assert_msg(median <= promise->median, "median error of %s* is %g %%", promise->prefix, median);
}

static struct published_row rows[ROWS_MAX];
static size_t nrows;

static void take(void *context, const struct published_row *row) {
  rows[nrows++] = *row;
}

static void skip(const char *why) {
  ck_abort_msg("%s", why);
}

static void start(void) {
  network_reader_prepare();
  des_init();
}

/* Take the rows of the machine called NAME. */
static void reproduce(const char *name) {
  bed_use(name, "");
  struct ledger ledger = {0};
  struct published_walk walk = {.ledger = &ledger, .take = take, .skip = skip};
  size_t before = nrows;
  ck_assert_uint_le(before + published_count_on(name), ROWS_MAX);
  SUCCEEDS(published_run(bed.machine, &walk, &failure));
  ck_assert_uint_eq(nrows - before, published_count_on(name));
  for (size_t i = before; i < nrows; i++) {
    ck_assert_str_eq(rows[i].platform, name);
  }
  ledger_fini(&ledger);
}

TESTS(published, .start = start, .stop = bed_end);

TEST(published_measurements_are_reproduced) {
  char names[] = PUBLISHED_PLATFORMS "," PUBLISHED_HOSTS, *rest = names;
  while (rest) {
    reproduce(strsep(&rest, ","));
  }
  ck_assert_uint_eq(nrows,
                    published_count_on("qs20") + published_count_on("ps3") + published_count_on("qsnet2"));
  for (size_t i = 0; i < nrows; i++) {
    if (rows[i].bound) {
      ck_assert_msg(rows[i].error == 0, "%s: %g, published bound %g", rows[i].id, rows[i].simulated,
                    rows[i].published);
    }
  }
  for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
    expect_kept(&promises[i], rows, nrows);
  }
  for (size_t i = 0; i < nrows; i++) {
    if (rows[i].role == PUBLISHED_TEST && strcmp(rows[i].id, PUBLISHED_EXCEPTED) != 0) {
      ck_assert_msg(fabs(rows[i].error) <= PUBLISHED_LARGEST_EXPECTED, "%s: %g %%", rows[i].id,
                    rows[i].error);
    }
  }
}

/* Upper bounds are kept. */
TEST(models_of_blades_keep_their_bounds) {
  reproduce("blades");
  ck_assert_uint_eq(nrows, 2);
  for (size_t i = 0; i < nrows; i++) {
    ck_assert(rows[i].bound);
    ck_assert_msg(rows[i].error <= 0, "%s: %g %%", rows[i].id, rows[i].error);
  }
}

/* The size from which exchanges on hosts with TCP have timeouts, and the expected range of this size.
 * source: the sizes published, 2 KiB and 8 KiB, and the sizes around the first; the room of a port decides
 * among these. */
static const struct {
  const char *platform, *id;
  double least, most;
} thresholds[] = {{"icluster2-fe", "steffenel-fe-threshold", 2048, 16384},
                  {"gdx", "steffenel-ge-threshold", 1024, 16384}};

TEST_EACH(exchanges_have_timeouts_from_about_the_published_size_on, 0, getenv("CELLCOLL_FULL") ? 2 : 0) {
  reproduce(thresholds[_i].platform);
  size_t i = 0;
  while (i < nrows && strcmp(rows[i].id, thresholds[_i].id) != 0) {
    i++;
  }
  ck_assert_uint_lt(i, nrows);
  ck_assert_double_ge(rows[i].simulated, thresholds[_i].least);
  ck_assert_double_le(rows[i].simulated, thresholds[_i].most);
}

/* A network without losses delays no message: delta is at most its bound. */
TEST_EACH(wormholes_have_no_startup_by_contention, 0, getenv("CELLCOLL_FULL") ? 1 : 0) {
  reproduce("icluster2-myrinet");
  ck_assert_str_eq(rows[nrows - 1].id, "steffenel-my-delta");
  ck_assert(rows[nrows - 1].bound);
  ck_assert_double_le(rows[nrows - 1].error, 0);
}
