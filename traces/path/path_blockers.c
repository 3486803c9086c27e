/* SPDX-License-Identifier: BSD-3-Clause
 * See path_blockers.h. */
#include "traces/path/path_blockers.h"

#include "sim/base/vec.h"
#include "traces/record/net_record.h"

#include <stdlib.h>

/* Write the name of UNIT of CHIP into TEXT. */
static void describe_unit(const struct parameters *parameters, unsigned chip, unsigned unit,
                          char text[PATH_WHERE_SIZE]) {
  for (unsigned i = 0; i < parameters->spes_per_chip; i++) {
    if (parameters->spe_units[i] == unit) {
      snprintf(text, PATH_WHERE_SIZE, "the ramp of SPE %u", chip * parameters->spes_per_chip + i);
      return;
    }
  }
  snprintf(text, PATH_WHERE_SIZE, "the ramp of the %s of chip %u",
           unit == parameters->memory_unit ? "memory"
           : unit == parameters->bif_unit  ? "BIF"
                                           : "PPE",
           chip);
}

/* Write the name of SERVER of the blade of RECORD into TEXT. */
static void describe_on_blade(const struct record *record, unsigned server, char text[PATH_WHERE_SIZE]) {
  if (server == RECORD_NOBODY) {
    snprintf(text, PATH_WHERE_SIZE, "a line of memory");
    return;
  }
  struct record_server what = record_server(record, server);
  switch (what.kind) {
  case RECORD_RAMP:
    describe_unit(&record->parameters, what.chip, what.other, text);
    break;
  case RECORD_MEMORY:
    snprintf(text, PATH_WHERE_SIZE, "the memory of chip %u", what.chip);
    break;
  case RECORD_LINK:
    snprintf(text, PATH_WHERE_SIZE, "the link from chip %u to chip %u", what.chip, what.other);
    break;
  }
}

/* Write the name of the server of ROW. */
static void describe_server(const struct path_records *records, struct path_blockers_row *row) {
  char text[PATH_WHERE_SIZE];
  if (row->node == RECORD_NOBODY) {
    snprintf(row->where, sizeof row->where, "link %.80s", records->net->servers[row->server].name);
    return;
  }
  describe_on_blade(records->nodes[row->node], row->server, text);
  if (records->n > 1) {
    char node[NODE_NAME_SIZE];
    node_name(&records->names, row->node, node);
    snprintf(row->where, sizeof row->where, "%.80s of %s", text, node);
  } else {
    snprintf(row->where, sizeof row->where, "%s", text);
  }
}

/* Tell whether X and Y are about one place. */
static bool is_same_place(const struct path_blockers_row *x, const struct path_blockers_row *y) {
  return x->server == y->server && x->node == y->node;
}

/* The place with most cycles first, and at each place the blocker with most cycles. */
static int compare_rows(const void *a, const void *b) {
  const struct path_blockers_row *x = a, *y = b;
  return x->place_cycles != y->place_cycles ? (x->place_cycles < y->place_cycles ? 1 : -1)
         : x->node != y->node               ? (x->node > y->node ? 1 : -1)
         : x->server != y->server           ? (x->server > y->server ? 1 : -1)
         : x->cycles != y->cycles           ? (x->cycles < y->cycles ? 1 : -1)
                                            : (x->spe > y->spe) - (x->spe < y->spe);
}

/* Return the row of BLOCKERS for WANTED. A missing row is added; BLOCKERS has room for one. */
static struct path_blockers_row *find(struct path_blockers *blockers,
                                      const struct path_blockers_row *wanted) {
  size_t i = VEC_INDEX(blockers->rows, blockers->n,
                       is_same_place(item, wanted) && item->spe == wanted->spe && item->own == wanted->own);
  if (i == blockers->n) {
    VEC_ADD(blockers->rows, blockers->n) = *wanted;
  }
  return &blockers->rows[i];
}

struct path_blockers path_blockers(const struct path *path, const struct path_records *records) {
  struct path_blockers blockers = {0};
  for (size_t i = 0; i < path->nsegments; i++) {
    const struct path_segment *segment = &path->segments[i];
    if (path_causes[segment->cause].group != PATH_GROUP_OTHERS && segment->cause != PATH_NET_TAKEN) {
      continue;
    }
    struct path_blockers_row wanted = {.server = segment->server,
                                       .node = segment->node,
                                       .spe = segment->behind,
                                       .own = segment->node != RECORD_NOBODY &&
                                              path->parts[segment->part].spe == segment->behind};
    find(&blockers, &wanted)->cycles += segment->to - segment->from;
  }
  for (size_t i = 0; i < blockers.n; i++) {
    struct path_blockers_row *row = &blockers.rows[i];
    describe_server(records, row);
    for (size_t j = 0; j < blockers.n; j++) {
      row->place_cycles += is_same_place(row, &blockers.rows[j]) ? blockers.rows[j].cycles : 0;
    }
  }
  if (blockers.n) {
    qsort(blockers.rows, blockers.n, sizeof *blockers.rows, compare_rows);
  }
  return blockers;
}
