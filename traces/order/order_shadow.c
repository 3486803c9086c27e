/* SPDX-License-Identifier: BSD-3-Clause
 * See order_shadow.h. */
#include "traces/order/order_shadow.h"

#include "sim/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Return the number of the first cell that ends behind START, usually the cell found last. */
static size_t first_cell(struct order_shadow *shadow, uint64_t start) {
  const struct order_cell *cells = shadow->cells;
  size_t low = 0, high = shadow->n, last = shadow->last;
  if (last < high && cells[last].end > start && (last == 0 || cells[last - 1].end <= start)) {
    return last;
  }
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (cells[middle].end <= start) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return shadow->last = low;
}

/* Put CELL in place AT. */
static void insert(struct order_shadow *shadow, size_t at, struct order_cell cell) {
  VEC_ADD(shadow->cells, shadow->n) = cell;
  memmove(&shadow->cells[at + 1], &shadow->cells[at], (shadow->n - 1 - at) * sizeof *shadow->cells);
  shadow->cells[at] = cell;
}

/* Let cell I end at EA, a place within the cell, and another cell begin there. */
static void split(struct order_shadow *shadow, size_t i, uint64_t ea) {
  struct order_cell low = shadow->cells[i];
  low.end = ea;
  low.reads = NULL;
  low.nreads = 0;
  for (uint32_t k = 0; k < shadow->cells[i].nreads; k++) {
    VEC_ADD(low.reads, low.nreads) = shadow->cells[i].reads[k];
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
  size_t last = first;
  while (last < shadow->n && shadow->cells[last].end < end) {
    last++;
  }
  if (last < shadow->n && shadow->cells[last].start < end && shadow->cells[last].end > end) {
    split(shadow, last, end);
  }
  return first;
}

static bool is_known(const struct order_clock *clock, const struct order_stamp *stamp) {
  return stamp->count <= order_clock_get(clock, stamp->lane) ||
         (stamp->seen_count && stamp->seen_count <= order_clock_get(clock, stamp->seen_lane));
}

/* Keep STAMP among the reads of CELL. Other reads stay only if KNOWS does not know the read to be over. */
static void add_read(struct order_cell *cell, const struct order_stamp *stamp,
                     const struct order_clock *knows) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < cell->nreads; i++) {
    if (cell->reads[i].lane != stamp->lane && !is_known(knows, &cell->reads[i])) {
      cell->reads[kept++] = cell->reads[i];
    }
  }
  cell->nreads = kept;
  VEC_ADD(cell->reads, cell->nreads) = *stamp;
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
    if (cell->writer.count && !is_known(judge->knows, &cell->writer)) {
      order_report(judge, &cell->writer, cell, false);
    }
    add_read(cell, &judge->stamp, judge->knows);
    at = cell->end;
  }
}

void order_shadow_write(struct order_shadow *shadow, struct order_span span,
                        const struct order_judge *judge) {
  uint64_t end = span.ea + span.nbytes;
  size_t first = cut_out(shadow, span), last = first;
  for (; last < shadow->n && shadow->cells[last].start < end; last++) {
    const struct order_cell *cell = &shadow->cells[last];
    if (cell->writer.count && !is_known(judge->knows, &cell->writer)) {
      order_report(judge, &cell->writer, cell, true);
    }
    for (uint32_t i = 0; i < cell->nreads; i++) {
      if (!is_known(judge->knows, &cell->reads[i])) {
        order_report(judge, &cell->reads[i], cell, true);
      }
    }
  }
  struct order_cell whole = {.start = span.ea, .end = end, .writer = judge->stamp};
  if (last == first) {
    insert(shadow, first, whole);
    return;
  }
  whole.reads = shadow->cells[first].reads;
  for (size_t i = first + 1; i < last; i++) {
    free(shadow->cells[i].reads);
  }
  memmove(&shadow->cells[first + 1], &shadow->cells[last], (shadow->n - last) * sizeof *shadow->cells);
  shadow->n -= last - first - 1;
  shadow->cells[first] = whole;
}

/* If ACCESS has the stamp STAMP and NOTES, note the lane and count of the observer that has seen the end.
 * returns: whether ACCESS has the stamp STAMP. */
static bool mark(struct order_stamp *access, const struct order_stamp *stamp, bool notes) {
  bool same = access->lane == stamp->lane && access->count == stamp->count;
  if (same && notes) {
    access->seen_lane = stamp->seen_lane;
    access->seen_count = stamp->seen_count;
  }
  return same;
}

/* Do so with all accesses to CELL. */
static bool mark_cell(struct order_cell *cell, const struct order_stamp *stamp, bool notes) {
  bool found = mark(&cell->writer, stamp, notes);
  for (uint32_t k = 0; k < cell->nreads; k++) {
    found |= mark(&cell->reads[k], stamp, notes);
  }
  return found;
}

void order_shadow_mark(struct order_shadow *shadow, struct order_span span, const struct order_stamp *stamp) {
  uint64_t end = span.ea + span.nbytes;
  bool found = false;
  for (size_t i = first_cell(shadow, span.ea); !found && i < shadow->n && shadow->cells[i].start < end; i++) {
    found = mark_cell(&shadow->cells[i], stamp, false);
  }
  for (size_t i = found ? cut_out(shadow, span) : shadow->n; i < shadow->n && shadow->cells[i].start < end;
       i++) {
    mark_cell(&shadow->cells[i], stamp, true);
  }
}

void order_shadow_clear(struct order_shadow *shadow) {
  for (size_t i = 0; i < shadow->n; i++) {
    free(shadow->cells[i].reads);
  }
  shadow->n = 0;
}
