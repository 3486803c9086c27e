/* SPDX-License-Identifier: BSD-3-Clause
 * The options of each command: all pairs, against a table of our own. */
#include "cli/commands.h"
#include "tests/suite.h"

/* Every option with a valid argument, and the commands with this option. */
static const struct {
  const char *word, *argument, *commands;
} expected[] = {
#define GRIDS "run view model compare check tune explain report"
#define MACHINES GRIDS " bench published findings evidence"
  {"--platform", "ps3", MACHINES " platform"},
  {"--ranks", "2..4", GRIDS " bench"},
  {"--bytes", "64", GRIDS " bench"},
  {"--root", "1", GRIDS},
  {"--root-step", "2", "check"},
  {"--profile", "ali2010", GRIDS " bench published platform"},
  {"--set", "eib.hop=2", MACHINES " platform"},
  {"--bus", "rates", "run tune"},
  {"--from", "papers", GRIDS " list"},
  {"--with", "x", "tune explain"},
  {"--found", NULL, "list run view model compare check tune explain"},
  {"--seed", "7", "run view compare check tune explain report evidence findings"},
  {"--repeat", "2", "run check"},
  {"--op", "max", "run view check"},
  {"--type", "float32", "run view check"},
  {"--placement", "round-robin", "run view check explain"},
  {"--skew", "100:7", "run view check"},
  {"--delay", "0:100,3:5", "run view check"},
  {"--map", "bcast=tree", "run view check explain"},
  {"--shuffle", "3", "run check"},
  {"--baseline", "f.csv", "run"},
  {"--tolerance", "5", "run compare"},
  {"--samples", "3", "tune explain report published evidence findings"},
  {"--bounds", NULL, "published findings"},
  {"--rows", "f.csv", "published"},
  {"--streams", "0<-1", "bench"},
  {"--depth", "4", "bench"},
  {"--total", "1MiB", "bench"},
  {"--counters", NULL, "run bench"},
  {"--timeline", "f.svg", "run"},
  {"--calls", NULL, "run"},
  {"--alone", NULL, "run"},
  {"--critical-path", NULL, "run"},
  {"--plot", "f.svg", "run bench compare published tune"},
  {"--x", "ranks", "run bench compare"},
  {"--relative", NULL, "run bench compare"},
  {"--trace", "f.json", "run"},
  {"--shard", "2/4", "run model compare check tune bench published"},
  {"--trace-level", "bus", "run"},
  {"--page-size", "8M", "view"},
  {"--what-if", NULL, "run"},
  {"--hazards", NULL, "run"},
  {"--strict", NULL, "run compare check"},
  {"--format", "csv",
   "list run model compare check tune explain bench published findings evidence platform store"},
  {"--columns", "ranks",
   "list run model compare check tune explain bench published findings evidence platform store"},
  {"--pivot", "bytes", "run"},
  {"--sort", "cycles", "run"},
  {"--top", "3", "run"},
  {"--provenance", NULL,
   "list run model compare check tune explain bench published findings evidence platform store"},
  {"--output", "f",
   "list run model compare check tune explain bench published findings evidence platform report store view"},
  {"--plugin", "f.so", "list run view model compare check tune explain"},
  {"--junit", "f.xml", "check"},
  {"--byte-step", "2", "check"},
  {"--timeout", "2", "run check"},
  {"--jobs", "2", "run model bench compare check tune explain report published findings evidence"},
  {"--store", "f", "run model bench compare check tune explain report published findings evidence"},
  {"--quiet", NULL, "list platform store " MACHINES},
  {"--no-pager", NULL,
   "list run model compare check tune explain bench published findings evidence platform store help"},
  {"--verbose", NULL,
   "list run model compare check tune explain bench published findings evidence platform store"},
  {"--help", NULL, "list platform store search help " MACHINES},
  {"--version", NULL, "list platform store help " MACHINES},
};
enum { NEXPECTED = sizeof expected / sizeof *expected };

/* Tell whether WORD is one of the words of LIST. */
static bool contains(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)) != NULL; at += length) {
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
      return true;
    }
  }
  return false;
}

TESTS(commands);

/* An added option or command needs a row here with its commands. */
TEST(no_option_is_forgotten) {
  ck_assert_uint_eq(NEXPECTED, OPTION_COUNT);
  ck_assert_uint_eq(ncommands, COMMAND_COUNT);
}

TEST_EACH(each_option_is_taken_where_it_means_something_and_refused_elsewhere, 0,
          (int)COMMAND_COUNT *NEXPECTED) {
  const struct command *command = &commands[(size_t)_i / NEXPECTED];
  const char *word = expected[(size_t)_i % NEXPECTED].word;
  const char *argument = expected[(size_t)_i % NEXPECTED].argument;
  char *words[] = {strdup(command->name), strdup(word), argument ? strdup(argument) : NULL, NULL};
  char message[200];
  struct err err = {""};
  struct opts opts;
  int status = opts_parse(&opts, argument ? 3 : 2, words, command_options(command), &err);
  snprintf(message, sizeof message, "%s: takes no option %s, ", command->name, word);
  if (contains(expected[(size_t)_i % NEXPECTED].commands, command->name)) {
    ck_assert_msg(status == 0, "%s", err.text);
    opts_fini(&opts);
  } else {
    ck_assert_int_eq(status, -1);
    ck_assert_msg(strncmp(err.text, message, strlen(message)) == 0, "%s", err.text);
  }
}
