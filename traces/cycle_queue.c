/* SPDX-License-Identifier: BSD-3-Clause */
#include "traces/cycle_queue.h"

#include "sim/base/vec.h"

#include <stdbool.h>
#include <stdlib.h>

static bool comes_before(const struct cycle_item *a, const struct cycle_item *b) {
  return a->at != b->at ? a->at < b->at : a->number < b->number;
}

void cycle_queue_add(struct cycle_queue *queue, uint64_t at, void *what) {
  struct cycle_item item = {.at = at, .number = queue->nadded++, .what = what};
  size_t place = queue->n;
  VEC_ADD(queue->heap, queue->n) = item;
  for (; place > 0 && comes_before(&item, &queue->heap[(place - 1) / 2]); place = (place - 1) / 2) {
    queue->heap[place] = queue->heap[(place - 1) / 2];
  }
  queue->heap[place] = item;
}

void *cycle_queue_take(struct cycle_queue *queue, uint64_t cycle) {
  if (queue->n == 0 || queue->heap[0].at > cycle) {
    return NULL;
  }
  struct cycle_item first = queue->heap[0], moved = queue->heap[--queue->n];
  size_t place = 0;
  for (;;) {
    size_t child = 2 * place + 1;
    if (child + 1 < queue->n && comes_before(&queue->heap[child + 1], &queue->heap[child])) {
      child++;
    }
    if (child >= queue->n || comes_before(&moved, &queue->heap[child])) {
      break;
    }
    queue->heap[place] = queue->heap[child];
    place = child;
  }
  queue->heap[place] = moved;
  return first.what;
}

void cycle_lines_reach(struct cycle_lines *lines, uint64_t cycle) {
  bool all = cycle == UINT64_MAX;
  for (char *text; (all || cycle > lines->margin) &&
                   (text = cycle_queue_take(&lines->queue, all ? cycle : cycle - lines->margin - 1));) {
    fputs(text, lines->stream);
    free(text);
  }
}

void cycle_lines_fini(struct cycle_lines *lines) {
  cycle_lines_reach(lines, UINT64_MAX);
  free(lines->queue.heap);
}
