/* SPDX-License-Identifier: BSD-3-Clause
 * See commands.h. */
#include "cli/commands.h"

#include "sim/base/err.h"
#include "sim/base/suggest.h"

#include <string.h>

const struct command commands[] = {
#define COMMAND(name, arguments, least, most, traits, doc) \
  {#name, arguments, least, most, traits, doc, cmd_##name},
#include "cli/commands.def"
};

const size_t ncommands = sizeof commands / sizeof *commands;

const struct command *
command_find(const char *name, struct err *err)
{
  const char *names[sizeof commands / sizeof *commands];
  for (size_t i = 0; i < ncommands; i++) {
    names[i] = commands[i].name;
    if (strcmp(name, names[i]) == 0) {
      return &commands[i];
    }
  }
  const char *nearest = suggest_nearest(name, names, ncommands);
  if (nearest) {
    err_set(err, "no command '%.60s', did you mean %s?", name, nearest);
  } else {
    err_set(err, "no command '%.60s', see cellcoll --help", name);
  }
  return NULL;
}

opts_set
command_options(const struct command *command)
{
  return opts_of((unsigned)(command - commands));
}

int
command_check_arguments(const struct command *command, const struct opts *opts, struct err *err)
{
  if (opts->nrest < command->least) {
    return err_set(err, "%s: too few arguments, expected %s", command->name, command->arguments);
  }
  if (opts->nrest > command->most) {
    return err_set(err, "%s: one argument too many: '%.60s', expected %s", command->name,
                   opts->rest[command->most], *command->arguments ? command->arguments : "none");
  }
  return 0;
}

/* Print the examples of COMMAND. */
static void
explain_examples(const struct command *command, FILE *stream)
{
  static const struct {
    int command;
    const char *words, *doc;
  } examples[] = {
#define EXAMPLE(command, words, doc) {COMMAND_##command, words, doc},
#include "cli/examples.def"
  };
  fprintf(stream, "\nexamples:\n");
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    if (&commands[examples[i].command] == command) {
      fprintf(stream, "  cellcoll %s\n      %s\n", examples[i].words, examples[i].doc);
    }
  }
}

void
command_explain(const struct command *command, FILE *stream)
{
  if (command) {
    fprintf(stream, "usage: cellcoll %s [OPTION...]%s%s\n%s\n\noptions:\n", command->name,
            *command->arguments ? " " : "", command->arguments, command->doc);
    opts_explain(command_options(command), stream);
    explain_examples(command, stream);
    return;
  }
  fprintf(stream, "usage: cellcoll COMMAND [OPTION...] [ARGUMENT...]\n"
                  "Simulate collective communication on the Cell Broadband Engine.\n\ncommands:\n");
  for (size_t i = 0; i < ncommands; i++) {
    fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].doc);
  }
  fprintf(stream, "\ncellcoll help COMMAND explains a command, cellcoll --version prints the version.\n"
                  "The manual page cellcoll(1) has the details.\n");
}
