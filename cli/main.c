/* SPDX-License-Identifier: BSD-3-Clause
 * The program: find the command, read its options, run it, print its one message. */
#include "cli/commands.h"
#include "cli/plugin.h"
#include "config.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Make sure that what has been printed by a command that ends with CODE has arrived; other codes have had their message.
 * returns: CODE, or that of a failure. */
static int
finish_output(int code)
{
  if (code != CLI_DONE || (fflush(stdout) == 0 && !ferror(stdout))) {
    return code;
  }
  fputs("cellcoll: standard output: cannot be written\n", stderr);
  return CLI_INPUT;
}

static int
print_version(void)
{
  puts(PACKAGE_STRING);
  return CLI_DONE;
}

/* Add the plugins that OPTS names. */
static int
load_plugins(const struct opts *opts, struct err *err)
{
  for (size_t i = 0; i < opts->plugins.n; i++) {
    if (plugin_load(opts->plugins.names[i], err) != 0) {
      return -1;
    }
  }
  return 0;
}

/* Find out before anything is simulated whether a file can be written to PATH, if there is one; what is no plain file, such
 * as a pipe, is left alone.
 * errors: it cannot. */
static int
try_path(const char *path, struct err *err)
{
  struct stat status;
  struct outfile file;
  if (!path || (stat(path, &status) == 0 && !S_ISREG(status.st_mode))) {
    return 0;
  }
  if (outfile_open(&file, path, err) != 0) {
    return -1;
  }
  outfile_abandon(&file);
  return 0;
}

/* Prepare what OPTS names for COMMAND: plugins are loaded, and the file of a command that prints a table can be written. */
static int
prepare(const struct command *command, const struct opts *opts, struct err *err)
{
  bool is_file = command->options & OPT_FORMAT;
  return load_plugins(opts, err) == 0 && (!is_file || try_path(opts->output, err) == 0) ? 0 : -1;
}

static int
run_command(const struct command *command, int argc, char **argv, struct err *err)
{
  struct opts opts;
  if (opts_parse(&opts, argc, argv, command->options, err)) {
    return CLI_USAGE;
  }
  int code = CLI_USAGE;
  if (opts.help) {
    command_explain(command, stdout);
    code = CLI_DONE;
  } else if (opts.version) {
    code = print_version();
  } else if (command_check_arguments(command, &opts, err) == 0) {
    code = prepare(command, &opts, err) == 0 ? command->run(&opts, err) : CLI_INPUT;
  }
  opts_fini(&opts);
  return code;
}

static int
run_program(int argc, char **argv, struct err *err)
{
  if (argc < 2) {
    command_explain(NULL, stderr);
    return CLI_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0) {
    command_explain(NULL, stdout);
    return CLI_DONE;
  }
  if (strcmp(argv[1], "--version") == 0) {
    return print_version();
  }
  const struct command *command = command_find(argv[1], err);
  return command ? run_command(command, argc - 1, argv + 1, err) : CLI_USAGE;
}

int
main(int argc, char **argv)
{
  struct err err = {0};
  int code = run_program(argc, argv, &err);
  if (*err.text) {
    fprintf(stderr, "cellcoll: %s\n", err.text);
  }
  return finish_output(code);
}
