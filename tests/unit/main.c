/* SPDX-License-Identifier: BSD-3-Clause
 * Run all unit tests and report in TAP, each test in a process of its own. CK_RUN_SUITE and CK_RUN_CASE in
 * the environment choose some of them. */
#include "tests/short_end.h"

#include <check.h>
#include <stdlib.h>

#define SUITE(name) Suite *name##_suite(void);
#include "tests/unit/suites.def"

int main(void) {
  short_end();
  SRunner *runner = srunner_create(NULL);
#define SUITE(name) srunner_add_suite(runner, name##_suite());
#include "tests/unit/suites.def"
  srunner_set_fork_status(runner, CK_FORK);
  srunner_set_tap(runner, "-");
  srunner_run_all(runner, CK_SILENT);
  srunner_free(runner);
  return EXIT_SUCCESS; /* the report says which tests failed */
}
