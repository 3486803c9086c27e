/* SPDX-License-Identifier: BSD-3-Clause
 * See call_path.h. */
#include "validate/lab/call_path.h"

#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>

/* --- there --- */

static void pack_blockers(struct pack *pack, const struct path *path, const struct path_records *records) {
  struct path_blockers blockers = path_blockers(path, records);
  pack_add_count(pack, blockers.n);
  for (size_t i = 0; i < blockers.n; i++) {
    const struct path_blockers_row *row = &blockers.rows[i];
    pack_add_text(pack, row->where);
    pack_add_count(pack, row->server);
    pack_add_count(pack, row->node);
    pack_add_count(pack, row->spe);
    pack_add_count(pack, row->own);
    pack_add_count(pack, row->cycles);
  }
  free(blockers.rows);
}

static void pack_part(struct pack *pack, const struct path_part *part, uint64_t begin) {
  pack_add_count(pack, part->from - begin);
  pack_add_count(pack, part->to - begin);
  pack_add_count(pack, part->number);
  pack_add_count(pack, part->nbytes);
  pack_add_count(pack, part->spe);
  pack_add_count(pack, part->chip);
  pack_add_count(pack, part->peer);
  pack_add_count(pack, part->node);
  pack_add_count(pack, part->kind);
  pack_add_count(pack, part->is_list);
}

static void pack_segment(struct pack *pack, const struct path_segment *segment, uint64_t begin) {
  pack_add_count(pack, segment->from - begin);
  pack_add_count(pack, segment->to - begin);
  pack_add_count(pack, segment->part);
  pack_add_count(pack, segment->command);
  pack_add_count(pack, segment->behind);
  pack_add_count(pack, segment->server);
  pack_add_count(pack, segment->node);
  pack_add_count(pack, segment->cause);
}

void call_pack_path(struct pack *pack, const struct path_records *records, bool chain) {
  struct path path;
  path_find(&path, records);
  pack_add_count(pack, records->names.processes);
  pack_add_count(pack, records->names.first_host);
  pack_add_count(pack, path.end - path.begin);
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    pack_add_count(pack, path.totals[i]);
  }
  pack_blockers(pack, &path, records);
  pack_add_count(pack, chain ? path.nparts : 0);
  for (size_t i = 0; chain && i < path.nparts; i++) {
    pack_part(pack, &path.parts[i], path.begin);
  }
  pack_add_count(pack, chain ? path.nsegments : 0);
  for (size_t i = 0; chain && i < path.nsegments; i++) {
    pack_segment(pack, &path.segments[i], path.begin);
  }
  path_fini(&path);
}

/* --- and back --- */

static struct path_blockers take_blockers(struct pack *pack) {
  struct path_blockers blockers = {.n = pack_take_count(pack)};
  blockers.rows = xcalloc(blockers.n + 1, sizeof *blockers.rows);
  for (size_t i = 0; i < blockers.n; i++) {
    struct path_blockers_row *row = &blockers.rows[i];
    snprintf(row->where, sizeof row->where, "%s", pack_take_text(pack));
    row->server = (uint32_t)pack_take_count(pack);
    row->node = (uint16_t)pack_take_count(pack);
    row->spe = (uint16_t)pack_take_count(pack);
    row->own = pack_take_count(pack);
    row->cycles = pack_take_count(pack);
  }
  return blockers;
}

static void take_part(struct pack *pack, struct path_part *part) {
  part->from = pack_take_count(pack);
  part->to = pack_take_count(pack);
  part->number = (uint32_t)pack_take_count(pack);
  part->nbytes = (uint32_t)pack_take_count(pack);
  part->spe = (uint16_t)pack_take_count(pack);
  part->chip = (uint16_t)pack_take_count(pack);
  part->peer = (uint16_t)pack_take_count(pack);
  part->node = (uint16_t)pack_take_count(pack);
  part->kind = (uint8_t)pack_take_count(pack);
  part->is_list = pack_take_count(pack);
}

static void take_segment(struct pack *pack, struct path_segment *segment) {
  segment->from = pack_take_count(pack);
  segment->to = pack_take_count(pack);
  segment->part = (uint32_t)pack_take_count(pack);
  segment->command = (uint32_t)pack_take_count(pack);
  segment->behind = (uint16_t)pack_take_count(pack);
  segment->server = (uint32_t)pack_take_count(pack);
  segment->node = (uint16_t)pack_take_count(pack);
  segment->cause = (uint8_t)pack_take_count(pack);
}

struct call_path call_unpack_path(struct pack *pack) {
  struct call_path result = {.names.processes = pack_take_count(pack)};
  struct path *path = &result.path;
  result.names.first_host = (unsigned)pack_take_count(pack);
  path->end = pack_take_count(pack);
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    path->totals[i] = pack_take_count(pack);
  }
  result.blockers = take_blockers(pack);
  path->nparts = pack_take_count(pack);
  path->parts = xcalloc(path->nparts + 1, sizeof *path->parts);
  for (size_t i = 0; i < path->nparts; i++) {
    take_part(pack, &path->parts[i]);
  }
  path->nsegments = pack_take_count(pack);
  path->segments = xcalloc(path->nsegments + 1, sizeof *path->segments);
  for (size_t i = 0; i < path->nsegments; i++) {
    take_segment(pack, &path->segments[i]);
  }
  return result;
}

void call_path_fini(struct call_path *path) {
  path_fini(&path->path);
  free(path->blockers.rows);
}
