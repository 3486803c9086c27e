/* SPDX-License-Identifier: BSD-3-Clause
 * See judge.h. To find out whether a schedule ends, each block is played up to an obstacle, without time, and
 * again when the obstacle may be gone.
 *
 * One piece of the chunks is enough: in the first piece a block waits only for steps and messages of the
 * first piece, and the piece leaves all slots empty, so each piece ends as if alone. */
#include "algos/schedule/blocks/judge.h"

#include "algos/schedule/blocks/goal.h"
#include "algos/schedule/blocks/judge_private.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <stdarg.h>
#include <stdlib.h>

void findings_add(struct findings *findings, const char *format, ...) {
  if (findings->n < JUDGE_SHOWN) {
    va_list arguments;
    va_start(arguments, format);
    findings->shown[findings->n] = xvasprintf(format, arguments);
    va_end(arguments);
  }
  findings->n++;
}

void findings_fini(struct findings *findings) {
  for (size_t i = 0; i < findings->n && i < JUDGE_SHOWN; i++) {
    free(findings->shown[i]);
  }
  *findings = (struct findings){0};
}

const char *judge_place(const struct blocks *schedule, size_t index) {
  const struct block *block = &schedule->blocks[schedule->steps[index].block];
  return text_brief("rank %u block %u step %zu (%s)", block->rank, block->number, index - block->first,
                    step_traits[schedule->steps[index].kind].word);
}

/* Number the chunks of SCHEDULE, done in ORDER in the way WAY, in CELLS. */
static void cells_init(struct cells *cells, const struct blocks *schedule, const unsigned *order,
                       unsigned way) {
  const struct blocks_traits *traits = &blocks_traits[schedule->collective];
  bool in_place = way == BLOCKS_IN_PLACE, joins = in_place && blocks_joins(traits);
  *cells = (struct cells){.schedule = schedule, .order = order, .way = way};
  cells->first = xcalloc((size_t)schedule->nranks * BUFFER_COUNT, sizeof *cells->first);
  cells->begin = xcalloc((size_t)schedule->nranks + 1, sizeof *cells->begin);
  for (unsigned r = 0; r < schedule->nranks; r++) {
    size_t *first = &cells->first[(size_t)r * BUFFER_COUNT], shift = (size_t)r * schedule->each;
    const unsigned *room = schedule->ranks[r].room;
    first[BUFFER_INPUT] = cells->begin[r] + (joins ? shift : 0);
    size_t end = first[BUFFER_INPUT] + room[BUFFER_INPUT];
    first[BUFFER_OUTPUT] = in_place ? cells->begin[r] + (traits->is_block ? shift : 0) : end;
    size_t other = first[BUFFER_OUTPUT] + room[BUFFER_OUTPUT];
    first[BUFFER_SCRATCH] = end > other ? end : other;
    cells->begin[r + 1] = first[BUFFER_SCRATCH] + room[BUFFER_SCRATCH];
  }
}

/* --- ends --- */

enum obstacle { OBSTACLE_NONE, OBSTACLE_DEPENDENCY, OBSTACLE_MESSAGE, OBSTACLE_SLOT };

/* The state of a block. */
struct player {
  unsigned step;  /* steps done */
  unsigned nsent; /* chunks of the present step done */
  bool is_queued, is_waiting;
  unsigned first_waiter, next_waiter; /* blocks in wait for a step of this block; BLOCKS_NONE: none */
};

/* Limits of each connection: slots, and chunks in a slot. */
struct play_limits {
  unsigned depth, per_slot;
};

struct play {
  const struct blocks *schedule;
  struct play_limits limits;
  struct player *players;
  unsigned *taken; /* slots, by connection */
  unsigned *queue; /* blocks to be played, a ring of nblocks */
  size_t head, nqueued;
  unsigned most_taken;
  unsigned *order; /* steps as done, NDONE of them; NULL: not wanted */
  size_t ndone;
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

static void end_step(struct play *play, const struct block *block) {
  struct player *player = &play->players[block - play->schedule->blocks];
  if (play->order) {
    play->order[play->ndone++] = (unsigned)(block->first + player->step);
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

/* Play SCHEDULE within LIMITS. ORDER becomes the order of the steps, STUCK has the blocks with steps left;
 * NULL: not wanted.
 * returns: the largest number of slots in use at once; UINT_MAX: blocks do not end. */
static unsigned play_blocks(const struct blocks *schedule, struct play_limits limits, unsigned *order,
                            struct findings *stuck) {
  struct play play = {.schedule = schedule, .limits = limits, .order = order};
  play.players = xcalloc(schedule->nblocks + 1, sizeof *play.players);
  play.taken = xcalloc(schedule->nconnections + 1, sizeof *play.taken);
  play.queue = xcalloc(schedule->nblocks + 1, sizeof *play.queue);
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

/* --- the judgement --- */

unsigned judge_depth(const struct blocks *schedule, unsigned per_slot) {
  unsigned high = play_blocks(schedule, (struct play_limits){UINT_MAX, per_slot}, NULL, NULL), low = 1;
  high = high == UINT_MAX ? 0 : high > 1 ? high : 1;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (play_blocks(schedule, (struct play_limits){middle, per_slot}, NULL, NULL) == UINT_MAX) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return high;
}

/* Judge SCHEDULE done in ORDER in the way WAY. */
static void judge_way(const struct blocks *schedule, const unsigned *order, unsigned way,
                      struct judgement *judgement) {
  struct cells cells;
  cells_init(&cells, schedule, order, way);
  judge_values(&cells, judgement);
  judge_races(&cells, &judgement->found[FOUND_RACES + way]);
  free(cells.first);
  free(cells.begin);
}

static struct judgement judge_blocks(const struct blocks *schedule) {
  struct judgement judgement = {.has_result = blocks_traits[schedule->collective].has_result};
  struct findings *stuck = &judgement.found[FOUND_STUCK];
  unsigned *order = xcalloc(schedule->nsteps + 1, sizeof *order);
  judgement.ends = play_blocks(schedule, (struct play_limits){UINT_MAX, UINT_MAX}, order, stuck) != UINT_MAX;
  if (judgement.ends) {
    judgement.depth = judge_depth(schedule, UINT_MAX);
    judgement.depth_narrow = judge_depth(schedule, 1);
    if (judgement.depth > 1) {
      play_blocks(schedule, (struct play_limits){judgement.depth - 1, UINT_MAX}, NULL, stuck);
    }
    for (unsigned way = 0; way < BLOCKS_WAYS; way++) {
      if (schedule->claims[way]) {
        judge_way(schedule, order, way, &judgement);
      }
    }
  }
  judge_rccl(schedule, judgement.found);
  free(order);
  return judgement;
}

bool judgement_is_wrong(const struct judgement *judgement) {
  return judgement->has_result && (judgement->found[FOUND_WRONG + BLOCKS_IN_PLACE].n ||
                                   judgement->found[FOUND_WRONG + BLOCKS_OUT_OF_PLACE].n);
}

const struct findings *judgement_races(const struct judgement *judgement) {
  const struct findings *races = &judgement->found[FOUND_RACES];
  return &races[races[BLOCKS_OUT_OF_PLACE].n > races[BLOCKS_IN_PLACE].n];
}

bool judgement_fails(const struct judgement *judgement) {
  return !judgement->ends || judgement_races(judgement)->n > 0 || judgement->found[FOUND_LONG].n > 0 ||
         judgement_is_wrong(judgement);
}

static void clear_findings(struct judged *judged) {
  for (unsigned i = 0; i < FOUND_KINDS; i++) {
    findings_fini(&judged->judgement.found[i]);
  }
}

void judged_make(struct judged *judged) {
  clear_findings(judged);
  judged->judgement = judged->goal ? judge_goal(judged->goal) : judge_blocks(judged->schedule);
}

void judged_fini(struct judged *judged) {
  clear_findings(judged);
  blocks_free(judged->schedule);
  goal_free(judged->goal);
  *judged = (struct judged){.goal = NULL};
}
