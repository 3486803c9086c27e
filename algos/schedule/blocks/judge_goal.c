/* SPDX-License-Identifier: BSD-3-Clause
 * The judge of GOAL, see goal_play.h and goal_orders.c. */
#include "algos/schedule/blocks/goal_play.h"
#include "algos/schedule/blocks/judge_private.h"
#include "sim/base/vec.h"

enum { TRIES = 4 /* of depths of all orders, from the least one of an order on, before the largest */ };

/* As LogGOPSim has without options; bytes of a slot. */
static const struct goal_slots usual = {.eager = 65535, .slot = 65536};

/* Play GOAL with SLOTS; JUDGEMENT gets findings, NULL: none.
 * returns: whether all ends. */
static bool play_goal(const struct goal *goal, struct goal_slots slots, struct judgement *judgement) {
  struct goal_play play = goal_play_new(goal, slots, false);
  play.judgement = judgement;
  if (judgement) {
    goal_play_want_reach(&play);
  }
  goal_play_begin(&play);
  bool ends = goal_play_judge(&play, judgement);
  if (play.reach && ends) {
    goal_play_count_reach(&play, judgement);
  }
  goal_play_fini(&play);
  return ends;
}

static bool is_wild(const struct goal *goal) {
  return VEC_FIND(goal->ranks, goal->nranks, item->is_wild);
}

unsigned goal_depth(const struct goal *goal, struct goal_slots slots) {
  uint64_t low = slots.depth, most = low + 1;
  for (size_t i = 0; i < goal->noperations; i++) {
    most += goal->operations[i].kind == GOAL_SEND ? goal->operations[i].size / slots.slot + 1 : 0;
  }
  uint64_t high = play_goal(goal, slots, NULL) ? low : most;
  slots.depth = high;
  if (high == most && !play_goal(goal, slots, NULL)) {
    return GOAL_NONE;
  }
  while (high > low + 1) {
    slots.depth = low + (high - low) / 2;
    *(play_goal(goal, slots, NULL) ? &high : &low) = slots.depth;
  }
  slots.depth = high;
  for (unsigned tries = 1; is_wild(goal) && goal_orders(goal, slots, NULL) != GOAL_ALL_END; tries++) {
    if (slots.depth == most) {
      return GOAL_NONE;
    }
    slots.depth = tries < TRIES && 2 * slots.depth + 1 < most ? 2 * slots.depth + 1 : most;
  }
  return (unsigned)slots.depth;
}

struct judgement judge_goal(const struct goal *goal) {
  struct judgement judgement = {0};
  struct goal_slots slots = usual;
  slots.depth = UINT64_MAX / 2;
  play_goal(goal, slots, &judgement);
  if (judgement.found[FOUND_STUCK].n == 0 && is_wild(goal)) {
    judgement.is_undecided = goal_orders(goal, slots, &judgement) == GOAL_NOT_DECIDED;
  }
  judgement.ends = judgement.found[FOUND_STUCK].n == 0;
  judgement.depth = judgement.ends && !judgement.is_undecided ? goal_depth(goal, usual) : 0;
  return judgement;
}
