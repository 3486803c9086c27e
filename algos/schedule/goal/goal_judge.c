/* SPDX-License-Identifier: BSD-3-Clause
 * The judge of GOAL: a schedule played without time. A send is over when received, or, up to EAGER bytes,
 * when the message lies in a slot of the connection (sender, receiver, tag).
 *
 * All orders: a receive with a wildcard takes the message of any connection. In ranks with such receives
 * left, messages are received, and operations end, one at a time in any order. All other ranks go on as far
 * as possible: nothing is taken from the choice. Each order is played from the beginning, with another choice
 * at the last place with one left, and stops at a known state. Two states are the same if their futures are:
 * among messages taken alike by all receives, only the number counts. */
#include "algos/schedule/goal/goal.h"
#include "sim/base/hash.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

enum {
  REACH_MAX = 1 << 26 /* words */,
  WORK_MAX = 1 << 26 /* steps of loops; half a second */,
  TRIES = 4 /* of depths of all orders, from the least one of an order on, before the largest */
};

/* Operations in wait in a row. */
struct row {
  unsigned first, last;
};

struct channel {
  struct row sends, receives;
  unsigned filled; /* the first send outside slots */
  uint64_t used;   /* slots */
};

struct state {
  unsigned next, nleft, mate; /* next in a row; requirements not met; GOAL_NONE: none */
  bool has_ended, is_late;
  size_t turn; /* the number of operations that began before */
};

/* A rank: receives with wildcards in wait; the numbers of such receives not taken, in wait or not; of
 * receives in wait; of late receives, and of sends under way with required ends. */
struct place {
  struct row wild;
  unsigned nwild, nposted, nopen;
};

/* A play. In an open rank, nothing but calculations happens without being chosen: a receive takes no message,
 * and an operation on which others wait is late: over, but not ended. */
struct play {
  const struct goal *goal;
  struct slots slots;
  struct state *states;
  struct channel *channels; /* by connection */
  struct place *places;     /* by rank */
  unsigned *ready;
  size_t nready, nbegun;
  uint64_t *reach; /* by operation: begin, then end; NULL: not wanted */
  size_t nwords;
  struct judgement *judgement; /* NULL: only whether all ends */
  unsigned last;               /* the last receive with a wildcard that took a message; GOAL_NONE: none */
  bool opens;                  /* ranks with wildcards are open */
  unsigned *late;
  size_t nlate;
};

/* Tell whether RANK is open: a receive with a wildcard is left. */
static bool is_open(const struct play *play, unsigned rank) {
  return play->opens && play->places[rank].nwild > 0;
}

/* Make a play of GOAL with SLOTS, at the beginning; ranks with wildcards are open if OPENS.
 * owner: the caller, with play_fini. */
static struct play play_new(const struct goal *goal, struct slots slots, bool opens) {
  static const struct row none = {GOAL_NONE, GOAL_NONE};
  struct play play = {
    .goal = goal, .slots = slots, .last = GOAL_NONE, .nwords = (goal->nranks + 63) / 64, .opens = opens};
  play.states = xcalloc(goal->noperations + 1, sizeof *play.states);
  play.ready = xcalloc(goal->noperations + 1, sizeof *play.ready);
  play.late = xcalloc(goal->noperations + 1, sizeof *play.late);
  play.places = xcalloc(goal->nranks, sizeof *play.places);
  play.channels = xcalloc(goal->nconnections + 1, sizeof *play.channels);
  VEC_EACH(channel, play.channels, goal->nconnections) {
    *channel = (struct channel){none, none, GOAL_NONE, 0};
  }
  VEC_EACH(place, play.places, goal->nranks) {
    place->wild = none;
  }
  for (unsigned i = 0; i < goal->noperations; i++) {
    const struct goal_operation *operation = &goal->operations[i];
    play.states[i] = (struct state){.mate = GOAL_NONE, .nleft = operation->nwants};
    play.ready[play.nready] = i;
    play.nready += operation->nwants == 0;
    play.places[operation->rank].nwild += operation->kind == GOAL_RECV && operation->connection == GOAL_NONE;
  }
  return play;
}

static void play_fini(struct play *play) {
  free(play->states);
  free(play->channels);
  free(play->places);
  free(play->ready);
  free(play->reach);
  free(play->late);
}

/* --- the ranks needed for the end of a rank --- */

static uint64_t *reach_of(const struct play *play, unsigned operation, bool at_end) {
  return play->reach + (2 * (size_t)operation + at_end) * play->nwords;
}

static void join(const struct play *play, uint64_t *into, const uint64_t *from) {
  for (size_t i = 0; i < play->nwords; i++) {
    into[i] |= from[i];
  }
}

/* Before the beginning: let PLAY note the ranks needed for each end, if there is room. */
static void want_reach(struct play *play) {
  const struct goal *goal = play->goal;
  if (2 * goal->noperations * play->nwords >= REACH_MAX) {
    return;
  }
  play->reach = xcalloc(2 * goal->noperations * play->nwords + 1, sizeof *play->reach);
  for (unsigned i = 0; i < goal->noperations; i++) {
    reach_of(play, i, false)[goal->operations[i].rank / 64] |= UINT64_C(1) << goal->operations[i].rank % 64;
  }
}

/* At the end: count the ranks for JUDGEMENT. */
static void count_reach(const struct play *play, struct judgement *judgement) {
  const struct goal *goal = play->goal;
  SCOPED uint64_t *all = xcalloc(goal->nranks * play->nwords, sizeof *all);
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
    LOWER(judgement->least, n);
    RAISE(judgement->most, n);
  }
}

/* --- operations --- */

static void append(struct play *play, struct row *row, unsigned operation) {
  play->states[operation].next = GOAL_NONE;
  *(row->first == GOAL_NONE ? &row->first : &play->states[row->last].next) = operation;
  row->last = operation;
}

/* Take OPERATION out of ROW, where OPERATION stands behind BEFORE; GOAL_NONE: first. */
static void take_out(struct play *play, struct row *row, unsigned operation, unsigned before) {
  *(before == GOAL_NONE ? &row->first : &play->states[before].next) = play->states[operation].next;
  row->last = row->last == operation ? before : row->last;
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

/* Tell whether OPERATION is one of nopen: a send whose end is required, or a late receive. */
static bool is_counted(const struct play *play, unsigned operation) {
  const struct goal_operation *counted = &play->goal->operations[operation];
  return play->states[operation].is_late || (counted->kind == GOAL_SEND && counted->needs);
}

/* Let OPERATION, late or over, end. */
static void end_operation(struct play *play, unsigned operation) {
  struct state *state = &play->states[operation];
  state->has_ended = true;
  play->places[play->goal->operations[operation].rank].nopen -= is_counted(play, operation);
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
static void finish(struct play *play, unsigned operation) {
  struct state *state = &play->states[operation];
  const struct goal_operation *operations = play->goal->operations;
  if (state->has_ended || state->is_late) {
    return;
  }
  if (!is_open(play, operations[operation].rank) || operations[operation].kind == GOAL_CALC ||
      !operations[operation].needs) {
    end_operation(play, operation);
    return;
  }
  state->is_late = true;
  play->late[play->nlate++] = operation;
  play->places[operations[operation].rank].nopen += operations[operation].kind == GOAL_RECV;
}

/* Let eager sends of channel INDEX go into free slots. */
static void fill(struct play *play, size_t index) {
  for (unsigned send; (send = play->channels[index].filled) != GOAL_NONE;) {
    struct channel *channel = &play->channels[index];
    if (play->goal->operations[send].size > play->slots.eager || channel->used == play->slots.depth) {
      return;
    }
    channel->used++;
    channel->filled = play->states[send].next;
    finish(play, send);
  }
}

/* Tell whether RECEIVE, with a wildcard, may take messages of connection INDEX of GOAL. */
static bool may_take(const struct goal *goal, const struct goal_operation *receive, size_t index) {
  const struct goal_connection *connection = &goal->connections[index];
  return (receive->peer < 0 || receive->peer == (int)connection->from) &&
         (receive->tag < 0 || receive->tag == connection->tag) && connection->nsends > 0;
}

/* Find the receive for a message of channel INDEX: the first one that began. BEFORE: the one before, in the
 * row of wildcards. */
static unsigned find_receive(const struct play *play, size_t index, unsigned *before) {
  unsigned own = play->channels[index].receives.first,
           wild = play->places[play->goal->connections[index].to].wild.first;
  for (*before = GOAL_NONE; wild != GOAL_NONE; *before = wild, wild = play->states[wild].next) {
    if (may_take(play->goal, &play->goal->operations[wild], index)) {
      break;
    }
  }
  bool is_wild = wild != GOAL_NONE && (own == GOAL_NONE || play->states[wild].turn < play->states[own].turn);
  return is_wild ? wild : own;
}

/* Return the receive for the next message of channel INDEX; GOAL_NONE: no receive, or no message. */
static unsigned find_receiver(const struct play *play, size_t index) {
  unsigned before;
  return play->channels[index].sends.first == GOAL_NONE ? GOAL_NONE : find_receive(play, index, &before);
}

/* Let the next message of channel INDEX, for a receive in wait, be received. */
static void receive_next(struct play *play, size_t index) {
  struct channel *channel = &play->channels[index];
  unsigned before, send = channel->sends.first, receive = find_receive(play, index, &before);
  const struct goal_operation *operation = &play->goal->operations[receive];
  struct place *place = &play->places[operation->rank];
  if (operation->connection == GOAL_NONE) {
    take_out(play, &place->wild, receive, before);
    play->last = receive;
    place->nwild--;
  } else {
    take_out(play, &channel->receives, receive, GOAL_NONE);
  }
  if (channel->filled == send) {
    channel->filled = play->states[send].next;
  } else {
    channel->used--;
  }
  take_out(play, &channel->sends, send, GOAL_NONE);
  place->nposted--;
  play->states[send].mate = receive;
  play->states[receive].mate = send;
  finish(play, receive);
  finish(play, send);
  fill(play, index);
}

static void begin_on_channel(struct play *play, unsigned operation) {
  size_t index = play->goal->operations[operation].connection;
  struct channel *channel = &play->channels[index];
  bool is_send = play->goal->operations[operation].kind == GOAL_SEND;
  append(play, is_send ? &channel->sends : &channel->receives, operation);
  channel->filled = is_send && channel->filled == GOAL_NONE ? operation : channel->filled;
  if (!is_open(play, play->goal->connections[index].to) && find_receiver(play, index) != GOAL_NONE) {
    receive_next(play, index);
  } else if (is_send) {
    fill(play, index);
  }
}

/* Return the number of connections with messages for RECEIVE, with a wildcard. Neighbours with equal LIKES,
 * by connection, other than 0, count once; LIKES may be NULL. */
static unsigned count_sources(const struct goal *goal, const struct goal_operation *receive,
                              const uint64_t *likes) {
  unsigned n = 0;
  uint64_t like = 0;
  for (unsigned i = goal->ranks[receive->rank].sources; i; i = goal->connections[i - 1].next) {
    if (may_take(goal, receive, i - 1)) {
      n += !like || like != likes[i - 1];
      like = likes ? likes[i - 1] : 0;
    }
  }
  return n;
}

/* Begin RECEIVE with a wildcard, which takes the send that began first. If there are several channels,
 * another order is possible. */
static void begin_wild(struct play *play, unsigned receive) {
  const struct goal_operation *operation = &play->goal->operations[receive];
  size_t found = 0, least = SIZE_MAX;
  append(play, &play->places[operation->rank].wild, receive);
  for (unsigned i = play->goal->ranks[operation->rank].sources; i; i = play->goal->connections[i - 1].next) {
    unsigned send = play->channels[i - 1].sends.first;
    if (may_take(play->goal, operation, i - 1) && send != GOAL_NONE && play->states[send].turn < least) {
      found = i - 1;
      least = play->states[send].turn;
    }
  }
  unsigned n = play->judgement ? count_sources(play->goal, operation, NULL) : 0;
  if (n > 1) {
    findings_add(&play->judgement->found[FOUND_OPEN],
                 "line %u takes the first of the messages on %u connections", operation->line, n);
  }
  if (least < SIZE_MAX && !is_open(play, operation->rank)) {
    receive_next(play, found);
  }
}

/* Begin all operations without requirements left. */
static void begin_ready(struct play *play) {
  while (play->nbegun < play->nready) {
    unsigned index = play->ready[play->nbegun];
    const struct goal_operation *operation = &play->goal->operations[index];
    play->states[index].turn = play->nbegun++;
    play->places[operation->rank].nopen += is_counted(play, index);
    play->places[operation->rank].nposted += operation->kind == GOAL_RECV;
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

/* Judge PLAY at the end, for JUDGEMENT, or NULL.
 * returns: whether all operations have ended, and all messages are received. */
static bool judge_play(const struct play *play, struct judgement *judgement) {
  static const char *const words[GOAL_KINDS] = {"send to", "receive from", "calculation"};
  const struct goal_operation *operations = play->goal->operations;
  bool ends = true;
  for (unsigned i = 0; i < play->goal->noperations; i++) {
    const struct goal_operation *operation = &operations[i];
    const struct state *state = &play->states[i];
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
                   state->nleft == 0 ? "%srank %u line %u: %s %d, tag %jd, is unmatched"
                                     : "%srank %u line %u: the requirements are never met",
                   order, operation->rank, operation->line, words[operation->kind], operation->peer,
                   (intmax_t)operation->tag);
    } else if (judgement && operation->kind == GOAL_RECV && operation->size != operations[state->mate].size) {
      const struct goal_operation *send = &operations[state->mate];
      /* with a choice the size is the size of one of several messages, and no other message is too long */
      bool has_choice = operation->connection == GOAL_NONE && count_sources(play->goal, operation, NULL) > 1;
      bool is_long = send->size > operation->size && !has_choice;
      findings_add(&judgement->found[is_long ? FOUND_LONG : FOUND_UNEQUAL],
                   is_long ? "line %u receives at most %ju bytes, line %u sends %ju"
                           : "line %u receives %ju bytes, line %u sends %ju",
                   operation->line, (uintmax_t)operation->size, send->line, (uintmax_t)send->size);
    }
  }
  return ends;
}

/* --- all orders: connections --- */

enum goal_orders { GOAL_ALL_END, GOAL_ONE_FAILS, GOAL_NOT_DECIDED };

/* The message of channel INDEX is received, or operation INDEX ends. */
struct event {
  bool is_end;
  size_t index;
};

struct choice {
  size_t taken, n;
};

struct orders {
  const struct goal *goal;
  struct slots slots;
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

/* Find the connections with like messages: of one size, for the same wildcards and no other receive, and no
 * send with requirements on the end waits for the receiver. */
static void find_likes(struct orders *orders) {
  const struct goal *goal = orders->goal;
  for (unsigned i = 0; i < goal->nconnections; i++) {
    orders->likes[i] = random_mix(goal->connections[i].largest + 1);
  }
  for (unsigned i = 0; i < goal->noperations; i++) {
    const struct goal_operation *operation = &goal->operations[i];
    bool is_wild = operation->kind == GOAL_RECV && operation->connection == GOAL_NONE;
    unsigned k = is_wild ? goal->ranks[operation->rank].sources : 0;
    for (; k; k = goal->connections[k - 1].next) {
      bool may = may_take(goal, operation, k - 1);
      orders->likes[k - 1] += may && orders->likes[k - 1] ? random_mix(i + 1) | 1 : 0;
    }
    if (operation->kind == GOAL_RECV && !is_wild) {
      orders->likes[operation->connection] = 0;
    } else if (operation->kind == GOAL_SEND) {
      const struct goal_connection *connection = &goal->connections[operation->connection];
      bool waits = operation->size > orders->slots.eager || connection->nsends > orders->slots.depth;
      orders->likes[operation->connection] *=
        operation->size == connection->largest && !(waits && operation->needs);
    }
  }
  for (unsigned i = 0; i < goal->noperations; i++) {
    const struct goal_operation *operation = &goal->operations[i];
    orders->has_one[i] = operation->kind == GOAL_RECV && (operation->connection != GOAL_NONE ||
                                                          count_sources(goal, operation, orders->likes) <= 1);
  }
}

/* --- an order --- */

/* Tell whether the end of OPERATION, now or later, changes nothing: no operation waits for the end, nothing
 * else can happen in the rank before, or the same operations wait for another late one, too. */
static bool is_harmless(const struct orders *orders, const struct play *play, unsigned operation) {
  unsigned rank = play->goal->operations[operation].rank;
  uint64_t followers = orders->followers[operation];
  return followers == 0 || !is_open(play, rank) ||
         play->places[rank].nposted + play->places[rank].nopen == 1 ||
         VEC_FIND(play->late, play->nlate,
                  *item != operation && play->states[*item].is_late && orders->followers[*item] == followers);
}

static void happen(struct play *play, struct event event) {
  if (event.is_end) {
    end_operation(play, (unsigned)event.index);
  } else {
    receive_next(play, event.index);
  }
  begin_ready(play);
}

/* Let EVENT happen if the event is HARMLESS; else list the event.
 * returns: whether the event has happened. */
static bool add_event(struct orders *orders, struct play *play, struct event event, bool harmless) {
  if (harmless) {
    happen(play, event);
  } else {
    VEC_ADD(orders->events, orders->nevents) = event;
  }
  return harmless;
}

/* Add the messages that can be received in RANK to the events of ORDERS.
 * returns: whether one was harmless, and has been received. */
static bool add_messages(struct orders *orders, struct play *play, unsigned rank) {
  const struct place *place = &play->places[rank];
  size_t first = orders->nevents;
  for (unsigned k = play->goal->ranks[rank].sources; k; k = play->goal->connections[k - 1].next) {
    unsigned receive = find_receiver(play, k - 1);
    uint64_t like = orders->likes[k - 1];
    orders->work += 1 + place->nposted;
    if (receive == GOAL_NONE || (like && VEC_FIND(orders->events + first, orders->nevents - first,
                                                  orders->likes[item->index] == like))) {
      continue;
    }
    const struct goal_operation any = {.rank = rank, .peer = -1, .tag = -1};
    bool has_one = place->nopen == 0 && orders->has_one[receive] &&
                   (place->nposted == 1 || count_sources(play->goal, &any, orders->likes) <= 1);
    if (add_event(orders, play, (struct event){false, k - 1}, has_one || !is_open(play, rank))) {
      return true;
    }
  }
  return false;
}

/* List the events in PLAY, after all harmless ones have happened. */
static void list_events(struct orders *orders, struct play *play) {
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
      again = add_event(orders, play, (struct event){true, operation}, is_harmless(orders, play, operation));
    }
    for (unsigned r = 0; r < play->goal->nranks && !again; r++) {
      again = play->goal->ranks[r].is_wild && add_messages(orders, play, r);
    }
    orders->work += n + play->goal->nranks;
  }
}

/* Return a fingerprint of the state of PLAY: the operations that have begun, are received, have ended; the
 * order of sends of a channel, and of receives of a rank. */
static uint64_t find_state(struct orders *orders, const struct play *play) {
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
static bool choose(struct orders *orders, const struct play *play, struct event *event) {
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
  struct play play = play_new(orders->goal, orders->slots, true);
  struct event event;
  bool is_new = true;
  orders->at = 0;
  orders->work += orders->goal->noperations + orders->goal->nconnections;
  begin_ready(&play);
  list_events(orders, &play);
  while (orders->nevents > 0 && is_new && orders->work < WORK_MAX) {
    is_new = choose(orders, &play, &event);
    if (is_new) {
      happen(&play, event);
      list_events(orders, &play);
    }
  }
  struct judgement found = {.ends = false};
  bool is_wrong = !judge_play(&play, &found) && is_new && orders->work < WORK_MAX;
  for (unsigned kind = 0; kind < FOUND_KINDS; kind++) {
    if (judgement && (kind == FOUND_LONG ? judgement->found[kind].n == 0 : kind == FOUND_STUCK && is_wrong)) {
      judgement->found[kind] = found.found[kind];
    } else {
      findings_fini(&found.found[kind]);
    }
  }
  play_fini(&play);
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

/* Tell how GOAL ends in all orders with SLOTS. JUDGEMENT, or NULL, gets the findings of a wrong order. */
static enum goal_orders play_orders(const struct goal *goal, struct slots slots,
                                    struct judgement *judgement) {
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
  VEC_EACH(requirement, goal->requirements, goal->nrequirements) {
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

/* --- the judgement --- */

/* As LogGOPSim has without options. */
static const struct slots usual = {.eager = 65535};

/* Play GOAL with SLOTS; JUDGEMENT gets findings, NULL: none.
 * returns: whether all ends. */
static bool play_goal(const struct goal *goal, struct slots slots, struct judgement *judgement) {
  struct play play = play_new(goal, slots, false);
  play.judgement = judgement;
  if (judgement) {
    want_reach(&play);
  }
  begin_ready(&play);
  bool ends = judge_play(&play, judgement);
  if (play.reach && ends) {
    count_reach(&play, judgement);
  }
  play_fini(&play);
  return ends;
}

static bool is_wild(const struct goal *goal) {
  return VEC_FIND(goal->ranks, goal->nranks, item->is_wild);
}

static bool ends(const struct loaded *loaded, struct slots slots) {
  return play_goal(goal_of(loaded), slots, NULL);
}

/* Return a depth for LOADED to end in all orders, at least the depth of SLOTS: without wildcards the least
 * one. 0: each send may wait; UINT_MAX: no depth is known. */
static unsigned find_depth(const struct loaded *loaded, struct slots slots) {
  const struct goal *goal = goal_of(loaded);
  uint64_t most = slots.depth + 1;
  VEC_EACH(operation, goal->operations, goal->noperations) {
    most += operation->kind == GOAL_SEND;
  }
  if (!ends(loaded, slots)) {
    if (!ends(loaded, (struct slots){.depth = most, .eager = slots.eager})) {
      return UINT_MAX;
    }
    slots.depth = slots_search(ends, loaded, slots, most);
  }
  for (unsigned tries = 1; is_wild(goal) && play_orders(goal, slots, NULL) != GOAL_ALL_END; tries++) {
    if (slots.depth == most) {
      return UINT_MAX;
    }
    slots.depth = tries < TRIES ? MIN(2 * slots.depth + 1, most) : most;
  }
  return (unsigned)slots.depth;
}

unsigned goal_depth(const struct loaded *loaded, const unsigned *values, unsigned least, size_t nbytes) {
  (void)nbytes;
  return find_depth(loaded, (struct slots){.depth = least, .eager = goal_eager(values)});
}

struct judgement goal_judge(const struct loaded *loaded) {
  const struct goal *goal = goal_of(loaded);
  struct judgement judgement = {0};
  struct slots slots = usual;
  slots.depth = UINT64_MAX / 2;
  play_goal(goal, slots, &judgement);
  if (judgement.found[FOUND_STUCK].n == 0 && is_wild(goal)) {
    judgement.is_undecided = play_orders(goal, slots, &judgement) == GOAL_NOT_DECIDED;
  }
  judgement.ends = judgement.found[FOUND_STUCK].n == 0;
  judgement.depth = judgement.ends && !judgement.is_undecided ? find_depth(loaded, usual) : 0;
  return judgement;
}
