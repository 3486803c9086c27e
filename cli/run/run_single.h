/* SPDX-License-Identifier: BSD-3-Clause
 * What shows one run refuses several. */
#pragma once

#include <stddef.h>

struct session;

/* Check that SESSION asks for one run, N of them being listed, as LIMIT says for the message.
 * returns: an exit code.
 * errors: there are several; the message says what to leave out. */
int run_single(struct session *session, const char *limit, size_t n);
