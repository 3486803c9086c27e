/* SPDX-License-Identifier: BSD-3-Clause
 * Annotations and job summaries of GitHub Actions, for `check --format=github`. */
#pragma once

struct algorithm;
struct opts_names;
struct table;

/* Print the error TEXT as an annotation: at the first place FILE:LINE in TEXT with an existing file; else at
 * LINE of PATH; with PATH NULL at no place. */
void github_error(const char *path, unsigned line, const char *text);

/* Find the source of ALGORITHM among PLUGINS: X.c beside X.so, at the first line with the name in quotes.
 * returns: the path and *LINE; NULL: there is none.
 * owner: the caller. */
char *github_source(const struct algorithm *algorithm, const struct opts_names *plugins, unsigned *line);

/* Append TABLE to the summary of the job, the file GITHUB_STEP_SUMMARY, if given. */
void github_summary(const struct table *table);
