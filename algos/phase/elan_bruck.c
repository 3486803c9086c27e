/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/elan_bruck.h"

#include "algos/phase/portion.h"
#include "algos/step/ranks.h"

enum { SETS = 2 };

/* Return the bytes of a buffer for the blocks of one round, at most half of all blocks and one more. */
static size_t round_bytes(const struct coll_group *group) {
  return (group->nranks / 2 + 1) * layout_most_stride(group);
}

/* The places of all blocks; the packed blocks, unchanged until the put has left; the received blocks, by
 * round and set. */
size_t elan_bruck_scratch(const struct coll_group *group) {
  size_t rounds = ranks_ceil_log2(group->nranks);
  return group->nranks * layout_most_stride(group) + round_bytes(group) * (1 + SETS * rounds);
}

static uint8_t *place(const struct coll *c, unsigned j) {
  return c->scratch + j * layout_stride(c->group);
}

static uint8_t *packed(const struct coll *c) {
  return c->scratch + c->nranks * layout_most_stride(c->group);
}

static uint8_t *coming(const struct coll *c, unsigned round) {
  size_t rounds = ranks_ceil_log2(c->nranks);
  return packed(c) + round_bytes(c->group) * (1 + coll_own_calls(c) % SETS * rounds + round);
}

/* Copy block after block between BYTES and the places whose number contains DISTANCE, INTO the places or out
 * of the places.
 * returns: the number of blocks. */
static unsigned pack(struct coll *c, unsigned distance, uint8_t *bytes, bool into) {
  unsigned count = 0;
  for (unsigned j = distance; j < c->nranks; j++) {
    if (j & distance) {
      uint8_t *block = bytes + count++ * layout_stride(c->group);
      step_copy(c, into ? place(c, j) : block, c->rank, into ? block : place(c, j), c->nbytes);
    }
  }
  return count;
}

void elan_bruck(struct coll *c) {
  unsigned n = c->nranks, round = 0;
  for (unsigned j = 0; j < n; j++) {
    step_copy(c, place(c, j), c->rank, portion_for(c, (c->rank + j) % n), c->nbytes);
  }
  for (unsigned distance = 1; distance < n; distance *= 2, round++) {
    unsigned to = (c->rank + distance) % n, from = (c->rank + n - distance) % n;
    step_begin(c);
    step_finish(c, 0);
    unsigned count = pack(c, distance, packed(c), false);
    step_start_put(c, &(struct step_transfer){.ls = packed(c),
                                              .ea = step_peer_ea(c, to, coming(c, round)),
                                              .nbytes = (count - 1) * layout_stride(c->group) + c->nbytes});
    step_notify(c, to);
    step_await(c, from);
    pack(c, distance, coming(c, round), true);
  }
  for (unsigned j = 0; j < n; j++) {
    step_copy(c, portion_from(c, (c->rank + n - j) % n), c->rank, place(c, j), c->nbytes);
  }
  step_finish(c, 0);
}
