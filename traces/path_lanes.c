/* SPDX-License-Identifier: BSD-3-Clause
 * See path_lanes.h. */
#include "traces/path_lanes.h"

#include "draw/lanes.h"
#include "sim/base/xalloc.h"
#include "traces/path.h"
#include "traces/record.h"
#include "traces/record_lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERVERS_NAMED = 3, WHO_NAMED = 3 }; /* in a sentence; who: at each server */

/* --- where it runs --- */

/* Return the lane of the program or the MFC of PART; LANES_NOBODY: it has none. */
static unsigned
lane_of_spe(const struct record *record, unsigned spe, unsigned chip)
{
  for (unsigned i = 0; i < record->nprograms; i++) {
    const struct record_program *program = &record->programs[i];
    if (program->is_known && program->spe == spe && (spe != RECORD_NOBODY || program->chip == chip)) {
      return record_lane(record, i);
    }
  }
  return LANES_NOBODY;
}

/* Tell whether PART of PATH, a notification, ends at its receiver: what follows goes on there. Its sender may have waited for it
 * instead, until it had left. */
static bool
is_received(const struct record *record, const struct path *path, size_t number)
{
  const struct path_part *part = &path->parts[number];
  if (part->kind != PATH_NOTIFICATION || part->peer == RECORD_NOBODY) {
    return false;
  }
  if (number + 1 < path->nparts) {
    return path->parts[number + 1].spe == part->peer;
  }
  for (unsigned i = 0; i < record->nprograms; i++) {
    const struct record_program *program = &record->programs[i];
    if (program->is_known && program->spe == part->spe && program->left == path->end) {
      return false;
    }
  }
  return true;
}

static void
add_part(struct lanes *lanes, const struct record *record, const struct path *path, size_t number)
{
  const struct path_part *part = &path->parts[number];
  unsigned from = lane_of_spe(record, part->spe, part->chip), to = from;
  if (is_received(record, path, number)) {
    to = lane_of_spe(record, part->peer, 0);
  }
  from = from == LANES_NOBODY ? to : from;
  to = to == LANES_NOBODY ? from : to;
  if (from != LANES_NOBODY) {
    lanes_add_path(lanes,
                   (struct lanes_line){from, to, part->from - record->begin, part->to - record->begin});
  }
}

static void
add_causes(struct lanes *lanes, const struct path *path)
{
  static const enum lanes_ink inks[PATH_GROUPS] = {
    [PATH_GROUP_OWN] = LANES_DATA,          [PATH_GROUP_OTHERS] = LANES_SHARED,
    [PATH_GROUP_TAKEN] = LANES_TAKEN,       [PATH_GROUP_WINDOW] = LANES_WINDOW,
    [PATH_GROUP_ORDER] = LANES_ORDER,       [PATH_GROUP_LATENCY] = LANES_OWN_DMA,
    [PATH_GROUP_SOFTWARE] = LANES_SOFTWARE, [PATH_GROUP_COMBINING] = LANES_COMBINES,
    [PATH_GROUP_LATE] = LANES_OTHERS};
  for (enum path_group group = 0; group < PATH_GROUPS; group++) {
    uint64_t cycles = 0;
    for (enum path_cause cause = 0; cause < PATH_CAUSES; cause++) {
      cycles += path_cause_group(cause) == group ? path->totals[cause] : 0;
    }
    if (cycles > 0) {
      lanes_add_cause(lanes, (struct lanes_cause){path_group_text(group), inks[group], cycles});
    }
  }
}

void
path_lanes_add(struct lanes *lanes, const struct record *record, const struct path *path)
{
  for (size_t i = 0; i < path->nparts; i++) {
    add_part(lanes, record, path, i);
  }
  for (size_t i = 0; i < path->nsegments; i++) {
    const struct path_segment *segment = &path->segments[i];
    const struct path_part *part = &path->parts[segment->part];
    unsigned lane = lane_of_spe(record, part->spe, part->chip);
    if (path_cause_group(segment->cause) == PATH_GROUP_OTHERS && lane != LANES_NOBODY) {
      lanes_add_behind(
        lanes, (struct lanes_stretch){lane, segment->from - record->begin, segment->to - record->begin});
    }
  }
  add_causes(lanes, path);
}

/* --- who stands in the way --- */

/* Cycles that the path stands behind the bytes of an SPE at a server. */
struct blocker {
  unsigned server, spe;
  bool own;             /* other commands of the SPE whose command is held up */
  uint64_t cycles, all; /* all: at that server */
};

static int
by_cycles(const void *a, const void *b)
{
  const struct blocker *one = a, *two = b;
  if (one->all != two->all) {
    return one->all < two->all ? 1 : -1;
  }
  if (one->server != two->server) {
    return one->server < two->server ? -1 : 1;
  }
  if (one->cycles != two->cycles) {
    return one->cycles < two->cycles ? 1 : -1;
  }
  return one->spe < two->spe ? -1 : one->spe > two->spe;
}

/* Return who stands in the way of PATH, sorted; *N of them.
 * owner: the caller. */
static struct blocker *
find_blockers(const struct path *path, size_t *n)
{
  struct blocker *blockers = NULL;
  *n = 0;
  for (size_t i = 0; i < path->nsegments; i++) {
    const struct path_segment *segment = &path->segments[i];
    size_t j = 0;
    if (path_cause_group(segment->cause) != PATH_GROUP_OTHERS || segment->behind == RECORD_NOBODY ||
        segment->server == RECORD_NOBODY) {
      continue;
    }
    while (j < *n && (blockers[j].server != segment->server || blockers[j].spe != segment->behind)) {
      j++;
    }
    if (j == *n) {
      blockers = xrealloc(blockers, ++*n, sizeof *blockers);
      blockers[j] = (struct blocker){segment->server, segment->behind, true, 0, 0};
    }
    blockers[j].cycles += segment->to - segment->from;
    blockers[j].own &= path->parts[segment->part].spe == segment->behind;
  }
  for (size_t i = 0; i < *n; i++) {
    for (size_t j = 0; j < *n; j++) {
      blockers[i].all += blockers[j].server == blockers[i].server ? blockers[j].cycles : 0;
    }
  }
  if (*n) {
    qsort(blockers, *n, sizeof *blockers, by_cycles);
  }
  return blockers;
}

/* Write where SERVER is. */
static void
say_server(const struct record *record, unsigned number, FILE *stream)
{
  const struct parameters *parameters = &record->parameters;
  struct record_server server = record_server(record, number);
  if (server.kind == RECORD_LINK) {
    fprintf(stream, "on the link from chip %u to chip %u", server.chip, server.other);
  } else if (server.kind == RECORD_MEMORY || server.other == parameters->memory_unit) {
    fprintf(stream, "%s of chip %u",
            server.kind == RECORD_MEMORY ? "at the memory" : "on the ramp of the memory", server.chip);
  } else if (server.other == parameters->bif_unit) {
    fprintf(stream, "on the ramp of the links of chip %u", server.chip);
  } else {
    unsigned spe = 0;
    while (spe + 1 < parameters->spes_per_chip && parameters->spe_units[spe] != server.other) {
      spe++;
    }
    fprintf(stream, "on the ramp of SPE %u", server.chip * parameters->spes_per_chip + spe);
  }
}

char *
path_lanes_say(const struct record *record, const struct path *path)
{
  char *text;
  size_t nbytes, n, nservers = 0, who = 0;
  FILE *stream = open_memstream(&text, &nbytes);
  struct blocker *blockers = find_blockers(path, &n);
  for (size_t i = 0; i < n; i++) {
    const struct blocker *blocker = &blockers[i];
    char number[LANES_NUMBER_SIZE], name[32];
    bool first = i == 0 || blockers[i - 1].server != blocker->server;
    bool last = i + 1 == n || blockers[i + 1].server != blocker->server;
    nservers += first;
    who = first ? 1 : who + 1;
    if (nservers > SERVERS_NAMED) {
      fputs(", and elsewhere", stream);
      break;
    }
    if (first) {
      fputs(i > 0 ? ", " : "", stream);
      say_server(record, blocker->server, stream);
      fputs(" for ", stream);
    }
    if (who <= WHO_NAMED) {
      lanes_number(blocker->cycles, number);
      snprintf(name, sizeof name, "SPE %u", blocker->spe);
      fprintf(stream, "%s%s (%s)",
              first  ? ""
              : last ? " and "
                     : ", ",
              blocker->own ? "its own other commands" : name, number);
    } else if (who == WHO_NAMED + 1) {
      fputs(" and others", stream);
    }
  }
  fclose(stream);
  free(blockers);
  return text;
}
