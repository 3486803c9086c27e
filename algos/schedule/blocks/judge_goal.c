/* SPDX-License-Identifier: BSD-3-Clause
 * The judge of GOAL: operations are played without time. A send is over when received, or, up to EAGER
 * bytes, when all pieces of the message lie in the slots of the connection (sender, receiver, tag). */
#include "algos/schedule/blocks/goal.h"
#include "algos/schedule/blocks/judge_private.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

enum { REACH_MAX = 1 << 26 /* words */ };

/* As LogGOPSim has without options; bytes of a slot. */
static const struct goal_slots usual = {.eager = 65535, .slot = 65536};

/* Operations in wait in a row. */
struct row {
  unsigned first, last;
};

struct channel {
  struct row sends, receives;
  unsigned filled; /* the first send outside slots */
  uint64_t used;   /* slots, up to there */
};

struct state {
  unsigned next, nleft, mate; /* next in a row; requirements not met; GOAL_NONE: none */
  bool has_begun, has_ended;
  size_t turn; /* the number of operations that began before */
};

struct play {
  const struct goal *goal;
  struct goal_slots slots;
  struct state *states;
  struct channel *channels; /* by connection; NULL: none */
  struct row *wild;         /* receives with wildcards, by rank */
  unsigned *ready;
  size_t nready, nbegun;
  uint64_t *reach; /* by operation: begin, then end; NULL: not wanted */
  size_t nwords;
  struct judgement *judgement; /* NULL: only whether all ends */
};

static void append(struct play *play, struct row *row, unsigned operation) {
  play->states[operation].next = GOAL_NONE;
  *(row->first == GOAL_NONE ? &row->first : &play->states[row->last].next) = operation;
  row->last = operation;
}

static void take_first(struct play *play, struct row *row) {
  row->first = play->states[row->first].next;
}

static uint64_t *reach_of(const struct play *play, unsigned operation, bool at_end) {
  return play->reach + (2 * (size_t)operation + at_end) * play->nwords;
}

static void join(const struct play *play, uint64_t *into, const uint64_t *from) {
  for (size_t i = 0; i < play->nwords; i++) {
    into[i] |= from[i];
  }
}

/* Tell the operations that require OPERATION of the end, or of the begin. */
static void release(struct play *play, unsigned operation, bool at_begin) {
  const struct goal *goal = play->goal;
  for (unsigned k = goal->operations[operation].needs; k; k = goal->requirements[k - 1].next) {
    const struct goal_requirement *requirement = &goal->requirements[k - 1];
    if (requirement->at_begin != at_begin) {
      continue;
    }
    if (play->reach) {
      join(play, reach_of(play, requirement->operation, false), reach_of(play, operation, !at_begin));
    }
    if (--play->states[requirement->operation].nleft == 0) {
      play->ready[play->nready++] = requirement->operation;
    }
  }
}

static void finish(struct play *play, unsigned operation) {
  struct state *state = &play->states[operation];
  if (!state->has_ended) {
    state->has_ended = true;
    if (play->reach) {
      uint64_t *end = reach_of(play, operation, true);
      join(play, end, reach_of(play, operation, false));
      if (play->goal->operations[operation].kind == GOAL_RECV) {
        join(play, end, reach_of(play, state->mate, false));
      }
    }
    release(play, operation, false);
  }
}

static uint64_t slots_of(const struct play *play, unsigned send) {
  uint64_t nslots = (play->goal->operations[send].size + play->slots.slot - 1) / play->slots.slot;
  return nslots ? nslots : 1;
}

/* Let sends of channel INDEX go into free slots. */
static void fill(struct play *play, size_t index) {
  for (unsigned send; (send = play->channels[index].filled) != GOAL_NONE;) {
    struct channel *channel = &play->channels[index];
    if (channel->used + slots_of(play, send) > play->slots.depth) {
      return;
    }
    channel->used += slots_of(play, send);
    channel->filled = play->states[send].next;
    if (play->goal->operations[send].size <= play->slots.eager) {
      finish(play, send);
    }
  }
}

/* Let RECEIVE take SEND, of channel INDEX. */
static void match(struct play *play, unsigned send, unsigned receive, size_t index) {
  play->states[send].mate = receive;
  play->states[receive].mate = send;
  finish(play, receive);
  finish(play, send);
  fill(play, index);
}

/* Let RECEIVE take the first send of channel INDEX. */
static void take_send(struct play *play, unsigned receive, size_t index) {
  struct channel *channel = &play->channels[index];
  unsigned send = channel->sends.first;
  if (channel->filled == send) {
    channel->filled = play->states[send].next;
  } else {
    channel->used -= slots_of(play, send);
  }
  take_first(play, &channel->sends);
  match(play, send, receive, index);
}

/* Tell whether RECEIVE, with a wildcard, may take messages of channel INDEX. */
static bool may_take(const struct play *play, const struct goal_operation *receive, size_t index) {
  const struct goal_connection *connection = &play->goal->connections[index];
  return (receive->peer < 0 || receive->peer == (int)connection->from) &&
         (receive->tag < 0 || receive->tag == connection->tag) && connection->nsends > 0;
}

/* Begin SEND: the earliest fitting receive takes the message. */
static void begin_send(struct play *play, unsigned send) {
  const struct goal_operation *operations = play->goal->operations, *operation = &operations[send];
  unsigned to = (unsigned)operation->peer, before = GOAL_NONE, wild = play->wild[to].first;
  size_t index = operation->connection;
  struct row *receives = &play->channels[index].receives;
  for (; wild != GOAL_NONE; before = wild, wild = play->states[wild].next) {
    if (may_take(play, &operations[wild], index)) {
      break;
    }
  }
  if (receives->first != GOAL_NONE &&
      (wild == GOAL_NONE || play->states[receives->first].turn < play->states[wild].turn)) {
    unsigned receive = receives->first;
    take_first(play, receives);
    match(play, send, receive, index);
  } else if (wild != GOAL_NONE) {
    *(before == GOAL_NONE ? &play->wild[to].first : &play->states[before].next) = play->states[wild].next;
    play->wild[to].last = play->wild[to].last == wild ? before : play->wild[to].last;
    match(play, send, wild, index);
  } else {
    struct channel *channel = &play->channels[index];
    append(play, &channel->sends, send);
    channel->filled = channel->filled == GOAL_NONE ? send : channel->filled;
    fill(play, index);
  }
}

/* Begin RECEIVE with a wildcard, which takes the send that began first. If there are several channels,
 * another order is possible. */
static void begin_wild(struct play *play, unsigned receive) {
  const struct goal_operation *operation = &play->goal->operations[receive];
  size_t found = 0, n = 0, least = SIZE_MAX;
  for (unsigned i = play->goal->ranks[operation->rank].sources; i; i = play->goal->connections[i - 1].next) {
    unsigned send = play->channels[i - 1].sends.first;
    bool may = may_take(play, operation, i - 1);
    n += may;
    if (may && send != GOAL_NONE && play->states[send].turn < least) {
      found = i - 1;
      least = play->states[send].turn;
    }
  }
  if (n > 1 && play->judgement) {
    findings_add(&play->judgement->found[FOUND_OPEN],
                 "line %u takes the first of the messages on %zu connections", operation->line, n);
  }
  if (least < SIZE_MAX) {
    take_send(play, receive, found);
  } else {
    append(play, &play->wild[operation->rank], receive);
  }
}

static void begin(struct play *play, unsigned index) {
  const struct goal_operation *operation = &play->goal->operations[index];
  play->states[index].has_begun = true;
  play->states[index].turn = play->nbegun++;
  release(play, index, true);
  if (operation->kind == GOAL_CALC) {
    finish(play, index);
  } else if (operation->kind == GOAL_SEND) {
    begin_send(play, index);
  } else if (operation->peer < 0 || operation->tag < 0) {
    begin_wild(play, index);
  } else {
    size_t channel = operation->connection;
    if (play->channels[channel].sends.first != GOAL_NONE) {
      take_send(play, index, channel);
    } else {
      append(play, &play->channels[channel].receives, index);
    }
  }
}

/* Judge PLAY at the end, for JUDGEMENT; only count without one.
 * returns: whether all operations have ended, and all messages are received. */
static bool judge_end(const struct play *play) {
  static const char *const words[GOAL_KINDS] = {"send to", "receive from", "calculation"};
  struct judgement *judgement = play->judgement;
  bool ends = true;
  for (unsigned i = 0; i < play->goal->noperations; i++) {
    const struct goal_operation *operation = &play->goal->operations[i];
    const struct state *state = &play->states[i];
    bool is_left = !state->has_ended || (operation->kind == GOAL_SEND && state->mate == GOAL_NONE);
    ends &= !is_left;
    if (judgement && is_left) {
      findings_add(&judgement->found[FOUND_STUCK],
                   state->has_begun ? "rank %u line %u: %s %d, tag %jd, is unmatched"
                                    : "rank %u line %u: the requirements are never met",
                   operation->rank, operation->line, words[operation->kind], operation->peer,
                   (intmax_t)operation->tag);
    } else if (judgement && operation->kind == GOAL_RECV &&
               operation->size != play->goal->operations[state->mate].size) {
      findings_add(&judgement->found[FOUND_UNEQUAL], "line %u receives %ju bytes, %ju are sent",
                   operation->line, (uintmax_t)operation->size,
                   (uintmax_t)play->goal->operations[state->mate].size);
    }
  }
  return ends;
}

/* Count the ranks that the end of each rank depends on. */
static void count_reach(const struct play *play) {
  const struct goal *goal = play->goal;
  uint64_t *all = xcalloc(goal->nranks * play->nwords, sizeof *all);
  for (unsigned i = 0; i < goal->noperations; i++) {
    join(play, all + goal->operations[i].rank * play->nwords, reach_of(play, i, true));
  }
  play->judgement->least = goal->nranks;
  for (unsigned r = 0; r < goal->nranks; r++) {
    unsigned n = 0;
    all[r * play->nwords + r / 64] |= UINT64_C(1) << r % 64;
    for (size_t i = 0; i < play->nwords; i++) {
      n += (unsigned)__builtin_popcountll(all[r * play->nwords + i]);
    }
    play->judgement->least = n < play->judgement->least ? n : play->judgement->least;
    play->judgement->most = n > play->judgement->most ? n : play->judgement->most;
  }
  free(all);
}

/* Play GOAL with SLOTS; JUDGEMENT gets findings, NULL: none.
 * returns: whether all ends. */
static bool play_goal(const struct goal *goal, struct goal_slots slots, struct judgement *judgement) {
  static const struct row none = {GOAL_NONE, GOAL_NONE};
  struct play play = {
    .goal = goal, .slots = slots, .judgement = judgement, .nwords = (goal->nranks + 63) / 64};
  play.states = xcalloc(goal->noperations + 1, sizeof *play.states);
  play.ready = xcalloc(goal->noperations + 1, sizeof *play.ready);
  play.wild = xcalloc(goal->nranks, sizeof *play.wild);
  if (judgement && 2 * goal->noperations * play.nwords < REACH_MAX) {
    play.reach = xcalloc(2 * goal->noperations * play.nwords + 1, sizeof *play.reach);
  }
  play.channels = xcalloc(goal->nconnections + 1, sizeof *play.channels);
  for (unsigned i = 0; i < goal->nconnections; i++) {
    play.channels[i] = (struct channel){none, none, GOAL_NONE, 0};
  }
  for (unsigned r = 0; r < goal->nranks; r++) {
    play.wild[r] = none;
  }
  for (unsigned i = 0; i < goal->noperations; i++) {
    unsigned rank = goal->operations[i].rank;
    play.states[i] = (struct state){.mate = GOAL_NONE, .nleft = goal->operations[i].nwants};
    if (play.reach) {
      reach_of(&play, i, false)[rank / 64] |= UINT64_C(1) << rank % 64;
    }
    play.ready[play.nready] = i;
    play.nready += play.states[i].nleft == 0;
  }
  for (size_t i = 0; i < play.nready; i++) {
    begin(&play, play.ready[i]);
  }
  bool ends = judge_end(&play);
  if (play.reach && ends) {
    count_reach(&play);
  }
  free(play.states);
  free(play.channels);
  free(play.wild);
  free(play.ready);
  free(play.reach);
  return ends;
}

unsigned goal_depth(const struct goal *goal, struct goal_slots slots) {
  uint64_t low = 0, high = 1;
  for (size_t i = 0; i < goal->noperations; i++) {
    high += goal->operations[i].kind == GOAL_SEND ? goal->operations[i].size / slots.slot + 1 : 0;
  }
  slots.depth = 0;
  if (play_goal(goal, slots, NULL)) {
    return 0;
  }
  slots.depth = high;
  bool ends = play_goal(goal, slots, NULL);
  while (ends && high - low > 1) {
    slots.depth = low + (high - low) / 2;
    *(play_goal(goal, slots, NULL) ? &high : &low) = slots.depth;
  }
  return ends ? (unsigned)high : 0;
}

struct judgement judge_goal(const struct goal *goal) {
  struct judgement judgement = {.depth = goal_depth(goal, usual)};
  struct goal_slots slots = usual;
  slots.depth = UINT64_MAX / 2;
  judgement.ends = play_goal(goal, slots, &judgement);
  return judgement;
}
