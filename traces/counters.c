/* SPDX-License-Identifier: BSD-3-Clause
 * See counters.h. */
#include "traces/counters.h"

static void
count(struct probe *probe, const struct probe_event *event)
{
  struct counters *counters = (struct counters *)probe;
  switch (event->kind) {
  case PROBE_COMMAND:
    counters->dma_commands++;
    break;
  case PROBE_ISSUE:
    counters->bus_requests++;
    break;
  case PROBE_GRANT:
    counters->eib_bytes += event->grant.request.nbytes;
    break;
  case PROBE_CROSS:
    counters->bif_bytes += event->cross.request.nbytes;
    break;
  default:
    break;
  }
}

void
counters_init(struct counters *counters)
{
  *counters = (struct counters){.probe.see = count};
}

void
counters_add(struct counters *counters, const struct counters *other)
{
  counters->dma_commands += other->dma_commands;
  counters->bus_requests += other->bus_requests;
  counters->eib_bytes += other->eib_bytes;
  counters->bif_bytes += other->bif_bytes;
}
