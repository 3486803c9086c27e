/* SPDX-License-Identifier: BSD-3-Clause
 * Run all tests of this program (tests/suite.h) and report in TAP, each test in a process of its own. Groups
 * without `start` come first: the others need SimGrid, whose pages make each fork several times as dear.
 * CK_RUN_SUITE in the environment chooses a suite. */
#include "tests/short_end.h"
#include "tests/suite.h"

/* Seconds after which a test counts as one that never ends, also with a sanitizer on a busy machine. */
enum { TIMEOUT = 600 };

/* By file and line: groups and tests in the order of the source. */
static const struct test_group **groups;
static const struct test **tests;
static size_t ngroups, ntests;

void test_add_group(const struct test_group *group) {
  groups = xrealloc(groups, ngroups + 1, sizeof *groups);
  groups[ngroups++] = group;
}

void test_add(const struct test *test) {
  tests = xrealloc(tests, ntests + 1, sizeof *tests);
  tests[ntests++] = test;
}

static int compare_groups(const void *a, const void *b) {
  const struct test_group *x = *(const struct test_group *const *)a,
                          *y = *(const struct test_group *const *)b;
  int files = strcmp(x->file, y->file);
  return files ? files : x->line - y->line;
}

static int compare_tests(const void *a, const void *b) {
  const struct test *x = *(const struct test *const *)a, *y = *(const struct test *const *)b;
  int files = strcmp(x->file, y->file);
  return files ? files : x->line - y->line;
}

/* Return whether TEST is behind GROUP in the same file. */
static bool follows(const struct test *test, const struct test_group *group) {
  return strcmp(test->file, group->file) == 0 && test->line > group->line;
}

/* Return a case of all tests between GROUP and NEXT, NULL: none, and count these tests in PLACED. */
static TCase *case_of(const struct test_group *group, const struct test_group *next, size_t *placed) {
  TCase *tcase = tcase_create(group->suite);
  tcase_set_timeout(tcase, TIMEOUT);
  tcase_add_unchecked_fixture(tcase, group->start ? short_end : NULL, NULL);
  tcase_add_checked_fixture(tcase, group->start, group->stop);
  for (size_t i = 0; i < ntests; i++) {
    const struct test *test = tests[i];
    if (follows(test, group) && !(next && follows(test, next))) {
      (*placed)++;
      tcase_add_loop_test_raise_signal(tcase, *test->test, test->signal, test->first(), test->end());
    }
  }
  return tcase;
}

/* Add the groups that have a `start`, or those that have none, to RUNNER.
 * returns: the number of their tests. */
static size_t add_groups(SRunner *runner, bool have_start) {
  Suite *suite = NULL;
  const char *name = "";
  size_t placed = 0;
  for (size_t i = 0; i < ngroups; i++) {
    if (have_start != (groups[i]->start != NULL)) {
      continue;
    }
    if (strcmp(groups[i]->suite, name) != 0) {
      name = groups[i]->suite;
      suite = suite_create(name);
      srunner_add_suite(runner, suite);
    }
    suite_add_tcase(suite, case_of(groups[i], i + 1 < ngroups ? groups[i + 1] : NULL, &placed));
  }
  return placed;
}

int main(void) {
  SRunner *runner = srunner_create(NULL);
  qsort(groups, ngroups, sizeof *groups, compare_groups);
  qsort(tests, ntests, sizeof *tests, compare_tests);
  size_t placed = add_groups(runner, false);
  placed += add_groups(runner, true);
  if (placed != ntests) {
    fputs("a test stands before any TESTS of its file\n", stderr);
    return EXIT_FAILURE;
  }
  srunner_set_fork_status(runner, CK_FORK);
  srunner_set_tap(runner, "-");
  srunner_run_all(runner, CK_SILENT);
  srunner_free(runner);
  free(groups);
  free(tests);
  return EXIT_SUCCESS; /* the report names the failed tests */
}
