/* SPDX-License-Identifier: BSD-3-Clause
 * Does a schedule end? Each block is played up to an obstacle, without time, and again when the obstacle
 * may be gone.
 *
 * One piece of the chunks is enough: in the first piece a block waits only for steps and messages of the
 * first piece, and the piece leaves all slots empty, so each piece ends as if alone. */
#include "algos/schedule/blocks/judge_private.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

enum obstacle { OBSTACLE_NONE, OBSTACLE_DEPENDENCY, OBSTACLE_MESSAGE, OBSTACLE_SLOT };

/* The state of a block. */
struct player {
  unsigned step;  /* steps done */
  unsigned nsent; /* chunks of the present step done */
  bool is_queued, is_waiting;
  unsigned first_waiter, next_waiter; /* blocks in wait for a step of this block; BLOCKS_NONE: none */
};

struct play {
  const struct blocks *schedule;
  struct play_limits limits;
  struct player *players;
  unsigned *taken; /* slots, by connection */
  unsigned *queue; /* blocks to be played, a ring of nblocks */
  size_t head, nqueued;
  unsigned most_taken;
  struct play_order *order;
};

static void enqueue(struct play *play, unsigned block) {
  size_t n = play->schedule->nblocks;
  if (!play->players[block].is_queued) {
    play->players[block].is_queued = true;
    play->queue[(play->head + play->nqueued++) % n] = block;
  }
}

/* Return the obstacle of BLOCK, with steps left; OTHER: the block able to remove the obstacle. */
static enum obstacle find_obstacle(const struct play *play, const struct block *block, unsigned *other) {
  const struct blocks *schedule = play->schedule;
  const struct player *player = &play->players[block - schedule->blocks];
  const struct block_step *step = &schedule->steps[block->first + player->step];
  const struct step_traits *traits = &step_traits[step->kind];
  if (step->dep_block >= 0) {
    *other = schedule->ranks[block->rank].first + (unsigned)step->dep_block;
    if (play->players[*other].step <= (unsigned)step->dep_step) {
      return OBSTACLE_DEPENDENCY;
    }
  }
  if (traits->receives && play->taken[block->in] == 0) {
    *other = schedule->connections[block->in].from;
    return OBSTACLE_MESSAGE;
  }
  if (traits->sends && play->taken[block->out] >= play->limits.depth) {
    *other = schedule->connections[block->out].to;
    return OBSTACLE_SLOT;
  }
  return OBSTACLE_NONE;
}

/* Let BLOCK end the present step. */
static void end_step(struct play *play, const struct block *block) {
  struct player *player = &play->players[block - play->schedule->blocks];
  if (play->order) {
    play->order->steps[play->order->n++] = (unsigned)(block->first + player->step);
  }
  player->nsent = 0;
  player->step++;
  for (unsigned waiter = player->first_waiter; waiter != BLOCKS_NONE;
       waiter = play->players[waiter].next_waiter) {
    play->players[waiter].is_waiting = false;
    enqueue(play, waiter);
  }
  player->first_waiter = BLOCKS_NONE;
}

/* Let BLOCK do a part of the present step: as many chunks as a slot holds. */
static void do_part(struct play *play, const struct block *block) {
  const struct blocks *schedule = play->schedule;
  struct player *player = &play->players[block - schedule->blocks];
  const struct block_step *step = &schedule->steps[block->first + player->step];
  if (step_traits[step->kind].receives) {
    play->taken[block->in]--;
    enqueue(play, schedule->connections[block->in].from);
  }
  if (step_traits[step->kind].sends) {
    unsigned taken = ++play->taken[block->out];
    play->most_taken = taken > play->most_taken ? taken : play->most_taken;
    enqueue(play, schedule->connections[block->out].to);
  }
  if (step->count - player->nsent <= play->limits.per_slot) {
    end_step(play, block);
  } else {
    player->nsent += play->limits.per_slot;
  }
}

/* Play BLOCK until the next obstacle. */
static void play_block(struct play *play, const struct block *block) {
  struct player *player = &play->players[block - play->schedule->blocks];
  enum obstacle obstacle = OBSTACLE_NONE;
  unsigned other = 0;
  while (player->step < block->nsteps && !(obstacle = find_obstacle(play, block, &other))) {
    do_part(play, block);
  }
  if (obstacle == OBSTACLE_DEPENDENCY && !player->is_waiting) {
    player->is_waiting = true;
    player->next_waiter = play->players[other].first_waiter;
    play->players[other].first_waiter = (unsigned)(block - play->schedule->blocks);
  }
}

/* Tell the cycle of waiting blocks reached from BLOCK. */
static void tell_cycle(const struct play *play, unsigned block, struct findings *stuck) {
  enum { TOLD_MAX = 8 };
  const struct blocks *schedule = play->schedule;
  bool *seen = xcalloc(schedule->nblocks, sizeof *seen);
  char *text = NULL;
  for (; !seen[block]; find_obstacle(play, &schedule->blocks[block], &block)) {
    seen[block] = true;
  }
  unsigned n = 0;
  for (; seen[block]; n++) {
    const struct block *waiting = &schedule->blocks[block];
    size_t index = waiting->first + play->players[block].step;
    seen[block] = false;
    enum obstacle obstacle = find_obstacle(play, waiting, &block);
    if (n < TOLD_MAX) {
      xappend(&text, "%s%s waits for %s of rank %u", n ? ", " : "", judge_place(schedule, index),
              obstacle == OBSTACLE_MESSAGE ? "a message"
              : obstacle == OBSTACLE_SLOT  ? "a free slot"
                                           : "a block",
              schedule->blocks[block].rank);
    }
  }
  findings_add(stuck, n > TOLD_MAX ? "%s ... in a cycle of %u blocks" : "%s", text, n);
  free(text);
  free(seen);
}

/* Count the blocks with steps left; STUCK gets the cycle, once for all of them. */
static size_t find_stuck(const struct play *play, struct findings *stuck) {
  size_t n = 0;
  for (unsigned i = 0; i < play->schedule->nblocks; i++) {
    if (play->players[i].step < play->schedule->blocks[i].nsteps) {
      if (n == 0 && stuck) {
        tell_cycle(play, i, stuck);
      }
      n++;
    }
  }
  if (stuck) {
    stuck->n = n ? n : stuck->n;
  }
  return n;
}

unsigned judge_play(const struct blocks *schedule, struct play_limits limits, struct play_order *order,
                    struct findings *stuck) {
  struct play play = {.schedule = schedule, .limits = limits, .order = order};
  play.players = xcalloc(schedule->nblocks + 1, sizeof *play.players);
  play.taken = xcalloc(schedule->nconnections + 1, sizeof *play.taken);
  play.queue = xcalloc(schedule->nblocks + 1, sizeof *play.queue);
  if (order) {
    order->steps = xcalloc(schedule->nsteps + 1, sizeof *order->steps);
  }
  for (unsigned i = 0; i < schedule->nblocks; i++) {
    play.players[i].first_waiter = BLOCKS_NONE;
    enqueue(&play, i);
  }
  while (play.nqueued > 0) {
    unsigned block = play.queue[play.head];
    play.head = (play.head + 1) % schedule->nblocks;
    play.nqueued--;
    play.players[block].is_queued = false;
    play_block(&play, &schedule->blocks[block]);
  }
  unsigned most = find_stuck(&play, stuck) ? UINT_MAX : play.most_taken;
  free(play.players);
  free(play.taken);
  free(play.queue);
  return most;
}
