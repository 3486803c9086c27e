/* SPDX-License-Identifier: BSD-3-Clause
 * Run all tests of this program (tests/suite.h) and report in TAP, each test in a process of its own.
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

int main(void) {
  short_end();
  SRunner *runner = srunner_create(NULL);
  Suite *suite = NULL;
  size_t placed = 0;
  qsort(groups, ngroups, sizeof *groups, compare_groups);
  qsort(tests, ntests, sizeof *tests, compare_tests);
  for (size_t i = 0; i < ngroups; i++) {
    if (i == 0 || strcmp(groups[i]->suite, groups[i - 1]->suite) != 0) {
      suite = suite_create(groups[i]->suite);
      srunner_add_suite(runner, suite);
    }
    suite_add_tcase(suite, case_of(groups[i], i + 1 < ngroups ? groups[i + 1] : NULL, &placed));
  }
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
