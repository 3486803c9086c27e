/* SPDX-License-Identifier: BSD-3-Clause
 * JUnit files: suites, failures, errors, escaped texts, nothing half written. */
#include "cli/check/junit.h"
#include "tests/suite.h"

#include <unistd.h>

static char folder[] = "/tmp/cellcoll-junit-XXXXXX", path[64];

static void start(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/result.xml", folder);
}

static void stop(void) {
  unlink(path);
  ck_assert_int_eq(rmdir(folder), 0);
}

/* Write JUNIT and check that the file is TEXT. */
static void expect(const struct junit *junit, const char *text) {
  struct err err = {""};
  char found[4096];
  ck_assert_msg(junit_write(junit, path, &err) == 0, "%s", err.text);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  found[fread(found, 1, sizeof found - 1, file)] = '\0';
  fclose(file);
  ck_assert_str_eq(found, text);
}

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

TESTS(junit, .start = start, .stop = stop);

TEST(cases_are_grouped_and_counted) {
  struct junit_case cases[] = {{"a on x", "a", "1 ranks", NULL},
                               {"a on x", "a", "2 ranks", "rank 1: byte 0 is 0x00; expected <\"'&>"},
                               {"b on x", "b", "1 ranks", NULL}};
  expect(&(struct junit){.cases = cases, .n = 3},
         HEAD "<testsuites name=\"cellcoll check\" tests=\"3\" failures=\"1\" errors=\"0\">\n"
              "  <testsuite name=\"a on x\" tests=\"2\" failures=\"1\" errors=\"0\">\n"
              "    <testcase classname=\"a\" name=\"1 ranks\"/>\n"
              "    <testcase classname=\"a\" name=\"2 ranks\">\n"
              "      <failure message=\"rank 1: byte 0 is 0x00; expected &lt;&quot;'&amp;&gt;\"/>\n"
              "    </testcase>\n"
              "  </testsuite>\n"
              "  <testsuite name=\"b on x\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
              "    <testcase classname=\"b\" name=\"1 ranks\"/>\n"
              "  </testsuite>\n"
              "</testsuites>\n");
}

/* Else an interrupted check would look as if all were well. */
TEST(a_broken_check_is_an_error) {
  expect(&(struct junit){.broken = "interrupted"},
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
  ck_assert_int_eq(junit_write(&(struct junit){0}, "/no/such/folder/result.xml", &err), -1);
  ck_assert(strstr(err.text, "/no/such/folder/result.xml"));
}
