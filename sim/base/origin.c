/* SPDX-License-Identifier: BSD-3-Clause
 * The origin of results. The build writes commit.h anew whenever the commit is another one, see
 * Makefile.am. */
#include "sim/base/origin.h"

#include "commit.h"
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const char *origin_commit(void) {
  return COMMIT;
}

const char *origin_compiler(void) {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

const char *origin_simgrid(void) {
  return SIMGRID_VERSION_TEXT;
}

const char *origin_date(void) {
  static char text[40];
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  time_t now = epoch && *epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
  struct tm parts;
  if (!gmtime_r(&now, &parts) || strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
    return "unknown";
  }
  return text;
}

const char *origin_line(void) {
  static char text[200];
  snprintf(text, sizeof text, "%s (commit %s, %s, SimGrid %s, %s)", PACKAGE_STRING, origin_commit(),
           origin_compiler(), origin_simgrid(), origin_date());
  return text;
}
