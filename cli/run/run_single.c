/* SPDX-License-Identifier: BSD-3-Clause
 * See run_single.h. */
#include "cli/run/run_single.h"

#include "cli/exit_codes.h"
#include "cli/session.h"

#include <stdio.h>

int run_single(struct session *session, const char *limit, size_t n) {
  const struct {
    size_t n;
    const char *what;
  } lists[] = {{session->calls.n, "algorithms"},
               {session->machines.n, "machines (--platform, --set)"},
               {session->opts.ranks.n, "numbers of ranks (--ranks)"},
               {session->opts.bytes.n, "sizes (--bytes)"},
               {opts_skew_seeds(&session->opts.skew), "seeds (--skew)"}};
  char text[256] = "";
  size_t used = 0;
  if (n == 1) {
    return CLI_DONE;
  }
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    if (lists[i].n > 1 && used < sizeof text) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu %s", used ? ", " : "", lists[i].n,
                               lists[i].what);
    }
  }
  return session_refuse(session, CLI_USAGE, "%s, not %zu; leave out all but one of the %s", limit, n, text);
}
