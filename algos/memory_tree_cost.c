/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_cost.h: trees over local stores. */
#include "algos/memory_cost.h"
#include "algos/stage.h"

/* Return the get of M bytes that rank R, its child, begins at time HEARD from rank P, whose local store serves all its
 * children. */
static struct share_task
get_from_parent(const struct memory_cost *memory, unsigned p, unsigned r, double heard, size_t m)
{
  bool across = chain_across(&memory->chain, p, r);
  double all = memory_cost_fetching(memory, p, r, m);
  double serve = memory->cost->parameter(memory->cost, COST_SERVE1, m, 0);
  double link = across ? memory->cost->parameter(memory->cost, COST_SERVE2, m, 0) : 0;
  double alone = fmax(fmax(serve, link), all - memory_cost_fetching(memory, p, r, MFC_MIN_DMA_SIZE));
  double burst = share_first(memory->cost, (struct share_task){.kind = COST_READ1, .nbytes = m}),
         rest = 1 - burst;
  return (struct share_task){
    .rank = r,
    .after = SHARE_AT_ONCE,
    .delay = heard,
    .lead = all - alone,
    .parts = {{burst * alone, {burst * serve, burst * link}}, {rest * alone, {rest * serve, rest * link}}}};
}

/* A piece on its way down a tree. */
struct piece {
  size_t nbytes;
  bool second;
  int writes[SHARE_TASKS_MAX / 2];          /* tasks that write it out, per rank */
  double acknowledged[SHARE_TASKS_MAX / 2]; /* when each rank raises that flag */
};

/* Return how much longer GET of PIECE takes because its rank still writes out the piece before: both transfers take turns in
 * its MFC, so that until then it goes on only as fast as the write. */
static double
held_up(const struct memory_cost *memory, const struct piece *piece, const struct share_task *get)
{
  const struct share_task *write = &memory->share.tasks[piece->writes[get->rank]];
  if (!piece->second || write->end <= get->delay) {
    return 0;
  }
  double left = (write->end - get->delay) / (write->end - write->start);
  double alone = get->lead + get->parts[0].alone + get->parts[1].alone;
  return fmax(write->end - get->delay - left * alone, 0);
}

/* Let rank R, which has PIECE, tell its children one after the other and wait until all has left; at each child it is then
 * got. What a rank but the root does is behind a write that it has just begun. */
static bool
serve_children(struct memory_cost *memory, struct tree tree, unsigned r, const struct piece *piece)
{
  const struct cost *c = memory->cost;
  struct chain *chain = &memory->chain;
  struct share gets = {.cost = c};
  double telling = memory_cost_telling(memory, tree, r), first = chain->at[r];
  if (telling > 0 && r > 0) {
    first += c->parameter(c, r >= c->spes_per_chip ? COST_BEHIND2 : COST_BEHIND1, piece->nbytes, 0);
  }
  double done = telling > 0 ? first + telling : first;
  for (struct tree_child child = tree_first(tree, r); tree_has(child); child = tree_next(child)) {
    unsigned to = tree_child_rank(child);
    chain_hear(chain, to, r, fmax(chain_tell_more(chain, r, to), first));
    struct share_task get = get_from_parent(memory, r, to, chain->at[to], piece->nbytes);
    get.lead += held_up(memory, piece, &get);
    share_add(&gets, get);
  }
  chain->at[r] = done;
  bool ended = share_run(&gets);
  for (unsigned i = 0; i < gets.n && ended; i++) {
    chain->at[gets.tasks[i].rank] = gets.tasks[i].end;
  }
  return ended;
}

/* Let rank R, which has got PIECE, acknowledge it and begin to write it out, after the piece before. */
static void
pass_on(struct memory_cost *memory, struct tree tree, unsigned r, struct piece *piece)
{
  struct chain *chain = &memory->chain;
  struct share_task write = {.kind = COST_WRITE1,
                             .rank = r,
                             .nbytes = piece->nbytes,
                             .after = piece->second ? piece->writes[r] : SHARE_AT_ONCE};
  piece->acknowledged[r] = chain_tell_more(chain, r, tree_parent(tree, r));
  write.earliest = chain->at[r];
  piece->writes[r] = share_add(&memory->share, write);
  chain->at[r] += cost_start(memory->cost);
}

static bool
pass_down(struct memory_cost *memory, struct tree tree, struct piece *piece)
{
  for (unsigned r = 0; r < memory->cost->p; r++) {
    if (r > 0) {
      pass_on(memory, tree, r, piece);
    }
    if (!serve_children(memory, tree, r, piece)) {
      return false;
    }
    chain_settle(&memory->chain, r);
  }
  return true;
}

bool
memory_cost_tree_bcast(struct memory_cost *memory, struct tree tree, size_t m)
{
  struct chain *chain = &memory->chain;
  struct piece piece = {.nbytes = m < STAGE_BYTES ? m : STAGE_BYTES};
  struct share_task read = {.kind = COST_READ1, .nbytes = piece.nbytes, .after = SHARE_AT_ONCE};
  chain->at[0] += share_alone(memory->cost, &read);
  bool ended = pass_down(memory, tree, &piece);
  if (ended && m > STAGE_BYTES) {
    read.nbytes = piece.nbytes = m - STAGE_BYTES;
    read.delay = chain->at[0];
    piece.second = true;
    int index = share_add(&memory->share, read);
    ended = share_run(&memory->share);
    chain->at[0] = memory->share.tasks[index].end;
    ended = ended && pass_down(memory, tree, &piece);
  }
  for (unsigned r = 1; r < memory->cost->p; r++) {
    chain_hear(chain, tree_parent(tree, r), r, piece.acknowledged[r]);
  }
  return ended && memory_cost_run(memory);
}
