/* SPDX-License-Identifier: BSD-3-Clause
 * See path.h: blockers. */
#include "traces/path/path.h"

#include "sim/base/text.h"
#include "sim/base/vec.h"

#include <stdio.h>
#include <stdlib.h>

/* Return the name of SERVER of the blade of RECORD. */
static const char *server_name(const struct record *record, unsigned server) {
  if (server == RECORD_NOBODY) {
    return "a line of memory";
  }
  const struct parameters *parameters = &record->parameters;
  struct record_server what = record_server(record, server);
  unsigned n = parameters->spes_per_chip,
           spe = (unsigned)VEC_INDEX(parameters->spe_units, n, *item == what.other);
  if (what.kind != RECORD_RAMP) {
    return what.kind == RECORD_MEMORY ? text_brief("the memory of chip %u", what.chip)
                                      : text_brief("the link from chip %u to chip %u", what.chip, what.other);
  }
  return spe < n ? text_brief("the ramp of SPE %u", what.chip * n + spe)
                 : text_brief("the ramp of the %s of chip %u",
                              what.other == parameters->memory_unit ? "memory"
                              : what.other == parameters->bif_unit  ? "BIF"
                                                                    : "PPE",
                              what.chip);
}

const char *path_blockers_name(const struct path_blockers_row *row, const struct node_names *names) {
  return row->node == RECORD_NOBODY ? node_name(names, row->spe) : text_brief("SPE %u", row->spe);
}

/* Write the name of the server of ROW. */
static void describe_server(const struct path_records *records, struct path_blockers_row *row) {
  if (row->node == RECORD_NOBODY) {
    snprintf(row->where, sizeof row->where, "link %.80s", records->net->servers[row->server].name);
    return;
  }
  bool several = records->n > 1;
  snprintf(row->where, sizeof row->where, "%.80s%s%s", server_name(records->nodes[row->node], row->server),
           several ? " of " : "", several ? node_name(&records->names, row->node) : "");
}

/* Tell whether X and Y are about one place. */
static bool is_same_place(const struct path_blockers_row *x, const struct path_blockers_row *y) {
  return x->server == y->server && x->node == y->node;
}

/* The place with most cycles first, and at each place the blocker with most cycles. */
static int compare_rows(const void *a, const void *b) {
  const struct path_blockers_row *x = a, *y = b;
  const uint64_t keys[][2] = {{y->place_cycles, x->place_cycles},
                              {x->node, y->node},
                              {x->server, y->server},
                              {y->cycles, x->cycles},
                              {x->spe, y->spe}};
  VEC_EACH(key, keys, VEC_LENGTH(keys)) {
    if ((*key)[0] != (*key)[1]) {
      return (*key)[0] > (*key)[1] ? 1 : -1;
    }
  }
  return 0;
}

struct path_blockers path_blockers(const struct path *path, const struct path_records *records) {
  struct path_blockers blockers = {0};
  VEC_EACH(segment, path->segments, path->nsegments) {
    if (path_causes[segment->cause].group != PATH_GROUP_OTHERS && segment->cause != PATH_NET_TAKEN) {
      continue;
    }
    struct path_blockers_row wanted = {.server = segment->server,
                                       .node = segment->node,
                                       .spe = segment->behind,
                                       .own = segment->node != RECORD_NOBODY &&
                                              path->parts[segment->part].spe == segment->behind};
    size_t i = VEC_INDEX(blockers.rows, blockers.n,
                         is_same_place(item, &wanted) && item->spe == wanted.spe && item->own == wanted.own);
    if (i == blockers.n) {
      VEC_ADD(blockers.rows, blockers.n) = wanted;
    }
    blockers.rows[i].cycles += segment->to - segment->from;
  }
  VEC_EACH(row, blockers.rows, blockers.n) {
    describe_server(records, row);
    VEC_EACH(other, blockers.rows, blockers.n) {
      row->place_cycles += is_same_place(row, other) ? other->cycles : 0;
    }
  }
  if (blockers.n) {
    qsort(blockers.rows, blockers.n, sizeof *blockers.rows, compare_rows);
  }
  return blockers;
}
