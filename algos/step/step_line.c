/* SPDX-License-Identifier: BSD-3-Clause
 * The vocabulary: a line of main memory; see step.h. */
#include "algos/step/step.h"

#include "algos/step/port.h"
#include "algos/step/step_checks.h"

#include <string.h>

void step_prepare_line(struct coll *c) {
  port(c)->compute(COMPUTE_SEND, c->group->costs.send);
}

void step_load_line(struct coll *c, void *line, uint64_t ea) {
  require(c, port(c)->load_line, "a reservation on a host, expected SPEs");
  port(c)->load_line(line, ea);
  port(c)->compute(COMPUTE_RECEIVE, c->group->costs.receive);
}

/* Tell whether the counter at the beginning of LINE has reached the one at CONTEXT. */
static bool has_reached(const void *line, const void *context) {
  uint32_t counter, count;
  memcpy(&counter, line, sizeof counter);
  memcpy(&count, context, sizeof count);
  return (int32_t)(counter - count) >= 0;
}

void step_await_count(struct coll *c, void *line, uint64_t ea, uint32_t count) {
  struct spu_line_wait wait = {.ls = line,
                               .ea = ea,
                               .found = has_reached,
                               .context = &count,
                               .reason = COMPUTE_RECEIVE,
                               .cycles = c->group->costs.receive};
  if (port(c)->wait_line) {
    port(c)->wait_line(&wait);
    return;
  }
  do {
    step_load_line(c, line, ea);
  } while (!has_reached(line, &count));
}

bool step_store_line(struct coll *c, void *line, uint64_t ea) {
  require(c, port(c)->store_line, "a reservation on a host, expected SPEs");
  return port(c)->store_line(line, ea);
}
