/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline.h. */
#include "traces/timeline.h"

/* Tell whether events of KIND have a line; the others say no more than those do. */
static bool
is_shown(enum probe_kind kind)
{
  static const bool shown[] = {
    [PROBE_COMMAND] = true, [PROBE_ISSUE] = true,    [PROBE_GRANT] = true, [PROBE_CROSS] = true,
    [PROBE_DELIVER] = true, [PROBE_COMPLETE] = true, [PROBE_FAULT] = true};
  return kind < sizeof shown / sizeof *shown && shown[kind];
}

static void
write_event(struct probe *probe, const struct probe_event *event)
{
  FILE *stream = ((struct timeline *)probe)->stream;
  if (!is_shown(event->kind)) {
    return;
  }
  fprintf(stream, "%12llu %3u  ", (unsigned long long)event->cycle, event->spe);
  switch (event->kind) {
  case PROBE_COMMAND:
    fprintf(stream, "command of %u bytes tag %u\n", event->nbytes, event->tag);
    break;
  case PROBE_ISSUE:
    fprintf(stream, "request of %u bytes tag %u\n", event->nbytes, event->tag);
    break;
  case PROBE_GRANT:
    fprintf(stream, "ring %u of chip %u from unit %u to unit %u (%u hops) after %llu cycles\n", event->ring,
            event->chip, event->from, event->to, event->hops, (unsigned long long)event->waited);
    break;
  case PROBE_CROSS:
    fprintf(stream, "link from chip %u to chip %u after %llu cycles\n", event->chip, event->next_chip,
            (unsigned long long)event->waited);
    break;
  case PROBE_DELIVER:
    fprintf(stream, "%u bytes visible\n", event->nbytes);
    break;
  case PROBE_COMPLETE:
    fprintf(stream, "command of %u bytes tag %u complete\n", event->nbytes, event->tag);
    break;
  case PROBE_FAULT:
    fprintf(stream, "fault: %s\n", event->text);
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
