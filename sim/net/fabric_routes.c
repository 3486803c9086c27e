/* SPDX-License-Identifier: BSD-3-Clause
 * See fabric_routes.h: a hash table with open addresses, at most half full, and blocks of link numbers that
 * never move. */
#include "sim/net/fabric_routes.h"

#include "sim/base/random.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_LINKS = 1 << 14 };

struct entry {
  uint64_t pair; /* its hosts */
  struct fabric_route route;
  bool used;
};

struct block {
  struct block *next;
  size_t used;
  unsigned links[];
};

struct fabric_routes {
  struct entry *entries;
  size_t n, room; /* room: a power of two */
  struct block *blocks;
};

struct fabric_routes *fabric_routes_new(void) {
  struct fabric_routes *routes = xcalloc(1, sizeof *routes);
  routes->room = 64;
  routes->entries = xcalloc(routes->room, sizeof *routes->entries);
  return routes;
}

void fabric_routes_free(struct fabric_routes *routes) {
  if (!routes) {
    return;
  }
  while (routes->blocks) {
    struct block *block = routes->blocks;
    routes->blocks = block->next;
    free(block);
  }
  free(routes->entries);
  free(routes);
}

static uint64_t pair_of(unsigned from, unsigned to) {
  return (uint64_t)from << 32 | to;
}

/* Return the entry of PAIR, or the free one where it belongs. */
static struct entry *entry_of(const struct fabric_routes *routes, uint64_t pair) {
  size_t index = random_mix(pair) & (routes->room - 1);
  while (routes->entries[index].used && routes->entries[index].pair != pair) {
    index = (index + 1) & (routes->room - 1);
  }
  return &routes->entries[index];
}

bool fabric_routes_find(const struct fabric_routes *routes, unsigned from, unsigned to,
                        struct fabric_route *route) {
  const struct entry *entry = entry_of(routes, pair_of(from, to));
  *route = entry->route;
  return entry->used;
}

static void grow(struct fabric_routes *routes) {
  struct entry *old = routes->entries;
  size_t room = routes->room;
  routes->room = 2 * room;
  routes->entries = xcalloc(routes->room, sizeof *routes->entries);
  for (size_t i = 0; i < room; i++) {
    if (old[i].used) {
      *entry_of(routes, old[i].pair) = old[i];
    }
  }
  free(old);
}

/* Keep a copy of the N numbers LINKS. */
static const unsigned *keep(struct fabric_routes *routes, const unsigned *links, size_t n) {
  struct block *block = routes->blocks;
  if (!block || block->used + n > BLOCK_LINKS) {
    size_t room = n > BLOCK_LINKS ? n : BLOCK_LINKS;
    block = xcalloc(1, sizeof *block + room * sizeof *block->links);
    block->next = routes->blocks;
    routes->blocks = block;
  }
  unsigned *copy = &block->links[block->used];
  if (n) {
    memcpy(copy, links, n * sizeof *copy);
  }
  block->used += n;
  return copy;
}

struct fabric_route fabric_routes_add(struct fabric_routes *routes, unsigned from, unsigned to,
                                      struct fabric_route route) {
  if (2 * (routes->n + 1) > routes->room) {
    grow(routes);
  }
  struct entry *entry = entry_of(routes, pair_of(from, to));
  *entry = (struct entry){.pair = pair_of(from, to), .used = true};
  entry->route = (struct fabric_route){.links = keep(routes, route.links, route.n), .n = route.n};
  routes->n++;
  return entry->route;
}
