/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands.h"

#include "cli/output/terminal.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "traces/path/path.h"
#include "validate/model/tune.h"

#include <string.h>

const struct command commands[] = {
#define COMMAND(name, arguments, least, most, traits, doc) \
  {#name, arguments, least, most, traits, doc, cmd_##name},
#include "cli/commands.def"
};

const size_t ncommands = VEC_LENGTH(commands);

/* The earlier name of a command: understood, and not listed. */
static const char former[] = "claims";

const struct command *command_find(const char *name, struct err *err) {
  if (strcmp(name, former) == 0) {
    return &commands[COMMAND_findings];
  }
  const char *names[VEC_LENGTH(commands)];
  for (size_t i = 0; i < ncommands; i++) {
    names[i] = commands[i].name;
    if (strcmp(name, names[i]) == 0) {
      return &commands[i];
    }
  }
  const char *nearest = suggest_nearest(name, names, ncommands);
  err_set(err, nearest ? "no command '%.60s', did you mean %s?" : "no command '%.60s', see cellcoll --help",
          name, nearest);
  return NULL;
}

opts_set command_options(const struct command *command) {
  return opts_of((unsigned)(command - commands));
}

/* The examples of examples.def. */
static const struct {
  int command;
  const char *words, *doc;
} examples[] = {
#define EXAMPLE(command, words, doc) {COMMAND_##command, words, doc},
#include "cli/examples.def"
};

enum { EXAMPLES = VEC_LENGTH(examples), HELP_COLUMNS = 100 };

int command_check_arguments(struct session *session) {
  const struct command *command = session->command;
  const struct opts *opts = &session->opts;
  if (opts->nrest < command->least) {
    return session_refuse(session, CLI_USAGE, "too few arguments, expected %s; for example: cellcoll %s",
                          command->arguments,
                          VEC_FIND(examples, EXAMPLES, &commands[item->command] == command)->words);
  }
  return opts->nrest > command->most
           ? session_refuse(session, CLI_USAGE, "one argument too many: '%.60s', expected %s",
                            opts->rest[command->most], *command->arguments ? command->arguments : "none")
           : CLI_DONE;
}

void command_explain(const struct command *command, unsigned columns, FILE *stream) {
  enum { COMMAND_INDENT = 13, INDENT = 7, EXAMPLE_INDENT = 6 };
  LOWER(columns, HELP_COLUMNS);
  if (!command) {
    fprintf(stream, "usage: cellcoll COMMAND [OPTION...] [ARGUMENT...]\n"
                    "Simulate collective communication on the Cell Broadband Engine.\n\ncommands:\n");
    VEC_EACH(each, commands, ncommands) {
      fprintf(stream, "  %-10s ", each->name);
      terminal_wrap(each->doc, COMMAND_INDENT, columns, stream);
    }
    fprintf(stream, "\n");
    terminal_wrap("cellcoll help COMMAND explains a command, cellcoll --version prints the version. "
                  "The manual page cellcoll(1) has the details.",
                  0, columns, stream);
    return;
  }
  fprintf(stream, "usage: ");
  terminal_wrap(text_brief("cellcoll %s [OPTION...] %s", command->name, command->arguments), INDENT, columns,
                stream);
  terminal_wrap(command->doc, 0, columns, stream);
  if (strstr(command->arguments, "ALGORITHM")) {
    terminal_wrap("ALGORITHM is a name, a collective (all of its algorithms; 'bcast-mm': those on data in "
                  "main memory), or a pattern such as 'bcast:tree*'.",
                  0, columns, stream);
  }
  opts_explain(command_options(command), command->name, columns, stream);
  fprintf(stream, "\nexamples:\n");
  VEC_EACH(example, examples, EXAMPLES) {
    if (&commands[example->command] == command) {
      fprintf(stream, "  cellcoll %s\n%*s", example->words, EXAMPLE_INDENT, "");
      terminal_wrap(example->doc, EXAMPLE_INDENT, columns, stream);
    }
  }
  fprintf(stream, "\n");
  terminal_wrap("exit codes: 0 done; 1 a check failed, or a comparison missed its tolerance; 2 an unknown "
                "name or a malformed "
                "value; 3 a bad file, or a request that cannot be served; 4 a simulated fault or deadlock "
                "(in check 1); 5 a "
                "process or memory was lost; 128 and the number of a signal: interrupted",
                strlen("exit codes: "), columns, stream);
}

void command_show(const struct command *command) {
  SCOPED char *text = NULL;
  FILE *stream = text_open(&text);
  command_explain(command, terminal_columns(), stream);
  fclose(stream);
  terminal_page(text);
}

/* --- the command help --- */

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
