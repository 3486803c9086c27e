/* SPDX-License-Identifier: BSD-3-Clause
 * Files of options, as `run @FILE` reads them: what is accepted is within bounds, what is not has a message
 * with its line. */
#include "cli/commands.h"
#include "sim/base/err.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <unistd.h>

void fuzz_options_file(const char *text, size_t nbytes) {
  static char command[] = "run", algorithm[] = "barrier:all-to-one";
  char word[FUZZ_PATH_SIZE + 1] = "@", *argv[] = {command, algorithm, word, NULL};
  struct err err = {""};
  struct opts opts;
  int fd = fuzz_file(text, nbytes, word + 1);
  opts_set taken = command_options(command_find("run", &err));
  if (opts_parse(&opts, 3, argv, taken, &err) == 0) {
    FUZZ_REQUIRE((opts.given & ~taken) == 0 && opts.nrest >= 1 && opts.narguments >= opts.nrest &&
                 opts.platforms.n > 0);
    opts_fini(&opts);
  } else {
    FUZZ_REQUIRE(strncmp(err.text, word + 1, strlen(word + 1)) == 0);
  }
  close(fd);
}
