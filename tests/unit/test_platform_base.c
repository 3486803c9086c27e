/* SPDX-License-Identifier: BSD-3-Clause
 * Platforms built on others: inherited values, replaced values. Defects are samples, see test_platform.c. */
#include "tests/bed.h"
#include "tests/samples.h"

/* Find KEY in PLATFORM. */
static struct platform_entry find(const struct platform *platform, const char *key) {
  struct platform_entry entry = {.key = ""};
  for (size_t i = 0; i < platform_nentries(platform) && strcmp(entry.key, key) != 0; i++) {
    platform_entry(platform, i, &entry);
  }
  ck_assert_str_eq(entry.key, key);
  return entry;
}

TESTS(platform_base, .stop = bed_end);

TEST(what_a_file_does_not_say_comes_from_its_base) {
  struct platform *ps3 = bed_platform("ps3", ""), *qs20 = bed_platform("qs20", "");
  struct platform_entry own = find(ps3, "blade.chips"), inherited = find(ps3, "mfc.window");
  ck_assert_str_eq(ps3->name, "ps3");
  ck_assert_str_ne(ps3->description, qs20->description);
  ck_assert_str_eq(ps3->path, "built-in ps3");
  ck_assert_str_eq(own.value, "1");
  ck_assert_ptr_null(strstr(own.source, "qs20"));
  ck_assert_str_eq(inherited.value, find(qs20, "mfc.window").value);
  ck_assert_int_eq(strncmp(inherited.source, "qs20: ", 6), 0);
  ck_assert_str_eq(inherited.source + 6, find(qs20, "mfc.window").source);
  ck_assert_int_gt(inherited.line, 0); /* no override */
  ck_assert_str_eq(ps3->overrides, "");
  ck_assert_uint_ne(ps3->checksum, qs20->checksum);
}

/* The interval of a value goes with the value: to who is built on it, but not to a value that takes its
 * place. */
TEST(an_interval_belongs_to_its_value) {
  struct platform *qs20 = bed_platform("qs20", ""), *ps3 = bed_platform("ps3", "");
  ck_assert_double_eq(find(qs20, "bif.bandwidth").least, 20); /* Gaona et al. 2009, Velamati et al. 2007 */
  ck_assert_double_eq(find(qs20, "bif.bandwidth").most, 25.6);
  ck_assert_double_eq(find(ps3, "bif.bandwidth").most, 25.6);
  ck_assert_double_eq(find(ps3, "profile.gaona2009.send").most, find(qs20, "profile.gaona2009.send").most);
  ck_assert(isnan(find(qs20, "eib.beat-bytes").least)); /* read in a document */
  SUCCEEDS(platform_set(qs20, "bif.bandwidth", "30", &failure));
  ck_assert(isnan(find(qs20, "bif.bandwidth").least) && isnan(find(qs20, "bif.bandwidth").most));
}

/* Whoever fits or assumes a number of a blade says between which others it lies, or that nobody can. */
TEST(every_guess_of_the_qs20_has_an_interval_or_says_why_not) {
  struct platform *qs20 = bed_platform("qs20", "");
  for (size_t i = 0; i < platform_nentries(qs20); i++) {
    struct platform_entry entry;
    platform_entry(qs20, i, &entry);
    char *end;
    bool is_number = (strtod(entry.value, &end), *end == '\0');
    bool is_guess = strncmp(entry.source, "fitted", 6) == 0 || strncmp(entry.source, "assumption", 10) == 0;
    ck_assert_msg(!is_number || !is_guess || !isnan(entry.least) || strstr(entry.source, "no bound is known"),
                  "%s", entry.key);
  }
}

/* An add of doubles: 13 cycles, which contain a stall of 6, on the first chip, 9 cycles in a full pipeline on
 * the PowerXCell 8i, which also has a comparison of doubles; an add of integers takes 2, as does a select. */
TEST(the_qs22_has_double_precision_in_a_full_pipeline) {
  struct platform *qs22 = bed_platform("qs22", ""), *qs20 = bed_platform("qs20", "");
  ck_assert_double_eq_tol(qs20->combine.float64_sum - qs20->combine.int32_sum, 13 - 2, 1e-9);
  ck_assert_double_eq_tol(qs20->combine.float64_prod - qs20->combine.int32_sum, 13 - 2, 1e-9);
  ck_assert_double_eq_tol(qs22->combine.float64_sum - qs20->combine.int32_sum, 9 - 2, 1e-9);
  ck_assert_double_eq_tol(qs22->combine.float64_prod - qs20->combine.int32_sum, 9 - 2, 1e-9);
  ck_assert_double_eq_tol(qs22->combine.float64_min - qs20->combine.int32_sum, 9, 1e-9);
  ck_assert_double_eq_tol(qs22->combine.float64_max - qs20->combine.int32_sum, 9, 1e-9);
}

/* The area behind the code and the stack of a program begins on a cache line. */
TEST(a_reserve_of_any_size_ends_on_a_line) {
  struct platform *platform = bed_platform("qs20", "");
  for (unsigned bytes = 0; bytes <= 300; bytes += 12) {
    char setting[32];
    snprintf(setting, sizeof setting, "ls.reserve=%u", bytes);
    bed_apply(platform, setting);
    ck_assert_uint_eq(platform->ls_base % 128, 0);
    ck_assert_uint_ge(platform->ls_base, bytes);
    ck_assert_uint_lt(platform->ls_base, bytes + 128);
  }
}

TEST(a_base_can_have_a_base) {
  struct platform *platform = bed_platform("quad-ring", "");
  ck_assert_uint_eq(platform->blade.chips, 4);
  ck_assert_str_eq(platform->blade.topology, "ring");
  ck_assert_int_eq(strncmp(find(platform, "mfc.window").source, "quad-mesh: qs20: ", 17), 0);
}

TEST(a_base_can_be_a_file_beside_and_profiles_are_replaced_together) {
  char *path = sample_path("platforms/valid/derived.xml");
  struct platform *platform = bed_platform(path, "");
  ck_assert_uint_eq(platform->blade.chips, 4);
  ck_assert_uint_eq(platform->nprofiles, 1);
  ck_assert_str_eq(platform->profiles[0].name, "swift");
  ck_assert_str_eq(find(platform, "profile.swift.step").value, "5");
  ck_assert_uint_eq(platform->spes_per_chip, 2);
  ck_assert_str_eq(platform->units[platform->spe_units[0]], "SPE1");
  ck_assert_str_eq(platform->units[platform->spe_units[1]], "SPE3");
  free(path);
}

TEST(a_file_with_a_base_needs_no_description_no_units_and_no_sources) {
  char *path = sample_path("platforms/valid/made_up.xml");
  struct platform *platform = bed_platform(path, "");
  ck_assert_str_eq(platform->description, "a variant of qs20");
  ck_assert_str_eq(find(platform, "eib.hop").value, "2");
  ck_assert_str_eq(find(platform, "eib.hop").unit, "bus cycles");
  ck_assert_str_eq(find(platform, "eib.hop").source, "made up: the file names no source");
  ck_assert_str_eq(find(platform, "clock.spu").source, "assumption");
  free(path);
}

/* A file without a named profile of comparisons: the base's profile, or with profiles in the file the first
 * of these, wherever the base's was. */
TEST(comparisons_have_the_first_profile_unless_another_one_is_named) {
  static const struct {
    const char *name, *comparison, *source;
  } cases[] = {{"quad-mesh", "ali2010", "qs20: "},
               {"derived.xml", "swift", "assumption: the first profile"},
               {"three_in_line.xml", "one-2_Three", "assumption: the first profile"}};
  const char *srcdir = getenv("CELLCOLL_SRCDIR");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *path = platform_is_builtin_name(cases[i].name)
                   ? xstrdup(cases[i].name)
                   : xasprintf("%s/tests/platforms/valid/%s", srcdir ? srcdir : ".", cases[i].name);
    struct platform *platform = bed_platform(path, "");
    ck_assert_str_eq(platform->software.comparison, cases[i].comparison);
    const char *source = find(platform, PLATFORM_COMPARISON).source;
    ck_assert_msg(strncmp(source, cases[i].source, strlen(cases[i].source)) == 0, "%s", source);
    free(path);
  }
}

TEST(what_only_repeats_the_base_is_the_same_machine) {
  struct platform *quad = bed_platform("quad-mesh", ""), *qs20 = bed_platform("qs20", "");
  struct platform_setting settings[] = {{"blade.chips", "4"}, {"blade.topology", "mesh"}};
  SUCCEEDS(platform_set_all(qs20, settings, 2, &failure));
  ck_assert_uint_eq(qs20->checksum, quad->checksum);
}
