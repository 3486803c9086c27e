/* SPDX-License-Identifier: BSD-3-Clause
 * The critical path as marks on the lanes of a recorded call. */
#include "sim/base/vec.h"
#include "draw/timeline/timeline.h"
#include "sim/base/xalloc.h"
#include "traces/path/path.h"
#include "traces/path/path_blockers.h"
#include "traces/record/record.h"
#include "traces/timeline/record_timeline.h"

#include <stdio.h>
#include <stdlib.h>

enum { PLACES_NAMED = 3, WHO_NAMED = 3 }; /* places in a sentence; blockers at each place */

/* The least share of the path of a named place. */
#define NAMED_SHARE 0.01

/* --- lanes of the path --- */

/* The records behind the lanes. */
struct source {
  const struct path_records *records;
  const unsigned *first; /* per node: the first lane */
};

/* Return the lane of the program (and MFC) on SPE of NODE, or of the program on the PPE of CHIP;
 * TIMELINE_NOBODY: no lane. */
static unsigned lane_of_spe(const struct source *source, unsigned node, unsigned spe, unsigned chip) {
  const struct record *record = source->records->nodes[node];
  size_t program =
    VEC_INDEX(record->programs, record->nprograms,
              item->is_known && item->spe == spe && (spe != RECORD_NOBODY || item->chip == chip));
  unsigned lane = record_lane(record, (unsigned)program);
  return lane == TIMELINE_NOBODY ? TIMELINE_NOBODY : source->first[node] + lane;
}

/* Tell whether part NUMBER of PATH, a notification, ends at the receiver: the next part is there. The sender
 * may have waited instead until the notification had left. */
static bool is_received(const struct source *source, const struct path *path, size_t number) {
  const struct path_part *part = &path->parts[number];
  const struct record *record = source->records->nodes[part->node];
  if (part->kind != PATH_NOTIFICATION || part->peer == RECORD_NOBODY) {
    return false;
  }
  if (number + 1 < path->nparts) {
    return path->parts[number + 1].spe == part->peer;
  }
  return !VEC_FIND(record->programs, record->nprograms,
                   item->is_known && item->spe == part->spe && item->left == path->end);
}

static void add_part(struct timeline *timeline, const struct source *source, const struct path *path,
                     size_t number) {
  const struct path_part *part = &path->parts[number];
  unsigned from = lane_of_spe(source, part->node, part->spe, part->chip), to = from;
  if (part->kind == PATH_MESSAGE && !part->is_answered) {
    to = lane_of_spe(source, part->peer, RECORD_NOBODY, 0);
  } else if (is_received(source, path, number)) {
    to = lane_of_spe(source, part->node, part->peer, 0);
  }
  from = from == TIMELINE_NOBODY ? to : from;
  to = to == TIMELINE_NOBODY ? from : to;
  if (from != TIMELINE_NOBODY) {
    timeline_add_path(timeline,
                      (struct timeline_line){from, to, part->from - path->begin, part->to - path->begin});
  }
}

static void add_causes(struct timeline *timeline, const struct path *path) {
  static const enum timeline_ink inks[PATH_GROUPS] = {
    [PATH_GROUP_OWN] = TIMELINE_DATA,          [PATH_GROUP_OTHERS] = TIMELINE_SHARED,
    [PATH_GROUP_TAKEN] = TIMELINE_TAKEN,       [PATH_GROUP_WINDOW] = TIMELINE_WINDOW,
    [PATH_GROUP_ORDER] = TIMELINE_ORDER,       [PATH_GROUP_LATENCY] = TIMELINE_OWN_DMA,
    [PATH_GROUP_SOFTWARE] = TIMELINE_SOFTWARE, [PATH_GROUP_COMBINING] = TIMELINE_COMBINES,
    [PATH_GROUP_NETWORK] = TIMELINE_ACROSS,    [PATH_GROUP_LATE] = TIMELINE_OTHERS};
  for (enum path_group group = 0; group < PATH_GROUPS; group++) {
    uint64_t cycles = 0;
    for (enum path_cause cause = 0; cause < PATH_CAUSES; cause++) {
      cycles += path_causes[cause].group == group ? path->totals[cause] : 0;
    }
    if (cycles > 0) {
      timeline_add_cause(timeline, (struct timeline_cause){path_groups[group].text, inks[group], cycles});
    }
  }
}

void path_timeline_add(struct timeline *timeline, const struct path_records *records, const unsigned first[],
                       const struct path *path) {
  const struct source source = {records, first};
  for (size_t i = 0; i < path->nparts; i++) {
    add_part(timeline, &source, path, i);
  }
  VEC_EACH(segment, path->segments, path->nsegments) {
    if (path_causes[segment->cause].group == PATH_GROUP_OTHERS || segment->cause == PATH_NET_TAKEN) {
      timeline_add_behind(timeline,
                          (struct timeline_stretch){segment->from - path->begin, segment->to - path->begin});
    }
  }
  add_causes(timeline, path);
}

/* --- blockers --- */

/* Write the owner of the commands of ROW; NAMES are the names of nodes. */
static void say_blocker(const struct path_blockers_row *row, const struct node_names *names, char **text) {
  char number[TIMELINE_NUMBER_SIZE];
  timeline_number(row->cycles, number);
  if (row->own) {
    xappend(text, "other commands of the same SPE (%s)", number);
  } else if (row->spe == RECORD_NOBODY) {
    xappend(text, "others (%s)", number);
  } else {
    xappend(text, "%s (%s)", path_blockers_name(row, names), number);
  }
}

char *path_timeline_say(const struct path_records *records, const struct path *path) {
  char *text = xstrdup("");
  size_t nplaces = 0, who = 0;
  struct path_blockers blockers = path_blockers(path, records);
  double least = NAMED_SHARE * (double)(path->end - path->begin);
  for (size_t i = 0; i < blockers.n && (double)blockers.rows[i].place_cycles >= least; i++) {
    const struct path_blockers_row *row = &blockers.rows[i];
    bool first = i == 0 || row[-1].server != row->server || row[-1].node != row->node;
    bool last = i + 1 == blockers.n || row[1].server != row->server || row[1].node != row->node;
    nplaces += first;
    who = first ? 1 : who + 1;
    if (nplaces > PLACES_NAMED) {
      xappend(&text, ", and elsewhere");
      break;
    }
    xappend(&text, first ? "%son %s for " : "", i > 0 ? ", " : "", row->where);
    if (who <= WHO_NAMED) {
      xappend(&text, "%s", first ? "" : last ? " and " : ", ");
      say_blocker(row, &records->names, &text);
    } else if (who == WHO_NAMED + 1) {
      xappend(&text, " and others");
    }
  }
  free(blockers.rows);
  return text;
}
