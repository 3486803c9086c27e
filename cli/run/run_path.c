/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run/run_path.h"

#include "algos/catalogue.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int run_path_form(const struct opts *opts, size_t n, enum run_path_form *form, struct err *err) {
  *form = RUN_PATH_NONE;
  if (!opts->critical_path) {
    return 0;
  }
  bool segments = strcmp(opts->critical_path, "segments") == 0;
  if (*opts->critical_path && !segments) {
    return err_set(err, "--critical-path=%.40s, expected segments, or nothing behind it",
                   opts->critical_path);
  }
  *form = segments                     ? RUN_PATH_SEGMENTS
          : opts->format != TABLE_TEXT ? RUN_PATH_TOTALS
          : n > 1                      ? RUN_PATH_GROUPS
                                       : RUN_PATH_STORY;
  return 0;
}

struct table *run_path_table(const struct run_path_look *look) {
  switch (look->form) {
  case RUN_PATH_GROUPS:
    return table_new(text_brief("algorithm,platform,ranks,bytes,path,own bytes,others' bytes,taken,"
                                "window full,order,latency,software,combining,%slate entry",
                                look->spans_nodes ? "network," : ""));
  case RUN_PATH_TOTALS:
    return table_new("algorithm,platform,ranks,bytes,cause,cycles,version,platform_checksum");
  default:
    return table_new(text_brief("from,to,spe,kind,dma,cause,behind,peer,dma_bytes,algorithm,platform,ranks,"
                                "bytes,version,platform_checksum%s%s",
                                look->spans_nodes ? ",node" : "", look->has_steps ? ",step" : ""));
  }
}

/* Add the cells that say which run ROW is. */
static void add_run(struct table *table, const struct run_table_row *row) {
  table_add(table, "%s %p %u %zu", catalogue_name(&row->point->call.algorithm),
            machine_platform(row->point->machine), row->point->call.nranks, row->point->call.nbytes);
}

static void add_groups(struct table *table, const struct run_table_row *row, const struct path *path,
                       bool spans_nodes) {
  uint64_t cycles[PATH_GROUPS] = {0};
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    cycles[path_causes[i].group] += path->totals[i];
  }
  add_run(table, row);
  table_add_count(table, path->end - path->begin);
  for (unsigned i = 0; i < PATH_GROUPS; i++) {
    if (i != PATH_GROUP_NETWORK || spans_nodes) {
      table_add_count(table, cycles[i]);
    }
  }
}

static void add_totals(struct table *table, const struct run_table_row *row, const struct path *path) {
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    if (path->totals[i]) {
      add_run(table, row);
      table_add(table, "%s %" PRIu64, path_causes[i].name, path->totals[i]);
    }
  }
}

/* Add the number of SPE, or an empty cell. */
static void add_spe(struct table *table, unsigned spe) {
  if (spe == RECORD_NOBODY) {
    table_add_nothing(table);
  } else {
    table_add_count(table, spe);
  }
}

static void add_segments(struct table *table, const struct run_table_row *row, const struct path *path,
                         const struct run_path_look *look) {
  VEC_EACH(segment, path->segments, path->nsegments) {
    const struct path_part *part = &path->parts[segment->part];
    bool is_command = part->kind != PATH_PROGRAM && part->kind != PATH_ENTRY;
    table_add(table, "%" PRIu64 " %" PRIu64, segment->from, segment->to);
    if (part->kind == PATH_MESSAGE || !platform_has_spes(machine_platform(row->point->machine))) {
      table_add_nothing(table);
    } else if (part->spe == RECORD_NOBODY) {
      table_add_text(table, text_brief("ppe%u", part->chip));
    } else {
      table_add_count(table, part->spe);
    }
    table_add_text(table, path_kinds[part->kind]);
    if (is_command) {
      table_add_count(table, part->number);
    } else {
      table_add_nothing(table);
    }
    table_add_text(table, path_causes[segment->cause].name);
    add_spe(table, segment->behind);
    add_spe(table, part->peer);
    table_add_count(table, part->nbytes);
    add_run(table, row);
    if (look->spans_nodes) {
      table_add_count(table, part->node);
    }
    if (look->has_steps && part->step) {
      table_add_text(table, part->step);
    } else if (look->has_steps) {
      table_add_nothing(table);
    }
  }
}

void run_path_add(struct table *table, const struct run_table_row *row, const struct run_path_look *look) {
  struct pack pack = row->result->path;
  struct call_path found = call_unpack_path(&pack);
  struct node_names names = platform_node_names(machine_platform(row->point->machine));
  found.names.hosts = names.hosts;
  found.names.per_host = names.per_host;
  switch (look->form) {
  case RUN_PATH_NONE:
    break;
  case RUN_PATH_STORY:
    run_path_tell(table, &found, row->result->nodes > 1);
    break;
  case RUN_PATH_GROUPS:
    add_groups(table, row, &found.path, look->spans_nodes);
    break;
  case RUN_PATH_TOTALS:
    add_totals(table, row, &found.path);
    break;
  case RUN_PATH_SEGMENTS:
    add_segments(table, row, &found.path, look);
    break;
  }
  call_path_fini(&found);
}
