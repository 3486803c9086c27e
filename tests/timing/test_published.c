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
  {"pairs-mean", 2, 2},
  {"atomic-", 1, 1},
  {"put-both-", 3, 3},
  {"gather-gain-", 15, 15},
  {"alltoall-gain-", 15, 15},
  {"qian-put-rails", 2.5, 2.5},
};

/* Known misses of rows with an error above 10 %, in percent as simulated today: a miss may only shrink,
 * towards 0. docs/trust.md and docs/trust-networks.md have the reasons. Every row is here, or within 10 %. */
static const struct {
  const char *id;
  double error;
} misses[] = {
  {"barrier-pe-flag-8", 12.7},   {"barrier-pe-flag-16", -14.5},
  {"bcast-mm-32k-16", -24.0},    {"bcast-mm-1m-16", 25.2},
  {"reduce-mm-1k-16", -11.0},    {"exchange-5", 98.7},
  {"exchange-7", 124.7},         {"direction-share-3", -31.9},
  {"direction-share-4", -23.9},  {"direction-share-5", 17.7},
  {"gather-gain-1m", -11.1},     {"steffenel-my-gamma", 10.4},
  {"steffenel-fe-delta", 45.0},  {"steffenel-fe-threshold", 700.0},
  {"steffenel-ge-delta", 73.6},  {"steffenel-ge-threshold", -50.0},
  {"steffenel-ge-gamma", -43.1},
};

enum { ROWS_MAX = 80 };

/* Check that the error of ROW is at most 10 %, or a known miss that has not grown. */
static void expect_no_new_miss(const struct published_row *row) {
  double least = -10, most = 10;
  for (size_t i = 0; i < sizeof misses / sizeof *misses; i++) {
    if (strcmp(misses[i].id, row->id) == 0) {
      least = fmin(least, misses[i].error);
      most = fmax(most, misses[i].error);
    }
  }
  ck_assert_msg(row->error >= least && row->error <= most,
                "%s: %g in place of %g %s, %.1f %%, expected %g to %g %%", row->id, row->simulated,
                row->published, row->unit, row->error, least, most);
}

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
  SUCCEEDS(machine_begin(&failure));
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
  ck_assert_uint_eq(nrows, published_count_on("qs20") + published_count_on("ps3") +
                             published_count_on("qsnet2") + published_count_on("icluster2-myrinet"));
  for (size_t i = 0; i < nrows; i++) {
    expect_no_new_miss(&rows[i]);
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

/* Rows of exchanges over Ethernet, which have timeouts. A minute of processor time. */
static const char *const ethernets[] = {"icluster2-fe", "gdx"};

TEST_EACH(exchanges_with_timeouts_have_no_new_miss, 0, getenv("CELLCOLL_FULL") ? 2 : 0) {
  reproduce(ethernets[_i]);
  for (size_t i = 0; i < nrows; i++) {
    expect_no_new_miss(&rows[i]);
  }
}

/* A network without losses delays no message: delta is at most its bound. */
TEST_EACH(wormholes_have_no_startup_by_contention, 0, getenv("CELLCOLL_FULL") ? 1 : 0) {
  reproduce("icluster2-myrinet");
  ck_assert_str_eq(rows[nrows - 1].id, "steffenel-my-delta");
  ck_assert(rows[nrows - 1].bound);
  ck_assert_double_le(rows[nrows - 1].error, 0);
}
