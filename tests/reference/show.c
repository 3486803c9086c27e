/* SPDX-License-Identifier: BSD-3-Clause
 * Print the log of one round of random programs: `show engine|reference MACHINE ROUND`, a line for each
 * event. */
#include "tests/reference/rounds.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_engine;
static int machine = -1;
static unsigned round_number;

/* A test, as the machines of bed.h are for tests. */
START_TEST(print_log) {
  struct reference_log fast, plain;
  bed_use_machine(machine);
  reference_round(reference_seed((unsigned)machine, round_number), &fast, &plain);
  const struct reference_log *log = is_engine ? &fast : &plain;
  for (size_t i = 0; i < log->count; i++) {
    char *words = reference_words(&log->entries[i]);
    printf("%llu: %s\n", (unsigned long long)log->entries[i].cycle, words);
    free(words);
  }
  free(fast.entries);
  free(plain.entries);
}
END_TEST

int main(int argc, char **argv) {
  if (argc == 4) {
    is_engine = strcmp(argv[1], "engine") == 0;
    machine = atoi(argv[2]);
    round_number = (unsigned)atoi(argv[3]);
  }
  if (machine < 0 || machine >= BED_MACHINES) {
    fprintf(stderr, "usage: show engine|reference MACHINE ROUND, with a machine below %d\n", BED_MACHINES);
    return 2;
  }
  Suite *suite = suite_create("show");
  TCase *only = tcase_create("show");
  tcase_add_checked_fixture(only, bed_start, bed_end);
  tcase_add_test(only, print_log);
  suite_add_tcase(suite, only);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_SILENT);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed;
}
