/* SPDX-License-Identifier: BSD-3-Clause
 * A deadlock, told by its cycle. */
#pragma once

struct workload_run;

/* Return lines of STUCK (a line for each program without an end): the programs that poll for ever, then the
 * first cycle of ranks in the order of waiting; then the number of the other programs. Without either: the
 * lines from the first program to a rank without a wait, or to a wait for no rank. Ranks of RUN (NULL: of no
 * program of several calls) have the lines of the program as well.
 * owner: the caller. */
char *deadlock_tell(const char *stuck, const struct workload_run *run);
