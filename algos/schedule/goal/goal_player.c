/* SPDX-License-Identifier: BSD-3-Clause
 * The player of GOAL: the program of a rank. Operations with all requirements met begin; sends and receives
 * queue at their end of a connection, a task of the player, and the first one is a message (messages.h). A
 * receive with a wildcard takes the message found first. A send is over when the message lies in a slot, or,
 * beyond `eager` bytes or the bytes of a slot, when the message is received. */
#include "algos/schedule/goal/goal.h"
#include "algos/schedule/links/messages.h"
#include "algos/step/call_map.h"
#include "algos/step/step.h"
#include "sim/base/minmax.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum {
  EAGER = 65535, /* as in LogGOPSim */
  SLOT_MAX = 65536,
  WINDOW = 2048 /* the least one: slots as large as fit would leave a line; assumption */
};

struct state {
  unsigned nleft, next; /* requirements not met; the next one in the row */
  size_t turn;          /* the number of operations that began before */
};

/* Operations in a row at an end of a connection; the request of the first one, SIZE_MAX: not begun. */
struct row {
  unsigned first, last;
  size_t request;
  unsigned connection;
  bool receives;
};

struct goal_player {
  struct messages messages; /* first */
  const struct goal *goal;
  const struct goal_rank *rank;
  struct state *states; /* by operation of the rank */
  struct row *rows;     /* by end in the rank */
  unsigned nrows;
  unsigned *ready;
  size_t nready, nbegun;
  struct row wild; /* receives with wildcards, as they began */
};

/* --- scratch --- */

/* Return the connections of GOAL in a call of GROUP; behind lie the data of messages, at PLACES; NBYTES
 * becomes the bytes of all. A connection has no more slots and no larger ones than the messages need.
 * owner: the caller, of the items. */
static struct links lay(const struct goal *goal, const struct coll_group *group,
                        struct message_places *places, size_t *nbytes) {
  struct links links = {.n = goal->nconnections,
                        .items = xcalloc(goal->nconnections + 1, sizeof *links.items)};
  unsigned depth = group->call.values[PARAM_DEPTH];
  size_t largest = 0, start = call_map_scratch(group);
  *places = (struct message_places){.eager = goal_eager(group->call.values), .least = WINDOW};
  for (size_t i = 0; i < links.n; i++) {
    const struct goal_connection *connection = &goal->connections[i];
    unsigned nsends = connection->nsends ? connection->nsends : 1;
    size_t slot = MIN(connection->largest, places->eager);
    RAISE(largest, connection->largest);
    links.items[i] = (struct link){
      .from = connection->from, .to = connection->to, .depth = MIN(nsends, depth), .slot = (unsigned)slot};
  }
  links_lay(&links, goal->nranks);
  *nbytes = messages_place(places, group, largest, call_map_line(start + links.nbytes)) - start;
  return links;
}

static size_t scratch(const struct coll_group *group) {
  struct message_places places;
  size_t nbytes;
  struct links links = lay(goal_of(loaded_of(group->call.algo)), group, &places, &nbytes);
  free(links.items);
  return nbytes;
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
  p->messages.player.nopen--;
  release(p, number, false);
}

static const char *make_name(const struct goal_player *p, unsigned number, bool is_wait) {
  const struct goal_operation *operation = &p->goal->operations[number];
  const char *word = goal_words[operation->kind];
  const char *need = operation->kind == GOAL_SEND ? "free slot" : "message";
  const char *label = operation->label ? operation->label : text_brief("line %u", operation->line);
  return p->goal->names[2 * number + is_wait] = is_wait
                                                  ? xasprintf("line %u (%s), %s", operation->line, word, need)
                                                  : xasprintf("%s %s", label, word);
}

/* Return the name of operation NUMBER, or of the wait of the operation; made once. */
static inline const char *name_of(const struct goal_player *p, unsigned number, bool is_wait) {
  const char *name = p->goal->names[2 * number + is_wait];
  return name ? name : make_name(p, number, is_wait);
}

/* Begin the operations without requirements left.
 * returns: whether there are such operations. */
static bool begin_ready(struct goal_player *p) {
  size_t before = p->nbegun;
  while (p->nbegun < p->nready) {
    unsigned number = p->ready[p->nbegun++];
    const struct goal_operation *operation = &p->goal->operations[number];
    release(p, number, true);
    if (operation->kind == GOAL_CALC) {
      spu_note_step(0, name_of(p, number, false));
      spu_compute_for(COMPUTE_OTHER,
                      (uint64_t)((double)operation->size * p->messages.player.c->group->ghz + 0.5));
      finish(p, number);
      continue;
    }
    struct state *state = state_of(p, number);
    *state = (struct state){.next = GOAL_NONE, .turn = p->nbegun};
    bool is_wild = operation->connection == GOAL_NONE;
    const struct link *link = is_wild ? NULL : &p->messages.player.links->items[operation->connection];
    struct row *row = is_wild ? &p->wild : &p->rows[operation->kind == GOAL_SEND ? link->out : link->in];
    *(row->first == GOAL_NONE ? &row->first : &state_of(p, row->last)->next) = number;
    row->last = number;
  }
  return p->nbegun > before;
}

/* Let a receive with a wildcard that began before the first receive of ROW take the message that comes next.
 * returns: false if there is such a receive, but no message of this call. */
static bool claim(struct goal_player *p, struct row *row) {
  const struct goal_connection *connection = &p->goal->connections[row->connection];
  unsigned *place = &p->wild.first, before = GOAL_NONE;
  for (; *place != GOAL_NONE; before = *place, place = &state_of(p, before)->next) {
    const struct goal_operation *operation = &p->goal->operations[*place];
    if ((operation->peer < 0 || operation->peer == (int)connection->from) &&
        (operation->tag < 0 || operation->tag == connection->tag)) {
      break;
    }
  }
  unsigned number = *place;
  if (number == GOAL_NONE ||
      (row->first != GOAL_NONE && state_of(p, row->first)->turn < state_of(p, number)->turn)) {
    return true;
  }
  struct player *player = &p->messages.player;
  const struct link *link = &player->links->items[row->connection];
  struct spu_flag flag = link_flag(player->c, link, player->counts[link->in] + 1, true),
                  *missing = awaited_look(&player->awaited, &flag);
  if (missing) {
    missing->what = name_of(p, number, true);
  }
  const volatile uint32_t *count = flag.word;
  if (missing || count[LINK_CALL] != coll_own_calls(player->c)) {
    return false;
  }
  *place = state_of(p, number)->next;
  p->wild.last = p->wild.last == number ? before : p->wild.last;
  state_of(p, number)->next = row->first;
  row->last = row->first == GOAL_NONE ? number : row->last;
  row->first = number;
  return true;
}

/* Let the first operation of ROW begin.
 * returns: whether there is one. */
static bool begin_first(struct goal_player *p, struct row *row) {
  if (row->receives && p->wild.first != GOAL_NONE) {
    spu_compute_for(COMPUTE_OTHER, LINK_LOOK);
    if (!claim(p, row)) {
      return false;
    }
  }
  if (row->first == GOAL_NONE) {
    return false;
  }
  uint64_t nbytes = row->receives ? UINT64_MAX : p->goal->operations[row->first].size;
  row->request = messages_add(&p->messages, row->connection, nbytes, !row->receives);
  return true;
}

/* Let the first operation of row I go on; behind the last row, let operations begin. */
static bool advance(struct player *player, unsigned i) {
  struct goal_player *p = (struct goal_player *)player;
  struct awaited *awaited = &player->awaited;
  struct row *row = &p->rows[i];
  unsigned nflags = awaited->any.nflags;
  if (i == p->nrows) {
    return begin_ready(p);
  }
  if (row->request == SIZE_MAX && !begin_first(p, row)) {
    return false;
  }
  if (!messages_look(&p->messages, row->request)) {
    if (awaited->any.nflags > nflags) {
      awaited->flags[nflags].what = name_of(p, row->first, true);
    }
    return false;
  }
  unsigned number = row->first;
  spu_note_step(0, name_of(p, number, false));
  if (messages_go_on(&p->messages, row->request)) {
    messages_forget(&p->messages, row->request);
    row->first = state_of(p, number)->next;
    row->request = SIZE_MAX;
    finish(p, number);
  }
  return true;
}

/* --- the program --- */

/* Prepare rows and operations of the rank of P. */
static void prepare(struct goal_player *p) {
  struct player *player = &p->messages.player;
  const struct links *links = player->links;
  player->nopen = p->rank->n;
  p->rows = xcalloc(links->nends + 1, sizeof *p->rows);
  for (unsigned i = 0; i < 2 * links->n; i++) {
    const struct link *link = &links->items[i / 2];
    bool receives = i % 2;
    if ((receives ? link->to : link->from) == player->c->rank) {
      p->rows[p->nrows++] = (struct row){GOAL_NONE, GOAL_NONE, SIZE_MAX, i / 2, receives};
    }
  }
  player->ntasks = p->nrows + 1;
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
  struct message_places places;
  size_t nbytes;
  struct links links = lay(goal, c->group, &places, &nbytes);
  struct goal_player p = {
    .messages = {.player = {.c = c, .links = &links, .counts = links_begin(&links, c), .advance = advance},
                 .places = &places},
    .goal = goal,
    .rank = &goal->ranks[c->rank],
    .wild = {.first = GOAL_NONE},
  };
  prepare(&p);
  if (coll_own_calls(c) == 0) {
    void *data = spu_ls(places.send);
    spu_note_store(data, places.nbytes);
    memset(data, 0, places.nbytes);
  }
  player_play(&p.messages.player);
  for (const struct row *row = p.rows; row < p.rows + p.nrows; row++) {
    const struct goal_connection *connection = &goal->connections[row->connection];
    if (!row->receives && (goal->ranks[connection->to].is_wild || connection->nlost > 0)) {
      const struct link *link = &links.items[row->connection];
      struct spu_flag flag = link_flag(c, link, p.messages.player.counts[link->out] + link->depth, false);
      flag.what = "receive of each message";
      spu_wait_flag(&flag);
    }
  }
  messages_fini(&p.messages);
  free(p.rows);
  free(p.states);
  free(p.ready);
  free(links.items);
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
  algo->params[PARAM_SLOT].most = SLOT_MAX;
  algo->params[PARAM_EAGER] =
    (struct coll_param){.name = "eager", .most = SLOT_MAX, .initial = EAGER, .is_asked = true};
  return 0;
}

const struct form goal_form = {.name = "goal",
                               .idea = "a schedule in GOAL",
                               .read = goal_read,
                               .complete = complete,
                               .depth = goal_depth,
                               .free = goal_free};
