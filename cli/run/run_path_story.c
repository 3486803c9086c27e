/* SPDX-License-Identifier: BSD-3-Clause
 * A critical path told to people; see run_path.h. */
#include "cli/run/run_path.h"

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"

#include <stdio.h>
#include <string.h>

typedef unsigned long long ull;

/* Number of parts shown at each end of a chain, and maximum number of blockers shown for a part. */
enum { CHAIN_SHOWN = 60, BLOCKERS_SHOWN = 8 };

/* The output of a story, and the names of the nodes. */
struct story {
  struct table *table;
  struct node_names names;
  bool spans_nodes; /* each part of the story tells its node */
};

/* --- totals --- */

/* Append the causes of GROUP in TOTALS, most cycles first. */
static void append_causes(char **line, const uint64_t totals[PATH_CAUSES], enum path_group group) {
  uint64_t left[PATH_CAUSES];
  memcpy(left, totals, sizeof left);
  for (const char *between = "";; between = ", ") {
    unsigned best = PATH_CAUSES;
    for (unsigned i = 0; i < PATH_CAUSES; i++) {
      bool better = left[i] && path_causes[i].group == group && (best == PATH_CAUSES || left[i] > left[best]);
      best = better ? i : best;
    }
    if (best == PATH_CAUSES) {
      return;
    }
    xappend(line, "%s%s %llu", between, path_causes[best].text, (ull)left[best]);
    left[best] = 0;
  }
}

/* Return the number of causes of GROUP in TOTALS; *CYCLES becomes the sum. */
static unsigned sum_up(const uint64_t totals[PATH_CAUSES], enum path_group group, uint64_t *cycles) {
  unsigned n = 0;
  *cycles = 0;
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    if (path_causes[i].group == group && totals[i]) {
      *cycles += totals[i];
      n++;
    }
  }
  return n;
}

/* Tell whether the causes of GROUP say more than the name of GROUP. */
static bool has_causes(enum path_group group) {
  return group == PATH_GROUP_OWN || group == PATH_GROUP_NETWORK || group == PATH_GROUP_OTHERS ||
         group == PATH_GROUP_TAKEN || group == PATH_GROUP_LATENCY || group == PATH_GROUP_SOFTWARE;
}

static void tell_totals(struct table *table, const struct path *path) {
  for (unsigned group = 0; group < PATH_GROUPS; group++) {
    uint64_t cycles;
    SCOPED char *line = NULL;
    if (sum_up(path->totals, group, &cycles) == 0) {
      continue;
    }
    xappend(&line, "%10llu  %5.1f %%  ", (ull)cycles, 100 * (double)cycles / (double)path->end);
    unsigned indent = (unsigned)strlen(line);
    xappend(&line, "%s", path_groups[group].text);
    if (has_causes(group)) {
      xappend(&line, ": ");
      append_causes(&line, path->totals, group);
    }
    table_note_filled(table, line, indent);
  }
}

/* --- blockers --- */

/* Describe the N ROWS, the blockers at one place. */
static void tell_place(const struct story *story, const struct path_blockers_row *rows, size_t n,
                       bool first) {
  uint64_t rest = 0;
  SCOPED char *line = xasprintf("on %s: ", rows->where);
  unsigned indent = (unsigned)strlen(line);
  for (size_t i = 0; i < n; i++) {
    if (i >= BLOCKERS_SHOWN && n > BLOCKERS_SHOWN + 1) {
      rest += rows[i].cycles;
      continue;
    }
    xappend(&line, "%s%s", i == 0 ? "" : ", ", rows[i].own ? "other commands of " : "");
    if (rows[i].spe == RECORD_NOBODY) {
      xappend(&line, "others for %llu", (ull)rows[i].cycles);
    } else {
      xappend(&line, "%s for %llu", path_blockers_name(&rows[i], &story->names), (ull)rows[i].cycles);
    }
    xappend(&line, "%s", i == 0 && first ? " cycles" : "");
  }
  xappend(&line, rest ? ", %zu others for %llu" : "", n - BLOCKERS_SHOWN, (ull)rest);
  table_note_filled(story->table, line, indent);
}

static void tell_blockers(const struct story *story, const struct path_blockers *blockers) {
  for (size_t i = 0, n; i < blockers->n; i += n) {
    const struct path_blockers_row *rows = &blockers->rows[i];
    for (n = 1; i + n < blockers->n && rows[n].server == rows->server && rows[n].node == rows->node;) {
      n++;
    }
    tell_place(story, rows, n, i == 0);
  }
}

/* --- the chain --- */

/* The words of a part of a story: the acting and the other side, and the word for a put. */
struct words {
  const char *own, *peer, *puts;
};

static void append_deed(char **line, const struct path_part *part, struct words words) {
  bool gets = part->kind == PATH_GET;
  xappend(line, "%s", words.own);
  if (part->kind == PATH_ENTRY) {
    xappend(line, " enters");
  } else if (part->kind != PATH_PROGRAM) {
    xappend(line, " %s%s %s %s %s", gets ? "gets" : words.puts, part->is_list ? " list" : "",
            units_format_bytes(part->nbytes), gets ? "from" : "to", words.peer);
  }
}

static void append_part(char **line, const struct path_part *part, const struct story *story) {
  bool by_ppe = part->spe == RECORD_NOBODY;
  const char *node = node_name(&story->names, part->node);
  const char *peer_node = node_name(&story->names, part->peer == RECORD_NOBODY ? part->node : part->peer);
  if (story->names.processes) {
    append_deed(line, part, (struct words){node, peer_node, "sends"});
    return;
  }
  if (story->spans_nodes && part->kind != PATH_MESSAGE) {
    xappend(line, "%s", node);
    if (node_is_host(&story->names, part->node)) {
      return; /* one processor, whose program is no rank */
    }
    xappend(line, " ");
  }
  const char *spe = text_brief(by_ppe ? "PPE of chip %u" : "SPE %u", by_ppe ? part->chip : part->spe);
  const char *peer = part->peer == RECORD_NOBODY ? "main memory" : text_brief("SPE %u", part->peer);
  switch ((enum path_kind)part->kind) {
  case PATH_PROGRAM:
  case PATH_ENTRY:
  case PATH_GET:
  case PATH_PUT:
    append_deed(line, part, (struct words){spe, peer, "puts"});
    break;
  case PATH_NOTIFICATION:
    xappend(line, "notification%s %s -> %s", part->is_list ? " list" : "", spe, peer);
    break;
  case PATH_MESSAGE:
    xappend(line, "message of %s from %s to %s", units_format_bytes(part->nbytes), node, peer_node);
    break;
  case PATH_SYNC:
    xappend(line, "%s waits for order", spe);
    break;
  case PATH_LINE:
    xappend(line, "atomic command of %s", spe);
    break;
  case PATH_KINDS:
    break;
  }
}

/* Append the blockers of part number PART of PATH; FIRST is the part's first segment. */
static void append_blockers(char **line, const struct path *path, size_t part, size_t first) {
  uint16_t spes[BLOCKERS_SHOWN];
  uint64_t cycles[BLOCKERS_SHOWN] = {0};
  size_t n = 0;
  for (size_t i = first; i < path->nsegments && path->segments[i].part == part; i++) {
    const struct path_segment *segment = &path->segments[i];
    if (path_causes[segment->cause].group != PATH_GROUP_OTHERS || segment->behind == RECORD_NOBODY) {
      continue;
    }
    size_t place = VEC_INDEX(spes, n, *item == segment->behind);
    if (place == BLOCKERS_SHOWN) {
      xappend(line, " (several)");
      return;
    }
    spes[place] = segment->behind;
    cycles[place] += segment->to - segment->from;
    n += place == n;
  }
  for (size_t i = 0; i < n; i++) {
    xappend(line, "%sSPE %u %llu%s", i == 0 ? " (" : ", ", spes[i], (ull)cycles[i], i + 1 == n ? ")" : "");
  }
}

/* Append the groups of causes of part number PART of PATH; FIRST is the part's first segment.
 * returns: the first segment of the next part. */
static size_t append_groups(char **line, const struct path *path, size_t part, size_t first) {
  uint64_t totals[PATH_CAUSES] = {0};
  const char *between = ": ";
  size_t next = first;
  for (; next < path->nsegments && path->segments[next].part == part; next++) {
    totals[path->segments[next].cause] += path->segments[next].to - path->segments[next].from;
  }
  for (unsigned group = 0; group < PATH_GROUPS; group++) {
    uint64_t cycles;
    if (sum_up(totals, group, &cycles) == 0) {
      continue;
    }
    xappend(line, "%s", between);
    between = ", ";
    if (group == PATH_GROUP_SOFTWARE || group == PATH_GROUP_NETWORK) {
      append_causes(line, totals, group);
    } else {
      xappend(line, "%s %llu", path_groups[group].text, (ull)cycles);
    }
    if (group == PATH_GROUP_OTHERS) {
      append_blockers(line, path, part, first);
    }
  }
  return next;
}

static void tell_chain(const struct story *story, const struct path *path) {
  size_t next = 0;
  for (size_t i = 0; i < path->nparts; i++) {
    const struct path_part *part = &path->parts[i];
    SCOPED char *line = xasprintf("%10llu - %-10llu  ", (ull)part->from, (ull)part->to);
    unsigned indent = (unsigned)strlen(line);
    append_part(&line, part, story);
    xappend(&line, part->step ? ", %s" : "", part->step);
    next = append_groups(&line, path, i, next);
    if (i < CHAIN_SHOWN || i + CHAIN_SHOWN >= path->nparts) {
      table_note_filled(story->table, line, indent);
    } else if (i == CHAIN_SHOWN) {
      table_note(story->table, "%10s  %zu more parts: see --critical-path=segments", "...",
                 path->nparts - 2 * CHAIN_SHOWN);
    }
  }
}

void run_path_tell(struct table *table, const struct call_path *found, bool spans_nodes) {
  struct story story = {table, found->names, spans_nodes};
  table_note(table, "critical path of %llu cycles:", (ull)found->path.end);
  tell_totals(table, &found->path);
  if (found->blockers.n) {
    table_note(table, "%s", "");
    tell_blockers(&story, &found->blockers);
  }
  table_note(table, "%s", "");
  tell_chain(&story, &found->path);
}
