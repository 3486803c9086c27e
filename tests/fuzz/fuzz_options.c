/* SPDX-License-Identifier: BSD-3-Clause
 * Command lines, a word on each line, the first one a command: what is accepted is within the bounds of its
 * options. */
#include "cli/commands.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { WORDS_MAX = 32 };

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
  if (command) {
    opts_set taken = command_options(command);
    if (opts_parse(&opts, argc, argv, taken, &err) == 0) {
      FUZZ_REQUIRE((opts.given & ~taken) == 0);
      FUZZ_REQUIRE(opts.platforms.n > 0 && opts_ncombinations(&opts) > 0);
      FUZZ_REQUIRE(opts.call.op < OP_COUNT && opts.call.type < TYPE_COUNT);
      opts_fini(&opts);
    } else {
      FUZZ_REQUIRE(err.text[0] != '\0');
    }
  } else {
    FUZZ_REQUIRE(err.text[0] != '\0');
  }
  free(words);
}
