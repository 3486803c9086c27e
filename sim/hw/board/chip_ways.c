/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/hw/board/chip_ways.h"

#include "platform/platform.h"
#include "sim/base/xalloc.h"

#include <stdbool.h>
#include <stdlib.h>

/* Find the distance of every chip to chip TO, breadth first, and each chip's neighbour on the way. */
static void find_ways_to(struct chip_ways *ways, unsigned to, const bool *linked) {
  unsigned n = ways->nchips;
  unsigned *queue = xcalloc(n, sizeof *queue), head = 0, tail = 0;
  for (unsigned from = 0; from < n; from++) {
    ways->distance[from * n + to] = from == to ? 0 : n;
  }
  ways->next_chip[to * n + to] = to;
  queue[tail++] = to;
  while (head < tail) {
    unsigned via = queue[head++];
    for (unsigned from = 0; from < n; from++) {
      if (linked[from * n + via] && ways->distance[from * n + to] == n) {
        ways->distance[from * n + to] = ways->distance[via * n + to] + 1;
        ways->next_chip[from * n + to] = via;
        queue[tail++] = from;
      }
    }
  }
  free(queue);
}

void chip_ways_init(struct chip_ways *ways, const struct platform *platform) {
  unsigned n = platform->blade.chips;
  size_t npairs = (size_t)n * n;
  bool *linked = xcalloc(npairs, sizeof *linked);
  for (size_t i = 0; i < platform->nlinks; i++) {
    const unsigned *ends = platform->links[i];
    linked[ends[0] * n + ends[1]] = linked[ends[1] * n + ends[0]] = true;
  }
  *ways = (struct chip_ways){.nchips = n,
                             .next_chip = xcalloc(npairs, sizeof *ways->next_chip),
                             .distance = xcalloc(npairs, sizeof *ways->distance)};
  for (unsigned to = 0; to < n; to++) {
    find_ways_to(ways, to, linked);
  }
  free(linked);
}

void chip_ways_fini(struct chip_ways *ways) {
  free(ways->next_chip);
  free(ways->distance);
}
