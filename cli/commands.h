/* SPDX-License-Identifier: BSD-3-Clause
 * The commands of the program, from commands.def. */
#pragma once

#include "cli/exit_codes.h"
#include "cli/opts.h"

#include <limits.h>
#include <stddef.h>

struct err;

enum { MANY = INT_MAX };

struct command {
  const char *name;
  const char *arguments; /* as shown in its usage */
  size_t least, most;    /* number of arguments */
  unsigned options;      /* OPT_... */
  const char *doc;       /* one line */
  int (*run)(const struct opts *opts, struct err *err);
};

extern const struct command commands[];
extern const size_t ncommands;

/* Run one command with the options and arguments in OPTS.
 * returns: an exit code; main prints the message in ERR, if there is one. */
#define COMMAND(name, ...) int cmd_##name(const struct opts *opts, struct err *err);
#include "cli/commands.def"

/* Find the command called NAME.
 * errors: there is none; the nearest one is suggested. NULL then. */
const struct command *command_find(const char *name, struct err *err);

/* Check that OPTS has as many arguments as COMMAND takes.
 * errors: as -1. */
int command_check_arguments(const struct command *command, const struct opts *opts, struct err *err);

/* Explain COMMAND, or if it is NULL the whole program, on STREAM. */
void command_explain(const struct command *command, FILE *stream);
