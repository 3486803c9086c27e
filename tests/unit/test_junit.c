/* SPDX-License-Identifier: BSD-3-Clause
 * JUnit files: suites, failures, errors, escaped texts, nothing half written. */
#include "algos/step/algo.h"
#include "cli/check/check_report.h"
#include "tests/bed.h"

#include <stdlib.h>
#include <unistd.h>

static struct check check;
static char folder[] = "/tmp/cellcoll-junit-XXXXXX", path[64];

static void start(void) {
  bed_use("qs20", "");
  check.machine = bed.machine;
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/result.xml", folder);
}

static void stop(void) {
  unlink(path);
  ck_assert_int_eq(rmdir(folder), 0);
  bed_end();
}

/* Write REPORT, which is BROKEN or not, and check that the file is TEXT. */
static void expect(const struct check_report *report, const char *broken, const char *text) {
  char found[4096];
  SUCCEEDS(check_report_junit(report, path, broken, &failure));
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  found[fread(found, 1, sizeof found - 1, file)] = '\0';
  fclose(file);
  ck_assert_str_eq(found, text);
}

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

TESTS(junit, .start = start, .stop = stop);

TEST(cases_are_grouped_and_counted) {
  static const struct algo a = {.collective = COLL_BARRIER, .name = "a"},
                           b = {.collective = COLL_BARRIER, .name = "b"};
  static char detail[] = "rank 1: byte 0 is 0x00; expected <\"'&>";
  struct check_item items[] = {
    {&check, {.algorithm.algo = &a, .nranks = 1, .repeat = 1}, {.verdict = CHECK_PASS}},
    {&check, {.algorithm.algo = &a, .nranks = 2, .repeat = 1}, {.verdict = CHECK_FAIL, .detail = detail}},
    {&check, {.algorithm.algo = &a, .nranks = 3, .repeat = 1}, {.verdict = CHECK_NOT_APPLICABLE}},
    {&check, {.algorithm.algo = &b, .nranks = 1, .repeat = 1}, {.verdict = CHECK_PASS}},
    {&check,
     {.algorithm.algo = &b, .nranks = 2, .repeat = 1},
     {.verdict = CHECK_NOT_TRIED, .detail = "why"}}};
  struct check_report report = {.items = items, .n = 5};
  check_report_count(&report);
  expect(&report, NULL,
         HEAD "<testsuites name=\"cellcoll check\" tests=\"4\" failures=\"1\" errors=\"0\">\n"
              "  <testsuite name=\"barrier:a on qs20\" tests=\"2\" failures=\"1\" errors=\"0\">\n"
              "    <testcase classname=\"barrier:a\" name=\"1 rank, 1 call, seed 0\"/>\n"
              "    <testcase classname=\"barrier:a\" name=\"2 ranks, 1 call, seed 0\">\n"
              "      <failure message=\"rank 1: byte 0 is 0x00; expected &lt;&quot;'&amp;&gt;\"/>\n"
              "    </testcase>\n"
              "  </testsuite>\n"
              "  <testsuite name=\"barrier:b on qs20\" tests=\"2\" failures=\"0\" errors=\"0\">\n"
              "    <testcase classname=\"barrier:b\" name=\"1 rank, 1 call, seed 0\"/>\n"
              "    <testcase classname=\"barrier:b\" name=\"2 ranks, 1 call, seed 0\">\n"
              "      <skipped message=\"why\"/>\n"
              "    </testcase>\n"
              "  </testsuite>\n"
              "</testsuites>\n");
  free(report.subjects);
}

/* Else an interrupted check would look as if all were well. */
TEST(a_broken_check_is_an_error) {
  expect(&(struct check_report){0}, "interrupted",
         HEAD "<testsuites name=\"cellcoll check\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
              "  <testsuite name=\"cellcoll\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
              "    <testcase classname=\"cellcoll\" name=\"all points are checked\">\n"
              "      <error message=\"interrupted\"/>\n"
              "    </testcase>\n"
              "  </testsuite>\n"
              "</testsuites>\n");
}

TEST(a_file_that_cannot_be_written_is_told) {
  struct err err = {""};
  ck_assert_int_eq(check_report_junit(&(struct check_report){0}, "/no/such/folder/result.xml", NULL, &err),
                   -1);
  ck_assert(strstr(err.text, "/no/such/folder/result.xml"));
}
