/* SPDX-License-Identifier: BSD-3-Clause
 * Platforms: reading, refusing, overriding, summing up.
 *
 * Broken samples are data: X.xml must give exactly the message in X.expected, be the two files in
 * tests/platforms/invalid or made by tests/platforms/broken.sh, and every file in tests/platforms/valid must
 * be accepted. */
#include "sim/base/text.h"
#include "tests/bed.h"
#include "tests/samples.h"

#include <dirent.h>

static struct platform *qs20;

static void start(void) {
  qs20 = bed_platform("qs20", "");
}

static bool ends_in(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Read all of the text file PATH without the last newline.
 * owner: the caller. */
static char *read_text(const char *path) {
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s is missing", path);
  char *text = xcalloc(4096, 1);
  size_t n = fread(text, 1, 4095, file);
  fclose(file);
  text[n > 0 && text[n - 1] == '\n' ? n - 1 : n] = '\0';
  return text;
}

/* Call CHECK_FILE for every XML file in DIRECTORY. */
static void for_each_sample(const char *directory, unsigned at_least, void (*check_file)(const char *path)) {
  DIR *stream = opendir(directory);
  unsigned n = 0;
  ck_assert_msg(stream != NULL, "%s is missing", directory);
  for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
    if (ends_in(entry->d_name, ".xml")) {
      char *path = xasprintf("%s/%s", directory, entry->d_name);
      check_file(path);
      free(path);
      n++;
    }
  }
  closedir(stream);
  ck_assert_uint_ge(n, at_least);
}

/* Check that overriding KEY with VALUE in qs20 fails with MESSAGE and changes nothing. */
static void check_refused(const char *key, const char *value, const char *message) {
  uint64_t before = qs20->checksum;
  FAILS(platform_set(qs20, key, value, &failure), message);
  ck_assert_uint_eq(qs20->checksum, before);
  ck_assert_str_eq(qs20->overrides, "");
  for (size_t i = 0; i < platform_nentries(qs20); i++) {
    struct platform_entry entry;
    platform_entry(qs20, i, &entry);
    ck_assert_int_gt(entry.line, 0);
  }
}

static void check_broken_sample(const char *path) {
  failure = (struct err){""};
  char *stem = xasprintf("%.*s", (int)(strlen(path) - strlen(".xml")), path);
  char *expected_path = xasprintf("%s.expected", stem);
  ck_assert_msg(platform_read(path, &failure) == NULL, "%s was accepted", path);
  const char *message = strstr(failure.text, "platforms/invalid/");
  ck_assert_msg(message != NULL, "no place in: %s", failure.text);
  char *expected = read_text(expected_path);
  ck_assert_str_eq(message, expected);
  free(expected);
  free(expected_path);
  free(stem);
}

TESTS(platform, .start = start, .stop = bed_end);

TEST(each_broken_sample_gives_its_own_message) {
  char *folder = sample_path("platforms/invalid");
  for_each_sample(folder, 1, check_broken_sample);
  free(folder);
}

TEST(each_platform_with_one_defect_gives_its_own_message) {
  char *folder = samples_of_defects();
  ck_assert_ptr_nonnull(folder);
  for_each_sample(folder, 85, check_broken_sample);
  samples_remove(folder);
}

static void check_valid_sample(const char *path) {
  struct platform *platform = bed_platform(path, "");
  ck_assert_str_eq(platform->path, path);
  ck_assert_str_eq(platform->overrides, "");
}

TEST(each_valid_sample_is_accepted) {
  char *folder = sample_path("platforms/valid");
  for_each_sample(folder, 8, check_valid_sample);
  free(folder);
}

TEST(each_built_in_platform_is_valid_and_carries_the_name_of_its_file) {
  for (const struct platform_builtin *builtin = platform_builtins; builtin->name; builtin++) {
    struct platform *platform = bed_platform(builtin->name, "");
    char *path = xasprintf("built-in %s", builtin->name);
    ck_assert_str_eq(platform->name, builtin->name);
    ck_assert_str_eq(platform->description, builtin->description);
    ck_assert_str_eq(platform->path, path);
    free(path);
  }
}

TEST(qs20_is_read_into_the_right_fields) {
  ck_assert_double_eq(qs20->clock.spu, 3.2);
  ck_assert_uint_eq(qs20->clock.bus_divider, 2);
  ck_assert_str_eq(qs20->chip.units, "PPE SPE1 SPE3 SPE5 SPE7 IOIF1 IOIF0 SPE6 SPE4 SPE2 SPE0 MIC");
  ck_assert_str_eq(qs20->chip.bif, "IOIF0");
  ck_assert_uint_eq(qs20->blade.chips, 2);
  ck_assert_uint_eq(qs20->eib.rings_counterclockwise, 2);
  ck_assert_uint_eq(qs20->eib.max_hops, 6);
  ck_assert_double_eq(qs20->eib.start_interval, 3);
  ck_assert_uint_eq(qs20->mfc.window, 16);
  ck_assert_uint_eq(qs20->ls.size, 256 * 1024);
  ck_assert_double_eq(qs20->bif.bandwidth, 20);
  ck_assert_str_eq(qs20->software.profile, "source");
  ck_assert_str_eq(qs20->software.comparison, "ali2010");
  ck_assert_ptr_nonnull(platform_profile(qs20, "gaona2009"));
  ck_assert_ptr_null(platform_profile(qs20, "source"));
  ck_assert_ptr_null(platform_profile(qs20, "gaona"));
}

TEST(every_value_has_a_unit_a_source_a_line_and_no_comma) {
  ck_assert_uint_eq(platform_nentries(qs20), PLATFORM_NREQUIRED + qs20->nprofiles * PROFILE_NFIELDS);
  for (size_t i = 0; i < platform_nentries(qs20); i++) {
    struct platform_entry entry;
    platform_entry(qs20, i, &entry);
    ck_assert_str_ne(entry.value, "");
    ck_assert_str_ne(entry.source, "");
    ck_assert_str_ne(entry.doc, "");
    ck_assert_int_gt(entry.line, 0);
    ck_assert_ptr_null(strpbrk(entry.key, ",_\"\n"));
    ck_assert_ptr_null(strpbrk(entry.value, ",\"\n"));
    ck_assert_ptr_null(strpbrk(entry.unit, ",\"\n"));
    ck_assert_ptr_null(strpbrk(entry.doc, ",\"\n"));
    ck_assert_ptr_null(strpbrk(entry.source, ",\"\n"));
    if (i < PLATFORM_NREQUIRED) {
      ck_assert_str_eq(entry.key, platform_params[i].key);
    }
  }
}

TEST(a_name_without_slash_and_xml_means_a_built_in_platform) {
  ck_assert(platform_is_builtin_name("qs20"));
  ck_assert(platform_is_builtin_name("nothing"));
  ck_assert(platform_is_builtin_name("xml"));
  ck_assert(!platform_is_builtin_name("qs20.xml"));
  ck_assert(!platform_is_builtin_name("./qs20"));
  ck_assert(!platform_is_builtin_name(".xml"));
}

TEST(an_unknown_name_is_answered_with_the_nearest_one) {
  struct err near = {.text = ""}, far = {.text = ""};
  ck_assert_ptr_null(platform_read("qs2o", &near));
  ck_assert_str_eq(near.text,
                   "unknown platform 'qs2o', expected qs20 (a file has '/' in its path or ends in .xml)");
  ck_assert_ptr_null(platform_read("a-machine-of-others", &far));
  ck_assert_ptr_nonnull(strstr(far.text, "qs20"));
}

TEST(a_file_that_cannot_be_read_is_named) {
  struct err missing = {.text = ""}, directory = {.text = ""};
  ck_assert_ptr_null(platform_read("/no/such/file.xml", &missing));
  ck_assert_str_eq(missing.text, "/no/such/file.xml: No such file or directory, expected a platform file");
  ck_assert_ptr_null(platform_read("/", &directory));
  ck_assert_str_eq(directory.text, "/: Is a directory, expected a platform file");
}

TEST(an_override_changes_the_value_its_source_and_the_list_of_overrides) {
  SUCCEEDS(platform_set(qs20, "mfc.window", " 8 ", &failure));
  SUCCEEDS(platform_set(qs20, "eib.hop", "1.50", &failure));
  SUCCEEDS(platform_set(qs20, "blade.topology", "0-1", &failure));
  SUCCEEDS(platform_set(qs20, "eib.hop", "2.5e-1", &failure));
  ck_assert_uint_eq(qs20->mfc.window, 8);
  ck_assert_double_eq(qs20->eib.hop, 0.25);
  ck_assert_str_eq(qs20->blade.topology, "0-1");
  ck_assert_str_eq(qs20->overrides, "blade.topology=0-1;eib.hop=0.25;mfc.window=8");
  for (size_t i = 0; i < PLATFORM_NREQUIRED; i++) {
    bool overridden = qs20->origins[i].line == 0;
    ck_assert_int_eq(overridden, strcmp(qs20->origins[i].source, "--set") == 0);
  }
}

TEST(a_number_is_written_with_as_many_digits_as_it_needs) {
  SUCCEEDS(platform_set(qs20, "eib.hop", "0.1", &failure));
  ck_assert_str_eq(qs20->overrides, "eib.hop=0.1");
  SUCCEEDS(platform_set(qs20, "eib.hop", "0.30000000000000004", &failure));
  ck_assert_str_eq(qs20->overrides, "eib.hop=0.30000000000000004");
  SUCCEEDS(platform_set(qs20, "eib.hop", "-0", &failure));
  ck_assert_str_eq(qs20->overrides, "eib.hop=0");
}

TEST(an_override_reaches_a_field_of_one_profile) {
  double other = platform_profile(qs20, "ali2010")->dma;
  SUCCEEDS(platform_set(qs20, "profile.gaona2009.dma", "12.5", &failure));
  ck_assert_double_eq(platform_profile(qs20, "gaona2009")->dma, 12.5);
  ck_assert_double_eq(platform_profile(qs20, "ali2010")->dma, other);
  ck_assert_str_eq(qs20->overrides, "profile.gaona2009.dma=12.5");
}

TEST(overrides_that_belong_together_are_checked_together) {
  const struct platform_setting settings[] = {{"chip.units", "MIC SPE0 IOIF0 SPE1"}, {"eib.max-hops", "2"}};
  SUCCEEDS(platform_set_all(qs20, settings, 2, &failure));
  ck_assert_uint_eq(qs20->eib.max_hops, 2);
  SUCCEEDS(platform_set(qs20, "chip.units", "MIC SPE0 IOIF0 SPE1 PPE SPE2 SPE3", &failure));
  ck_assert_uint_eq(qs20->eib.max_hops, 3); /* half of seven units, by the shorter way */
  const struct platform_setting wrong[] = {{"mfc.window", "4"}, {"mfc.queue", "0"}};
  FAILS(platform_set_all(qs20, wrong, 2, &failure),
        "--set mfc.queue: '0', expected a whole number from 1 to 32");
  ck_assert_uint_eq(qs20->mfc.window, 16);
  SUCCEEDS(platform_set_all(qs20, NULL, 0, &failure));
}

TEST(a_wrong_override_is_refused_and_changes_nothing) {
  check_refused("eib.hops", "1", "--set eib.hops: unknown key, expected eib.hop");
  check_refused("eib.start_interval", "1",
                "--set eib.start_interval: unknown key, expected eib.start-interval");
  check_refused("max-hops", "6", "--set max-hops: unknown key, expected eib.max-hops");
  check_refused("colour", "1", "--set colour: unknown key, expected one that 'platform show' prints");
  check_refused("", "1", "--set : unknown key, expected one that 'platform show' prints");
  check_refused("profile.gaona2009.dna", "1",
                "--set profile.gaona2009.dna: unknown key, expected profile.gaona2009.dma");
  check_refused("mfc.window", "many", "--set mfc.window: 'many', expected a whole number from 1 to 1024");
  check_refused("mfc.window", "-1", "--set mfc.window: '-1', expected a whole number from 1 to 1024");
  check_refused("mfc.window", "", "--set mfc.window: '', expected a whole number from 1 to 1024");
  check_refused("clock.spu", "101", "--set clock.spu: '101', expected a number from 0.001 to 100 GHz");
  check_refused("clock.spu", "nan", "--set clock.spu: 'nan', expected a number from 0.001 to 100 GHz");
  check_refused("profile.ali2010.send", "x",
                "--set profile.ali2010.send: 'x', expected a number from 0 to 1000000 SPU cycles");
}

TEST(an_override_that_contradicts_the_file_is_refused_and_changes_nothing) {
  check_refused("eib.max-hops", "5",
                "--set: eib.max-hops is 5, expected 6: with less than half the 12 units some "
                "cannot be reached");
  check_refused("software.profile", "ali2011", "--set: software.profile is 'ali2011', expected ali2010");
  check_refused("software.comparison", "ali2011",
                "--set: software.comparison is 'ali2011', expected ali2010");
  check_refused("software.comparison", "source",
                "--set: software.comparison is 'source', expected the name of a profile in "
                "this platform");
  check_refused("blade.topology", "0-1 1-0",
                "--set: link 1-0 in blade.topology given again, expected each link once");
}

TEST(an_override_that_an_untouched_value_contradicts_names_the_place_of_that_value) {
  size_t i = 0;
  while (strcmp(platform_params[i].key, "ls.reserve") != 0) {
    i++;
  }
  char *message =
    xasprintf("--set ls.size: built-in qs20:%d: ls.reserve is %u, expected less than ls.size, 1024",
              qs20->origins[i].line, qs20->ls.reserve);
  FAILS(platform_set(qs20, "ls.size", "1024", &failure), message);
  free(message);
}

TEST(a_copy_is_equal_and_independent) {
  struct platform *copy = platform_copy(qs20);
  ck_assert_uint_eq(copy->checksum, qs20->checksum);
  SUCCEEDS(platform_set(copy, "chip.bif", "IOIF1", &failure));
  SUCCEEDS(platform_set(copy, "profile.ali2010.send", "1", &failure));
  ck_assert_str_eq(qs20->chip.bif, "IOIF0");
  ck_assert_double_ne(platform_profile(qs20, "ali2010")->send, 1);
  ck_assert_str_eq(copy->overrides, "chip.bif=IOIF1;profile.ali2010.send=1");
  platform_free(copy);
}

/* Another value for the parameter of ENTRY, consistent with all others in qs20, or NULL when no such value
 * exists alone. */
static const char *other_value(const struct platform_entry *entry) {
  static const char *const values[][2] = {
    {"chip.units", "PPE SPE1 SPE3 SPE5 SPE7 IOIF1 IOIF0 SPE6 SPE4 SPE2 MIC SPE0"},
    {"chip.usable-spes", "SPE0 SPE7"},
    {"chip.bif", "MIC"},
    {"chip.memory", "IOIF1"},
    {"memory.placement", "own"},
    {"blade.topology", "star"},
    {"eib.request-bytes", "64"},
    {"eib.beat-bytes", "8"},
    {"eib.max-hops", NULL},
    {"mfc.windows", "1"},
    {"mfc.retire", "90"},
    {"mfc.complete", "90"},
    {"ls.size", "524288"},
    {"bif.overhead", "5"},
    {"software.profile", "gaona2009"},
    {"software.comparison", "gaona2009"},
  };
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    if (strcmp(values[i][0], entry->key) == 0) {
      return values[i][1];
    }
  }
  return strcmp(entry->value, "7") == 0 ? "8" : "7";
}

/* All runs depend on every value but one. */
TEST(the_checksum_changes_with_any_value_of_a_run) {
  struct platform *again = bed_platform("qs20", "");
  ck_assert_uint_eq(qs20->checksum, again->checksum);
  for (size_t i = 0; i < platform_nentries(qs20); i++) {
    struct platform_entry entry;
    platform_entry(qs20, i, &entry);
    const char *value = other_value(&entry);
    if (value) {
      struct platform *changed = platform_copy(qs20);
      SUCCEEDS(platform_set(changed, entry.key, value, &failure));
      bool is_same = changed->checksum == qs20->checksum;
      ck_assert_msg(is_same == (strcmp(entry.key, "software.comparison") == 0), "%s", entry.key);
      SUCCEEDS(platform_set(changed, entry.key, entry.value, &failure));
      ck_assert_uint_eq(changed->checksum, qs20->checksum);
      platform_free(changed);
    }
  }
}

/* Check that the links of TOPOLOGY on CHIPS chips, printed as a list, are LINKS. */
static void check_links(unsigned chips, const char *topology, const char *links) {
  struct platform *platform = bed_platform("qs20", "");
  char count[16], text[512] = "";
  snprintf(count, sizeof count, "%u", chips);
  const struct platform_setting settings[] = {{"blade.chips", count}, {"blade.topology", topology}};
  SUCCEEDS(platform_set_all(platform, settings, 2, &failure));
  for (size_t i = 0, used = 0; i < platform->nlinks; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%u-%u", i ? " " : "", platform->links[i][0],
                             platform->links[i][1]);
  }
  ck_assert_str_eq(text, links);
}

TEST(a_topology_becomes_its_links) {
  check_links(1, "mesh", "");
  check_links(1, "ring", "");
  check_links(1, "star", "");
  check_links(2, "mesh", "0-1");
  check_links(2, "ring", "0-1");
  check_links(2, "star", "0-1");
  check_links(3, "ring", "0-1 1-2 2-0");
  check_links(4, "mesh", "0-1 0-2 0-3 1-2 1-3 2-3");
  check_links(4, "ring", "0-1 1-2 2-3 3-0");
  check_links(4, "star", "0-1 0-2 0-3");
  check_links(4, "3-1  1-0 2-3", "3-1 1-0 2-3");
  check_links(3, "all", "0-1 0-2 1-2");
  check_links(6, "grid 3x2", "0-1 0-3 1-2 1-4 2-5 3-4 4-5");
  check_links(4, "torus 2x2", "0-1 0-2 1-3 2-3"); /* both ways around join the same two chips */
  check_links(6, "torus 3x2", "0-1 0-3 1-2 1-4 2-0 2-5 3-4 4-5 5-3");
  check_links(3, "grid 1x3", "0-1 1-2");
  check_links(3, "torus 1x3", "0-1 1-2 2-0");
}

TEST(the_nearest_name_is_suggested_and_a_far_one_is_not) {
  static const char *const names[] = {"window", "issue", "to-bus", "eib.start-interval", "hop"};
  size_t n = sizeof names / sizeof *names;
  char endless[300];
  memset(endless, 'x', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  ck_assert_str_eq(suggest_nearest("windwo", names, n), "window");
  ck_assert_str_eq(suggest_nearest("ISSUE", names, n), "issue");
  ck_assert_str_eq(suggest_nearest("to_bus", names, n), "to-bus");
  ck_assert_str_eq(suggest_nearest("eib.startinterval", names, n), "eib.start-interval");
  ck_assert_str_eq(suggest_nearest("hops", names, n), "hop");
  ck_assert_str_eq(suggest_nearest("ohp", names, n), "hop");
  ck_assert_ptr_null(suggest_nearest("colour", names, n));
  ck_assert_ptr_null(suggest_nearest("", names, n));
  ck_assert_ptr_null(suggest_nearest(endless, names, n));
  ck_assert_ptr_null(suggest_nearest("window", names, 0));
}
