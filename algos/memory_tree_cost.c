/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_cost.h: trees over local stores. */
#include "algos/memory_cost.h"
#include "sim/spu/spu_mfcio.h"

/* Return how long rank R takes to get M bytes from the local store of its parent P when nobody else does. */
static double
fetching(const struct memory_cost *memory, unsigned p, unsigned r, size_t m)
{
  const struct cost *c = memory->cost;
  double with_address = chain_crosses(&memory->chain, p, r) ? cost_step_across(c, m) : cost_step(c, m);
  return with_address - chain_flag(&memory->chain, p, r);
}

/* Return the get of M bytes that rank R, its child, begins at time HEARD from rank P, whose local store serves all its
 * children. */
static struct share_task
get_from_parent(const struct memory_cost *memory, unsigned p, unsigned r, double heard, size_t m)
{
  bool across = chain_crosses(&memory->chain, p, r);
  double all = fetching(memory, p, r, m);
  double serve = memory->cost->parameter(memory->cost, COST_SERVE1, m, 0);
  double link = across ? memory->cost->parameter(memory->cost, COST_SERVE2, m, 0) : 0;
  double alone = fmax(fmax(serve, link), all - fetching(memory, p, r, MFC_MIN_DMA_SIZE));
  double burst = share_first(memory->cost, (struct share_task){.kind = COST_READ1, .nbytes = m}),
         rest = 1 - burst;
  return (struct share_task){
    .rank = r,
    .after = SHARE_AT_ONCE,
    .delay = heard,
    .lead = all - alone,
    .parts = {{burst * alone, burst * serve, burst * link}, {rest * alone, rest * serve, rest * link}}};
}

/* A piece that goes down the tree, and what comes BEHIND the write of it: the parameter of that name. */
struct piece {
  size_t nbytes;
  double behind;
};

/* Let rank R, which has a piece of M bytes, tell its children one after the other and wait until all has left; at each child
 * it is then got. What R does is BEHIND a write that it has just begun. */
static bool
serve_children(struct memory_cost *memory, struct tree tree, unsigned r, struct piece piece)
{
  struct chain *chain = &memory->chain;
  struct share gets = {.cost = memory->cost};
  double first = chain->at[r] + piece.behind, telling = memory_cost_telling(memory, tree, r);
  double done = telling > 0 ? first + telling : chain->at[r];
  for (struct tree_child child = tree_first(tree, r); tree_has(child); child = tree_next(child)) {
    unsigned to = tree_child_rank(child);
    chain_hear(chain, to, r, fmax(chain_queue(chain, r), first));
    share_add(&gets, get_from_parent(memory, r, to, chain->at[to], piece.nbytes));
  }
  chain->at[r] = done;
  bool ended = share_run(&gets);
  for (unsigned i = 0; i < gets.n && ended; i++) {
    chain->at[gets.tasks[i].rank] = gets.tasks[i].end;
  }
  return ended;
}

bool
memory_cost_tree_bcast(struct memory_cost *memory, struct tree tree)
{
  const struct cost *c = memory->cost;
  struct chain *chain = &memory->chain;
  double acknowledged[SHARE_TASKS_MAX] = {0};
  struct share_task root = {.kind = COST_READ1, .nbytes = c->m};
  chain->at[0] = share_alone(c, &root);
  for (unsigned r = 0; r < c->p; r++) {
    unsigned parent = r > 0 ? tree_parent(tree, r) : 0;
    double settled = 0;
    if (r > 0) {
      acknowledged[r] = chain_queue(chain, r);
      settled = acknowledged[r] + chain_issue(chain, r, parent);
      share_add(
        &memory->share,
        (struct share_task){
          .kind = COST_WRITE1, .rank = r, .nbytes = c->m, .after = SHARE_AT_ONCE, .delay = chain->at[r]});
      chain->at[r] += cost_start(c);
    }
    struct piece piece = {.nbytes = c->m};
    if (r > 0) {
      bool across = r >= c->spes_per_chip;
      piece.behind = c->parameter(c, across ? COST_BEHIND2 : COST_BEHIND1, c->m, 0);
    }
    if (!serve_children(memory, tree, r, piece)) {
      return false;
    }
    chain->at[r] = fmax(chain->at[r], settled);
  }
  for (unsigned r = 1; r < c->p; r++) {
    chain_hear(chain, tree_parent(tree, r), r, acknowledged[r]);
  }
  return memory_cost_run(memory);
}
