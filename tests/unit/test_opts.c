/* SPDX-License-Identifier: BSD-3-Clause
 * Options: valid words become data, words without a meaning are refused. */
#include "cli/opts.h"
#include "platform/platform.h"
#include "tests/suite.h"

#include <unistd.h>

enum { MOST_WORDS = 32 };

static char line[256], *words[MOST_WORDS + 1];

/* Split TEXT at blanks and parse the words as a command line. */
static int parse(struct opts *opts, const char *text, opts_set taken, struct err *err) {
  int n = 0;
  char *rest = strcpy(line, text);
  while (rest && n < MOST_WORDS) {
    words[n++] = strsep(&rest, " ");
  }
  words[n] = NULL;
  return opts_parse(opts, n, words, taken, err);
}

static const opts_set all = ~(opts_set)0;

static struct opts opts;

static void stop(void) {
  opts_fini(&opts);
}

/* Let `opts` be the options of TEXT, a command line without mistakes. */
static void read_options(const char *text) {
  opts_fini(&opts);
  SUCCEEDS(parse(&opts, text, all, &failure));
}

static void expect_refusal(const char *text, opts_set taken, const char *message) {
  struct err err = {0};
  struct opts none;
  ck_assert_msg(parse(&none, text, taken, &err) == -1, "%s was accepted", text);
  ck_assert_str_eq(err.text, message);
}

/* Write N bytes of TEXT into a new file; the file's name replaces PATH. */
static void write_file(char *path, const char *text, size_t n) {
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(write(file, text, n), (ssize_t)n);
  close(file);
}

/* Expect that a file with N bytes of TEXT is refused by a message that begins with the file's name and
 * contains PART. */
static void expect_file_refusal(const char *text, size_t n, const char *part) {
  char path[] = "/tmp/cellcoll-options-XXXXXX";
  write_file(path, text, n);
  char *command = xasprintf("run @%s", path);
  struct err err = {0};
  struct opts none;
  ck_assert_int_eq(parse(&none, command, all, &err), -1);
  ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0 && strstr(err.text, part), "%s", err.text);
  free(command);
  unlink(path);
}

TESTS(opts, .stop = stop);

TEST(without_options_everything_has_its_default) {
  read_options("run");
  ck_assert_uint_eq(opts.platforms.n, 1);
  ck_assert_str_eq(opts.platforms.names[0], "qs20");
  ck_assert_uint_eq(opts.ranks.n + opts.bytes.n + opts.sets.n + opts.nrest, 0);
  ck_assert_uint_eq(opts.call.repeat, 1);
  ck_assert_int_eq(opts.format, TABLE_TEXT);
  ck_assert_uint_eq(opts.given, 0);
  ck_assert_uint_eq(opts_ncombinations(&opts), 1);
}

TEST(words_and_letters_are_read_in_any_order) {
  read_options("run a -p x,y.xml --ranks=2..4 b -s 64,4KiB --root 3 --format csv -o f -qv --seed 9");
  ck_assert_uint_eq(opts.platforms.n, 2);
  ck_assert_str_eq(opts.platforms.names[1], "y.xml");
  ck_assert_uint_eq(opts.ranks.n, 3);
  ck_assert_uint_eq(opts.bytes.values[1], 4096);
  ck_assert_uint_eq(opts.root, 3);
  ck_assert_uint_eq(opts.seed, 9);
  ck_assert_int_eq(opts.format, TABLE_CSV);
  ck_assert_str_eq(opts.output, "f");
  ck_assert(opts.quiet && opts.verbose && !opts.help);
  ck_assert_uint_eq(opts.nrest, 2);
  ck_assert_str_eq(opts.rest[0], "a");
  ck_assert_str_eq(opts.rest[1], "b");
  ck_assert_uint_eq(opts.narguments, 16);
  ck_assert_str_eq(opts.arguments[0], "a");
  ck_assert(opts.given & OPT_RANKS && !(opts.given & OPT_REPEAT));
}

TEST(the_last_of_several_settings_varies_fastest) {
  read_options("run --set eib.hop=1,2 --set ls.read=5,6,7");
  struct platform_setting settings[2];
  ck_assert_uint_eq(opts_ncombinations(&opts), 6);
  opts_combination(&opts, 4, settings);
  ck_assert_str_eq(settings[0].key, "eib.hop");
  ck_assert_str_eq(settings[0].value, "2");
  ck_assert_str_eq(settings[1].key, "ls.read");
  ck_assert_str_eq(settings[1].value, "6");
}

TEST(a_range_of_a_setting_doubles) {
  read_options("run --set bif.bandwidth=5..40");
  struct platform_setting settings[1];
  ck_assert_uint_eq(opts_ncombinations(&opts), 4);
  opts_combination(&opts, 3, settings);
  ck_assert_str_eq(settings[0].value, "40");
  expect_refusal("run --set bif.bandwidth=5..41", all,
                 "--set: a range doubles, and 41 is not 5 times a power of two, expected 5..80 or 5,41");
}

TEST(delays_are_in_the_order_of_ranks) {
  read_options("run --delay 7:1 --delay 12:5000,3:0,005:999999999");
  char *text = call_field_word(&call_fields[FIELD_delay], &opts.call);
  ck_assert_str_eq(text, "3:0,5:999999999,7:1,12:5000");
  ck_assert_uint_eq(opts.call.delay.n, 4);
  free(text);
  SUCCEEDS(delay_list_check(&opts.call.delay, 13, &failure));
  FAILS(delay_list_check(&opts.call.delay, 12, &failure), "--delay: rank 12, expected a rank below 12");
  static const char *const wrong[] = {"", "3", "3:", ":5", "3:5:1", "3:-5", "x:5", "3:5x", "1:1234567890"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char *command = xasprintf("run --delay 1:2,%s", wrong[i]);
    char *message =
      xasprintf("--delay: '%s', expected RANK:CYCLES such as 0:5000, numbers of at most 9 digits", wrong[i]);
    expect_refusal(command, all, message);
    free(message);
    free(command);
  }
  expect_refusal("run --delay 3:5 --delay 0:1,3:5", all, "--delay: rank 3 twice, expected each rank once");
}

TEST(an_option_given_twice_has_its_last_value) {
  read_options("run -p a,b -p c -n 1,2 -n 3");
  ck_assert_uint_eq(opts.platforms.n, 1);
  ck_assert_str_eq(opts.platforms.names[0], "c");
  ck_assert_uint_eq(opts.ranks.n, 1);
  ck_assert_uint_eq(opts.ranks.values[0], 3);
}

TEST(the_environment_does_not_change_the_order) {
  setenv("POSIXLY_CORRECT", "1", 1);
  read_options("run a -n 2 b");
  ck_assert_uint_eq(opts.ranks.n, 1);
  ck_assert_uint_eq(opts.nrest, 2);
  ck_assert_str_eq(opts.rest[1], "b");
}

TEST(what_follows_two_hyphens_is_no_option) {
  read_options("run -- --help -x");
  ck_assert(!opts.help);
  ck_assert_uint_eq(opts.nrest, 2);
}

TEST(unknown_options_are_refused) {
  expect_refusal("run --rank-count 3", all, "run: no option --rank-count, see cellcoll run --help");
  expect_refusal("run --rnaks=3", all, "run: no option --rnaks, did you mean --ranks?");
  expect_refusal("run -x", all, "run: no option -x, see cellcoll run --help");
  expect_refusal("list --rnaks", OPT_FORMAT | OPT_OUTPUT,
                 "list: no option --rnaks, see cellcoll list --help");
  expect_refusal("list -n 3", OPT_FORMAT | OPT_OUTPUT,
                 "list: takes no option --ranks, see cellcoll list --help");
}

TEST(missing_and_malformed_values_are_refused) {
  expect_refusal("run -n", all, "--ranks: no value, expected LIST|all");
  expect_refusal("run --quiet=yes", all, "--quiet: a value, expected none");
  expect_refusal("run -n 2..x", all, "--ranks: 'x' is not a count, expected a whole number such as 8");
  expect_refusal("run -s 16m", all, "--bytes: '16m' is not a size, expected 16M (16MiB) or 16000000");
  expect_refusal("run --format=xml", all, "--format: 'xml', expected text, csv, markdown, json or github");
  expect_refusal("run -p a,,b", all,
                 "--platform: 'a,,b' contains an empty name, expected names separated by commas");
  expect_refusal("run --output=", all, "--output: '' is no value, expected one");
  expect_refusal("run --set eib.hop", all,
                 "--set: 'eib.hop' is no setting, expected KEY=VALUE or KEY=VALUE,VALUE...");
  expect_refusal("run --set a=1 --set a=2", all,
                 "--set: a is given twice, expected all its values in one list");
}

/* A device without an end would fill the memory, and so would a line without one. */
TEST(a_file_of_options_is_text) {
  static char text[65536 + 1];
  memset(text, '-', sizeof text - 1);
  expect_refusal("run @/dev/zero", all, "/dev/zero:1: a byte of value 0, expected text");
  expect_file_refusal(text, 65535, "no option --------------");
  expect_file_refusal(text, 65536, ":1: a line of more than 65535 bytes, expected one option");
  expect_file_refusal("-n 4\n-s\0 64\n", 12, ":2: a byte of value 0, expected text");
  expect_file_refusal("-n 4\nranks 4\n", 13,
                      ":2: 'ranks 4', expected an option such as --ranks=8, or one argument");
  expect_file_refusal("-n 4\n@more\n", 11,
                      ":2: '@more', expected an option such as --ranks=8, or one argument");
}

/* The lines of a file are among the arguments recorded with results, in the order of the command line. */
TEST(the_lines_of_a_file_stand_where_it_is_named) {
  static const char *const expected[] = {"-q", "--ranks=2,4", "bcast:chain", "--bytes=64",
                                         "-n", "3",           "--",          "@x"};
  char path[] = "/tmp/cellcoll-options-XXXXXX";
  const char *text = "# ranks\n-n 2,4\nbcast:chain\n\n--bytes 64";
  write_file(path, text, strlen(text));
  char *command = xasprintf("run -q @%s -n 3 -- @x", path);
  read_options(command);
  ck_assert_uint_eq(opts.narguments, sizeof expected / sizeof *expected);
  for (size_t i = 0; i < opts.narguments; i++) {
    ck_assert_str_eq(opts.arguments[i], expected[i]);
  }
  ck_assert_str_eq(opts.file, path);
  ck_assert_uint_eq(opts.nrest, 2);
  ck_assert_str_eq(opts.rest[0], "bcast:chain");
  ck_assert_str_eq(opts.rest[1], "@x");
  ck_assert_uint_eq(opts.ranks.values[0], 3); /* the later option has the last word */
  free(command);
  unlink(path);
}

/* The options in SET of the command line TEXT become words again: EXPECTED. Parsing these words gives the
 * same words. */
static void expect_words(const char *text, opts_set set, const char *expected) {
  char *command = xstrdup(text);
  for (int i = 0; i < 2; i++) {
    read_options(command);
    struct opts_names again = {0};
    opts_words(&again, &opts, (i ? all : set) & opts.given);
    char *joined = opts_line(&again);
    ck_assert_str_eq(joined, expected);
    free(command);
    command = xasprintf("run %s", joined);
    free(joined);
    opts_words_free(&again);
  }
  free(command);
}

/* All options that sections of a report and explanations hand on to commands, in this order; each of the
 * options alone. */
TEST(options_become_words) {
  static const struct {
    opts_set set;
    const char *words;
  } each[] = {{OPT_PLATFORM, "-p ps3"},
              {OPT_RANKS, "-n 2,all"},
              {OPT_BYTES, "-s 64,1024"},
              {OPT_ROOT, "--root 1"},
              {OPT_SEED, "--seed 7"},
              {OPT_SAMPLES, "--samples 3"},
              {OPT_PROFILE, "--profile ali2010"},
              {OPT_SET, "--set eib.hop=2 --set ls.read=7"},
              {OPT_PLUGIN, "--plugin a.so,b.so"}};
  char *text = xstrdup("run");
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    xappend(&text, " %s", each[i].words);
  }
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    expect_words(text, each[i].set, each[i].words);
  }
  expect_words(text, all, text + strlen("run "));
  expect_words("run -q", all, "");
  expect_words("run -p ps3,qs20 --set eib.hop=2,3", all, "-p ps3 --set eib.hop=2");
  free(text);
}

/* The shell itself is the judge of the quotes. */
TEST(a_shell_reads_quoted_words_as_they_were) {
  static const char *const odd[] = {
    "plain-1_@=./,:+%{}", "",    "a b", "it's",   "'",          "$HOME", "*", "~", "a\"b",
    "back\\slash",        ";|&", "#no", "\"!`x`", "two\nlines", "ä"};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    char *command = xstrdup("printf '<%s>' "), found[64] = "";
    opts_quote(&command, odd[i]);
    FILE *shell = popen(command, "r");
    ck_assert_ptr_nonnull(shell);
    found[fread(found, 1, sizeof found - 1, shell)] = '\0';
    pclose(shell);
    char *expected = xasprintf("<%s>", odd[i]);
    ck_assert_str_eq(found, expected);
    free(expected);
    free(command);
  }
}
