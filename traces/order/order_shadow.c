/* SPDX-License-Identifier: BSD-3-Clause
 * A shadow of memory: for each byte the last write and the reads since. Bytes with the same history are one
 * cell, which an access to a part of the bytes divides. */
#include "sim/base/vec.h"
#include "traces/order/order_private.h"

#include <string.h>

/* Return the number of the first cell that ends behind START, usually the cell found last. */
static size_t first_cell(struct order_shadow *shadow, uint64_t start) {
  const struct order_cell *cells = shadow->cells;
  size_t last = shadow->last;
  if (last < shadow->n && cells[last].end > start && (last == 0 || cells[last - 1].end <= start)) {
    return last;
  }
  return shadow->last = VEC_COUNT_BEFORE(cells, shadow->n, item->end > start);
}

/* Put CELL in place AT. */
static void insert(struct order_shadow *shadow, size_t at, struct order_cell cell) {
  struct order_cell *end = VEC_REACH(shadow->cells, shadow->room, shadow->n), *place = &shadow->cells[at];
  memmove(place + 1, place, (size_t)(end - place) * sizeof cell);
  *place = cell;
  shadow->n++;
}

/* Return a new read with STAMP, the last one of a list. */
static struct order_read *new_read(struct order_shadow *shadow, struct order_stamp stamp) {
  struct order_read *read = pool_take(&shadow->reads);
  *read = (struct order_read){.stamp = stamp};
  return read;
}

/* Take the read at LINK out of the list. */
static void drop_read(struct order_shadow *shadow, struct order_read **link) {
  struct order_read *read = *link;
  *link = read->next;
  pool_give(&shadow->reads, read);
}

/* Let cell I end at EA, a place within the cell, and another cell begin there. */
static void split(struct order_shadow *shadow, size_t i, uint64_t ea) {
  struct order_cell low = shadow->cells[i];
  struct order_read **last = &low.reads;
  low.end = ea;
  for (const struct order_read *read = low.reads; read; read = read->next) {
    *last = new_read(shadow, read->stamp);
    last = &(*last)->next;
  }
  insert(shadow, i, low);
  shadow->cells[i + 1].start = ea;
}

/* Let no cell reach across the ends of SPAN.
 * returns: the number of the first cell that ends behind the start of SPAN. */
static size_t cut_out(struct order_shadow *shadow, struct order_span span) {
  uint64_t end = span.ea + span.nbytes;
  size_t first = first_cell(shadow, span.ea);
  if (first < shadow->n && shadow->cells[first].start < span.ea) {
    split(shadow, first++, span.ea);
  }
  size_t last = first + VEC_INDEX(&shadow->cells[first], shadow->n - first, item->end >= end);
  if (last < shadow->n && shadow->cells[last].start < end && shadow->cells[last].end > end) {
    split(shadow, last, end);
  }
  return first;
}

/* A tell follows all earlier puts of the process into the same memory. */
static bool is_known(const struct order_judge *judge, const struct order_stamp *stamp) {
  const struct order_clock *clock = judge->knows;
  return stamp->count <= order_clock_get(clock, stamp->lane) ||
         (stamp->seers && order_knows_seer(judge->order, clock, stamp->seers)) ||
         (stamp->pair && ((judge->stamp->tells && judge->stamp->pair == stamp->pair) ||
                          order_knows_by_tell(judge->order, clock, stamp)));
}

/* Keep the read of JUDGE among the reads of CELL. Earlier reads known to be over do not stay. */
static void add_read(struct order_shadow *shadow, struct order_cell *cell, const struct order_judge *judge) {
  struct order_read **link = &cell->reads;
  while (*link) {
    if ((*link)->stamp.lane == judge->stamp->lane || is_known(judge, &(*link)->stamp)) {
      drop_read(shadow, link);
    } else {
      link = &(*link)->next;
    }
  }
  *link = new_read(shadow, *judge->stamp);
}

void order_shadow_read(struct order_shadow *shadow, struct order_span span, const struct order_judge *judge) {
  uint64_t end = span.ea + span.nbytes;
  size_t i = cut_out(shadow, span);
  for (uint64_t at = span.ea; at < end; i++) {
    if (i == shadow->n || shadow->cells[i].start > at) {
      uint64_t next = i == shadow->n || shadow->cells[i].start > end ? end : shadow->cells[i].start;
      insert(shadow, i, (struct order_cell){.start = at, .end = next});
    }
    struct order_cell *cell = &shadow->cells[i];
    if (cell->writer.count && !is_known(judge, &cell->writer)) {
      order_report(judge, &cell->writer, cell, false);
    }
    add_read(shadow, cell, judge);
    at = cell->end;
  }
}

void order_shadow_write(struct order_shadow *shadow, struct order_span span,
                        const struct order_judge *judge) {
  uint64_t end = span.ea + span.nbytes;
  size_t first = cut_out(shadow, span), last = first;
  for (; last < shadow->n && shadow->cells[last].start < end; last++) {
    struct order_cell *cell = &shadow->cells[last];
    if (cell->writer.count && !is_known(judge, &cell->writer)) {
      order_report(judge, &cell->writer, cell, true);
    }
    for (; cell->reads; drop_read(shadow, &cell->reads)) {
      if (!is_known(judge, &cell->reads->stamp)) {
        order_report(judge, &cell->reads->stamp, cell, true);
      }
    }
  }
  struct order_cell whole = {.start = span.ea, .end = end, .writer = *judge->stamp};
  if (last == first) {
    insert(shadow, first, whole);
    return;
  }
  memmove(&shadow->cells[first + 1], &shadow->cells[last], (shadow->n - last) * sizeof *shadow->cells);
  shadow->n -= last - first - 1;
  shadow->cells[first] = whole;
}

/* If ACCESS has the stamp of JUDGE, and no earlier seer is known to the seer of JUDGE, note the new seer in
 * *LANE (NULL: nothing is noted). A clock with the new seer also has all seers known to the new seer.
 * returns: whether there is a new seer. */
static bool mark(struct order_stamp *access, const struct order_judge *judge, const uint32_t *lane) {
  bool news = access->lane == judge->stamp->lane && access->count == judge->stamp->count &&
              !(access->seers && order_knows_seer(judge->order, judge->knows, access->seers));
  if (news && lane) {
    uint32_t count = order_clock_get(judge->knows, *lane);
    access->seers = order_seer_new(judge->order, (struct order_seer){*lane, count, access->seers});
  }
  return news;
}

/* Do so with all accesses to CELL. */
static bool mark_cell(struct order_cell *cell, const struct order_judge *judge, const uint32_t *lane) {
  bool found = mark(&cell->writer, judge, lane);
  for (struct order_read *read = cell->reads; read; read = read->next) {
    found |= mark(&read->stamp, judge, lane);
  }
  return found;
}

void order_shadow_mark(struct order_shadow *shadow, struct order_span span, const struct order_judge *judge,
                       uint32_t lane) {
  uint64_t end = span.ea + span.nbytes;
  bool found = false;
  for (size_t i = first_cell(shadow, span.ea); !found && i < shadow->n && shadow->cells[i].start < end; i++) {
    found = mark_cell(&shadow->cells[i], judge, NULL);
  }
  for (size_t i = found ? cut_out(shadow, span) : shadow->n; i < shadow->n && shadow->cells[i].start < end;
       i++) {
    mark_cell(&shadow->cells[i], judge, &lane);
  }
}

void order_shadow_clear(struct order_shadow *shadow) {
  for (; shadow->n; shadow->n--) {
    while (shadow->cells[shadow->n - 1].reads) {
      drop_read(shadow, &shadow->cells[shadow->n - 1].reads);
    }
  }
}
