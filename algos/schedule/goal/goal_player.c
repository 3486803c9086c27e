/* SPDX-License-Identifier: BSD-3-Clause
 * The player of GOAL: the program of a rank. Operations with all requirements met begin; sends and receives
 * queue at their end of a connection, a task of the player. A receive with a wildcard takes the message found
 * first. A message goes in pieces of a slot. A send is over with all pieces in slots, or, beyond `eager`
 * bytes, taken. */
#include "algos/schedule/goal/goal.h"
#include "algos/schedule/links/links.h"
#include "algos/step/step.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { QUADWORD = 16, EAGER = 65535 /* as in LogGOPSim */ };

struct state {
  unsigned nleft, next; /* requirements not met; the next one in the row */
  size_t turn;          /* the number of operations that began before */
};

struct goal_player {
  struct player player; /* first */
  const struct goal *goal;
  const struct goal_rank *rank;
  struct state *states; /* by operation of the rank */
  unsigned *ready;
  size_t nready, nbegun;
  unsigned wild, last_wild; /* receives with wildcards, in a row as they began */
  uint8_t *data;            /* of sends, and of receives, a slot each */
  unsigned slot, eager;
};

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
static size_t scratch(const struct coll_group *group) {
  struct links links = lay(goal_of(loaded_of(group->call.algo)), group);
  free(links.items);
  return links.nbytes + 2 * (size_t)group->call.values[PARAM_SLOT];
}

/* --- operations --- */

static struct state *state_of(const struct goal_player *p, unsigned number) {
  return &p->states[number - p->rank->first];
}

/* Meet the requirements on the begin, or the end, of operation NUMBER. */
static void release(struct goal_player *p, unsigned number, bool at_begin) {
  const struct goal *goal = p->goal;
  for (unsigned k = goal->operations[number].needs; k; k = goal->requirements[k - 1].next) {
    unsigned other = goal->requirements[k - 1].operation;
    if (goal->requirements[k - 1].at_begin == at_begin && --state_of(p, other)->nleft == 0) {
      p->ready[p->nready++] = other;
    }
  }
}

static void finish(struct goal_player *p, unsigned number) {
  p->player.nopen--;
  release(p, number, false);
}

/* Return the name of operation NUMBER, or of the wait of the operation; made once. */
static const char *name_of(const struct goal_player *p, unsigned number, bool is_wait) {
  const struct goal_operation *operation = &p->goal->operations[number];
  const char *word = goal_words[operation->kind];
  char **name = &p->goal->names[2 * number + is_wait];
  if (!*name) {
    const char *need = operation->kind == GOAL_SEND ? "free slot" : "message";
    const char *label = operation->label ? operation->label : text_brief("line %u", operation->line);
    *name =
      is_wait ? xasprintf("line %u (%s), %s", operation->line, word, need) : xasprintf("%s %s", label, word);
  }
  return *name;
}

static void begin_ready(struct player *player) {
  struct goal_player *p = (struct goal_player *)player;
  while (p->nbegun < p->nready) {
    unsigned number = p->ready[p->nbegun++];
    const struct goal_operation *operation = &p->goal->operations[number];
    release(p, number, true);
    if (operation->kind == GOAL_CALC) {
      spu_note_step(0, name_of(p, number, false));
      spu_compute_for(COMPUTE_OTHER, (uint64_t)((double)operation->size * player->c->group->ghz + 0.5));
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
    const struct link *link = &player->links.items[operation->connection];
    struct end *end = &player->ends[operation->kind == GOAL_SEND ? link->out : link->in];
    *(end->first == GOAL_NONE ? &end->first : &state_of(p, end->last)->next) = number;
    end->last = number;
  }
}

/* Tell whether the message, or the slot, AHEAD of the last one of END is there for operation NUMBER; else
 * note the need. */
static bool look(struct goal_player *p, const struct end *end, unsigned number, uint32_t ahead) {
  struct spu_flag *missing = player_look(&p->player, end, ahead);
  if (missing) {
    missing->what = name_of(p, number, true);
  }
  return !missing;
}

static void end_first(struct goal_player *p, struct end *end) {
  unsigned number = end->first;
  end->first = state_of(p, number)->next;
  end->pieces = 0;
  finish(p, number);
}

/* Let the first send of END, with TAG, go on by a piece, by the end of a put, or by the receiver's credit.
 * returns: whether the send did. */
static bool advance_send(struct goal_player *p, struct end *end, unsigned tag) {
  struct coll *c = p->player.c;
  const struct goal_operation *operation = &p->goal->operations[end->first];
  uint64_t slot = end->link->slot;
  bool is_put = end->pieces && end->pieces * slot >= operation->size;
  if (end->is_sending) {
    if (!player_has_sent(&p->player, end, tag)) {
      return false;
    }
    spu_note_step(0, name_of(p, end->first, false));
    spu_compute_for(COMPUTE_TAG, c->group->costs.tag);
    if (is_put && operation->size <= p->eager) {
      end_first(p, end);
    }
    return true;
  }
  if (!look(p, end, end->first, is_put ? end->link->depth : 1)) {
    return false;
  }
  if (is_put) {
    end_first(p, end);
    return true;
  }
  spu_note_step(0, name_of(p, end->first, false));
  uint64_t left = operation->size - end->pieces++ * slot, nbytes = left < slot ? left : slot;
  end_put(c, end,
          (struct message){.tag = tag, .data = p->data, .nbytes = (size_t)nbytes, .rest = left - nbytes});
  return true;
}

/* Let a receive with a wildcard that began before the first receive of END take the message that comes next.
 * returns: false if there is such a receive, but no message of this call. */
static bool claim(struct goal_player *p, struct end *end) {
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
  const volatile uint32_t *count = end_flag(p->player.c, end, 1).word;
  if (!look(p, end, number, 1) || count[LINK_CALL] != coll_own_calls(p->player.c)) {
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
static bool advance_receive(struct goal_player *p, struct end *end, unsigned tag) {
  struct coll *c = p->player.c;
  if ((end->pieces == 0 && !claim(p, end)) || end->first == GOAL_NONE || !look(p, end, end->first, 1)) {
    return false;
  }
  spu_note_step(0, name_of(p, end->first, false));
  const volatile uint32_t *count = end_flag(c, end, 1).word;
  end->pieces++;
  spu_compute_for(COMPUTE_RECEIVE, c->group->costs.receive);
  link_copy(p->data + p->slot, end_slot(c, end), count[LINK_BYTES]);
  bool is_over = count[LINK_REST] == 0;
  end_free(c, end, tag);
  if (is_over) {
    end_first(p, end);
  }
  return true;
}

static bool advance(struct player *player, unsigned i, unsigned tag) {
  struct goal_player *p = (struct goal_player *)player;
  struct end *end = &player->ends[i];
  if (end->first == GOAL_NONE && !(end->receives && p->wild != GOAL_NONE)) {
    return false;
  }
  spu_compute_for(COMPUTE_OTHER, LINK_LOOK);
  return (end->receives ? advance_receive : advance_send)(p, end, tag);
}

/* --- the program --- */

/* Prepare ends and operations of the rank of P, in a call of C. */
static void prepare(struct goal_player *p, struct coll *c) {
  player_begin(&p->player, c);
  p->player.ntasks = p->player.nends;
  p->player.nopen = p->rank->n;
  for (unsigned i = 0; i < p->player.nends; i++) {
    p->player.ends[i].first = GOAL_NONE;
  }
  p->states = xcalloc(p->rank->n + 1, sizeof *p->states);
  p->ready = xcalloc(p->rank->n + 1, sizeof *p->ready);
  for (size_t i = 0; i < p->rank->n; i++) {
    p->states[i].nleft = p->goal->operations[p->rank->first + i].nwants;
    if (p->states[i].nleft == 0) {
      p->ready[p->nready++] = (unsigned)(p->rank->first + i);
    }
  }
}

static void run(struct coll *c) {
  const struct goal *goal = goal_of(loaded_of(c->group->call.algo));
  const unsigned *values = c->group->call.values;
  struct goal_player p = {
    .player = {.links = lay(goal, c->group), .advance = advance, .begin = begin_ready},
    .goal = goal,
    .rank = &goal->ranks[c->rank],
    .wild = GOAL_NONE,
    .slot = values[PARAM_SLOT],
    .eager = values[PARAM_EAGER],
  };
  p.data = c->scratch + p.player.links.nbytes;
  if (coll_own_calls(c) == 0) {
    spu_note_store(p.data, p.slot);
    memset(p.data, 0, p.slot);
  }
  prepare(&p, c);
  player_play(&p.player);
  for (unsigned i = 0; i < p.player.nends; i++) {
    const struct end *end = &p.player.ends[i];
    const struct goal_connection *connection = &goal->connections[end->connection];
    if (!end->receives && (goal->ranks[connection->to].is_wild || connection->nlost > 0)) {
      struct spu_flag flag = end_flag(c, end, end->link->depth);
      flag.what = "receive of each message";
      spu_wait_flag(&flag);
    }
  }
  player_fini(&p.player);
  free(p.states);
  free(p.ready);
}

/* --- the algorithm --- */

static int complete(struct loaded *loaded, struct err *err) {
  struct goal *goal = (struct goal *)loaded;
  struct algo *algo = &loaded->algo;
  (void)err;
  goal->names = xcalloc(2 * goal->noperations + 1, sizeof *goal->names);
  algo->collective = COLL_BARRIER;
  algo->scratch = scratch;
  algo->run = run;
  algo->ranks = goal->nranks;
  algo->is_open = loaded->judgement.least < goal->nranks || loaded->judgement.found[FOUND_OPEN].n > 0;
  algo->params[PARAM_EAGER] =
    (struct coll_param){.name = "eager", .most = INT_MAX, .initial = EAGER, .is_asked = true};
  return 0;
}

const struct form goal_form = {.name = "goal",
                               .idea = "a schedule in GOAL",
                               .read = goal_read,
                               .judge = goal_judge,
                               .complete = complete,
                               .depth = goal_depth,
                               .free = goal_free};
