/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline.h. */
#include "traces/timeline.h"

/* Begin the line of EVENT, which belongs to SPE. */
static FILE *
begin(struct probe *probe, const struct probe_event *event, unsigned spe)
{
  FILE *stream = ((struct timeline *)probe)->stream;
  fprintf(stream, "%12llu %3u  ", (unsigned long long)event->cycle, spe);
  return stream;
}

static void
write_event(struct probe *probe, const struct probe_event *event)
{
  const struct probe_dma *dma;
  const struct probe_request *request;
  const struct probe_grant *grant;
  FILE *stream;
  switch (event->kind) {
  case PROBE_COMMAND:
    dma = &event->command;
    stream = begin(probe, event, dma->spe);
    fprintf(stream, "command of %u bytes tag %u\n", dma->nbytes, dma->tag);
    break;
  case PROBE_ISSUE:
    request = &event->issue.request;
    stream = begin(probe, event, request->spe);
    fprintf(stream, "request of %u bytes tag %u\n", request->nbytes, request->tag);
    break;
  case PROBE_GRANT:
    grant = &event->grant;
    stream = begin(probe, event, grant->request.spe);
    fprintf(stream, "ring %u of chip %u from unit %u to unit %u (%u hops) after %llu cycles\n", grant->ring,
            grant->chip, grant->from, grant->to, grant->hops, (unsigned long long)grant->waited);
    break;
  case PROBE_CROSS:
    stream = begin(probe, event, event->cross.request.spe);
    fprintf(stream, "link from chip %u to chip %u after %llu cycles\n", event->cross.chip,
            event->cross.next_chip, (unsigned long long)event->cross.waited);
    break;
  case PROBE_DELIVER:
    request = &event->deliver.request;
    stream = begin(probe, event, request->spe);
    fprintf(stream, "%u bytes visible\n", request->nbytes);
    break;
  case PROBE_COMPLETE:
    dma = &event->complete.dma;
    stream = begin(probe, event, dma->spe);
    fprintf(stream, "command of %u bytes tag %u complete\n", dma->nbytes, dma->tag);
    break;
  case PROBE_FAULT:
    stream = begin(probe, event, event->fault.spe);
    fprintf(stream, "fault: %s\n", event->fault.text);
    break;
  default:
    break;
  }
}

void
timeline_init(struct timeline *timeline, FILE *stream)
{
  *timeline = (struct timeline){.probe.see = write_event, .stream = stream};
}
