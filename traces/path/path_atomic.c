/* SPDX-License-Identifier: BSD-3-Clause
 * The critical path over an atomic command. */
#include "traces/path/path_walk.h"

#include <stddef.h>

/* Begin the part of atomic command NUMBER of SPE. */
static const struct record_atomic *begin_atomic(struct path_walk *walk, unsigned spe, uint32_t number) {
  path_begin_part(
    walk, &(struct path_part){
            .number = number, .nbytes = 128, .spe = (uint16_t)spe, .peer = RECORD_NOBODY, .kind = PATH_LINE});
  return record_atomic(walk->record, spe, number);
}

/* Go back from the cycle at which ATOMIC had its line to the cycle at which ATOMIC came to the line. */
static void back_to_line(struct path_walk *walk, const struct record_atomic *atomic) {
  const struct path_blocker other = {.spe = RECORD_NOBODY, .server = RECORD_NOBODY, .node = walk->node};
  path_back(walk, atomic->effected, PATH_ATOMIC);
  path_back_behind(walk, atomic->came, PATH_LINE_TAKEN, &other);
}

void path_back_atomic(struct path_walk *walk, const struct record_interval *interval) {
  unsigned spe = interval->who;
  const struct record_atomic *atomic = begin_atomic(walk, spe, interval->number);
  if (atomic && atomic->effected < walk->at) {
    back_to_line(walk, atomic);
  }
  if (atomic && atomic->polls && atomic->writing != RECORD_NOBODY && atomic->written < walk->at) {
    path_back(walk, atomic->written, PATH_ATOMIC);
    spe = atomic->writing;
    atomic = begin_atomic(walk, spe, atomic->writer);
    if (atomic) {
      back_to_line(walk, atomic);
    }
  }
  if (atomic) {
    path_back(walk, atomic->enqueued, PATH_ATOMIC);
  } else {
    path_back(walk, walk->path->begin, PATH_ATOMIC);
  }
  walk->program = spe;
}
