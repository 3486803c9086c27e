/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll help: what the program and its commands do. */
#include "cli/commands.h"
#include "traces/path/path.h"
#include "validate/model/tune.h"

#include <string.h>

int cmd_help(struct session *session) {
  const char *name = session->opts.nrest ? session->opts.rest[0] : NULL;
  if (name && strcmp(name, "words") == 0) {
    path_write_words(stdout);
    tune_write_words(stdout);
    return CLI_DONE;
  }
  const struct command *command = name ? command_find(name, session->err) : NULL;
  if (name && !command) {
    return CLI_USAGE;
  }
  command_show(command);
  return CLI_DONE;
}
