/* SPDX-License-Identifier: BSD-3-Clause
 * Files that appear complete or not at all: written under a temporary name, renamed at the end. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/queue.h>

struct err;

/* A file being written, at the same address up to the end. */
struct outfile {
  FILE *stream;               /* to write to */
  char *path;                 /* NULL: standard output */
  char *temporary;            /* temporary name of an incomplete file; NULL: written in place */
  LIST_ENTRY(outfile) others; /* in the list of incomplete files */
};

/* Tell whether A and B name one ordinary file, or will. */
bool outfile_is_same(const char *a, const char *b);

/* Note that this process reads PATH: outfile_open leaves the file of this name alone from now on. */
void outfile_note_input(const char *path);

/* Tell whether PATH names a file of outfile_note_input. */
bool outfile_is_input(const char *path);

/* Begin to write PATH, or standard output if PATH is NULL. An existing PATH that is no ordinary file (a
 * device, a pipe) is written in place.
 * errors: the file cannot be created, or is an input, or PATH is a link that leads nowhere; FILE is then
 *   closed.
 * owner: the caller, with outfile_close or outfile_abandon. */
int outfile_open(struct outfile *file, const char *path, struct err *err);

/* End FILE: the complete file appears under its name.
 * errors: a write failed; nothing is left behind then. */
int outfile_close(struct outfile *file, struct err *err);

/* Give up FILE and leave nothing behind. */
void outfile_abandon(struct outfile *file);

/* Remove all incomplete files; for a process that ends, also in a signal handler. */
void outfile_remove_unfinished(void);
