/* SPDX-License-Identifier: BSD-3-Clause
 * All orders of GOAL: a receive with a wildcard takes the message of any connection. In ranks with such
 * receives left, messages are received, and operations end, one at a time in any order. All other ranks go on
 * as far as possible, which takes nothing from the choice. Each order is played from the beginning, with
 * another choice at the last place where one is left, and stops at a known state. Two states are the same if
 * their futures are: among messages that all receives take alike, only the number counts. */
#include "algos/schedule/blocks/goal_play.h"
#include "algos/schedule/blocks/judge_private.h"
#include "sim/base/hash.h"
#include "sim/base/random.h"
#include "sim/base/vec.h"

#include <stdlib.h>

enum { WORK_MAX = 1 << 26 /* steps of loops; half a second */ };

/* The message of channel INDEX is received, or operation INDEX ends. */
struct event {
  unsigned rank;
  bool is_end;
  size_t index;
};

struct choice {
  size_t taken, n;
};

struct orders {
  const struct goal *goal;
  struct goal_slots slots;
  struct choice *path;
  size_t npath, at; /* AT: choices made in this order */
  struct event *events;
  size_t nevents;
  uint64_t *likes; /* by connection: equal if all receives take the messages alike; 0: like no other one */
  uint64_t *followers; /* by operation: equal if the same operations wait for the end; 0: none */
  bool *has_one;       /* by operation: a receive for messages that are alike */
  uint64_t *sequences; /* for find_state: by rank, then by connection */
  struct hash known;
  uint64_t work;
};

/* --- connections --- */

/* Tell whether the wildcards of RECEIVE make no choice: the messages of all connections that fit are
 * alike. */
static bool has_one_like(const struct orders *orders, const struct goal_play *play,
                         const struct goal_operation *receive) {
  uint64_t like = 0;
  unsigned n = 0;
  bool are_like = true;
  for (unsigned k = play->goal->ranks[receive->rank].sources; k; k = play->goal->connections[k - 1].next) {
    if (goal_play_may_take(play, receive, k - 1)) {
      are_like &= n == 0 || (like && like == orders->likes[k - 1]);
      like = orders->likes[k - 1];
      n++;
    }
  }
  return are_like;
}

/* Find the connections with like messages: of one size, for the same wildcards and no other receive, and no
 * send with requirements on the end waits for the receiver. */
static void find_likes(struct orders *orders) {
  const struct goal *goal = orders->goal;
  const struct goal_play play = {.goal = goal, .slots = orders->slots};
  for (unsigned i = 0; i < goal->nconnections; i++) {
    orders->likes[i] = random_mix(goal->connections[i].largest + 1);
  }
  for (unsigned i = 0; i < goal->noperations; i++) {
    const struct goal_operation *operation = &goal->operations[i];
    bool is_wild = operation->kind == GOAL_RECV && operation->connection == GOAL_NONE;
    unsigned k = is_wild ? goal->ranks[operation->rank].sources : 0;
    for (; k; k = goal->connections[k - 1].next) {
      bool may = goal_play_may_take(&play, operation, k - 1);
      orders->likes[k - 1] += may && orders->likes[k - 1] ? random_mix(i + 1) | 1 : 0;
    }
    if (operation->kind == GOAL_RECV && !is_wild) {
      orders->likes[operation->connection] = 0;
    } else if (operation->kind == GOAL_SEND) {
      const struct goal_connection *connection = &goal->connections[operation->connection];
      bool waits = operation->size > orders->slots.eager ||
                   goal_play_slots(&play, i) * connection->nsends > orders->slots.depth;
      orders->likes[operation->connection] *=
        operation->size == connection->largest && !(waits && operation->needs);
    }
  }
  for (unsigned i = 0; i < goal->noperations; i++) {
    const struct goal_operation *operation = &goal->operations[i];
    orders->has_one[i] = operation->kind == GOAL_RECV &&
                         (operation->connection != GOAL_NONE || has_one_like(orders, &play, operation));
  }
}

/* --- an order --- */

/* Tell whether the end of OPERATION, now or later, changes nothing: no operation waits for the end, nothing
 * else can happen in the rank before, or the same operations wait for another late one, too. */
static bool is_harmless(const struct orders *orders, const struct goal_play *play, unsigned operation) {
  unsigned rank = play->goal->operations[operation].rank;
  uint64_t followers = orders->followers[operation];
  return followers == 0 || !goal_play_is_open(play, rank) || play->nposted[rank] + play->nopen[rank] == 1 ||
         VEC_FIND(play->late, play->nlate,
                  *item != operation && play->states[*item].is_late && orders->followers[*item] == followers);
}

static void happen(struct goal_play *play, struct event event) {
  if (event.is_end) {
    goal_play_end(play, (unsigned)event.index);
  } else {
    goal_play_receive(play, event.index);
  }
  goal_play_begin(play);
}

/* Let EVENT happen if the event is HARMLESS; else list the event.
 * returns: whether the event has happened. */
static bool add_event(struct orders *orders, struct goal_play *play, struct event event, bool harmless) {
  if (harmless) {
    happen(play, event);
  } else {
    VEC_ADD(orders->events, orders->nevents) = event;
  }
  return harmless;
}

/* Add the messages that can be received in RANK to the events of ORDERS.
 * returns: whether one was harmless, and has been received. */
static bool add_messages(struct orders *orders, struct goal_play *play, unsigned rank) {
  size_t first = orders->nevents;
  for (unsigned k = play->goal->ranks[rank].sources; k; k = play->goal->connections[k - 1].next) {
    unsigned receive = goal_play_receiver(play, k - 1);
    uint64_t like = orders->likes[k - 1];
    orders->work += 1 + play->nposted[rank];
    if (receive == GOAL_NONE || (like && VEC_FIND(orders->events + first, orders->nevents - first,
                                                  orders->likes[item->index] == like))) {
      continue;
    }
    const struct goal_operation any = {.rank = rank, .peer = -1, .tag = -1};
    bool has_one = play->nopen[rank] == 0 && orders->has_one[receive] &&
                   (play->nposted[rank] == 1 || has_one_like(orders, play, &any));
    if (add_event(orders, play, (struct event){rank, false, k - 1},
                  has_one || !goal_play_is_open(play, rank))) {
      return true;
    }
  }
  return false;
}

/* List the events in PLAY, after all harmless ones have happened. */
static void list_events(struct orders *orders, struct goal_play *play) {
  bool again = true;
  while (again && orders->work < WORK_MAX) {
    size_t n = 0;
    again = false;
    orders->nevents = 0;
    for (size_t i = 0; i < play->nlate; i++) {
      play->late[n] = play->late[i];
      n += play->states[play->late[i]].is_late;
    }
    play->nlate = n;
    for (size_t i = 0; i < n && !again; i++) {
      unsigned operation = play->late[i];
      struct event event = {play->goal->operations[operation].rank, true, operation};
      again = add_event(orders, play, event, is_harmless(orders, play, operation));
    }
    for (unsigned r = 0; r < play->goal->nranks && !again; r++) {
      again = play->goal->ranks[r].is_wild && add_messages(orders, play, r);
    }
    orders->work += n + play->goal->nranks;
  }
}

/* Return a fingerprint of the state of PLAY: the operations that have begun, are received, have ended; the
 * order of sends of a channel, and of receives of a rank. */
static uint64_t find_state(struct orders *orders, const struct goal_play *play) {
  const struct goal *goal = play->goal;
  size_t n = goal->nranks + goal->nconnections;
  uint64_t state = 0;
  memset(orders->sequences, 0, n * sizeof *orders->sequences);
  for (size_t i = 0; i < play->nbegun; i++) {
    unsigned number = play->ready[i];
    const struct goal_operation *operation = &goal->operations[number];
    bool is_send = operation->kind == GOAL_SEND, is_received = play->states[number].mate != GOAL_NONE;
    uint64_t like = is_send ? orders->likes[operation->connection] : 0;
    state += random_at(number, (like || !is_received) + 2 * (uint64_t)play->states[number].has_ended);
    if (like) {
      state += is_received ? random_at(like, (uint64_t)operation->peer) : 0;
    } else if (!is_received && operation->kind != GOAL_CALC) {
      random_absorb(&orders->sequences[is_send ? goal->nranks + operation->connection : operation->rank],
                    number);
    }
  }
  for (size_t i = 0; i < n; i++) {
    state += orders->sequences[i] ? random_at(orders->sequences[i], i) : 0;
  }
  orders->work += n + play->nbegun;
  return state;
}

/* Choose the event that happens next.
 * returns: false: the state is known. */
static bool choose(struct orders *orders, const struct goal_play *play, struct event *event) {
  *event = orders->events[0];
  if (orders->nevents == 1) {
    return true;
  }
  if (orders->at == orders->npath) {
    uint64_t state = find_state(orders, play);
    struct hash_place *place = hash_find(&orders->known, state);
    if (place->number) {
      return false;
    }
    hash_add(&orders->known, place, state, 1);
    VEC_ADD(orders->path, orders->npath) = (struct choice){0, orders->nevents};
  }
  *event = orders->events[orders->path[orders->at++].taken];
  return true;
}

/* Play an order to the end, or to a known state, or until there is too much work. JUDGEMENT, or NULL, gets
 * the operations left, and the first order's messages longer than their receives.
 * returns: whether operations are left. */
static bool fails(struct orders *orders, struct judgement *judgement) {
  struct goal_play play = goal_play_new(orders->goal, orders->slots, true);
  struct event event;
  bool is_new = true;
  orders->at = 0;
  orders->work += orders->goal->noperations + orders->goal->nconnections;
  goal_play_begin(&play);
  list_events(orders, &play);
  while (orders->nevents > 0 && is_new && orders->work < WORK_MAX) {
    is_new = choose(orders, &play, &event);
    if (is_new) {
      happen(&play, event);
      list_events(orders, &play);
    }
  }
  bool is_wrong = is_new && orders->work < WORK_MAX && !goal_play_judge(&play, NULL);
  if (judgement && (is_wrong || (play.has_long && judgement->found[FOUND_LONG].n == 0))) {
    struct judgement found = {.ends = false};
    goal_play_judge(&play, &found);
    for (unsigned kind = 0; kind < FOUND_KINDS; kind++) {
      bool is_told = kind == FOUND_LONG ? judgement->found[kind].n == 0 : kind == FOUND_STUCK && is_wrong;
      if (is_told) {
        judgement->found[kind] = found.found[kind];
      } else {
        findings_fini(&found.found[kind]);
      }
    }
  }
  goal_play_fini(&play);
  return is_wrong;
}

/* Turn the choices of ORDERS into those of the next order.
 * returns: false after the last one. */
static bool next_order(struct orders *orders) {
  while (orders->npath > 0 && ++orders->path[orders->npath - 1].taken == orders->path[orders->npath - 1].n) {
    orders->npath--;
  }
  return orders->npath > 0;
}

enum goal_orders goal_orders(const struct goal *goal, struct goal_slots slots, struct judgement *judgement) {
  size_t n = goal->noperations + 1, nconnections = goal->nconnections + 1;
  SCOPED uint64_t *likes = xcalloc(nconnections, sizeof *likes), *followers = xcalloc(n, sizeof *followers),
                  *sequences = xcalloc(goal->nranks + nconnections, sizeof *sequences);
  SCOPED bool *has_one = xcalloc(n, sizeof *has_one);
  struct orders orders = {.goal = goal,
                          .slots = slots,
                          .likes = likes,
                          .followers = followers,
                          .sequences = sequences,
                          .has_one = has_one};
  find_likes(&orders);
  for (size_t i = 0; i < goal->nrequirements; i++) {
    const struct goal_requirement *requirement = &goal->requirements[i];
    followers[requirement->needed] += requirement->at_begin ? 0 : random_mix(requirement->operation + 1);
  }
  bool is_wrong = false, goes_on = true;
  while (goes_on && !is_wrong && orders.work < WORK_MAX) {
    is_wrong = fails(&orders, judgement);
    goes_on = next_order(&orders);
  }
  free(orders.path);
  free(orders.events);
  hash_fini(&orders.known);
  return is_wrong ? GOAL_ONE_FAILS : orders.work < WORK_MAX ? GOAL_ALL_END : GOAL_NOT_DECIDED;
}
