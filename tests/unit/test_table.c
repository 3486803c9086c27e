/* SPDX-License-Identifier: BSD-3-Clause
 * Tables: the same rows as text, csv and JSON. */
#include "cli/table.h"
#include "config.h"
#include "platform/platform.h"
#include "sim/base/origin.h"
#include "tests/suite.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[] = "toy", overrides[] = "eib.hop=2", profile[] = "fast";
static struct platform toy = {
  .name = name, .checksum = 0xabc, .overrides = overrides, .software = {.profile = profile}};
static struct platform *platforms[] = {&toy};

/* A table with each kind of cell. */
static struct table *sample(void) {
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

/* Check that TABLE, written as OUTPUT but to a file, is EXPECTED from the first PLACE on. */
static void expect_from(struct table *table, struct table_output output, const char *place,
                        const char *expected) {
  char path[] = "/tmp/cellcoll-table-XXXXXX", text[4096] = "";
  close(mkstemp(path));
  output.path = path;
  SUCCEEDS(table_write(table, &output, &failure));
  FILE *file = fopen(path, "r");
  ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
  fclose(file);
  unlink(path);
  ck_assert_ptr_nonnull(strstr(text, place));
  ck_assert_str_eq(strstr(text, place), expected);
}

/* Check likewise that the sample is EXPECTED. */
static void expect(struct table_output output, const char *expected) {
  struct table *table = sample();
  ck_assert_uint_eq(table_nrows(table), 3);
  expect_from(table, output, "", expected);
  table_free(table);
}

static const struct table_output as_text = {.format = TABLE_TEXT}, as_csv = {.format = TABLE_CSV},
                                 as_json = {.format = TABLE_JSON, .from.command = "run"};

TESTS(table);

TEST(text_is_aligned_with_numbers_to_the_right) {
  expect(as_text, "name       ranks      ns\n"
                  "tree           8  1234.6\n"
                  "Jørgensen     16     0.0\n"
                  "\n");
}

TEST(chosen_columns_come_in_the_order_of_the_choice) {
  char *names[] = {"ns", "name"}, *wrong[] = {"rank"};
  struct table *table = sample();
  table_hide(table, "ns");
  SUCCEEDS(table_select(table, names, 2, &failure));
  expect_from(table, as_text, "", "    ns  name\n1234.6  tree\n   0.0  Jørgensen\n\n");
  FAILS(table_select(table, wrong, 1, &failure), "--columns: unknown column 'rank'; did you mean 'ranks'?");
  table_free(table);
}

/* Counts beyond 32 bits are told from shorter ones, and each argument belongs to its own conversion. */
TEST(a_format_adds_a_cell_for_each_conversion) {
  static const char *const expected[] = {"tree",  "",  "7", "8589934593",     "12884901890", "1.5",
                                         "2.250", "3", "",  "toy[eib.hop=2]", "end"};
  struct table *table = table_new("a,b,c,d,e,f,g,h,i,j,k");
  const char *nothing = table_cell(table, 0, "none");
  table_add(table, "%s %s %u %zu %" PRIu64 " %.1f %.*f %.0f %.1f %p %s", "tree", nothing, 7U,
            (size_t)0x200000001, UINT64_C(0x300000002), 1.5, 3, 2.25, 3.0, NAN, (const void *)&toy, "end");
  ck_assert_uint_eq(table_nrows(table), 1);
  for (size_t c = 0; c < sizeof expected / sizeof *expected; c++) {
    ck_assert_str_eq(table_cell(table, 0, table_column(table, c)), expected[c]);
  }
  table_free(table);
}

TEST(csv_has_a_header_and_nothing_for_what_is_not_there) {
  expect(as_csv, "name,ranks,ns\ntree,8,1234.6\nJørgensen,16,0.0\n,,\n");
}

/* Expect the beginning of JSON, with the build and 1970, and then REST. */
static void expect_json(struct table_output output, const char *rest) {
  setenv("SOURCE_DATE_EPOCH", "0", 1);
  char *expected =
    xasprintf("{\n \"program\": \"" PACKAGE_NAME "\",\n \"version\": \"" PACKAGE_VERSION "\",\n"
              " \"provenance\": {\n  \"commit\": \"%s\",\n  \"compiler\": \"%s\",\n"
              "  \"simgrid\": \"%s\",\n  \"date\": \"1970-01-01T00:00:00Z\",\n  \"plugins\": []\n },\n%s",
              origin_commit(), origin_compiler(), origin_simgrid(), rest);
  expect(output, expected);
  free(expected);
  unsetenv("SOURCE_DATE_EPOCH");
}

TEST(csv_says_where_it_comes_from_if_asked) {
  char word[] = "--provenance", *arguments[] = {word}, file[] = "/nowhere.so", *files[] = {file};
  struct table_output output = {.format = TABLE_CSV,
                                .from.command = "run",
                                .from.arguments = arguments,
                                .from.narguments = 1,
                                .from.platforms = platforms,
                                .from.nplatforms = 1,
                                .from.plugins = files,
                                .from.nplugins = 1,
                                .provenance = true};
  setenv("SOURCE_DATE_EPOCH", "86400", 1);
  char *expected = xasprintf("# program: " PACKAGE_STRING "\n# commit: %s\n# compiler: %s\n# simgrid: %s\n"
                             "# date: 1970-01-02T00:00:00Z\n# command: run --provenance\n"
                             "# platform: toy[eib.hop=2] checksum 0000000000000abc profile fast\n"
                             "# plugin: /nowhere.so checksum unknown\n"
                             "name,ranks,ns\ntree,8,1234.6\nJørgensen,16,0.0\n,,\n",
                             origin_commit(), origin_compiler(), origin_simgrid());
  expect(output, expected);
  free(expected);
  unsetenv("SOURCE_DATE_EPOCH");
}

TEST(json_without_a_platform_says_null) {
  char word[] = "--format=json", *arguments[] = {word};
  struct table_output output = {
    .format = TABLE_JSON, .from.command = "list", .from.arguments = arguments, .from.narguments = 1};
  expect_json(output, " \"platform\": null,\n"
                      " \"command\": \"list\",\n \"arguments\": [\n  \"--format=json\"\n ],\n \"complete\": "
                      "true,\n \"rows\": [\n"
                      "  {\n   \"name\": \"tree\",\n   \"ranks\": 8,\n   \"ns\": 1234.6\n  },\n"
                      "  {\n   \"name\": \"Jørgensen\",\n   \"ranks\": 16,\n   \"ns\": 0.0\n  },\n"
                      "  {\n   \"name\": null,\n   \"ranks\": null,\n   \"ns\": null\n  }\n ]\n}\n");
}

TEST(json_describes_the_platform) {
  struct table_output output = {
    .format = TABLE_JSON, .from.command = "run", .from.platforms = platforms, .from.nplatforms = 1};
  expect_json(output, " \"platform\": {\n  \"name\": \"toy\",\n"
                      "  \"checksum\": \"0000000000000abc\",\n  \"overrides\": \"eib.hop=2\",\n"
                      "  \"profile\": \"fast\"\n },\n"
                      " \"command\": \"run\",\n \"arguments\": [],\n \"complete\": true,\n \"rows\": [\n"
                      "  {\n   \"name\": \"tree\",\n   \"ranks\": 8,\n   \"ns\": 1234.6\n  },\n"
                      "  {\n   \"name\": \"Jørgensen\",\n   \"ranks\": 16,\n   \"ns\": 0.0\n  },\n"
                      "  {\n   \"name\": null,\n   \"ranks\": null,\n   \"ns\": null\n  }\n ]\n}\n");
}

TEST(a_second_table_comes_after_the_first) {
  struct table *table = table_new("name"), *second = table_new("part,count");
  table_add_text(table, "tree");
  table_append(table, "parts", second);
  table_add_text(second, "ring");
  table_add_count(second, 7);
  table_note(table, "all is well");
  expect_from(table, as_csv, "name", "name\ntree\n");
  expect_from(table, as_text, "name", "name\ntree\n\npart  count\nring      7\nall is well\n");
  expect_from(table, as_json, " \"rows\"",
              " \"rows\": [\n  {\n   \"name\": \"tree\"\n  }\n ],\n"
              " \"parts\": [\n  {\n   \"part\": \"ring\",\n   \"count\": 7\n  }\n ]\n}\n");
  table_free(table);
}

TEST(what_csv_cannot_hold_is_replaced) {
  static const struct {
    const char *given, *kept;
  } texts[] = {{"one,two", "one;two"},
               {"a \"quote\"", "a 'quote'"},
               {"a\nline\r\tend\x7f", "a line  end "},
               {"J\xc3\xb8rgensen", "J\xc3\xb8rgensen"},
               {"\xe2\x82\xac \xf0\x9f\x98\x80", "\xe2\x82\xac \xf0\x9f\x98\x80"},
               {"Latin-1 \xf8", "Latin-1 \\xf8"},
               {"\xc3", "\\xc3"},                   /* ends too early */
               {"\xc0\xaf", "\\xc0\\xaf"},          /* longer than necessary */
               {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* half of a pair */
               {"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"}};
  struct table *table = table_new("name");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    table_add_text(table, texts[i].given);
    ck_assert_str_eq(table_cell(table, i, "name"), texts[i].kept);
  }
  table_free(table);
}

TEST(a_number_is_whole_or_has_one_digit) {
  struct table *table = table_new("cycles");
  table_add_mean(table, 316);
  table_add_mean(table, 316.5);
  table_add_mean(table, 316.96);
  table_add_mean(table, NAN);
  expect_from(table, as_csv, "cycles", "cycles\n316\n316.5\n317\n\n");
  expect_from(table, as_json, " \"rows\"",
              " \"rows\": [\n  {\n   \"cycles\": 316\n  },\n  {\n   \"cycles\": 316.5\n  },\n"
              "  {\n   \"cycles\": 317\n  },\n  {\n   \"cycles\": null\n  }\n ]\n}\n");
  table_free(table);
}

TEST(rows_say_where_they_come_from_but_in_text) {
  char none[] = "";
  struct platform second = {.name = toy.name, .checksum = 0xdef, .overrides = none};
  struct table *table = table_new("platform,ns,version,platform_checksum,note");
  table_add(table, "%p", &toy);
  table_add_count(table, 1);
  table_add_text(table, "x");
  table_add(table, "%p", &second);
  table_add_count(table, 2);
  table_add_text(table, "y");
  ck_assert_uint_eq(table_nrows(table), 2);
  expect_from(table, as_csv, "platform",
              "platform,ns,version,platform_checksum,note\n"
              "toy[eib.hop=2],1," PACKAGE_VERSION ",0000000000000abc,x\n"
              "toy,2," PACKAGE_VERSION ",0000000000000def,y\n");
  expect_from(table, as_text, "platform",
              "platform        ns  note\ntoy[eib.hop=2]   1  x\ntoy              2  y\n");
  table_free(table);
}

/* An existing file of the requested name stays unchanged. */
TEST(an_incomplete_table_has_another_name) {
  char path[] = "/tmp/cellcoll-table-XXXXXX", other[64], text[64] = "";
  struct table *table = table_new("name");
  struct stat status;
  close(mkstemp(path));
  snprintf(other, sizeof other, "%s.incomplete", path);
  struct table_output output = {.format = TABLE_TEXT, .path = path, .incomplete = true};
  table_add_text(table, "tree");
  SUCCEEDS(table_write(table, &output, &failure));
  ck_assert(stat(path, &status) == 0 && status.st_size == 0);
  FILE *file = fopen(other, "r");
  ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
  fclose(file);
  unlink(path);
  unlink(other);
  ck_assert_str_eq(text, "name\ntree\nincomplete: what was not finished is missing\n");
  table_free(table);
}
