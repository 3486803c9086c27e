/* SPDX-License-Identifier: BSD-3-Clause
 * See path_blockers.h. */
#include "traces/path_blockers.h"

#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>

/* Write what UNIT of CHIP is into TEXT. */
static void
describe_unit(const struct parameters *parameters, unsigned chip, unsigned unit, char text[PATH_WHERE_SIZE])
{
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

static void
describe(const struct record *record, unsigned server, char text[PATH_WHERE_SIZE])
{
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

/* By place, and then by cycles. */
static int
compare_rows(const void *a, const void *b)
{
  const struct path_blockers_row *x = a, *y = b;
  return x->server != y->server   ? (x->server > y->server) - (x->server < y->server)
         : x->cycles != y->cycles ? (x->cycles < y->cycles) - (x->cycles > y->cycles)
                                  : (x->spe > y->spe) - (x->spe < y->spe);
}

/* Return the cycles of the N rows from ROWS on that are at the place of the first one, and in *SAME how many these are. */
static uint64_t
cycles_at(const struct path_blockers_row *rows, size_t n, size_t *same)
{
  uint64_t cycles = 0;
  for (*same = 0; *same < n && rows[*same].server == rows->server; ++*same) {
    cycles += rows[*same].cycles;
  }
  return cycles;
}

/* Bring the places of BLOCKERS, whose rows are by place, into the order of their cycles. */
static void
order_places(struct path_blockers *blockers)
{
  struct path_blockers_row *ordered = xcalloc(blockers->n + 1, sizeof *ordered);
  size_t done = 0;
  while (done < blockers->n) {
    uint64_t most = 0;
    size_t best = 0, nbest = 0;
    for (size_t i = 0, same; i < blockers->n; i += same) {
      uint64_t cycles = cycles_at(&blockers->rows[i], blockers->n - i, &same);
      if (cycles > most) {
        most = cycles;
        best = i;
        nbest = same;
      }
    }
    for (size_t i = best; i < best + nbest; i++) {
      ordered[done++] = blockers->rows[i];
      blockers->rows[i].cycles = 0;
    }
  }
  free(blockers->rows);
  blockers->rows = ordered;
}

/* Return the row of BLOCKERS for WANTED, which is added if it is not there; it has room for it. */
static struct path_blockers_row *
find(struct path_blockers *blockers, const struct path_blockers_row *wanted)
{
  size_t i = 0;
  while (i < blockers->n && (blockers->rows[i].server != wanted->server ||
                             blockers->rows[i].spe != wanted->spe || blockers->rows[i].own != wanted->own)) {
    i++;
  }
  if (i == blockers->n) {
    blockers->rows[blockers->n++] = *wanted;
  }
  return &blockers->rows[i];
}

struct path_blockers
path_blockers(const struct path *path, const struct record *record)
{
  struct path_blockers blockers = {0};
  size_t room = 0;
  for (size_t i = 0; i < path->nsegments; i++) {
    const struct path_segment *segment = &path->segments[i];
    if (path_cause_group(segment->cause) != PATH_GROUP_OTHERS) {
      continue;
    }
    if (blockers.n == room) {
      room = 2 * room + 16;
      blockers.rows = xrealloc(blockers.rows, room, sizeof *blockers.rows);
    }
    struct path_blockers_row wanted = {.server = segment->server,
                                       .spe = segment->behind,
                                       .own = path->parts[segment->part].spe == segment->behind};
    find(&blockers, &wanted)->cycles += segment->to - segment->from;
  }
  for (size_t i = 0; i < blockers.n; i++) {
    describe(record, blockers.rows[i].server, blockers.rows[i].where);
  }
  if (blockers.n) {
    qsort(blockers.rows, blockers.n, sizeof *blockers.rows, compare_rows);
    order_places(&blockers);
  }
  return blockers;
}
