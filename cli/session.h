/* SPDX-License-Identifier: BSD-3-Clause
 * What every command does around its own work: options, plugins, algorithms, machines, output, exit code.
 *
 * A command is called when all of that has gone well. The command fills a table for the session to write. */
#pragma once

#include "cli/opts.h"
#include "cli/sweep.h"
#include "validate/lab/ledger/ledger.h"

struct picture;

/* Every platform asked for, with every combination of the values of --set, with the profile of --profile. */
struct machines {
  struct platform **platforms; /* platform by platform; the last --set varies fastest */
  size_t n;
  struct machine **built; /* see machines_get; NULL: none */
};

/* One command under way. */
struct session {
  const struct command *command;
  struct opts opts;
  struct sweep_calls calls;    /* the algorithms named, if the arguments are algorithms */
  struct opts_names schedules; /* files of 'check' with schedules of others, and bad files */
  struct machines machines;    /* empty if the command has no --platform */
  struct ledger ledger;        /* of the results that the command asks for */
  char *store;                 /* the file of the ledger; NULL: none */
  struct table *table;         /* what is written at the end; NULL: nothing */
  struct err *err;
  bool for_pages; /* the table is a part of the report */
};

/* Fill MACHINES as OPTS says.
 * returns: an exit code, CLI_DONE if all are there.
 * errors: as platform_read (an unknown name is wrong usage, a bad file is bad input) and platform_set_all; an
 *   unknown profile; MACHINES is then empty. */
int machines_load(struct machines *machines, const struct opts *opts, struct err *err);
void machines_fini(struct machines *machines);

/* Return machine INDEX of MACHINES, built when first asked for.
 * owner: MACHINES. */
struct machine *machines_get(struct machines *machines, size_t index);

/* Run COMMAND with the command line of ARGC words in ARGV, the first of which is the name of COMMAND.
 * returns: an exit code; ERR has the message, if there is one. */
int session_run(const struct command *command, int argc, char **argv, struct err *err);

/* Run the command line WORDS, the first of which is the command, with the ledger of SESSION. Nothing is
 * printed, and no file is written but the pictures that WORDS ask for. TABLE becomes the table of the
 * command; NULL: none.
 * returns: an exit code; ERR has the message, if there is one.
 * owner: the caller, of TABLE. */
int session_ask(struct session *session, const struct opts_names *words, struct table **table,
                struct err *err);

/* Return an experiment on all machines of SESSION, without receivers of figures. */
struct evidence session_evidence(struct session *session);

/* Return machine INDEX of SESSION, built when first asked for; NULL: there are no more machines, or the
 * program was interrupted. */
struct machine *session_machine(struct session *session, size_t index);

/* Return the seconds of processor time after which a call of SESSION is ended; 0: never. */
unsigned session_call_limit(const struct session *session);

/* Tell whether results for SESSION are missing: SESSION was interrupted, or shares a sweep with other
 * processes. */
bool session_is_partial(const struct session *session);

/* Check that every option given means something to one of the N COLLECTIVES that SESSION asks for; 0: to all
 * there are.
 * returns: an exit code. */
int session_check_meaning(struct session *session, const enum collective *collectives, size_t n);

/* Return the origin of the results of SESSION; the contents live as long as SESSION. */
struct provenance session_provenance(const struct session *session);

/* Write PICTURE to PATH, with the origin of the results of SESSION if --provenance is given.
 * errors: as picture_write. */
int session_picture(const struct session *session, struct picture picture, const char *path);

/* Let TABLE be the table of SESSION, before the first call of the command.
 * errors: --columns names a column that TABLE lacks, CLI_USAGE. */
int session_table(struct session *session, struct table *table);

/* Check before the first call that a table with COLUMNS has those of --columns.
 * errors: an unknown column, CLI_USAGE. */
int session_check_columns(struct session *session, const char *columns);

/* Say LINE below the table of SESSION; for csv and JSON on standard error. */
void session_say(const struct session *session, const char *line);

/* Set the message of SESSION, after the name of its command.
 * returns: CODE. */
int session_refuse(struct session *session, int code, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
