/* SPDX-License-Identifier: BSD-3-Clause
 * See goal_play.h. */
#include "algos/schedule/blocks/goal_play.h"

#include "algos/schedule/blocks/judge_private.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

enum { REACH_MAX = 1 << 26 /* words */ };

static void append(struct goal_play *play, struct goal_row *row, unsigned operation) {
  play->states[operation].next = GOAL_NONE;
  *(row->first == GOAL_NONE ? &row->first : &play->states[row->last].next) = operation;
  row->last = operation;
}

/* Take OPERATION out of ROW, where OPERATION stands behind BEFORE; GOAL_NONE: first. */
static void take_out(struct goal_play *play, struct goal_row *row, unsigned operation, unsigned before) {
  *(before == GOAL_NONE ? &row->first : &play->states[before].next) = play->states[operation].next;
  row->last = row->last == operation ? before : row->last;
}

static uint64_t *reach_of(const struct goal_play *play, unsigned operation, bool at_end) {
  return play->reach + (2 * (size_t)operation + at_end) * play->nwords;
}

static void join(const struct goal_play *play, uint64_t *into, const uint64_t *from) {
  for (size_t i = 0; i < play->nwords; i++) {
    into[i] |= from[i];
  }
}

/* Tell the operations that require OPERATION of the end, or of the begin. */
static void release(struct goal_play *play, unsigned operation, bool at_begin) {
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

/* Tell whether OPERATION is one of nopen: a send whose end is required, or a late receive. */
static bool is_counted(const struct goal_play *play, unsigned operation) {
  const struct goal_operation *counted = &play->goal->operations[operation];
  return play->nwild && (play->states[operation].is_late || (counted->kind == GOAL_SEND && counted->needs));
}

void goal_play_end(struct goal_play *play, unsigned operation) {
  struct goal_state *state = &play->states[operation];
  state->has_ended = true;
  if (is_counted(play, operation)) {
    play->nopen[play->goal->operations[operation].rank]--;
  }
  if (play->reach) {
    uint64_t *end = reach_of(play, operation, true);
    join(play, end, reach_of(play, operation, false));
    if (play->goal->operations[operation].kind == GOAL_RECV) {
      join(play, end, reach_of(play, state->mate, false));
    }
  }
  state->is_late = false;
  release(play, operation, false);
}

/* OPERATION is over, perhaps a second time. */
static void finish(struct goal_play *play, unsigned operation) {
  struct goal_state *state = &play->states[operation];
  const struct goal_operation *operations = play->goal->operations;
  if (state->has_ended || state->is_late) {
    return;
  }
  if (!goal_play_is_open(play, operations[operation].rank) || operations[operation].kind == GOAL_CALC ||
      !operations[operation].needs) {
    goal_play_end(play, operation);
    return;
  }
  state->is_late = true;
  play->late[play->nlate++] = operation;
  play->nopen[operations[operation].rank] += operations[operation].kind == GOAL_RECV;
}

uint64_t goal_play_slots(const struct goal_play *play, unsigned send) {
  uint64_t nslots = (play->goal->operations[send].size + play->slots.slot - 1) / play->slots.slot;
  return nslots ? nslots : 1;
}

/* Let eager sends of channel INDEX go into free slots. */
static void fill(struct goal_play *play, size_t index) {
  for (unsigned send; (send = play->channels[index].filled) != GOAL_NONE;) {
    struct goal_channel *channel = &play->channels[index];
    if (play->goal->operations[send].size > play->slots.eager ||
        channel->used + goal_play_slots(play, send) > play->slots.depth) {
      return;
    }
    channel->used += goal_play_slots(play, send);
    channel->filled = play->states[send].next;
    finish(play, send);
  }
}

bool goal_play_may_take(const struct goal_play *play, const struct goal_operation *receive, size_t index) {
  const struct goal_connection *connection = &play->goal->connections[index];
  return (receive->peer < 0 || receive->peer == (int)connection->from) &&
         (receive->tag < 0 || receive->tag == connection->tag) && connection->nsends > 0;
}

/* Find the receive for a message of channel INDEX: the first one that began. BEFORE: the one before, in the
 * row of wildcards. */
static unsigned find_receive(const struct goal_play *play, size_t index, unsigned *before) {
  unsigned own = play->channels[index].receives.first,
           wild = play->wild[play->goal->connections[index].to].first;
  for (*before = GOAL_NONE; wild != GOAL_NONE; *before = wild, wild = play->states[wild].next) {
    if (goal_play_may_take(play, &play->goal->operations[wild], index)) {
      break;
    }
  }
  bool is_wild = wild != GOAL_NONE && (own == GOAL_NONE || play->states[wild].turn < play->states[own].turn);
  return is_wild ? wild : own;
}

unsigned goal_play_receiver(const struct goal_play *play, size_t index) {
  unsigned before;
  return play->channels[index].sends.first == GOAL_NONE ? GOAL_NONE : find_receive(play, index, &before);
}

void goal_play_receive(struct goal_play *play, size_t index) {
  struct goal_channel *channel = &play->channels[index];
  unsigned before, nwild = 0, send = channel->sends.first, receive = find_receive(play, index, &before);
  const struct goal_operation *operation = &play->goal->operations[receive];
  if (operation->connection == GOAL_NONE) {
    take_out(play, &play->wild[operation->rank], receive, before);
    play->last = receive;
    nwild = 1;
  } else {
    take_out(play, &channel->receives, receive, GOAL_NONE);
  }
  if (channel->filled == send) {
    channel->filled = play->states[send].next;
  } else {
    channel->used -= goal_play_slots(play, send);
  }
  take_out(play, &channel->sends, send, GOAL_NONE);
  if (play->nwild) {
    play->nposted[operation->rank]--;
    play->nwild[operation->rank] -= nwild;
  }
  play->states[send].mate = receive;
  play->states[receive].mate = send;
  play->has_long |= play->goal->operations[send].size > operation->size;
  finish(play, receive);
  finish(play, send);
  fill(play, index);
}

/* Begin OPERATION, a send or a receive on a channel. */
static void begin_on_channel(struct goal_play *play, unsigned operation) {
  size_t index = play->goal->operations[operation].connection;
  struct goal_channel *channel = &play->channels[index];
  bool is_send = play->goal->operations[operation].kind == GOAL_SEND;
  append(play, is_send ? &channel->sends : &channel->receives, operation);
  channel->filled = is_send && channel->filled == GOAL_NONE ? operation : channel->filled;
  if (!goal_play_is_open(play, play->goal->connections[index].to) &&
      goal_play_receiver(play, index) != GOAL_NONE) {
    goal_play_receive(play, index);
  } else if (is_send) {
    fill(play, index);
  }
}

/* Begin RECEIVE with a wildcard, which takes the send that began first. If there are several channels,
 * another order is possible. */
static void begin_wild(struct goal_play *play, unsigned receive) {
  const struct goal_operation *operation = &play->goal->operations[receive];
  size_t found = 0, n = 0, least = SIZE_MAX;
  append(play, &play->wild[operation->rank], receive);
  for (unsigned i = play->goal->ranks[operation->rank].sources; i; i = play->goal->connections[i - 1].next) {
    unsigned send = play->channels[i - 1].sends.first;
    bool may = goal_play_may_take(play, operation, i - 1);
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
  if (least < SIZE_MAX && !goal_play_is_open(play, operation->rank)) {
    goal_play_receive(play, found);
  }
}

void goal_play_begin(struct goal_play *play) {
  while (play->nbegun < play->nready) {
    unsigned index = play->ready[play->nbegun];
    const struct goal_operation *operation = &play->goal->operations[index];
    play->states[index].has_begun = true;
    play->states[index].turn = play->nbegun++;
    if (play->nwild) {
      play->nopen[operation->rank] += is_counted(play, index);
      play->nposted[operation->rank] += operation->kind == GOAL_RECV;
    }
    release(play, index, true);
    if (operation->kind == GOAL_CALC) {
      finish(play, index);
    } else if (operation->connection == GOAL_NONE) {
      begin_wild(play, index);
    } else {
      begin_on_channel(play, index);
    }
  }
}

bool goal_play_judge(const struct goal_play *play, struct judgement *judgement) {
  static const char *const words[GOAL_KINDS] = {"send to", "receive from", "calculation"};
  const struct goal_operation *operations = play->goal->operations;
  bool ends = true;
  for (unsigned i = 0; i < play->goal->noperations; i++) {
    const struct goal_operation *operation = &operations[i];
    const struct goal_state *state = &play->states[i];
    bool is_left = !state->has_ended || (operation->kind == GOAL_SEND && state->mate == GOAL_NONE);
    ends &= !is_left;
    if (judgement && is_left) {
      struct findings *stuck = &judgement->found[FOUND_STUCK];
      bool tells_order = stuck->n == 0 && play->last != GOAL_NONE;
      const char *order =
        tells_order ? text_brief("if line %u takes the message of line %u, ", operations[play->last].line,
                                 operations[play->states[play->last].mate].line)
                    : "";
      findings_add(stuck,
                   state->has_begun ? "%srank %u line %u: %s %d, tag %jd, is unmatched"
                                    : "%srank %u line %u: the requirements are never met",
                   order, operation->rank, operation->line, words[operation->kind], operation->peer,
                   (intmax_t)operation->tag);
    } else if (judgement && operation->kind == GOAL_RECV && operation->size != operations[state->mate].size) {
      const struct goal_operation *send = &operations[state->mate];
      bool is_long = send->size > operation->size;
      findings_add(&judgement->found[is_long ? FOUND_LONG : FOUND_UNEQUAL],
                   is_long ? "line %u receives at most %ju bytes, line %u sends %ju"
                           : "line %u receives %ju bytes, line %u sends %ju",
                   operation->line, (uintmax_t)operation->size, send->line, (uintmax_t)send->size);
    }
  }
  return ends;
}

struct goal_play goal_play_new(const struct goal *goal, struct goal_slots slots, bool is_open) {
  static const struct goal_row none = {GOAL_NONE, GOAL_NONE};
  struct goal_play play = {
    .goal = goal, .slots = slots, .last = GOAL_NONE, .nwords = (goal->nranks + 63) / 64};
  play.states = xcalloc(goal->noperations + 1, sizeof *play.states);
  play.ready = xcalloc(goal->noperations + 1, sizeof *play.ready);
  play.wild = xcalloc(goal->nranks, sizeof *play.wild);
  play.channels = xcalloc(goal->nconnections + 1, sizeof *play.channels);
  if (is_open) {
    play.nwild = xcalloc(goal->nranks, sizeof *play.nwild);
    play.nopen = xcalloc(goal->nranks, sizeof *play.nopen);
    play.nposted = xcalloc(goal->nranks, sizeof *play.nposted);
    play.late = xcalloc(goal->noperations + 1, sizeof *play.late);
  }
  for (unsigned i = 0; i < goal->nconnections; i++) {
    play.channels[i] = (struct goal_channel){none, none, GOAL_NONE, 0};
  }
  for (unsigned r = 0; r < goal->nranks; r++) {
    play.wild[r] = none;
  }
  for (unsigned i = 0; i < goal->noperations; i++) {
    const struct goal_operation *operation = &goal->operations[i];
    play.states[i] = (struct goal_state){.mate = GOAL_NONE, .nleft = operation->nwants};
    play.ready[play.nready] = i;
    play.nready += operation->nwants == 0;
    if (is_open && operation->kind == GOAL_RECV && operation->connection == GOAL_NONE) {
      play.nwild[operation->rank]++;
    }
  }
  return play;
}

void goal_play_fini(struct goal_play *play) {
  free(play->states);
  free(play->channels);
  free(play->wild);
  free(play->ready);
  free(play->reach);
  free(play->nwild);
  free(play->nopen);
  free(play->nposted);
  free(play->late);
}

/* --- the ranks that the end of a rank depends on --- */

void goal_play_want_reach(struct goal_play *play) {
  const struct goal *goal = play->goal;
  if (2 * goal->noperations * play->nwords >= REACH_MAX) {
    return;
  }
  play->reach = xcalloc(2 * goal->noperations * play->nwords + 1, sizeof *play->reach);
  for (unsigned i = 0; i < goal->noperations; i++) {
    reach_of(play, i, false)[goal->operations[i].rank / 64] |= UINT64_C(1) << goal->operations[i].rank % 64;
  }
}

void goal_play_count_reach(const struct goal_play *play, struct judgement *judgement) {
  const struct goal *goal = play->goal;
  uint64_t *all = xcalloc(goal->nranks * play->nwords, sizeof *all);
  for (unsigned i = 0; i < goal->noperations; i++) {
    join(play, all + goal->operations[i].rank * play->nwords, reach_of(play, i, true));
  }
  judgement->least = goal->nranks;
  for (unsigned r = 0; r < goal->nranks; r++) {
    unsigned n = 0;
    all[r * play->nwords + r / 64] |= UINT64_C(1) << r % 64;
    for (size_t i = 0; i < play->nwords; i++) {
      n += (unsigned)__builtin_popcountll(all[r * play->nwords + i]);
    }
    judgement->least = n < judgement->least ? n : judgement->least;
    judgement->most = n > judgement->most ? n : judgement->most;
  }
  free(all);
}
