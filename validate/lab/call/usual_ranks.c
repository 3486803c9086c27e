/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/call/usual_ranks.h"

#include "platform/platform.h"
#include "validate/lab/call/placement.h"

enum { EVERY_MOST = 16, HOSTS_MOST = 16, NODES_LEAST = 2, NODES_MOST = 4 };

unsigned usual_ranks_most(const struct platform *platform) {
  unsigned most = placement_count(platform, false);
  return platform_has_spes(platform) || most < HOSTS_MOST ? most : HOSTS_MOST;
}

size_t usual_ranks(unsigned nspes, bool every, uint64_t ranks[USUAL_RANKS_MAX]) {
  size_t n = 0;
  for (unsigned count = 2; count <= nspes; count++) {
    if (count == nspes || (every && count <= EVERY_MOST) || (count & (count - 1)) == 0) {
      ranks[n++] = count;
    }
  }
  return n;
}

size_t usual_ranks_of_nodes(unsigned nspes, unsigned nnodes, uint64_t ranks[USUAL_RANKS_MAX]) {
  size_t n = 0;
  for (unsigned count = NODES_LEAST; count <= NODES_MOST && count <= nnodes; count++) {
    ranks[n++] = (uint64_t)count * nspes;
  }
  return n;
}

const struct units_list usual_bytes = UNITS_OF(64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768);
static const struct units_list no_bytes = UNITS_OF(0);

const struct units_list *usual_sizes(enum collective collective, const struct units_list *asked,
                                     const struct units_list *others) {
  return !collective_has_data(collective) ? &no_bytes : asked->n ? asked : others;
}

unsigned usual_root(enum collective collective, unsigned asked) {
  return collective_has_root(collective) ? asked : 0;
}
