/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_writer.h. */
#include "traces/viewers/trace_writer.h"

char *trace_put_track(char *at, const struct trace_file *file, const struct trace_track *track) {
  static const char *const owners[] = {
    [TRACK_SPE] = "SPE ",       [TRACK_PPE] = "program ",
    [TRACK_DMA] = "SPE ",       [TRACK_ATOMIC] = "SPE ",
    [TRACK_RING] = "ring ",     [TRACK_LINK] = "link ",
    [TRACK_MEMORY] = "memory ", [TRACK_MESSAGES] = "messages of ",
    [TRACK_SERVER] = "",
  };
  static const char *const places[] = {
    [TRACK_DMA] = " DMA ",    [TRACK_ATOMIC] = " atomic ", [TRACK_RING] = " place ",
    [TRACK_LINK] = " place ", [TRACK_MEMORY] = " place ",  [TRACK_MESSAGES] = " place "};
  if (track->owner == TRACK_SERVER) {
    return trace_put_word(at, track->name, false);
  }
  at = trace_put(at, owners[track->owner]);
  if (track->owner >= TRACK_RING && track->owner <= TRACK_MEMORY) {
    at = trace_put_count(at, track->chip);
    at = trace_put(at, track->owner == TRACK_LINK ? "-" : ".");
  }
  if (track->owner == TRACK_MESSAGES) {
    char name[NODE_NAME_SIZE];
    node_name(&file->spec.names, track->node, name);
    at = trace_put(at, name);
  } else {
    at = trace_put_count(at, track->number);
  }
  if (track->owner >= TRACK_DMA) {
    at = trace_put(at, places[track->owner]);
    at = trace_put_count(at, track->place);
  } else if (track->name) {
    at = trace_put(at, " ");
    at = trace_put_word(at, track->name, false);
  }
  return at;
}
