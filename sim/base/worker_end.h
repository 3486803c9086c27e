/* SPDX-License-Identifier: BSD-3-Clause
 * How a worker of jobs.h ended: by its item, or by something outside. */
#pragma once

#include <stdbool.h>

enum { WORKER_END_SIZE = 128 };

/* Tell whether a worker that ended with STATUS, of waitpid, did so because of its item, and not because of something outside. */
bool worker_end_is_crash(int status);

/* Write how a worker ended with STATUS, whose items may take SECONDS of processor time, into HOW. */
void worker_end_tell(int status, unsigned seconds, char how[WORKER_END_SIZE]);
