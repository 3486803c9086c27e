/* SPDX-License-Identifier: BSD-3-Clause
 * Files that appear complete or not at all: written under another name, renamed at the end. */
#pragma once

#include <stdio.h>

struct err;

/* A file being written. */
struct outfile {
  FILE *stream;    /* to write to */
  char *path;      /* NULL: standard output */
  char *temporary; /* where it is until it is complete; NULL: written in place */
  unsigned place;  /* among those that are not complete */
};

/* Begin to write PATH, or standard output if PATH is NULL. A PATH that exists and is no ordinary file (a
 * device, a pipe) is written in place.
 * errors: the file cannot be created, or PATH is a link that leads nowhere; FILE is then closed.
 * owner: the caller, with outfile_close or outfile_abandon. */
int outfile_open(struct outfile *file, const char *path, struct err *err);

/* End FILE: all of it is there now under its name.
 * errors: something could not be written; nothing is left behind then. */
int outfile_close(struct outfile *file, struct err *err);

/* Give up FILE and leave nothing behind. */
void outfile_abandon(struct outfile *file);

/* Remove all files that are not complete; for a process that ends, also in a handler of signals. */
void outfile_remove_unfinished(void);
