/* SPDX-License-Identifier: BSD-3-Clause
 * Tables: the same rows as text, csv and JSON. */
#include "cli/table.h"
#include "platform/platform.h"
#include "sim/base/err.h"

#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *table_suite(void);

/* A table with each kind of cell. */
static struct table *
sample(void)
{
  struct table *table = table_new("name,ranks,ns");
  table_add_text(table, "tree");
  table_add_count(table, 8);
  table_add_real(table, 1234.56, 1);
  table_add_text(table, "Jørgensen");
  table_add_count(table, 16);
  table_add_real(table, -0.04, 1);
  table_add_text(table, "");
  table_add_nothing(table);
  table_add_real(table, NAN, 1);
  return table;
}

/* Check that the sample, written as OUTPUT says but to a file, gives EXPECTED. */
static void
expect(struct table_output output, const char *expected)
{
  struct err err = {0};
  struct table *table = sample();
  char path[] = "/tmp/cellcoll-table-XXXXXX", found[2048];
  close(mkstemp(path));
  output.path = path;
  ck_assert_uint_eq(table_nrows(table), 3);
  ck_assert_msg(table_write(table, &output, &err) == 0, "%s", err.text);
  FILE *file = fopen(path, "r");
  found[fread(found, 1, sizeof found - 1, file)] = '\0';
  fclose(file);
  unlink(path);
  table_free(table);
  ck_assert_str_eq(found, expected);
}

START_TEST(text_is_aligned_with_numbers_to_the_right)
{
  expect((struct table_output){.format = TABLE_TEXT}, "name       ranks      ns\n"
                                                      "tree           8  1234.6\n"
                                                      "Jørgensen     16     0.0\n"
                                                      "\n");
}
END_TEST

START_TEST(csv_has_a_header_and_nothing_for_what_is_not_there)
{
  expect((struct table_output){.format = TABLE_CSV}, "name,ranks,ns\ntree,8,1234.6\nJørgensen,16,0.0\n,,\n");
}
END_TEST

START_TEST(json_without_a_platform_says_null)
{
  char word[] = "--format=json", *arguments[] = {word};
  struct table_output output = {
    .format = TABLE_JSON, .command = "list", .arguments = arguments, .narguments = 1};
  expect(output, "{\n \"program\": \"cellcoll\",\n \"version\": \"0.1.0\",\n \"platform\": null,\n"
                 " \"command\": \"list\",\n \"arguments\": [\n  \"--format=json\"\n ],\n \"rows\": [\n"
                 "  {\n   \"name\": \"tree\",\n   \"ranks\": 8,\n   \"ns\": 1234.6\n  },\n"
                 "  {\n   \"name\": \"Jørgensen\",\n   \"ranks\": 16,\n   \"ns\": 0.0\n  },\n"
                 "  {\n   \"name\": \"\",\n   \"ranks\": null,\n   \"ns\": null\n  }\n ]\n}\n");
}
END_TEST

START_TEST(json_describes_the_platform)
{
  char name[] = "toy", overrides[] = "eib.hop=2", profile[] = "fast";
  struct platform platform = {
    .name = name, .checksum = 0xabc, .overrides = overrides, .software = {.profile = profile}};
  struct platform *platforms[] = {&platform};
  struct table_output output = {
    .format = TABLE_JSON, .command = "run", .platforms = platforms, .nplatforms = 1};
  expect(output,
         "{\n \"program\": \"cellcoll\",\n \"version\": \"0.1.0\",\n \"platform\": {\n  \"name\": \"toy\",\n"
         "  \"checksum\": \"0000000000000abc\",\n  \"overrides\": \"eib.hop=2\",\n"
         "  \"profile\": \"fast\"\n },\n"
         " \"command\": \"run\",\n \"arguments\": [],\n \"rows\": [\n"
         "  {\n   \"name\": \"tree\",\n   \"ranks\": 8,\n   \"ns\": 1234.6\n  },\n"
         "  {\n   \"name\": \"Jørgensen\",\n   \"ranks\": 16,\n   \"ns\": 0.0\n  },\n"
         "  {\n   \"name\": \"\",\n   \"ranks\": null,\n   \"ns\": null\n  }\n ]\n}\n");
}
END_TEST

/* Return what TABLE looks like as FORMAT, from where PLACE is found on.
 * owner: the caller frees it. */
static char *
written(struct table *table, enum table_format format, const char *place)
{
  char path[] = "/tmp/cellcoll-table-XXXXXX", text[4096] = "";
  struct err err = {""};
  close(mkstemp(path));
  struct table_output output = {.format = format, .path = path, .command = "run"};
  ck_assert_msg(table_write(table, &output, &err) == 0, "%s", err.text);
  FILE *file = fopen(path, "r");
  ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
  fclose(file);
  unlink(path);
  ck_assert(strstr(text, place) != NULL);
  return strdup(strstr(text, place));
}

START_TEST(a_second_table_comes_after_the_first)
{
  struct table *table = table_new("name"), *second = table_new("part,count");
  table_add_text(table, "tree");
  table_append(table, "parts", second);
  table_add_text(second, "ring");
  table_add_count(second, 7);
  table_note(table, "all is well");
  char *csv = written(table, TABLE_CSV, "name"), *text = written(table, TABLE_TEXT, "name");
  char *json = written(table, TABLE_JSON, " \"rows\"");
  ck_assert_str_eq(csv, "name\ntree\n\npart,count\nring,7\n");
  ck_assert_str_eq(text, "name\ntree\n\npart  count\nring      7\nall is well\n");
  ck_assert_str_eq(json, " \"rows\": [\n  {\n   \"name\": \"tree\"\n  }\n ],\n"
                         " \"parts\": [\n  {\n   \"part\": \"ring\",\n   \"count\": 7\n  }\n ]\n}\n");
  free(csv);
  free(text);
  free(json);
  table_free(table);
}
END_TEST

START_TEST(a_comma_in_a_cell_is_our_bug)
{
  table_add_text(table_new("name"), "one,two");
}
END_TEST

Suite *
table_suite(void)
{
  Suite *suite = suite_create("table");
  TCase *tests = tcase_create("formats");
  tcase_add_test(tests, text_is_aligned_with_numbers_to_the_right);
  tcase_add_test(tests, csv_has_a_header_and_nothing_for_what_is_not_there);
  tcase_add_test(tests, json_without_a_platform_says_null);
  tcase_add_test(tests, json_describes_the_platform);
  tcase_add_test(tests, a_second_table_comes_after_the_first);
  tcase_add_test_raise_signal(tests, a_comma_in_a_cell_is_our_bug, SIGABRT);
  suite_add_tcase(suite, tests);
  return suite;
}
