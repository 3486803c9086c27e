/* SPDX-License-Identifier: BSD-3-Clause
 * run --what-if: which parameter of the machine bounds a call, found by running it on machines that have a better one. */
#pragma once

#include <stddef.h>

struct blade;
struct rig_spec;
struct session;

/* A call of which that is asked. */
struct run_what_if_call {
  struct blade *blade;
  const struct rig_spec *spec;
};

/* Check that SESSION asks for nothing beside it that would not be shown.
 * returns: an exit code. */
int run_what_if_check(struct session *session);

/* Run all N CALLS as they are and on each better machine, through the ledger, and make the table of SESSION.
 * returns: an exit code. */
int run_what_if(struct session *session, const struct run_what_if_call calls[], size_t n);
