/* SPDX-License-Identifier: BSD-3-Clause
 * The time of the host; that of the simulated machine is in des.h. */
#pragma once

#include <time.h>

/* Return the seconds that CLOCK shows. */
static inline double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
