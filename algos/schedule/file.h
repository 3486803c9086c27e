/* SPDX-License-Identifier: BSD-3-Clause
 * Files in place of names of algorithms: texts, and schedules of others. The content of a file tells the
 * format, not the ending of the name. */
#pragma once

#include <stdbool.h>

struct algo;
struct loaded;
struct err;

/* Test the content of file PATH: a schedule of others, or a foreign format known by name; an algorithm of any
 * kind. */
bool file_is_judged(const char *path);
bool file_is_algorithm(const char *path);

/* Add the algorithm in file PATH to the catalogue, once, under the name of the file without the ending: with
 * '_' for bytes forbidden in a name, '~' for the middle of a long name, '~2' and so on behind a taken name.
 * returns: the algorithm, as long as the program; NULL after an error.
 * errors: an unreadable file; as sched_add, or loaded_add; a foreign format; the file has changed since. */
const struct algo *file_load(const char *path, struct err *err);

/* Return the schedule in file PATH, as loaded by file_load, perhaps no algorithm; NULL: the file is bad, or a
 * text. */
const struct loaded *file_loaded(const char *path);

/* Find the name of the algorithms called WORD. For a FILE, or FILE:PARAMETER=VALUE, load the file: the name
 * is the name of the algorithm, and PATH is the file. Else the name is WORD, and PATH is NULL.
 * returns: NULL after an error.
 * errors: as file_load. */
const char *file_name(const char *word, const char **path, struct err *err);
