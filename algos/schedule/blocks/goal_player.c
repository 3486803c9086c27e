/* SPDX-License-Identifier: BSD-3-Clause
 * The player of GOAL: the program of a rank. Operations with all requirements met begin; sends and receives
 * queue at their end of a connection, and the rank looks at the first one of each end in turn. A receive
 * with a wildcard takes the message found first. A message goes in pieces of a slot. A send is over with all
 * pieces in slots, or, beyond `eager` bytes, taken. */
#include "algos/schedule/blocks/goal.h"
#include "algos/schedule/blocks/links.h"
#include "algos/step/step.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { QUADWORD = 16 };

/* An end of a connection: operations in a row, pieces of the first one that are over, and messages of all
 * calls. */
struct end {
  unsigned connection, first, last, pieces;
  uint32_t *messages;
  bool is_sending; /* the put of the present piece has not left yet */
  bool receives;
};

struct state {
  unsigned nleft, next; /* requirements not met; the next one in the row */
  size_t turn;          /* the number of operations that began before */
};

struct player {
  struct coll *c;
  const struct step_port *port;
  const struct goal *goal;
  const struct goal_rank *rank;
  struct links links;
  struct end *ends;
  unsigned nends;
  struct state *states; /* by operation of the rank */
  unsigned *ready;
  size_t nready, nbegun, nopen;
  unsigned wild, last_wild; /* receives with wildcards, in a row as they began */
  struct spu_flag *flags;
  struct spu_any any; /* events needed in this turn */
};

static unsigned of_call(const struct player *p, unsigned parameter) {
  return p->c->group->call.values[parameter];
}

/* --- scratch --- */

/* Return the layout of GOAL in a call of GROUP. A connection has no more slots and no larger ones than the
 * messages need.
 * owner: the caller, of the items. */
static struct links lay(const struct goal *goal, const struct coll_group *group) {
  struct links links = {.n = goal->nconnections,
                        .items = xcalloc(goal->nconnections + 1, sizeof *links.items)};
  unsigned depth = group->call.values[PARAM_DEPTH], slot = group->call.values[PARAM_SLOT];
  for (size_t i = 0; i < links.n; i++) {
    const struct goal_connection *connection = &goal->connections[i];
    uint64_t most = connection->largest ? (connection->largest + QUADWORD - 1) / QUADWORD : 1;
    unsigned bytes = most * QUADWORD < slot ? (unsigned)most * QUADWORD : slot;
    uint64_t npieces = (most * QUADWORD + bytes - 1) / bytes * (connection->nsends ? connection->nsends : 1);
    links.items[i] = (struct link){.from = connection->from,
                                   .to = connection->to,
                                   .depth = npieces < depth ? (unsigned)npieces : depth,
                                   .slot = bytes};
  }
  links_lay(&links, goal->nranks);
  return links;
}

/* Behind the connections lie the data of sends and of receives. */
size_t goal_scratch(const struct coll_group *group) {
  struct links links = lay(judged_of_algo(group->call.algo)->goal, group);
  free(links.items);
  return links.nbytes + 2 * (size_t)group->call.values[PARAM_SLOT];
}

/* --- operations --- */

static struct state *state_of(const struct player *p, unsigned number) {
  return &p->states[number - p->rank->first];
}

/* Meet the requirements on the begin, or the end, of operation NUMBER. */
static void release(struct player *p, unsigned number, bool at_begin) {
  const struct goal *goal = p->goal;
  for (unsigned k = goal->operations[number].needs; k; k = goal->requirements[k - 1].next) {
    unsigned other = goal->requirements[k - 1].operation;
    if (goal->requirements[k - 1].at_begin == at_begin && --state_of(p, other)->nleft == 0) {
      p->ready[p->nready++] = other;
    }
  }
}

static void finish(struct player *p, unsigned number) {
  p->nopen--;
  release(p, number, false);
}

/* Return the name of operation NUMBER, or of the wait of the operation; made once. */
static const char *name_of(const struct player *p, unsigned number, bool is_wait) {
  const struct goal_operation *operation = &p->goal->operations[number];
  const char *word = goal_words[operation->kind];
  char **name = &p->goal->names[2 * number + is_wait];
  if (!*name) {
    *name = is_wait            ? xasprintf("line %u (%s), %s", operation->line, word,
                                operation->kind == GOAL_SEND ? "free slot" : "message")
            : operation->label ? xasprintf("%s %s", operation->label, word)
                               : xasprintf("line %u %s", operation->line, word);
  }
  return *name;
}

static void begin_ready(struct player *p) {
  while (p->nbegun < p->nready) {
    unsigned number = p->ready[p->nbegun++];
    const struct goal_operation *operation = &p->goal->operations[number];
    release(p, number, true);
    if (operation->kind == GOAL_CALC) {
      spu_note_step(0, name_of(p, number, false));
      spu_compute_for(COMPUTE_OTHER, (uint64_t)((double)operation->size * p->c->group->ghz + 0.5));
      finish(p, number);
      continue;
    }
    struct state *state = state_of(p, number);
    *state = (struct state){.next = GOAL_NONE, .turn = p->nbegun};
    if (operation->connection == GOAL_NONE) {
      *(p->wild == GOAL_NONE ? &p->wild : &state_of(p, p->last_wild)->next) = number;
      p->last_wild = number;
      continue;
    }
    const struct link *link = &p->links.items[operation->connection];
    struct end *end = &p->ends[operation->kind == GOAL_SEND ? link->out : link->in];
    *(end->first == GOAL_NONE ? &end->first : &state_of(p, end->last)->next) = number;
    end->last = number;
  }
}

/* Tell whether the next message at END is there for operation NUMBER, or a slot for message MESSAGE; else
 * note the need. */
static bool look(struct player *p, const struct end *end, unsigned number, uint32_t message) {
  struct spu_flag flag = link_flag(p->c, &p->links.items[end->connection], message, end->receives);
  bool is_there = spu_poll_flag(&flag);
  if (!is_there) {
    flag.what = name_of(p, number, true);
    p->flags[p->any.nflags++] = flag;
  }
  return is_there;
}

static void end_first(struct player *p, struct end *end) {
  unsigned number = end->first;
  end->first = state_of(p, number)->next;
  end->pieces = 0;
  finish(p, number);
}

/* Let the first send of END, with TAG, go on by a piece, by the end of a put, or by the receiver's credit.
 * returns: whether the send did. */
static bool advance_send(struct player *p, struct end *end, unsigned tag) {
  const struct goal_operation *operation = &p->goal->operations[end->first];
  const struct link *link = &p->links.items[end->connection];
  bool is_eager = operation->size <= of_call(p, PARAM_EAGER);
  bool is_put = end->pieces && (uint64_t)end->pieces * link->slot >= operation->size;
  if (end->is_sending) {
    if (!p->port->poll_tags(UINT32_C(1) << tag)) {
      p->any.tags |= UINT32_C(1) << tag;
      return false;
    }
    spu_note_step(0, name_of(p, end->first, false));
    spu_compute_for(COMPUTE_TAG, p->c->group->costs.tag);
    end->is_sending = false;
    if (is_put && is_eager) {
      end_first(p, end);
    }
    return true;
  }
  if (!look(p, end, end->first, *end->messages + (is_put ? link->depth : 1))) {
    return false;
  }
  if (is_put) {
    end_first(p, end);
    return true;
  }
  spu_note_step(0, name_of(p, end->first, false));
  uint64_t left = operation->size - (uint64_t)end->pieces++ * link->slot;
  size_t nbytes = left < link->slot ? (size_t)left : link->slot;
  link_put(
    p->c, link,
    &(struct link_message){++*end->messages, tag, p->c->scratch + p->links.nbytes, nbytes, left - nbytes});
  end->is_sending = true;
  return true;
}

/* Let a receive with a wildcard that began before the first receive of END take the message that comes next.
 * returns: false if there is such a receive, but no message of this call. */
static bool claim(struct player *p, struct end *end) {
  const struct goal_connection *connection = &p->goal->connections[end->connection];
  unsigned *place = &p->wild, before = GOAL_NONE;
  for (; *place != GOAL_NONE; before = *place, place = &state_of(p, before)->next) {
    const struct goal_operation *operation = &p->goal->operations[*place];
    if ((operation->peer < 0 || operation->peer == (int)connection->from) &&
        (operation->tag < 0 || operation->tag == connection->tag)) {
      break;
    }
  }
  unsigned number = *place;
  if (number == GOAL_NONE ||
      (end->first != GOAL_NONE && state_of(p, end->first)->turn < state_of(p, number)->turn)) {
    return true;
  }
  const volatile uint32_t *count =
    link_flag(p->c, &p->links.items[end->connection], *end->messages + 1, true).word;
  if (!look(p, end, number, *end->messages + 1) || count[LINK_CALL] != coll_own_calls(p->c)) {
    return false;
  }
  *place = state_of(p, number)->next;
  p->last_wild = p->last_wild == number ? before : p->last_wild;
  state_of(p, number)->next = end->first;
  end->last = end->first == GOAL_NONE ? number : end->last;
  end->first = number;
  return true;
}

/* Let the first receive of END, with TAG, go on by a piece.
 * returns: whether the receive did. */
static bool advance_receive(struct player *p, struct end *end, unsigned tag) {
  const struct link *link = &p->links.items[end->connection];
  if ((end->pieces == 0 && !claim(p, end)) || end->first == GOAL_NONE ||
      !look(p, end, end->first, *end->messages + 1)) {
    return false;
  }
  spu_note_step(0, name_of(p, end->first, false));
  const volatile uint32_t *count = link_flag(p->c, link, ++*end->messages, true).word;
  end->pieces++;
  spu_compute_for(COMPUTE_RECEIVE, p->c->group->costs.receive);
  link_copy(p->c, p->c->scratch + p->links.nbytes + of_call(p, PARAM_SLOT),
            link_slot(p->c, link, *end->messages), count[LINK_BYTES]);
  bool is_over = count[LINK_REST] == 0;
  link_free(p->c, link, &(struct link_message){.number = *end->messages, .tag = tag});
  if (is_over) {
    end_first(p, end);
  }
  return true;
}

/* --- the program --- */

/* Prepare ends and operations of the rank of P. */
static void prepare(struct player *p) {
  uint32_t *messages = links_begin(&p->links, p->c);
  p->ends = xcalloc(p->links.nends + 1, sizeof *p->ends);
  p->flags = xcalloc(p->links.nends + 1, sizeof *p->flags);
  p->states = xcalloc(p->rank->n + 1, sizeof *p->states);
  p->ready = xcalloc(p->rank->n + 1, sizeof *p->ready);
  p->any.flags = p->flags;
  p->wild = GOAL_NONE;
  p->nopen = p->rank->n;
  for (unsigned i = 0; i < 2 * p->links.n; i++) {
    const struct link *link = &p->links.items[i / 2];
    bool receives = i % 2;
    if ((receives ? link->to : link->from) == p->c->rank) {
      p->ends[p->nends] = (struct end){
        .connection = i / 2, .first = GOAL_NONE, .messages = &messages[p->nends], .receives = receives};
      p->nends++;
    }
  }
  for (size_t i = 0; i < p->rank->n; i++) {
    p->states[i].nleft = p->goal->operations[p->rank->first + i].nwants;
    if (p->states[i].nleft == 0) {
      p->ready[p->nready++] = (unsigned)(p->rank->first + i);
    }
  }
}

/* Look at all ends of the rank in turn.
 * returns: whether an operation went on. */
static bool advance(struct player *p) {
  bool has_moved = false;
  p->any.nflags = p->any.tags = 0;
  spu_catch_up();
  for (unsigned i = 0; i < p->nends; i++) {
    struct end *end = &p->ends[i];
    if (end->first != GOAL_NONE || (end->receives && p->wild != GOAL_NONE)) {
      spu_compute_for(COMPUTE_OTHER, LINK_LOOK);
      has_moved |= (end->receives ? advance_receive : advance_send)(p, end, 1 + i % LINK_TAGS);
    }
  }
  return has_moved;
}

void goal_run(struct coll *c) {
  const struct goal *goal = judged_of_algo(c->group->call.algo)->goal;
  struct player p = {.c = c, .port = c->group->port, .goal = goal, .rank = &goal->ranks[c->rank]};
  p.links = lay(goal, c->group);
  if (coll_own_calls(c) == 0) {
    uint8_t *data = c->scratch + p.links.nbytes;
    spu_note_store(data, of_call(&p, PARAM_SLOT));
    memset(data, 0, of_call(&p, PARAM_SLOT));
  }
  prepare(&p);
  begin_ready(&p);
  while (p.nopen > 0) {
    bool has_moved = advance(&p);
    begin_ready(&p);
    if (p.nopen > 0 && !has_moved) {
      spu_wait_any(&p.any);
    }
  }
  p.port->wait_tags(0xffff);
  for (unsigned i = 0; i < p.nends; i++) {
    const struct goal_connection *connection = &goal->connections[p.ends[i].connection];
    bool is_wild = goal->ranks[connection->to].is_wild;
    if (!p.ends[i].receives && (is_wild || connection->nlost > 0)) {
      const struct link *link = &p.links.items[p.ends[i].connection];
      struct spu_flag flag = link_flag(c, link, *p.ends[i].messages + link->depth, false);
      flag.what = "receive of each message";
      spu_wait_flag(&flag);
    }
  }
  free(p.links.items);
  free(p.ends);
  free(p.flags);
  free(p.states);
  free(p.ready);
}
