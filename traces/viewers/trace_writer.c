/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_writer.h. */
#include "traces/viewers/trace_writer.h"

char *trace_put_track(char *at, const struct trace_file *file, const struct trace_track *track) {
  /* before the numbers of the chip, of the unit, and of the place; NULL: the name has no such number */
  static const char *const words[][3] = {
    [TRACK_SPE] = {NULL, "SPE ", NULL},           [TRACK_PPE] = {NULL, "program ", NULL},
    [TRACK_DMA] = {NULL, "SPE ", " DMA "},        [TRACK_ATOMIC] = {NULL, "SPE ", " atomic "},
    [TRACK_RING] = {"ring ", ".", " place "},     [TRACK_LINK] = {"link ", "-", " place "},
    [TRACK_MEMORY] = {"memory ", ".", " place "}, [TRACK_MESSAGES] = {NULL, NULL, " place "}};
  const unsigned numbers[] = {track->chip, track->number, track->place};
  if (track->owner == TRACK_SERVER) {
    return trace_put_word(at, track->name, false);
  }
  if (track->owner == TRACK_MESSAGES) {
    char name[NODE_NAME_SIZE];
    node_name(&file->spec.names, track->node, name);
    at = trace_put(trace_put(at, "messages of "), name);
  }
  for (unsigned i = 0; i < 3; i++) {
    at = words[track->owner][i] ? trace_put_field(at, words[track->owner][i], numbers[i]) : at;
  }
  return track->name ? trace_put_word(trace_put_char(at, ' '), track->name, false) : at;
}
