/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of the options of a command. */
#pragma once

#include <stddef.h>

struct algorithm;
struct machine;
struct point;
struct points;
struct session;

/* Add the calls of ALGORITHM on MACHINE with all maps, ranks, seeds of the skew and sizes of SESSION to
 * POINTS; without --ranks on MOST ranks, 0: the maximum.
 * returns: an exit code.
 * errors: as sweep_profile and run_points_map.
 * owner: the caller frees the items. */
int run_points_add(struct session *session, struct points *points, struct machine *machine,
                   const struct algorithm *algorithm, unsigned most);

/* Add the calls of SESSION on all machines to POINTS, as run_points_add. */
int run_points_list(struct session *session, struct points *points);

/* Let the map of POINT have rows in place of a word, and tell what the program refuses.
 * returns: an exit code.
 * errors: as tune_map; a word in a shared sweep. */
int run_points_map(struct session *session, struct point *point);

/* Check that SESSION asks for one run at most, N of them being listed, as LIMIT says for the message.
 * returns: an exit code.
 * errors: there are several; the message says what to leave out. */
int run_single(struct session *session, const char *limit, size_t n);

/* As run_single; also two runs may be asked for, of two algorithms of one collective. */
int run_pair(struct session *session, const char *limit, size_t n);
