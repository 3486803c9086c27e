/* SPDX-License-Identifier: BSD-3-Clause
 * Observers of a call outside of the ledger: run -v tells on standard error what happens, on one blade or on
 * all nodes of a call and between nodes; run --trace writes what happens to a file. */
#pragma once

struct call_made;
struct call_point;
struct session;

/* Begin to watch the call of POINT, as SESSION says.
 * errors: NULL: as outfile_open.
 * owner: the caller, with run_verbose_end or run_trace_end; POINT lives until then. */
void *run_verbose_begin(struct session *session, struct call_point *point);
void *run_trace_begin(struct session *session, struct call_point *point);

/* End to watch the call MADE; a trace of an interrupted call can be read up to there, and that of a refused
 * call leaves no file.
 * returns: an exit code.
 * errors: as outfile_close. */
int run_verbose_end(void *watch, struct session *session, const struct call_made *made);
int run_trace_end(void *watch, struct session *session, const struct call_made *made);
