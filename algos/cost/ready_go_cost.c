/* SPDX-License-Identifier: BSD-3-Clause
 * See ready_go_cost.h. */
#include "algos/cost/ready_go_cost.h"

#include <math.h>

enum { MOST = COLL_SIGNAL_BITS };

/* All ranks of a call. */
struct tribe {
  struct cost cost;
  struct chain chain;
  struct neighbours neighbours[MOST];
  unsigned depth[MOST];
  double ready[MOST],
    go[MOST]; /* when each rank raises its signal for its parent, and its parent the one for it */
};

/* The transfers of a parent, in the order in which it starts them. */
struct moves {
  unsigned n, child[MOST];
  double start[MOST], end[MOST]; /* `end`: when it could find each over */
  double turn[MOST];             /* when each begins to take turns with those under way */
  double need[MOST], left[MOST]; /* what each needs of the MFC, and the part of that which is left */
  double beside;                 /* what one on the chip needs beside one across */
  bool across[MOST];
};

/* Find the neighbours of all ranks, that begin at 0, for WAY. */
static bool
begin(struct tribe *tribe, const struct cost *cost, unsigned way)
{
  unsigned number[MOST], chip_of[MOST], chip_first[MOST + 1], p = cost->p;
  if (p > MOST) {
    return false;
  }
  struct coll_group group = {
    .nranks = p, .chip_of = chip_of, .by_chip = number, .place_of = number, .chip_first = chip_first};
  for (unsigned i = 0; i < COLL_PARAMS_MAX; i++) {
    group.call.values[i] = cost->values[i];
  }
  for (unsigned r = 0; r < p; r++) {
    number[r] = r;
    chip_of[r] = r / cost->spes_per_chip;
    if (r % cost->spes_per_chip == 0) {
      chip_first[group.nchips++] = r;
    }
  }
  chip_first[group.nchips] = p;
  tribe->cost = *cost;
  tribe->cost.way = COST_BY_SIGNALS | way;
  chain_begin(&tribe->chain, &tribe->cost);
  for (unsigned r = 0; r < p; r++) {
    struct neighbours neighbours = cost->neighbours(&group, r);
    tribe->neighbours[r] = neighbours;
    tribe->depth[r] = neighbours.parent == r ? 0 : tribe->depth[neighbours.parent] + 1;
  }
  return true;
}

static unsigned
first_of(uint32_t ranks)
{
  return (unsigned)__builtin_ctz(ranks);
}

static void
hear_children(struct tribe *tribe, unsigned r)
{
  for (uint32_t left = tribe->neighbours[r].children; left; left &= left - 1) {
    chain_hear(&tribe->chain, r, first_of(left), tribe->ready[first_of(left)]);
  }
}

static void
tell_parent(struct tribe *tribe, unsigned r)
{
  if (tribe->neighbours[r].parent != r) {
    tribe->ready[r] = chain_tell(&tribe->chain, r, tribe->neighbours[r].parent);
  }
}

static void
hear_parent(struct tribe *tribe, unsigned r)
{
  if (tribe->neighbours[r].parent != r) {
    chain_hear(&tribe->chain, r, tribe->neighbours[r].parent, tribe->go[r]);
  }
}

static void
tell_children(struct tribe *tribe, unsigned r)
{
  for (uint32_t left = tribe->neighbours[r].children; left; left &= left - 1) {
    tribe->go[first_of(left)] = chain_tell(&tribe->chain, r, first_of(left));
  }
}

static void
all_ready(struct tribe *tribe)
{
  for (unsigned r = tribe->cost.p; r-- > 0;) {
    hear_children(tribe, r);
    tell_parent(tribe, r);
  }
}

static void
all_go(struct tribe *tribe)
{
  for (unsigned r = 0; r < tribe->cost.p; r++) {
    hear_parent(tribe, r);
    tell_children(tribe, r);
  }
}

double
ready_go_cost_barrier(const struct cost *cost)
{
  struct tribe tribe;
  if (!begin(&tribe, cost, 0)) {
    return NAN;
  }
  all_ready(&tribe);
  all_go(&tribe);
  return chain_end(&tribe.chain);
}

double
ready_go_cost_barrier_on_chips(const struct cost *cost)
{
  struct tribe tribe;
  double raised[MOST][MOST];
  unsigned step = cost->spes_per_chip;
  if (!begin(&tribe, cost, 0)) {
    return NAN;
  }
  all_ready(&tribe);
  for (unsigned a = 0; a < cost->p; a += step) {
    for (unsigned b = 0; b < cost->p; b += step) {
      raised[a][b] = a == b ? 0 : chain_tell(&tribe.chain, a, b);
    }
  }
  for (unsigned a = 0; a < cost->p; a += step) {
    for (unsigned b = 0; b < cost->p; b += step) {
      if (a != b) {
        chain_hear(&tribe.chain, b, a, raised[a][b]);
      }
    }
  }
  all_go(&tribe);
  return chain_end(&tribe.chain);
}

/* --- with data --- */

static bool
is_across(const struct tribe *tribe, unsigned a, unsigned b)
{
  return a / tribe->cost.spes_per_chip != b / tribe->cost.spes_per_chip;
}

/* Return how many ranks as deep as R have children on other chips. */
static unsigned
crossing(const struct tribe *tribe, unsigned r)
{
  unsigned n = 0;
  for (unsigned other = 0; other < tribe->cost.p; other++) {
    bool crosses = false;
    for (uint32_t left = tribe->neighbours[other].children; left; left &= left - 1) {
      crosses |= is_across(tribe, other, first_of(left));
    }
    n += crosses && tribe->depth[other] == tribe->depth[r];
  }
  return n;
}

/* Let rank R start the transfer of CHILD. */
static void
start(struct tribe *tribe, unsigned r, struct moves *moves, unsigned child)
{
  moves->child[moves->n] = child;
  moves->start[moves->n++] = tribe->chain.at[r];
  tribe->chain.at[r] += tribe->cost.parameter(&tribe->cost, COST_START, tribe->cost.m, 0);
}

/* Return the congestion of what rank R moves across. */
static double
congestion(const struct tribe *tribe, unsigned r)
{
  return cost_congestion(&tribe->cost, tribe->cost.m, 2 * crossing(tribe, r));
}

/* Return what each of several transfers of rank R across needs: its turn in the MFC, or at the link if that is longer, where
 * one more message of all SPEs of a chip shows what each takes. */
static double
need_across(const struct tribe *tribe, unsigned r)
{
  const struct cost *c = &tribe->cost;
  unsigned all = 2 * c->spes_per_chip;
  double on_link = c->parameter(c, COST_C, c->m, all) - c->parameter(c, COST_C, c->m, all - 2);
  return fmax(c->parameter(c, COST_SERVE2, c->m, 0), crossing(tribe, r) * on_link);
}

/* Return how long a transfer, ACROSS or not, is served alone although others follow: until what it has put into the window
 * of its MFC before them is done. If there is one more it is late by the rest. */
static double
alone_for(const struct cost *c, bool across)
{
  return c->parameter(c, across ? COST_SERVE2 : COST_SERVE1, c->m, 0) -
         c->parameter(c, across ? COST_DELAY2 : COST_DELAY1, c->m, 0);
}

static bool
is_under_way(const struct moves *moves, unsigned i, double now)
{
  return moves->left[i] > 0 && moves->turn[i] <= now;
}

/* Return how long all MOVES under way at NOW take for as much data as one has: the sum of what they need. On the chip that
 * is less beside one across, since those across take up most of the window and nobody waits for the ramp any more. */
static double
round_of(const struct moves *moves, double now)
{
  double sum = 0;
  bool across = false;
  for (unsigned i = 0; i < moves->n; i++) {
    across |= is_under_way(moves, i, now) && moves->across[i];
  }
  for (unsigned i = 0; i < moves->n; i++) {
    double need = across && !moves->across[i] ? moves->beside : moves->need[i];
    sum += is_under_way(moves, i, now) ? need : 0;
  }
  return sum;
}

/* Let those of MOVES that take turns at NOW, of which there is one, go on until the next one joins them or one is done.
 * returns: that time. */
static double
take_turns(struct moves *moves, double now)
{
  double round = round_of(moves, now), least = INFINITY, next = INFINITY;
  for (unsigned i = 0; i < moves->n; i++) {
    if (is_under_way(moves, i, now)) {
      least = fmin(least, moves->left[i]);
    } else if (moves->left[i] > 0) {
      next = fmin(next, moves->turn[i]);
    }
  }
  double part = fmin(least, (next - now) / round), until = now + part * round;
  for (unsigned i = 0; i < moves->n; i++) {
    if (is_under_way(moves, i, now)) {
      moves->left[i] = moves->left[i] <= part ? 0 : moves->left[i] - part;
      moves->end[i] = until - moves->need[i];
    }
  }
  return until;
}

/* Find what MOVES of rank R need, and when each joins. */
static void
prepare(const struct tribe *tribe, unsigned r, struct moves *moves)
{
  const struct cost *c = &tribe->cost;
  for (unsigned i = 0; i < moves->n; i++) {
    moves->across[i] = is_across(tribe, r, moves->child[i]);
    moves->need[i] = moves->across[i] ? need_across(tribe, r) : c->parameter(c, COST_SERVE1, c->m, 0);
    moves->left[i] = 1;
    moves->turn[i] =
      i ? fmax(moves->start[i], moves->start[0] + alone_for(c, moves->across[0])) : moves->start[0];
    if (moves->across[i]) {
      moves->beside = c->parameter(c, COST_BESIDE, c->m, 0);
    }
  }
}

/* Find the ends of MOVES of rank R: those under way take turns. */
static void
share(const struct tribe *tribe, unsigned r, struct moves *moves)
{
  double now = 0;
  prepare(tribe, r, moves);
  for (unsigned i = 0; i < moves->n; i++) {
    if (moves->turn[i] > now && moves->left[i] == 1) { /* nothing is under way before it */
      moves->turn[i] = now = fmax(now, moves->start[i]);
    }
    while (moves->left[i] > 0) {
      now = take_turns(moves, now);
    }
  }
  for (unsigned i = 0; i < moves->n; i++) {
    double alone = cost_move(&tribe->cost, moves->across[i], tribe->cost.m) +
                   (moves->across[i] ? congestion(tribe, r) : 0);
    moves->end[i] = fmax(moves->end[i], moves->start[i]) + alone;
  }
}

/* Let rank R find transfer I of MOVES over. */
static void
finish(struct tribe *tribe, unsigned r, const struct moves *moves, unsigned i)
{
  const struct cost *c = &tribe->cost;
  double busy = tribe->chain.at[r] + c->parameter(c, COST_HANDLE, c->m, 0);
  tribe->chain.at[r] = fmax(busy, moves->end[i]) + (c->way & COST_BY_GETS ? cost_combine(c, c->m) : 0);
}

static void
together(struct tribe *tribe, unsigned r)
{
  struct moves moves = {.n = 0};
  for (uint32_t left = tribe->neighbours[r].children; left; left &= left - 1) {
    start(tribe, r, &moves, first_of(left));
  }
  share(tribe, r, &moves);
  for (unsigned i = 0; i < moves.n; i++) {
    finish(tribe, r, &moves, i);
  }
}

/* Return which of the children MISSING at rank R is heard next: the lowest one that is there, else the first to come. */
static unsigned
next_ready(const struct tribe *tribe, unsigned r, uint32_t missing)
{
  unsigned first = first_of(missing);
  double earliest = INFINITY;
  for (uint32_t left = missing; left; left &= left - 1) {
    unsigned child = first_of(left);
    double there = fmax(tribe->chain.at[r] + cost_handle(&tribe->cost),
                        tribe->ready[child] + chain_flag(&tribe->chain, child, r));
    if (there < earliest) {
      earliest = there;
      first = child;
    }
  }
  return first;
}

static void
as_ready(struct tribe *tribe, unsigned r)
{
  struct moves moves = {.n = 0};
  const struct neighbours *neighbours = &tribe->neighbours[r];
  for (uint32_t missing = neighbours->children; missing;) {
    unsigned child = next_ready(tribe, r, missing);
    missing &= ~(UINT32_C(1) << child);
    chain_hear(&tribe->chain, r, child, tribe->ready[child]);
    start(tribe, r, &moves, child);
  }
  share(tribe, r, &moves);
  uint32_t turns[] = {neighbours->remote, neighbours->children & ~neighbours->remote};
  for (unsigned turn = 0; turn < 2; turn++) {
    for (unsigned i = 0; i < moves.n; i++) {
      if (turns[turn] >> moves.child[i] & 1) {
        finish(tribe, r, &moves, i);
        tribe->go[moves.child[i]] = chain_tell(&tribe->chain, r, moves.child[i]);
      }
    }
  }
}

double
ready_go_cost_down_in_phases(const struct cost *cost)
{
  struct tribe tribe;
  if (!begin(&tribe, cost, 0)) {
    return NAN;
  }
  all_ready(&tribe);
  for (unsigned r = 0; r < cost->p; r++) {
    hear_parent(&tribe, r);
    together(&tribe, r);
    tell_children(&tribe, r);
  }
  return chain_end(&tribe.chain);
}

double
ready_go_cost_down_as_ready(const struct cost *cost)
{
  struct tribe tribe;
  if (!begin(&tribe, cost, COST_AS_READY)) {
    return NAN;
  }
  for (unsigned r = 0; r < cost->p; r++) {
    tell_parent(&tribe, r);
  }
  for (unsigned r = 0; r < cost->p; r++) {
    hear_parent(&tribe, r);
    as_ready(&tribe, r);
  }
  return chain_end(&tribe.chain);
}

double
ready_go_cost_up_in_phases(const struct cost *cost)
{
  struct tribe tribe;
  if (!begin(&tribe, cost, COST_BY_GETS)) {
    return NAN;
  }
  for (unsigned r = cost->p; r-- > 0;) {
    hear_children(&tribe, r);
    together(&tribe, r);
    tell_parent(&tribe, r);
  }
  all_go(&tribe);
  return chain_end(&tribe.chain);
}

double
ready_go_cost_up_as_ready(const struct cost *cost)
{
  struct tribe tribe;
  if (!begin(&tribe, cost, COST_BY_GETS | COST_AS_READY)) {
    return NAN;
  }
  for (unsigned r = cost->p; r-- > 0;) {
    as_ready(&tribe, r);
    tell_parent(&tribe, r);
  }
  for (unsigned r = 0; r < cost->p; r++) {
    hear_parent(&tribe, r);
  }
  return chain_end(&tribe.chain);
}
