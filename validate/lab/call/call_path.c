/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/call/call_path.h"

#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>

/* The numbers of a blocker, a part and a segment, in the order of a result. */
#define BLOCKER(FIELD) FIELD(server) FIELD(node) FIELD(spe) FIELD(own) FIELD(cycles)
#define PART(FIELD) \
  FIELD(from) \
  FIELD(to) \
  FIELD(number) FIELD(nbytes) FIELD(spe) FIELD(chip) FIELD(peer) FIELD(node) FIELD(kind) FIELD(is_list)
#define SEGMENT(FIELD) \
  FIELD(from) FIELD(to) FIELD(part) FIELD(command) FIELD(behind) FIELD(server) FIELD(node) FIELD(cause)
#define ADD(field) pack_add_count(pack, row->field);
#define TAKE(field) row->field = (__typeof__(row->field))pack_take_count(pack);

/* --- there --- */

static void pack_blockers(struct pack *pack, const struct path *path, const struct path_records *records) {
  struct path_blockers blockers = path_blockers(path, records);
  pack_add_count(pack, blockers.n);
  for (size_t i = 0; i < blockers.n; i++) {
    const struct path_blockers_row *row = &blockers.rows[i];
    pack_add_text(pack, row->where);
    BLOCKER(ADD)
  }
  free(blockers.rows);
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
    struct path_part *row = &path.parts[i];
    row->from -= path.begin;
    row->to -= path.begin;
    PART(ADD)
    pack_add_text(pack, row->step ? row->step : "");
  }
  pack_add_count(pack, chain ? path.nsegments : 0);
  for (size_t i = 0; chain && i < path.nsegments; i++) {
    struct path_segment *row = &path.segments[i];
    row->from -= path.begin;
    row->to -= path.begin;
    SEGMENT(ADD)
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
    BLOCKER(TAKE)
  }
  return blockers;
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
    struct path_part *row = &path->parts[i];
    PART(TAKE)
    const char *step = pack_take_text(pack);
    row->step = *step ? step : NULL;
  }
  path->nsegments = pack_take_count(pack);
  path->segments = xcalloc(path->nsegments + 1, sizeof *path->segments);
  for (size_t i = 0; i < path->nsegments; i++) {
    struct path_segment *row = &path->segments[i];
    SEGMENT(TAKE)
  }
  return result;
}

void call_path_fini(struct call_path *path) {
  path_fini(&path->path);
  free(path->blockers.rows);
}
