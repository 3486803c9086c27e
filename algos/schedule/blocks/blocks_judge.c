/* SPDX-License-Identifier: BSD-3-Clause
 * The judge of schedules of thread blocks. To find out whether a schedule ends, each block is played up to an
 * obstacle, without time, and again when the obstacle may be gone. A step with both ends, receiving and
 * sending, needs the message and a free slot at once. Each connection has one sender and one receiver, so the
 * order of play changes nothing, and more slots never hurt.
 *
 * One piece of the chunks is enough: in the first piece a block waits only for steps and messages of the
 * first piece, and the piece leaves all slots empty, so each piece ends as if alone. */
#include "algos/schedule/blocks/blocks.h"

#include "sim/base/minmax.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

const char *judge_place(const struct blocks *schedule, size_t index) {
  const struct block *block = &schedule->blocks[schedule->steps[index].block];
  return text_brief("rank %u block %u step %zu (%s)", block->rank, block->number, index - block->first,
                    step_traits[schedule->steps[index].kind].word);
}

/* --- ends --- */

enum obstacle { OBSTACLE_NONE, OBSTACLE_DEPENDENCY, OBSTACLE_MESSAGE, OBSTACLE_SLOT };

static const char *const obstacles[] = {NULL, "a block", "a message", "a free slot"};

/* The state of a block. */
struct progress {
  unsigned step;  /* steps done */
  unsigned nsent; /* chunks of the present step done */
  bool is_queued, is_waiting;
  unsigned first_waiter, next_waiter; /* blocks in wait for a step of this block; BLOCKS_NONE: none */
};

struct play {
  const struct blocks *schedule;
  struct slots slots;
  struct progress *progress;
  unsigned *taken; /* slots, by connection */
  unsigned *queue; /* blocks to be played, a ring of nblocks */
  size_t head, nqueued;
  unsigned most_taken;
  unsigned *order; /* steps as done, NDONE of them; NULL: not wanted */
  size_t ndone;
};

static void enqueue(struct play *play, unsigned block) {
  size_t n = play->schedule->nblocks;
  if (!play->progress[block].is_queued) {
    play->progress[block].is_queued = true;
    play->queue[(play->head + play->nqueued++) % n] = block;
  }
}

/* Return the obstacle of BLOCK, with steps left; OTHER: the block able to remove the obstacle. */
static enum obstacle find_obstacle(const struct play *play, const struct block *block, unsigned *other) {
  const struct blocks *schedule = play->schedule;
  const struct progress *own = &play->progress[block - schedule->blocks];
  const struct block_step *step = &schedule->steps[block->first + own->step];
  const struct step_traits *traits = &step_traits[step->kind];
  if (step->dep_block >= 0) {
    *other = schedule->ranks[block->rank].first + (unsigned)step->dep_block;
    if (play->progress[*other].step <= (unsigned)step->dep_step) {
      return OBSTACLE_DEPENDENCY;
    }
  }
  if (traits->receives && play->taken[block->in] == 0) {
    *other = schedule->connections[block->in].from;
    return OBSTACLE_MESSAGE;
  }
  if (traits->sends && play->taken[block->out] >= play->slots.depth) {
    *other = schedule->connections[block->out].to;
    return OBSTACLE_SLOT;
  }
  return OBSTACLE_NONE;
}

static void end_step(struct play *play, const struct block *block) {
  struct progress *own = &play->progress[block - play->schedule->blocks];
  if (play->order) {
    play->order[play->ndone++] = (unsigned)(block->first + own->step);
  }
  own->nsent = 0;
  own->step++;
  for (unsigned waiter = own->first_waiter; waiter != BLOCKS_NONE;
       waiter = play->progress[waiter].next_waiter) {
    play->progress[waiter].is_waiting = false;
    enqueue(play, waiter);
  }
  own->first_waiter = BLOCKS_NONE;
}

/* Let BLOCK do a part of the present step: as many chunks as a slot holds. */
static void do_part(struct play *play, const struct block *block) {
  const struct blocks *schedule = play->schedule;
  struct progress *own = &play->progress[block - schedule->blocks];
  const struct block_step *step = &schedule->steps[block->first + own->step];
  if (step_traits[step->kind].receives) {
    play->taken[block->in]--;
    enqueue(play, schedule->connections[block->in].from);
  }
  if (step_traits[step->kind].sends) {
    unsigned taken = ++play->taken[block->out];
    RAISE(play->most_taken, taken);
    enqueue(play, schedule->connections[block->out].to);
  }
  if (step->count - own->nsent <= play->slots.room) {
    end_step(play, block);
  } else {
    own->nsent += (unsigned)play->slots.room;
  }
}

static void play_block(struct play *play, const struct block *block) {
  struct progress *own = &play->progress[block - play->schedule->blocks];
  enum obstacle obstacle = OBSTACLE_NONE;
  unsigned other = 0;
  while (own->step < block->nsteps && !(obstacle = find_obstacle(play, block, &other))) {
    do_part(play, block);
  }
  if (obstacle == OBSTACLE_DEPENDENCY && !own->is_waiting) {
    own->is_waiting = true;
    own->next_waiter = play->progress[other].first_waiter;
    play->progress[other].first_waiter = (unsigned)(block - play->schedule->blocks);
  }
}

/* Tell the cycle of waiting blocks reached from BLOCK. */
static void tell_cycle(const struct play *play, unsigned block, struct findings *stuck) {
  enum { TOLD_MAX = 8 };
  const struct blocks *schedule = play->schedule;
  SCOPED bool *seen = xcalloc(schedule->nblocks, sizeof *seen);
  SCOPED char *text = NULL;
  for (; !seen[block]; find_obstacle(play, &schedule->blocks[block], &block)) {
    seen[block] = true;
  }
  unsigned n = 0;
  for (; seen[block]; n++) {
    const struct block *waiting = &schedule->blocks[block];
    size_t index = waiting->first + play->progress[block].step;
    seen[block] = false;
    enum obstacle obstacle = find_obstacle(play, waiting, &block);
    if (n < TOLD_MAX) {
      xappend(&text, "%s%s waits for %s of rank %u", n ? ", " : "", judge_place(schedule, index),
              obstacles[obstacle], schedule->blocks[block].rank);
    }
  }
  findings_add(stuck, n > TOLD_MAX ? "%s ... in a cycle of %u blocks" : "%s", text, n);
}

/* Count the blocks with steps left; STUCK gets the cycle, once for all of them. */
static size_t find_stuck(const struct play *play, struct findings *stuck) {
  size_t n = 0;
  for (unsigned i = 0; i < play->schedule->nblocks; i++) {
    if (play->progress[i].step < play->schedule->blocks[i].nsteps) {
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

/* Play SCHEDULE with SLOTS of so many chunks. ORDER becomes the order of the steps, STUCK has the blocks with
 * steps left; NULL: not wanted.
 * returns: the largest number of slots in use at once; UINT_MAX: blocks do not end. */
static unsigned play_blocks(const struct blocks *schedule, struct slots slots, unsigned *order,
                            struct findings *stuck) {
  struct play play = {.schedule = schedule, .slots = slots, .order = order};
  play.progress = xcalloc(schedule->nblocks + 1, sizeof *play.progress);
  play.taken = xcalloc(schedule->nconnections + 1, sizeof *play.taken);
  play.queue = xcalloc(schedule->nblocks + 1, sizeof *play.queue);
  for (unsigned i = 0; i < schedule->nblocks; i++) {
    play.progress[i].first_waiter = BLOCKS_NONE;
    enqueue(&play, i);
  }
  while (play.nqueued > 0) {
    unsigned block = play.queue[play.head];
    play.head = (play.head + 1) % schedule->nblocks;
    play.nqueued--;
    play.progress[block].is_queued = false;
    play_block(&play, &schedule->blocks[block]);
  }
  unsigned most = find_stuck(&play, stuck) ? UINT_MAX : play.most_taken;
  free(play.progress);
  free(play.taken);
  free(play.queue);
  return most;
}

/* --- the judgement --- */

static const struct slots unlimited = {.depth = UINT_MAX, .room = UINT_MAX};

static bool ends(const struct loaded *loaded, struct slots slots) {
  return play_blocks(blocks_of(loaded), slots, NULL, NULL) != UINT_MAX;
}

/* Return the least number of slots for an end, each with room for PER_SLOT chunks; 0: none. */
static unsigned find_depth(const struct loaded *loaded, unsigned per_slot) {
  struct slots slots = {.depth = UINT_MAX, .room = per_slot};
  unsigned most = play_blocks(blocks_of(loaded), slots, NULL, NULL);
  slots.depth = 0;
  return most == UINT_MAX ? 0 : (unsigned)slots_search(ends, loaded, slots, MAX(most, 1));
}

unsigned blocks_depth(const struct loaded *loaded, const unsigned *values, unsigned least, size_t nbytes) {
  size_t chunk = blocks_chunk_bytes(blocks_of(loaded), nbytes), slot = values[PARAM_SLOT];
  (void)least;
  return chunk && chunk <= slot / 2 ? find_depth(loaded, (unsigned)(slot / chunk))
                                    : loaded->judgement.depth_narrow;
}

struct judgement blocks_judge(const struct loaded *loaded) {
  const struct blocks *schedule = blocks_of(loaded);
  struct judgement judgement = {.has_result = blocks_traits[schedule->collective].has_result};
  struct findings *stuck = &judgement.found[FOUND_STUCK];
  SCOPED unsigned *order = xcalloc(schedule->nsteps + 1, sizeof *order);
  judgement.ends = play_blocks(schedule, unlimited, order, stuck) != UINT_MAX;
  judge_rccl(schedule, judgement.found);
  if (!judgement.ends) {
    return judgement;
  }
  judgement.depth = find_depth(loaded, UINT_MAX);
  judgement.depth_narrow = find_depth(loaded, 1);
  if (judgement.depth > 1) {
    play_blocks(schedule, (struct slots){.depth = judgement.depth - 1, .room = UINT_MAX}, NULL, stuck);
  }
  for (unsigned way = 0; way < BLOCKS_WAYS; way++) {
    if (schedule->claims[way]) {
      judge_way(schedule, order, way, &judgement);
    }
  }
  return judgement;
}
