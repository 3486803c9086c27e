/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements and findings count only on the machine of the measurement, under any name. */
#include "platform/platform.h"
#include "validate/papers/findings.h"
#include "validate/papers/published.h"
#include "validate/papers/published.h"
#include "tests/suite.h"

/* Return the built-in platform NAME with KEY set to VALUE, unless KEY is NULL. */
static struct platform *machine(const char *name, const char *key, const char *value) {
  struct platform *platform = platform_read(name, &failure);
  ck_assert_msg(platform && (!key || platform_set(platform, key, value, &failure) == 0), "%s", failure.text);
  return platform;
}

TESTS(measured);

/* A name and a description are no values. A value set to itself is no change. A value without effect on any
 * run is no change either. */
TEST(a_machine_is_known_by_its_values) {
  static const struct {
    const char *key, *value;
    bool same;
  } cases[] = {{NULL, NULL, true},
               {"eib.hop", "1", true},
               {"eib.hop", "2", false},
               {"profile.gaona2009.tag", "1", false},
               {"software.comparison", "gaona2009", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct platform *platform = machine("qs20", cases[i].key, cases[i].value);
    platform->name = "mine";
    const char *found = published_machine(platform);
    char *nothing = published_nothing(platform), *unfound = findings_nothing(platform);
    ck_assert_int_eq(measured_on(platform, "qs20"), cases[i].same);
    ck_assert_int_eq(found != NULL, cases[i].same);
    ck_assert(!cases[i].same || strcmp(found, "qs20") == 0);
    ck_assert_int_eq(nothing == NULL, cases[i].same);
    ck_assert_int_eq(unfound == NULL, cases[i].same);
    free(nothing);
    free(unfound);
    platform_free(platform);
  }
}

/* Up to three values are named; of more, the first three and the number of all. The machine named is the
 * machine with the fewest differences. */
TEST(a_line_says_in_what_a_machine_differs) {
  static const struct {
    const char *name, *key, *value, *line;
  } cases[] = {
    {"quad-mesh", NULL, NULL, "nothing was measured on quad-mesh; it differs from qs20 in blade.chips"},
    {"octo-star", NULL, NULL,
     "nothing was measured on octo-star; it differs from qs20 in blade.chips and blade.topology"},
    {"octo-star", "eib.hop", "2",
     "nothing was measured on octo-star[eib.hop=2]; it differs from qs20 in blade.chips, blade.topology and "
     "eib.hop"},
    {"qsnet2", "nic.bus", "1",
     "nothing was measured on qsnet2[nic.bus=1]; it differs from qsnet2 in nic.bus"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct platform *platform = machine(cases[i].name, cases[i].key, cases[i].value);
    char *line = published_nothing(platform);
    ck_assert_str_eq(line, cases[i].line);
    free(line);
    platform_free(platform);
  }
}

/* Findings were made on other machines than some measurements. */
TEST(findings_have_machines_of_their_own) {
  static const struct {
    const char *name, *line;
  } cases[] = {{"qs20", NULL},
               {"qsnet2", NULL},
               {"ps3", "no finding was made on ps3; it differs from qs20 in 7 values: clock.timebase, "
                       "chip.units, chip.usable-spes and others"},
               {"cell", "nothing was measured on cell; it differs from qs20 in blade.chips"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct platform *platform = machine(cases[i].name, NULL, NULL);
    char *line = findings_nothing(platform);
    ck_assert_int_eq(line == NULL, cases[i].line == NULL);
    ck_assert(!line || strcmp(line, cases[i].line) == 0);
    free(line);
    platform_free(platform);
  }
}

/* Each row was measured on a built-in platform, found again here; rows of one machine stand side by side. */
TEST(every_row_has_its_machine) {
  const char *last = "";
  for (size_t i = 0; i < published_count_all(); i++) {
    struct published_row row = published_rows[i];
    if (strcmp(row.platform, last) != 0) {
      struct platform *platform = machine(row.platform, NULL, NULL);
      ck_assert_str_eq(published_machine(platform), row.platform);
      platform_free(platform);
    }
    last = row.platform;
  }
}

/* One form: with draws the line has the number of machines. */
TEST(a_headline_counts_the_verdicts) {
  static const struct finding fair = {.fairness = FINDING_FAIR},
                              built = {.fairness = FINDING_BY_CONSTRUCTION};
  const struct finding_row rows[] = {
    {.finding = &fair, .verdict = FINDING_HOLDS},     {.finding = &built, .verdict = FINDING_HOLDS},
    {.finding = &fair, .verdict = FINDING_HOLDS},     {.finding = &fair, .verdict = FINDING_FAILS},
    {.finding = &fair, .verdict = FINDING_UNDECIDED}, {.finding = &fair, .verdict = FINDING_ELSEWHERE}};
  char line[FINDINGS_HEADLINE_SIZE];
  findings_headline(rows, 6, 0, line);
  ck_assert_str_eq(line,
                   "6 findings: 3 hold (2 of them could have failed), 1 fail, 1 undecided, 1 elsewhere");
  findings_headline(rows, 6, 20, line);
  ck_assert_str_eq(line,
                   "6 findings judged on 20 drawn machines: 3 hold (2 of them could have failed), 1 fail, 1 "
                   "undecided, 1 elsewhere");
}
