/* SPDX-License-Identifier: BSD-3-Clause
 * Variations of machines for the simulation of published rows.
 * source: six SPEs read memory one bus request of 128 bytes after the other, one in each
 * memory.read-interval. */
#include "tests/bed.h"
#include "validate/evidence/fitted.h"
#include "validate/evidence/evidence.h"
#include "validate/lab/ledger/ledger.h"

/* Both machines, and of all rows the two streams to and from the memory of a PS3. */
struct bench_top {
  struct platform *machines[2];
  struct ledger ledger;
  struct evidence evidence;
  struct variations variations;
  size_t get, put; /* rows */
  struct err err;
};

static bool is_stream(const struct published_row *row) {
  return strcmp(row->id, "mem-get-6spe") == 0 || strcmp(row->id, "mem-put-6spe") == 0;
}

static void top_init(struct bench_top *top) {
  *top = (struct bench_top){.err = {""}};
  for (size_t i = 0; i < published_count(); i++) {
    struct published_row row = published_rows[i];
    top->get = strcmp(row.id, "mem-get-6spe") == 0 ? i : top->get;
    top->put = strcmp(row.id, "mem-put-6spe") == 0 ? i : top->put;
  }
  top->machines[0] = platform_read("qs20", &top->err);
  top->machines[1] = platform_read("ps3", &top->err);
  ck_assert(top->machines[0] && top->machines[1]);
  top->evidence = (struct evidence){.ledger = &top->ledger, .machines = top->machines, .nmachines = 2};
  top->variations = (struct variations){.evidence = &top->evidence, .wanted = is_stream};
}

static void top_fini(struct bench_top *top) {
  variations_fini(&top->variations);
  ledger_fini(&top->ledger);
  platform_free(top->machines[0]);
  platform_free(top->machines[1]);
}

static void vary(struct bench_top *top, const char *machine, const char *keys, const char *value) {
  struct variation_setting setting = {machine, keys, value};
  ck_assert_msg(variations_add(&top->variations, &setting, 1, &top->err) == 0, "%s", top->err.text);
}

TESTS(evidence, .start = bed_start);

TEST(a_row_moves_with_its_own_value_only) {
  struct bench_top top;
  top_init(&top);
  ck_assert_int_eq(variations_add(&top.variations, NULL, 0, &top.err), 0);
  vary(&top, "ps3", "memory.read-interval", "35.8");
  vary(&top, "qs20", "memory.read-interval memory.write-interval", "37");
  ck_assert_int_eq(variations_run(&top.variations, &top.err), 0);
  const struct published_row *as_is = top.variations.items[0]->rows, *twice = top.variations.items[1]->rows,
                             *both = top.variations.items[2]->rows;
  ck_assert_double_eq_tol(twice[top.get].simulated, as_is[top.get].simulated / 2,
                          0.01 * as_is[top.get].simulated);
  ck_assert_double_eq_tol(twice[top.put].simulated, as_is[top.put].simulated, 1e-9);
  ck_assert_double_eq_tol(both[top.get].simulated, 128 * 3.2 / 37, 0.1); /* ps3 is built on qs20 */
  ck_assert_double_eq_tol(both[top.put].simulated, 128 * 3.2 / 37, 0.1);
  ck_assert(isnan(as_is[top.get == 0 ? 1 : 0].simulated)); /* not wanted */
  top_fini(&top);
}

TEST(a_machine_keeps_what_it_has_of_its_own) {
  struct bench_top top;
  top_init(&top);
  vary(&top, "qs20", "ls.port-interval", "3");
  vary(&top, "ps3", "ls.port-interval", "4");
  vary(&top, NULL, "ls.port-interval", "5");
  for (size_t i = 0; i < 3; i++) {
    static const double expected[][2] = {{3, 5.35}, {0, 4}, {5, 5}};
    for (size_t j = 0; j < 2; j++) {
      const struct platform *platform = machine_platform(top.variations.items[i]->machines[j]);
      ck_assert_double_eq(platform->ls.port_interval, expected[i][j]);
    }
  }
  top_fini(&top);
}

TEST(what_cannot_be_varied_is_refused) {
  struct bench_top top;
  struct variation_number number;
  top_init(&top);
  ck_assert_int_eq(
    variations_add(&top.variations, &(struct variation_setting){NULL, "eib.hops", "1"}, 1, &top.err), -1);
  ck_assert_ptr_nonnull(strstr(top.err.text, "eib.hop"));
  ck_assert_uint_eq(top.variations.n, 0);
  ck_assert_int_eq(variations_value(&top.variations, NULL, "memory.placement", &number, &top.err), -1);
  ck_assert_int_eq(variations_value(&top.variations, "ps3", "ls.port-interval ls.read", &number, &top.err),
                   0);
  ck_assert_double_eq(number.value, 5.35);
  ck_assert_str_eq(number.unit, "bus cycles");
  top_fini(&top);
}

TEST(every_mechanism_can_be_switched_off) {
  struct bench_top top;
  top_init(&top);
#define OFF(name, machine, keys, value) vary(&top, machine, keys, value);
#define WRONG(keys, value) vary(&top, NULL, keys, value);
#define TRIED(keys, value, findings) vary(&top, NULL, keys, value);
#include "validate/evidence/changes.def"
  ck_assert_uint_gt(top.variations.n, 20);
  top_fini(&top);
}

/* Return the number of decidable findings among FINDINGS, separated by blanks. */
static size_t count_findings(const char *findings) {
  size_t n = 0;
  for (size_t i = 0; i < findings_count(); i++) {
    n += !findings_table[i].elsewhere && fitted_has_row(findings, findings_table[i].name);
  }
  return n;
}

TEST(what_was_tried_names_findings){
#define TRIED(keys, value, findings) \
  { \
    size_t n = 1; \
    for (const char *c = findings; *c; c++) { \
      n += *c == ' '; \
    } \
    ck_assert_msg(count_findings(findings) == n, "%s", findings); \
  }
#include "validate/evidence/changes.def"
}

/* A value of FITTED or ASSUMED is within its bounds, which all its keys share; the platform file has them. */
TEST(every_value_that_is_fitted_or_assumed_has_bounds) {
  for (size_t j = 0; j < fitted_nvalues; j++) {
    double least, most;
    fitted_bounds(&fitted_values[j], &least, &most);
    struct platform *platform = platform_read(fitted_values[j].machine, &failure);
    for (size_t i = 0; i < platform_nentries(platform); i++) {
      struct platform_entry entry;
      platform_entry(platform, i, &entry);
      if (fitted_has_row(fitted_values[j].keys, entry.key)) { /* a word of a list, as rows are */
        ck_assert_double_eq(entry.least, least);
        ck_assert_double_eq(entry.most, most);
        ck_assert_double_ge(strtod(entry.value, NULL), least);
        ck_assert_double_le(strtod(entry.value, NULL), most);
      }
    }
    platform_free(platform);
  }
}

/* What a value may be is known before findings and rows: no bound rests on one of them. */
TEST(no_bound_names_a_finding_or_a_row) {
  static const char *const names[] = {"qs20", "qs20-chip-limit", "ps3", "qsnet2"};
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
    struct platform *platform = platform_read(names[k], &failure);
    unsigned nbounded = 0;
    for (size_t i = 0; i < platform_nentries(platform); i++) {
      struct platform_entry entry;
      platform_entry(platform, i, &entry);
      bool bounded = !isnan(entry.least);
      nbounded += bounded;
      ck_assert_msg(!bounded || !strstr(entry.source, "finding"), "%s: %s", entry.key, entry.source);
      for (size_t j = 0; j < published_count() && bounded; j++) {
        ck_assert_msg(!strstr(entry.source, published_rows[j].id), "%s: %s", entry.key, entry.source);
      }
    }
    ck_assert_uint_gt(nbounded, 1);
    platform_free(platform);
  }
}

TEST(no_value_is_fitted_to_a_test) {
  for (size_t i = 0; i < published_count(); i++) {
    struct published_row row = published_rows[i];
    ck_assert_msg(row.role != PUBLISHED_TEST || !fitted_is_row(&row), "%s", row.id);
    ck_assert_msg(row.role != PUBLISHED_DERIVED || fitted_is_row(&row), "%s", row.id);
  }
  ck_assert(fitted_has_row("first mm-*-16", "mm-1k-16"));
  ck_assert(!fitted_has_row("first mm-*-16", "mm-1k-8"));
}

/* The machine as it is, and 20 drawn machines on which row 0 has the values 20 to 1 and row 1 none. */
TEST(a_bar_leaves_out_one_machine_of_twenty_at_each_end) {
  struct variation machines[21] = {{.label = "as it is"}}, *items[21];
  struct published_row rows[21][2];
  for (unsigned i = 0; i < 21; i++) {
    rows[i][0] = published_rows[0];
    rows[i][0].simulated = i == 0 ? 99 : 21 - i;
    rows[i][1] = published_rows[1];
    machines[i].rows = rows[i];
    items[i] = &machines[i];
  }
  const struct variations samples = {.items = items, .n = 21};
  ck_assert_double_eq(samples_end(&samples, published_rows[0].id, false), 2);
  ck_assert_double_eq(samples_end(&samples, published_rows[0].id, true), 19);
  ck_assert_double_nan(samples_end(&samples, published_rows[1].id, false));
  ck_assert_double_nan(samples_end(&samples, "no-such-row", true));
}
