/* SPDX-License-Identifier: BSD-3-Clause
 * What `cellcoll run --critical-path` prints. */
#include "algos/catalogue.h"
#include "cli/run/run_ways.h"
#include "cli/session.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/call/call_watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int begin(struct runs *runs) {
  const char *word = runs->opts->critical_path;
  runs->form = runs->opts->format != TABLE_TEXT ? RUN_PATH_TOTALS
               : runs->points.n > 1             ? RUN_PATH_GROUPS
                                                : RUN_PATH_STORY;
  if (strcmp(word, "calls") == 0) {
    runs->form = RUN_PATH_CALLS;
  } else if (strcmp(word, "segments") == 0) {
    runs->form = RUN_PATH_SEGMENTS;
  } else if (*word) {
    err_set(runs->session->err, "--critical-path=%.40s, expected calls, segments, or nothing behind it",
            word);
    return CLI_USAGE;
  }
  bool chain = runs->form == RUN_PATH_STORY || runs->form >= RUN_PATH_CALLS;
  VEC_EACH(point, runs->points.items, runs->points.n) {
    point->observers |= chain ? CALL_CHAIN : 0;
  }
  return runs->form == RUN_PATH_CALLS ? run_calls_check(runs, "--critical-path=calls") : CLI_DONE;
}

struct table *run_path_table(const struct runs *runs) {
  switch (runs->form) {
  case RUN_PATH_GROUPS:
    return table_new(text_brief("algorithm,platform,ranks,bytes,path,own bytes,others' bytes,taken,"
                                "window full,order,latency,software,combining,%s%slate entry",
                                runs->has_programs ? "computing," : "", runs->spans_nodes ? "network," : ""));
  case RUN_PATH_TOTALS:
    return table_new("algorithm,platform,ranks,bytes,cause,cycles,version,platform_checksum");
  case RUN_PATH_CALLS:
    return table_new("algorithm,platform,ranks,bytes,step,cause,cycles,version,platform_checksum");
  default:
    return table_new(text_brief("from,to,spe,kind,dma,cause,behind,peer,dma_bytes,algorithm,platform,ranks,"
                                "bytes,version,platform_checksum%s%s",
                                runs->spans_nodes ? ",node" : "", runs->has_steps ? ",step" : ""));
  }
}

/* Add the cells that say which run is that of POINT. */
static void add_run(struct table *table, const struct point *point) {
  table_add(table, "%s %p %u %zu", catalogue_name(&point->call.algorithm), machine_platform(point->machine),
            point->call.nranks, point->call.nbytes);
}

static void add_groups(const struct runs *runs, const struct point *point, const struct path *path) {
  uint64_t cycles[PATH_GROUPS];
  path_sum_groups(path->totals, cycles);
  add_run(runs->paths, point);
  table_add_count(runs->paths, path->end - path->begin);
  for (unsigned i = 0; i < PATH_GROUPS; i++) {
    if (i == PATH_GROUP_NETWORK ? runs->spans_nodes : i != PATH_GROUP_COMPUTING || runs->has_programs) {
      table_add_count(runs->paths, cycles[i]);
    }
  }
}

static void add_segments(const struct runs *runs, const struct point *point, const struct path *path) {
  struct table *table = runs->paths;
  VEC_EACH(segment, path->segments, path->nsegments) {
    const struct path_part *part = &path->parts[segment->part];
    table_add(table, "%" PRIu64 " %" PRIu64, segment->from, segment->to);
    bool has_spe = part->kind != PATH_MESSAGE && platform_has_spes(machine_platform(point->machine));
    if (has_spe && part->spe == RECORD_NOBODY) {
      table_add_text(table, text_brief("ppe%u", part->chip));
    } else {
      table_add_known(table, has_spe, part->spe);
    }
    table_add_text(table, path_kinds[part->kind]);
    table_add_known(table, part->kind != PATH_PROGRAM && part->kind != PATH_ENTRY, part->number);
    table_add_text(table, path_causes[segment->cause].name);
    table_add_known(table, segment->behind != RECORD_NOBODY, segment->behind);
    table_add_known(table, part->peer != RECORD_NOBODY, part->peer);
    table_add_count(table, part->nbytes);
    add_run(table, point);
    if (runs->spans_nodes) {
      table_add_count(table, part->node);
    }
    if (runs->has_steps) {
      table_add(table, "%s", part->step);
    }
  }
}

/* --- a critical path told to people --- */

typedef unsigned long long ull;

/* Number of parts shown at each end of a chain; maximum numbers of blockers shown for a part, of steps. */
enum { CHAIN_SHOWN = 60, BLOCKERS_SHOWN = 8, STEPS_SHOWN = 10 };

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

/* Tell whether the causes of GROUP say more than the name of GROUP. */
static bool has_causes(enum path_group group) {
  return group == PATH_GROUP_OWN || group == PATH_GROUP_NETWORK || group == PATH_GROUP_OTHERS ||
         group == PATH_GROUP_TAKEN || group == PATH_GROUP_LATENCY || group == PATH_GROUP_SOFTWARE;
}

/* Return CYCLES and their share of PATH, the head of a line; a text_brief. */
static const char *tell_share(const struct path *path, uint64_t cycles) {
  return text_brief("%10llu  %5.1f %%  ", (ull)cycles, 100 * (double)cycles / (double)path->end);
}

static void tell_totals(struct table *table, const struct path *path) {
  uint64_t cycles[PATH_GROUPS];
  path_sum_groups(path->totals, cycles);
  for (unsigned group = 0; group < PATH_GROUPS; group++) {
    if (cycles[group] == 0) {
      continue;
    }
    SCOPED char *line = xstrdup(path_groups[group].text);
    if (has_causes(group)) {
      xappend(&line, ": ");
      append_causes(&line, path->totals, group);
    }
    table_note_filled(table, tell_share(path, cycles[group]), line);
  }
}

/* --- calls of a program --- */

/* A step on a path, and the causes of its cycles. */
struct step_total {
  const char *name;
  uint64_t cycles, causes[PATH_CAUSES];
};

static int compare_steps(const void *a, const void *b) {
  const struct step_total *first = a, *second = b;
  return first->cycles > second->cycles ? -1 : first->cycles < second->cycles;
}

/* Sum up the parts of PATH by step, most cycles first; *N becomes the number of steps.
 * owner: the caller. */
static struct step_total *sum_up_steps(const struct path *path, size_t *n) {
  struct step_total *steps = NULL;
  size_t latest = *n = 0;
  VEC_EACH(segment, path->segments, path->nsegments) {
    const char *name = path->parts[segment->part].step;
    if (!name) {
      continue;
    }
    if (latest == *n || strcmp(steps[latest].name, name) != 0) {
      latest = VEC_INDEX(steps, *n, strcmp(item->name, name) == 0);
    }
    if (latest == *n) {
      VEC_ADD(steps, *n) = (struct step_total){.name = name};
    }
    steps[latest].cycles += segment->to - segment->from;
    steps[latest].causes[segment->cause] += segment->to - segment->from;
  }
  if (*n) {
    qsort(steps, *n, sizeof *steps, compare_steps);
  }
  return steps;
}

static void tell_steps(struct table *table, const struct path *path) {
  size_t n;
  uint64_t rest = 0;
  SCOPED struct step_total *steps = sum_up_steps(path, &n);
  for (size_t i = 0; i < n; i++) {
    if (i >= STEPS_SHOWN) {
      rest += steps[i].cycles;
      continue;
    }
    SCOPED char *line = xstrdup(steps[i].name);
    const char *between = ": ";
    uint64_t cycles[PATH_GROUPS];
    path_sum_groups(steps[i].causes, cycles);
    for (unsigned group = 0; group < PATH_GROUPS; group++) {
      if (cycles[group]) {
        xappend(&line, "%s%s %llu", between, path_groups[group].text, (ull)cycles[group]);
        between = ", ";
      }
    }
    table_note_filled(table, tell_share(path, steps[i].cycles), line);
  }
  if (rest) {
    table_note(table, "%s%zu other lines", tell_share(path, rest), n - STEPS_SHOWN);
  }
}

static void add_calls(struct table *table, const struct point *point, const struct path *path) {
  size_t n;
  SCOPED struct step_total *steps = sum_up_steps(path, &n);
  VEC_EACH(step, steps, n) {
    for (unsigned cause = 0; cause < PATH_CAUSES; cause++) {
      if (step->causes[cause]) {
        add_run(table, point);
        table_add_text(table, step->name);
        table_add(table, "%s %" PRIu64, path_causes[cause].name, step->causes[cause]);
      }
    }
  }
}

/* --- blockers --- */

/* Describe the N ROWS, the blockers at one place. */
static void tell_place(const struct story *story, const struct path_blockers_row *rows, size_t n,
                       bool first) {
  uint64_t rest = 0;
  SCOPED char *line = NULL;
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
  table_note_filled(story->table, text_brief("on %s: ", rows->where), line);
}

/* --- the chain --- */

/* Append what PART does: OWN and PEER are the acting and the other side, PUTS is the word for a put. */
static void append_deed(char **line, const struct path_part *part, const char *own, const char *peer,
                        const char *puts) {
  bool gets = part->kind == PATH_GET;
  xappend(line, "%s", own);
  if (part->kind == PATH_ENTRY) {
    xappend(line, " enters");
  } else if (part->kind != PATH_PROGRAM) {
    xappend(line, " %s%s %s %s %s", gets ? "gets" : puts, part->is_list ? " list" : "",
            units_format_bytes(part->nbytes), gets ? "from" : "to", peer);
  }
}

static void append_part(char **line, const struct path_part *part, const struct story *story) {
  bool by_ppe = part->spe == RECORD_NOBODY;
  const char *node = node_name(&story->names, part->node);
  const char *peer_node = node_name(&story->names, part->peer == RECORD_NOBODY ? part->node : part->peer);
  if (story->names.processes) {
    append_deed(line, part, node, peer_node, "sends");
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
    append_deed(line, part, spe, peer, "puts");
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
  uint64_t totals[PATH_CAUSES] = {0}, cycles[PATH_GROUPS];
  const char *between = ": ";
  size_t next = first;
  for (; next < path->nsegments && path->segments[next].part == part; next++) {
    totals[path->segments[next].cause] += path->segments[next].to - path->segments[next].from;
  }
  path_sum_groups(totals, cycles);
  for (unsigned group = 0; group < PATH_GROUPS; group++) {
    if (cycles[group] == 0) {
      continue;
    }
    xappend(line, "%s", between);
    between = ", ";
    if (group == PATH_GROUP_SOFTWARE || group == PATH_GROUP_NETWORK) {
      append_causes(line, totals, group);
    } else {
      xappend(line, "%s %llu", path_groups[group].text, (ull)cycles[group]);
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
    SCOPED char *line = NULL;
    append_part(&line, part, story);
    xappend(&line, part->step ? ", %s" : "", part->step);
    next = append_groups(&line, path, i, next);
    if (i < CHAIN_SHOWN || i + CHAIN_SHOWN >= path->nparts) {
      table_note_filled(story->table, text_brief("%10llu - %-10llu  ", (ull)part->from, (ull)part->to), line);
    } else if (i == CHAIN_SHOWN) {
      table_note(story->table, "%10s  %zu more parts: see --critical-path=segments", "...",
                 path->nparts - 2 * CHAIN_SHOWN);
    }
  }
}

/* Tell FOUND, the path of a call, or of a program, in lines below the table of STORY: causes of the cycles,
 * the calls of a program, the ranks in the way, and the chain, part by part. */
static void tell(const struct story *story, const struct call_path *found, bool is_program) {
  struct table *table = story->table;
  table_note(table, "critical path of %llu cycles:", (ull)found->path.end);
  tell_totals(table, &found->path);
  if (is_program) {
    table_note(table, "%s", "");
    tell_steps(table, &found->path);
  }
  table_note(table, "%s", "");
  for (size_t i = 0, n; i < found->blockers.n; i += n) {
    const struct path_blockers_row *rows = &found->blockers.rows[i];
    for (n = 1; i + n < found->blockers.n && rows[n].server == rows->server && rows[n].node == rows->node;) {
      n++;
    }
    tell_place(story, rows, n, i == 0);
  }
  if (found->blockers.n) {
    table_note(table, "%s", "");
  }
  tell_chain(story, &found->path);
}

static void add(struct runs *runs, const struct point *point, const struct call_result *result) {
  struct pack pack = result->path;
  if (call_stopped(result)) {
    return;
  }
  struct call_path found = call_unpack_path(&pack);
  struct node_names names = platform_node_names(machine_platform(point->machine));
  found.names.hosts = names.hosts;
  found.names.per_host = names.per_host;
  switch (runs->form) {
  case RUN_PATH_NONE:
    break;
  case RUN_PATH_STORY:
    tell(&(struct story){runs->paths, found.names, result->nodes > 1}, &found, runs->has_programs);
    break;
  case RUN_PATH_GROUPS:
    add_groups(runs, point, &found.path);
    break;
  case RUN_PATH_TOTALS:
    for (unsigned i = 0; i < PATH_CAUSES; i++) {
      if (found.path.totals[i]) {
        add_run(runs->paths, point);
        table_add(runs->paths, "%s %" PRIu64, path_causes[i].name, found.path.totals[i]);
      }
    }
    break;
  case RUN_PATH_CALLS:
    add_calls(runs->paths, point, &found.path);
    break;
  case RUN_PATH_SEGMENTS:
    add_segments(runs, point, &found.path);
    break;
  }
  call_path_fini(&found);
}

const struct way run_path = {OPT_CRITICAL_PATH, CALL_PATH, "--critical-path", .begin = begin, .add = add};
