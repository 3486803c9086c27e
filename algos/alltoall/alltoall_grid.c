/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-all in two phases, for distant clusters (here chips): ranks first collect, within their chip, the
 * blocks for one rank of another chip, so that few long messages cross.
 *
 *   chips A and B, n1 = 2 and n2 = 4 ranks
 *   phase 1   on A: the blocks for b0 b2 to a0, for b1 b3 to a1
 *             on B: the blocks of b0 b1 for a0 to b0, for a1 to b1; of b2 b3 to b2 and b3; blocks
 *             within a chip as well
 *   phase 2   a0 - b0   a1 - b1   then   a0 - b2   a1 - b3
 *
 * rounds: one per rank of the chip, then ceil(n2 / n1) with n1 <= n2. 2 max(n1, n2) messages cross between
 * two chips instead of 2 n1 n2, each block once. With more chips every pair of chips does the same. Where n1
 * does not divide n2, the paper would send the blocks of the last row of ranks to ranks that do not exist;
 * here these blocks go to the row before.
 * source: Steffenel, Martinasso, Trystram 2007, section 7. */
#include "algos/phase/portion.h"
#include "algos/shape/grid.h"
#include "algos/shape/tree.h"

/* Start to get COUNT blocks at EA into INTO. */
static void start_fetch(struct coll *c, uint8_t *into, uint64_t ea, unsigned count) {
  size_t stride = layout_stride(c->group);
  step_start_get(c,
                 &(struct step_transfer){.ls = into, .ea = ea, .nbytes = (count - 1) * stride + c->nbytes});
}

/* Phase 1: get from member FROM of the own chip its block for this rank, and the blocks that this rank
 * relays. EA is the place of the input of FROM. */
static void collect(struct coll *c, struct team home, unsigned from, uint64_t ea) {
  const struct coll_group *group = c->group;
  size_t stride = layout_stride(group);
  unsigned own = group->chip_of[c->rank], me = team_member(home, c->rank);
  start_fetch(c, portion_from(c, team_rank(home, from)), ea + c->rank * stride, 1);
  for (unsigned chip = 0; chip < group->nchips; chip++) {
    struct team far = team_of_chip(group, chip);
    struct grid grid = {home.n, far.n};
    size_t area = grid_area(group, own, chip);
    for (unsigned to = 0; chip != own && to < far.n; to++) {
      if (grid_relay(grid, from, to) == me) {
        start_fetch(c, c->scratch + (area + grid_place(grid, from, to)) * stride,
                    ea + team_rank(far, to) * stride, 1);
      }
    }
  }
  step_finish(c, 0);
}

static void exchange_at_home(struct coll *c) {
  struct team home = team_of_chip(c->group, c->group->chip_of[c->rank]);
  unsigned me = team_member(home, c->rank), n = home.n;
  collect(c, home, me, step_peer_ea(c, c->rank, c->in));
  for (unsigned distance = 1; distance < n; distance++) {
    unsigned from = (me + n - distance) % n, to = (me + distance) % n;
    step_begin(c);
    step_post(c, team_rank(home, to), c->in);
    collect(c, home, from, step_await_post(c, team_rank(home, from)));
    step_acknowledge(c, team_rank(home, from));
    step_await_taken(c, team_rank(home, to));
  }
}

/* Phase 2: get PARTNER's collected blocks for this rank, neighbouring members at once. */
static void take_blocks(struct coll *c, unsigned partner) {
  const struct coll_group *group = c->group;
  size_t stride = layout_stride(group);
  unsigned own = group->chip_of[c->rank], chip = group->chip_of[partner];
  struct team home = team_of_chip(group, own), far = team_of_chip(group, chip);
  struct grid grid = {far.n, home.n};
  unsigned me = team_member(home, c->rank), relay = team_member(far, partner);
  unsigned end = grid_end(grid, relay);
  step_begin(c);
  uint64_t ea = step_await_post(c, partner) + grid_area(group, chip, own) * stride;
  for (unsigned first = grid_first(grid, relay), count; first < end; first += count) {
    unsigned rank = team_rank(far, first);
    for (count = 1; first + count < end && team_rank(far, first + count) == rank + count; count++) {
    }
    start_fetch(c, portion_from(c, rank), ea + grid_place(grid, first, me) * stride, count);
  }
  step_finish(c, 0);
  step_acknowledge(c, partner);
}

static void post(struct coll *c, unsigned partner) {
  step_post_ea_more(c, partner, step_peer_ea(c, c->rank, c->scratch));
}

/* Do ACT with all partners of this rank on other chips, the chips after the own chip first. */
static void with_partners(struct coll *c, void (*act)(struct coll *c, unsigned partner)) {
  const struct coll_group *group = c->group;
  unsigned own = group->chip_of[c->rank];
  struct team home = team_of_chip(group, own);
  for (unsigned i = 1; i < group->nchips; i++) {
    struct team far = team_of_chip(group, (own + i) % group->nchips);
    for (unsigned member = team_member(home, c->rank) % far.n; member < far.n; member += home.n) {
      act(c, team_rank(far, member));
    }
  }
}

static void run(struct coll *c) {
  exchange_at_home(c);
  with_partners(c, post);
  step_settle_all(c);
  with_partners(c, take_blocks);
  with_partners(c, step_await_taken);
}

const struct algo alltoall_grid = {
  .collective = COLL_ALLTOALL,
  .name = "grid",
  .source = "ali2010",
  .idea = "blocks for another chip are collected on the own one before they cross",
  .scratch = grid_scratch,
  .run = run,
};
