/* SPDX-License-Identifier: BSD-3-Clause
 * The commands of the program, from commands.def. */
#pragma once

#include "cli/exit_codes.h"
#include "cli/session.h"

#include <limits.h>
#include <stddef.h>

struct err;

enum { MANY = INT_MAX };

/* What a session prepares for a command. */
enum {
  HAS_ALGORITHMS = 1,  /* the arguments are algorithms */
  HAS_MACHINES = 2,    /* the machines of --platform are loaded, and the simulator is started */
  HAS_ONE_MACHINE = 4, /* there is exactly one of them */
  HAS_MEASURED_MACHINES =
    /* one; without --platform all on which something was measured (PUBLISHED_PLATFORMS and, if HAS_HOSTS,
     * others) */
  8,
  HAS_HOSTS = 16, /* machines whose nodes are hosts without SPEs mean something to it */
};

struct command {
  const char *name;
  const char *arguments; /* as shown in its usage */
  size_t least, most;    /* number of arguments */
  unsigned traits;       /* HAS_... */
  const char *doc;       /* one line */
  int (*run)(struct session *session);
};

extern const struct command commands[];
extern const size_t ncommands;

/* Do what is particular to one command: fill the table of SESSION.
 * returns: an exit code; the message, if there is one, is in the session's err. */
#define COMMAND(name, ...) int cmd_##name(struct session *session);
#include "cli/commands.def"

/* Find the command called NAME.
 * errors: there is none; the nearest one is suggested. NULL then. */
const struct command *command_find(const char *name, struct err *err);

/* Return the options that mean something to COMMAND. */
opts_set command_options(const struct command *command);

/* Check that OPTS has as many arguments as COMMAND takes.
 * errors: as -1. */
int command_check_arguments(const struct command *command, const struct opts *opts, struct err *err);

/* Explain COMMAND, or if it is NULL the whole program, on STREAM, in lines of at most COLUMNS characters. */
void command_explain(const struct command *command, unsigned columns, FILE *stream);

/* The same for who reads standard output: in lines of a terminal, and through its pager. */
void command_show(const struct command *command);
