/* SPDX-License-Identifier: BSD-3-Clause
 * The judge of traces: a play without time, by the rules of messages.h.
 *
 *   a send      goes into a slot of the connection; a message of more than `eager` bytes also waits for the
 *               receive, and the receiver looks after receives only in a send, a receive, a wait or a test
 *   a receive   waits for the send
 *   a call      waits for the entries of ranks with data for the rank, with any algorithm
 *
 * In a lenient play time is kind: a rank looks for a message just when the message is there. So a trace
 * without an end in the play has no end on any machine. In a strict play each send waits for the receive,
 * each call for all ranks, and a rank looks only after the awaited message, if anything else can happen. */
#include "algos/schedule/workload/workload.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

enum { RANKS_SHOWN = 4 /* of a cycle */ };

/* The ranks needed for the end of a call with data. */
enum need { NEED_NONE, NEED_ROOT, NEED_ALL_AT_ROOT, NEED_EARLIER, NEED_ALL };

static const enum need needs[COLL_COUNT] = {
  [COLL_BARRIER] = NEED_ALL,   [COLL_BCAST] = NEED_ROOT,         [COLL_REDUCE] = NEED_ALL_AT_ROOT,
  [COLL_ALLREDUCE] = NEED_ALL, [COLL_REDUCESCATTER] = NEED_ALL,  [COLL_ALLGATHER] = NEED_ALL,
  [COLL_SCAN] = NEED_EARLIER,  [COLL_GATHER] = NEED_ALL_AT_ROOT, [COLL_SCATTER] = NEED_ROOT,
  [COLL_ALLTOALL] = NEED_ALL};

enum { SENDER, RECEIVER };

/* A message: the send and the receive, if begun; in a slot; looked after; received. */
struct message {
  const struct workload_action *ends[2];
  unsigned connection;
  bool is_put, is_seen, has_come;
};

/* A connection; of each end: messages begun; the oldest one for a wait, and waits for all before. */
struct channel {
  struct message *messages;
  unsigned nbegun[2], oldest[2], nwaits[2];
};

/* A rank: the present action, begun or not, and the awaited message; messages for a wait for all; receives
 * not looked after; waits for all so far; calls entered. */
struct place {
  size_t at, nopen, nunseen;
  struct message *awaited, **open, **unseen;
  unsigned nwaits, ncalls;
  bool has_begun, is_ready;
};

struct play {
  const struct workload *workload;
  unsigned eager;
  bool is_strict;
  struct place *places;
  struct channel *channels;
  unsigned *entered; /* [call]: ranks before the first one outside */
  unsigned *ready;   /* ranks with a chance to go on */
  size_t nready;
  struct err *err; /* a message longer than the receive */
};

static void wake(struct play *play, unsigned rank) {
  if (!play->places[rank].is_ready) {
    play->places[rank].is_ready = true;
    play->ready[play->nready++] = rank;
  }
}

/* --- messages --- */

/* Return the end of connection INDEX at RANK. */
static unsigned end_of(const struct play *play, unsigned rank, size_t index) {
  return play->workload->connections[index].to == rank ? RECEIVER : SENDER;
}

static bool is_eager(const struct play *play, const struct message *message) {
  return !play->is_strict && message->ends[SENDER]->amount <= play->eager;
}

/* Tell whether MESSAGE is over for RANK, one of the ends. */
static bool is_over(const struct play *play, const struct message *message, unsigned rank) {
  bool sends = end_of(play, rank, message->connection) == SENDER;
  return message->has_come || (sends && message->is_put && is_eager(play, message));
}

/* Refuse the receive of MESSAGE, of CONNECTION, for fewer bytes than sent. */
static void check_room(struct play *play, const struct workload_connection *connection,
                       const struct message *message) {
  const struct workload_action *send = message->ends[SENDER], *into = message->ends[RECEIVER];
  if (send->amount > into->amount) {
    err_set(play->err, "%.200s:%u: a message of %llu bytes from %.200s:%u, expected at most %llu",
            workload_path(play->workload, connection->to), into->line, (unsigned long long)send->amount,
            workload_path(play->workload, connection->from), send->line, (unsigned long long)into->amount);
  }
}

/* Let MESSAGE go on, and each later one in the same slot. */
static void pass(struct play *play, struct message *message) {
  const struct workload_connection *connection = &play->workload->connections[message->connection];
  struct message *first = play->channels[message->connection].messages;
  unsigned nslots = workload_slots(connection);
  bool goes_on = true;
  for (; goes_on && message < first + connection->nsends; message += nslots) {
    bool is_free = message < first + nslots || (message - nslots)->has_come;
    message->is_put |= message->ends[SENDER] && is_free;
    goes_on = message->is_put && message->ends[RECEIVER] && !message->has_come &&
              (message->is_seen || is_eager(play, message));
    if (goes_on) {
      message->has_come = true;
      check_room(play, connection, message);
    }
    if (message->is_put) {
      wake(play, connection->from);
      wake(play, connection->to);
    }
  }
}

/* Let RANK begin the message of ACTION. */
static struct message *begin_message(struct play *play, unsigned rank, const struct workload_action *action) {
  struct channel *channel = &play->channels[action->index];
  struct place *place = &play->places[rank];
  unsigned end = end_of(play, rank, action->index);
  if (channel->nwaits[end] != place->nwaits) {
    channel->nwaits[end] = place->nwaits;
    channel->oldest[end] = channel->nbegun[end];
  }
  struct message *message = &channel->messages[channel->nbegun[end]++];
  message->ends[end] = action;
  VEC_ADD(place->open, place->nopen) = message;
  pass(play, message);
  if (end == RECEIVER && !message->has_come) {
    VEC_ADD(place->unseen, place->nunseen) = message;
  }
  return message;
}

/* Return the message of RANK awaited by ACTION, a wait; NULL: none. Perhaps a test before has found the end:
 * then the wait is for a later message, and the end is as certain. */
static struct message *find_oldest(const struct play *play, unsigned rank,
                                   const struct workload_action *action) {
  struct channel *channel = &play->channels[action->index];
  unsigned end = end_of(play, rank, action->index);
  while (channel->nwaits[end] == play->places[rank].nwaits && channel->oldest[end] < channel->nbegun[end]) {
    struct message *message = &channel->messages[channel->oldest[end]++];
    enum workload_kind kind = message->ends[end]->kind;
    if (kind == WORKLOAD_ISEND || kind == WORKLOAD_IRECV) {
      return message;
    }
  }
  return NULL;
}

/* Let the receiver look after MESSAGE. */
static void see(struct play *play, struct message *message) {
  message->is_seen = true;
  pass(play, message);
}

/* Let RANK look after all receives. */
static void look(struct play *play, unsigned rank) {
  struct place *place = &play->places[rank];
  while (place->nunseen) {
    see(play, place->unseen[--place->nunseen]);
  }
}

/* --- calls --- */

/* Return a rank outside of call INDEX awaited by RANK, inside; the number of ranks: none. */
static unsigned find_absent(const struct play *play, size_t index, unsigned rank) {
  const struct workload_call *call = &play->workload->calls[index];
  unsigned n = play->workload->nranks, absent = play->entered[index];
  bool has_data = call->nbytes > 0 || call->collective == COLL_BARRIER;
  switch (play->is_strict ? NEED_ALL : has_data ? needs[call->collective] : NEED_NONE) {
  case NEED_ALL:
    return absent;
  case NEED_ALL_AT_ROOT:
    return rank == call->root ? absent : n;
  case NEED_EARLIER:
    return absent < rank ? absent : n;
  case NEED_ROOT:
    return play->places[call->root].ncalls > index ? n : call->root;
  default:
    return n;
  }
}

/* Let RANK enter call INDEX. */
static void enter(struct play *play, size_t index, unsigned rank) {
  unsigned n = play->workload->nranks, before = play->entered[index], *now = &play->entered[index];
  play->places[rank].ncalls++;
  while (*now < n && play->places[*now].ncalls > index) {
    ++*now;
  }
  bool wakes_all = *now == n || rank == play->workload->calls[index].root;
  for (unsigned r = wakes_all ? 0 : before; r < (wakes_all ? n : *now); r++) {
    wake(play, r);
  }
}

/* --- the play --- */

/* Let RANK begin ACTION. */
static void begin(struct play *play, unsigned rank, const struct workload_action *action) {
  struct place *place = &play->places[rank];
  place->awaited = NULL;
  switch (action->kind) {
  case WORKLOAD_CALL:
    enter(play, action->index, rank);
    return;
  case WORKLOAD_ISEND:
  case WORKLOAD_IRECV:
    begin_message(play, rank, action);
    return;
  case WORKLOAD_SEND:
  case WORKLOAD_RECV:
    place->awaited = begin_message(play, rank, action);
    break;
  case WORKLOAD_WAIT:
    place->awaited = find_oldest(play, rank, action);
    break;
  case WORKLOAD_WAITALL:
    place->nwaits++;
    break;
  case WORKLOAD_TEST:
    break;
  default:
    return;
  }
  if (place->awaited && end_of(play, rank, action->index) == RECEIVER) {
    see(play, place->awaited);
  }
  if (!play->is_strict || action->kind == WORKLOAD_WAITALL) {
    look(play, rank);
  }
}

/* The wait for all messages behind the last action. */
static const struct workload_action last = {.kind = WORKLOAD_WAITALL};

static const struct workload_action *action_of(const struct play *play, unsigned rank) {
  const struct workload_rank *actions = &play->workload->ranks[rank];
  size_t at = play->places[rank].at;
  return at < actions->n ? &actions->actions[at] : at == actions->n ? &last : NULL;
}

/* Tell whether RANK waits in ACTION. */
static bool waits(struct play *play, unsigned rank, const struct workload_action *action) {
  struct place *place = &play->places[rank];
  if (action->kind == WORKLOAD_CALL) {
    return find_absent(play, action->index, rank) < play->workload->nranks;
  }
  while (action->kind == WORKLOAD_WAITALL && place->nopen &&
         (!place->awaited || is_over(play, place->awaited, rank))) {
    place->awaited = place->open[--place->nopen];
  }
  return place->awaited && !is_over(play, place->awaited, rank);
}

/* Let RANK go on as far as possible. */
static void go_on(struct play *play, unsigned rank) {
  struct place *place = &play->places[rank];
  for (const struct workload_action *action; (action = action_of(play, rank)); place->at++) {
    if (!place->has_begun) {
      begin(play, rank, action);
    }
    place->has_begun = waits(play, rank, action);
    if (place->has_begun) {
      return;
    }
  }
}

static void play_all(struct play *play) {
  unsigned n = play->workload->nranks;
  for (unsigned rank = 0; rank < n; rank++) {
    wake(play, rank);
  }
  while (play->nready) {
    unsigned rank = play->ready[--play->nready];
    play->places[rank].is_ready = false;
    go_on(play, rank);
    for (unsigned r = 0; r < n && play->nready == 0; r++) { /* nothing else can happen */
      if (play->places[r].awaited && play->places[r].has_begun) {
        look(play, r);
      }
    }
  }
}

/* --- a cycle --- */

/* Return the rank awaited by RANK. */
static unsigned find_awaited(const struct play *play, unsigned rank) {
  const struct workload_action *action = action_of(play, rank);
  if (action->kind == WORKLOAD_CALL) {
    return find_absent(play, action->index, rank);
  }
  const struct workload_connection *connection =
    &play->workload->connections[play->places[rank].awaited->connection];
  return connection->to == rank ? connection->from : connection->to;
}

/* Refuse the cycle of waits behind RANK; ADVICE is another way. No rank waits for one behind all lines. */
static void refuse_cycle(const struct play *play, unsigned rank, const char *advice) {
  const struct workload *workload = play->workload;
  SCOPED bool *is_known = xcalloc(workload->nranks, sizeof *is_known);
  for (; !is_known[rank]; rank = find_awaited(play, rank)) {
    is_known[rank] = true;
  }
  const char *path = workload_path(workload, rank);
  SCOPED char *text = xstrdup("");
  unsigned n = 0, at = rank;
  do {
    const struct workload_action *action = action_of(play, at);
    const char *own = workload_path(workload, at), *name = action->name;
    unsigned awaited = find_awaited(play, at);
    if (action->kind == WORKLOAD_CALL) {
      name = collective_name(workload->calls[action->index].collective);
    }
    if (n == 0) {
      xappend(&text, "%.200s:%u: rank %u", path, action->line, at);
    } else if (n < RANKS_SHOWN) {
      xappend(&text, ", rank %u at %.60s%s%u", at, own == path ? "line" : own, own == path ? " " : ":",
              action->line);
    }
    xappend(&text, n < RANKS_SHOWN ? " waits in %s for rank %u" : "", name, awaited);
    n++;
    at = awaited;
  } while (at != rank);
  err_set(play->err, "%s%s: a cycle of %u ranks, expected lines in an order that ends%s", text,
          n > RANKS_SHOWN ? ", ..." : "", n, advice);
}

int workload_judge(const struct workload *workload, unsigned eager, bool is_strict, struct err *err) {
  struct err found = {""};
  size_t nranks = workload->nranks;
  SCOPED struct place *places = xcalloc(nranks, sizeof *places);
  SCOPED struct channel *channels = xcalloc(workload->nconnections + 1, sizeof *channels);
  SCOPED unsigned *entered = xcalloc(workload->ncalls + 1, sizeof *entered),
                  *ready = xcalloc(nranks, sizeof *ready);
  for (unsigned i = 0; i < workload->nconnections; i++) {
    unsigned n = workload->connections[i].nsends;
    channels[i].messages = xcalloc(n, sizeof *channels[i].messages);
    VEC_EACH(message, channels[i].messages, n) {
      message->connection = i;
    }
  }
  struct play play = {.workload = workload,
                      .eager = eager,
                      .is_strict = is_strict,
                      .places = places,
                      .channels = channels,
                      .entered = entered,
                      .ready = ready,
                      .err = &found};
  play_all(&play);
  unsigned stuck = 0;
  while (stuck < nranks && !action_of(&play, stuck)) {
    stuck++;
  }
  if (!*found.text && stuck < nranks) {
    bool ends = eager < WORKLOAD_EAGER_MAX && !is_strict &&
                workload_judge(workload, WORKLOAD_EAGER_MAX, false, NULL) == 0;
    refuse_cycle(&play, stuck,
                 ends ? text_brief(", or FILE:eager=%s", units_format_bytes(WORKLOAD_EAGER_MAX)) : "");
  }
  VEC_EACH(place, places, nranks) {
    free(place->open);
    free(place->unseen);
  }
  VEC_EACH(channel, channels, workload->nconnections) {
    free(channel->messages);
  }
  return *found.text ? err_set(err, "%s", found.text) : 0;
}
