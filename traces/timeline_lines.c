/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline_lines.h. */
#include "traces/timeline_lines.h"

#include "sim/base/xalloc.h"

#include <stdbool.h>
#include <stdlib.h>

static bool comes_before(const struct timeline_line *a, const struct timeline_line *b) {
  return a->at != b->at ? a->at < b->at : a->number < b->number;
}

void timeline_lines_keep(struct timeline_lines *lines, uint64_t at, char *text) {
  if (lines->n == lines->room) {
    lines->room = 2 * lines->room + 64;
    lines->heap = xrealloc(lines->heap, lines->room, sizeof *lines->heap);
  }
  struct timeline_line line = {.at = at, .number = lines->nkept++, .text = text};
  size_t place = lines->n++;
  for (; place > 0 && comes_before(&line, &lines->heap[(place - 1) / 2]); place = (place - 1) / 2) {
    lines->heap[place] = lines->heap[(place - 1) / 2];
  }
  lines->heap[place] = line;
}

/* Take the next line out of LINES, not empty. */
static struct timeline_line take(struct timeline_lines *lines) {
  struct timeline_line first = lines->heap[0], moved = lines->heap[--lines->n];
  size_t place = 0;
  for (;;) {
    size_t child = 2 * place + 1;
    if (child + 1 < lines->n && comes_before(&lines->heap[child + 1], &lines->heap[child])) {
      child++;
    }
    if (child >= lines->n || comes_before(&moved, &lines->heap[child])) {
      break;
    }
    lines->heap[place] = lines->heap[child];
    place = child;
  }
  lines->heap[place] = moved;
  return first;
}

void timeline_lines_reach(struct timeline_lines *lines, uint64_t cycle) {
  uint64_t until = cycle == UINT64_MAX ? cycle : cycle > lines->margin ? cycle - lines->margin : 0;
  while (lines->n && lines->heap[0].at < until) {
    struct timeline_line line = take(lines);
    fputs(line.text, lines->stream);
    free(line.text);
  }
}

void timeline_lines_fini(struct timeline_lines *lines) {
  timeline_lines_reach(lines, UINT64_MAX);
  free(lines->heap);
}
