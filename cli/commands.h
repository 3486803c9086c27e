/* SPDX-License-Identifier: BSD-3-Clause
 * The commands of the program, from commands.def. */
#pragma once

#include "cli/session.h"

#include <limits.h>
#include <stddef.h>

enum { MANY = INT_MAX };

/* The preparations of a session for a command. */
enum {
  HAS_ALGORITHMS = 1,  /* the arguments are algorithms */
  HAS_MACHINES = 2,    /* the machines of --platform are loaded, and the simulator is started */
  HAS_ONE_MACHINE = 4, /* exactly one machine */
  HAS_MEASURED_MACHINES =
    /* one machine; without --platform all machines with published measurements (PUBLISHED_PLATFORMS, with
     * HAS_HOSTS also hosts) */
  8,
  HAS_HOSTS = 16,       /* machines whose nodes are hosts without SPEs are allowed */
  HAS_OWN_OPTIONS = 32, /* all words are arguments */
};

struct command {
  const char *name;
  const char *arguments; /* as shown in the usage */
  size_t least, most;    /* number of arguments */
  unsigned traits;       /* HAS_... */
  const char *doc;       /* one line */
  int (*run)(struct session *session);
};

extern const struct command commands[];
extern const size_t ncommands;

/* The work of one command: fill the table of SESSION.
 * returns: an exit code; the err of the session has the message, if any. */
#define COMMAND(name, ...) int cmd_##name(struct session *session);
#include "cli/commands.def"

/* Find the command called NAME.
 * errors: there is none; the nearest one is suggested. NULL then. */
const struct command *command_find(const char *name, struct err *err);

/* Return the options of COMMAND. */
opts_set command_options(const struct command *command);

/* Check the number of arguments of SESSION.
 * returns: an exit code. */
int command_check_arguments(struct session *session);

/* Explain COMMAND (NULL: the whole program) on STREAM, in lines of at most COLUMNS characters, and of at most
 * 100. */
void command_explain(const struct command *command, unsigned columns, FILE *stream);

/* As command_explain, on standard output: in lines of the terminal's width, and through the pager. */
void command_show(const struct command *command);
