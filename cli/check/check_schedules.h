/* SPDX-License-Identifier: BSD-3-Clause
 * The findings of the judge on the schedules of `cellcoll check`. */
#pragma once

#include "algos/schedule/links/loaded.h"
#include "cli/check/check_report.h"
#include "sim/base/err.h"

struct session;

enum file_verdict { FILE_RIGHT, FILE_WRONG, FILE_BAD, FILE_UNDECIDED, FILE_VERDICTS };

/* A file and the judgement. */
struct judged_file {
  const char *path;
  const struct algo *algo;     /* of the catalogue; NULL: no algorithm can be made of the file */
  const struct loaded *loaded; /* NULL: the file is bad */
  enum file_verdict verdict;
  struct err why;           /* why the file is bad, or no algorithm */
  size_t passed, served;    /* points on the machine */
  const char *refused;      /* why a point was not served, owned by the report; NULL: none was refused */
  const char *reason;       /* why no point was tried; NULL: some were, or the file is bad */
  uint64_t sizes[2], ranks; /* for points */
  unsigned slots[2];        /* PARAM_DEPTH and PARAM_SLOT of the points; 0: the usual one */
  bool has_rounding;        /* results of points depend on the order of combination */
  bool is_strict;           /* RCCL has to take the file */
  bool is_asked;            /* the number of slots is asked for */
  unsigned limit;           /* slots of a connection: asked for, or else of the protocol; 0: any number */
};

struct judged_files {
  struct judged_file *items;
  size_t n, counts[FILE_VERDICTS];
};

/* Judge the files of schedules of SESSION, for the points and with the slots asked for.
 * owner: the caller, with judged_files_fini. */
struct judged_files judged_files_new(const struct session *session);

/* Return the file of ALGO among FILES; NULL: none. */
struct judged_file *judged_files_find(const struct judged_files *files, const struct algo *algo);

/* Let GRID, of the call of FILE, have the slots needed, as far as PLATFORM has room, few sizes, the ranks and
 * the root of the file, and sums: of float64 for a schedule with several orders of combination. */
void judged_file_ask(struct judged_file *file, struct check_grid *grid, const struct platform *platform);

/* Count the points of FILES in REPORT. */
void judged_files_count(struct judged_files *files, const struct check_report *report);

/* Release the contents of FILES. */
void judged_files_fini(struct judged_files *files);

/* Return a table with a row for each file.
 * owner: the caller. */
struct table *judged_files_table(const struct judged_files *files);

/* Say all findings on FILES below the table of SESSION; of csv and JSON the messages of bad files. */
void judged_files_say(const struct judged_files *files, const struct session *session);

/* Add FILES as a suite to JUNIT, a test for each file. */
void judged_files_junit(const struct judged_files *files, struct check_junit *junit);
