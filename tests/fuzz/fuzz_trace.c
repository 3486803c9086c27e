/* SPDX-License-Identifier: BSD-3-Clause
 * Time-independent traces: a trace is refused with its file, or all ranks make all calls, and messages have
 * two ends. A trace with an end in the strict play has an end with each size of messages sent at once, and a
 * trace with an end with small ones has an end with large ones. */
#include "algos/schedule/workload/workload.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* Tell whether WORKLOAD ends with messages of EAGER bytes sent at once. */
static bool ends(const struct workload *workload, unsigned eager, bool is_strict) {
  struct err err = {""};
  bool is_refused = workload_judge(workload, eager, is_strict, &err) != 0;
  FUZZ_REQUIRE(!is_refused || (strncmp(err.text, "f:", 2) == 0 && strstr(err.text, "expected")));
  return !is_refused;
}

void fuzz_trace(const char *text, size_t nbytes) {
  struct err err = {""};
  struct workload *workload = workload_read_ti("f", text, &err);
  (void)nbytes;
  if (!workload) {
    FUZZ_REQUIRE(strncmp(err.text, "f:", 2) == 0 && strstr(err.text, "expected"));
    return;
  }
  for (unsigned rank = 0; rank < workload->nranks; rank++) {
    size_t ncalls = 0;
    VEC_EACH(action, workload->ranks[rank].actions, workload->ranks[rank].n) {
      if (action->kind == WORKLOAD_CALL) {
        FUZZ_REQUIRE(action->index == ncalls);
        ncalls++;
      } else if (action->kind >= WORKLOAD_SEND && action->kind < WORKLOAD_WAITALL) {
        const struct workload_connection *connection = &workload->connections[action->index];
        FUZZ_REQUIRE(action->index < workload->nconnections && connection->from != connection->to);
        FUZZ_REQUIRE(connection->from == rank || connection->to == rank);
      }
    }
    FUZZ_REQUIRE(ncalls == workload->ncalls);
  }
  bool is_safe = ends(workload, 0, true), is_early = ends(workload, 0, false);
  FUZZ_REQUIRE((is_early || !is_safe) && (ends(workload, WORKLOAD_EAGER_MAX, false) || !is_early));
  workload_free(workload);
}
