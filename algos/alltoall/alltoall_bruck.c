/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-all of Bruck et al. (the index algorithm): block j, which has j ranks to go, moves by the powers of
 * two whose sum is j; in each round all blocks whose j contains the round's power d move to rank p + d
 * together.
 *
 *   n = 8, d = 4   p > p + 4   blocks 4 5 6 7
 *          d = 2   p > p + 2   blocks 2 3 6 7
 *          d = 1   p > p + 1   blocks 1 3 5 7
 *
 * The published algorithm rotates blocks before and after and packs blocks in between, from d = 1 on. With
 * the largest d first the blocks of a round lie in runs of d, so no packing is needed: blocks come from the
 * input for their first move, and go into the result by their last move. Between moves a block changes
 * between two places, so that no block is overwritten while the next rank still gets the block.
 * rounds: ceil(log2 n); each round moves up to n / 2 blocks by n / d DMAs. A rank's block for itself goes by
 * a separate DMA.
 * source: Qian, Afsahi 2006, section 2.1, where the algorithm is best for very small messages. */
#include "algos/phase/portion.h"
#include "algos/step/ranks.h"
#include "sim/base/minmax.h"

enum { BANKS = 2 };

static size_t scratch(const struct coll_group *group) {
  return BANKS * group->nranks * layout_stride(group);
}

/* Return the place, after MOVES of its moves, of a block with J ranks to go at first. */
static uint8_t *bank(const struct coll *c, unsigned j, unsigned moves) {
  return c->scratch + (moves % BANKS * c->nranks + j) * layout_stride(c->group);
}

/* COUNT blocks next to one another, from FROM at another rank into INTO here. */
struct run {
  uint8_t *into;
  const uint8_t *from;
  unsigned count;
};

static void start_exchange(struct coll *c, unsigned peer, struct run run) {
  if (run.count > 0) {
    step_start_get(c,
                   &(struct step_transfer){.ls = run.into,
                                           .ea = step_peer_ea(c, peer, run.from),
                                           .nbytes = (run.count - 1) * layout_stride(c->group) + c->nbytes});
  }
}

/* Start the move of blocks FIRST .. FIRST + COUNT - 1, which share their past moves: block FIRST goes into
 * the result if this is its last move, and the other blocks into a bank. */
static void move(struct coll *c, unsigned distance, unsigned first, unsigned count) {
  unsigned n = c->nranks, peer = (c->rank + n - distance) % n, origin = (c->rank + n - first) % n;
  unsigned moves = (unsigned)__builtin_popcount(first / distance) - 1;
  if (moves > 0) {
    start_exchange(c, peer, (struct run){portion_from(c, origin), bank(c, first, moves), 1});
    start_exchange(c, peer,
                   (struct run){bank(c, first + 1, moves + 1), bank(c, first + 1, moves), count - 1});
    return;
  }
  unsigned to = (peer + first) % n, next = (to + 1) % n;
  unsigned before_end = MIN(count - 1, n - next);
  start_exchange(c, peer, (struct run){portion_from(c, origin), portion_for(c, to), 1});
  start_exchange(c, peer, (struct run){bank(c, first + 1, 1), portion_for(c, next), before_end});
  start_exchange(c, peer,
                 (struct run){bank(c, first + 1 + before_end, 1), portion_for(c, 0), count - 1 - before_end});
}

static void run(struct coll *c) {
  unsigned n = c->nranks;
  portion_start_own(c);
  for (unsigned distance = n > 1 ? ranks_floor_power(n - 1) : 0; distance > 0; distance /= 2) {
    unsigned to = (c->rank + distance) % n, from = (c->rank + n - distance) % n;
    step_begin(c);
    step_notify(c, to);
    step_await(c, from);
    for (unsigned first = distance; first < n; first += 2 * distance) {
      move(c, distance, first, MIN(n - first, distance));
    }
    step_finish(c, 0);
    step_acknowledge(c, from);
    step_await_taken(c, to);
  }
  portion_finish_own(c);
}

const struct algo alltoall_bruck = {
  .collective = COLL_ALLTOALL,
  .name = "bruck",
  .source = "ali2010",
  .idea = "blocks move by the powers of two in their distances",
  .scratch = scratch,
  .run = run,
};
