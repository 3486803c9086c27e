/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of several calls: a text is refused with its line, or each action of a rank has a call, or a
 * connection with the rank at its end, and each send has a receive. */
#include "algos/schedule/workload/workload.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

void fuzz_calls(const char *text, size_t nbytes) {
  struct err err = {""};
  (void)nbytes; /* a text ends with the first NUL */
  struct workload *workload = workload_read_text("f", text, &err);
  if (!workload) {
    FUZZ_REQUIRE(strncmp(err.text, "f:", 2) == 0);
    return;
  }
  size_t n = 0;
  for (unsigned rank = 0; rank < workload->nranks; rank++) {
    n += workload->ranks[rank].n;
    VEC_EACH(action, workload->ranks[rank].actions, workload->ranks[rank].n) {
      bool sends = action->kind == WORKLOAD_SEND || action->kind == WORKLOAD_ISEND;
      bool receives = action->kind == WORKLOAD_RECV || action->kind == WORKLOAD_IRECV;
      FUZZ_REQUIRE(action->kind != WORKLOAD_CALL || action->index < workload->ncalls);
      FUZZ_REQUIRE(!sends || workload->connections[action->index].from == rank);
      FUZZ_REQUIRE(!receives || workload->connections[action->index].to == rank);
    }
  }
  FUZZ_REQUIRE(n == workload->nactions && workload_check(workload, NULL) == 0);
  workload_free(workload);
}
