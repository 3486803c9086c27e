/* SPDX-License-Identifier: BSD-3-Clause
 * Start and end of processes of which tests fork some thousand: SimGrid is loaded once, and the destructors
 * of SimGrid's libraries, which take longer than most tests, are left out. */
#pragma once

#include "sim/base/engine/simgrid_calls.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void short_end_now(int status, void *nothing) {
  (void)nothing;
  fflush(NULL);
  _exit(status);
}

/* Load SimGrid, unless this process has done so, and let exit() of this process and of those that it forks
 * end with what was registered after this call. */
static inline void short_end(void) {
  static bool is_loaded;
  if (is_loaded) {
    return;
  }
  is_loaded = true;
  simgrid_load(NULL);
#ifndef WITH_COVERAGE /* its counts are written by a destructor */
  on_exit(short_end_now, NULL);
#endif
}
