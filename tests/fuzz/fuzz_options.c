/* SPDX-License-Identifier: BSD-3-Clause
 * Command lines, a word on each line, the first one a command, or else its first byte stands for one: what is
 * accepted is within the bounds of its options, and the words for it are accepted as the same. */
#include "cli/commands.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { WORDS_MAX = 32 };

/* The options that opts_words writes in full. */
static const opts_set written = OPT_RANKS | OPT_BYTES | OPT_ROOT | OPT_SEED | OPT_SAMPLES | OPT_PROFILE |
                                OPT_FOUND | OPT_PLUGIN | OPT_PLATFORM | OPT_SET;

/* Check that the words for OPTS of COMMAND are read as options with the same words. */
static void read_again(const struct command *command, const struct opts *opts) {
  struct opts_names words = {0}, second = {0};
  struct opts again;
  struct err err = {""};
  opts_set set = written & opts->given;
  VEC_ADD(words.names, words.n) = xstrdup(command->name);
  VEC_ADD(second.names, second.n) = xstrdup(command->name);
  opts_words(&words, opts, set);
  FUZZ_REQUIRE(opts_parse(&again, (int)words.n, words.names, command_options(command), &err) == 0);
  opts_words(&second, &again, set);
  FUZZ_REQUIRE(second.n == words.n);
  for (size_t i = 0; i < words.n; i++) {
    FUZZ_REQUIRE(strcmp(second.names[i], words.names[i]) == 0);
  }
  opts_fini(&again);
  opts_words_free(&words);
  opts_words_free(&second);
}

void fuzz_options(const char *text, size_t nbytes) {
  char *words = xstrdup(text), *rest = words, *argv[WORDS_MAX + 1] = {NULL};
  struct err err = {""};
  struct opts opts;
  int argc = 0;
  (void)nbytes;
  while (rest && argc < WORDS_MAX) {
    char *word = strsep(&rest, "\n");
    if (*word != '@') { /* no file of this machine; see fuzz_options_file.c */
      argv[argc++] = word;
    }
  }
  if (argc == 0) {
    free(words);
    return;
  }
  const struct command *command = command_find(argv[0], &err);
  FUZZ_REQUIRE((command == NULL) == (err.text[0] != '\0'));
  command = command ? command : &commands[(unsigned char)*argv[0] % ncommands];
  err = (struct err){""};
  opts_set taken = command_options(command);
  if (opts_parse(&opts, argc, argv, taken, &err) == 0) {
    FUZZ_REQUIRE((opts.given & ~taken) == 0);
    FUZZ_REQUIRE(opts.platforms.n > 0 && opts_ncombinations(&opts) > 0);
    FUZZ_REQUIRE(opts.call.op < OP_COUNT && opts.call.type < TYPE_COUNT);
    FUZZ_REQUIRE((opts_check_pairs(&opts, (unsigned)(command - commands), &err) != 0) == (*err.text != '\0'));
    read_again(command, &opts);
    opts_fini(&opts);
  } else {
    FUZZ_REQUIRE(err.text[0] != '\0');
  }
  free(words);
}
