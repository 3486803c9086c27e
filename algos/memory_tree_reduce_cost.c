/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_cost.h: reductions up trees over local stores. */
#include "algos/memory_cost.h"
#include "algos/stage.h"

enum { HALF_BYTES = STAGE_BYTES / 2, RANKS_MAX = SHARE_TASKS_MAX / 2 };

/* Pieces on their way up a tree. */
struct reduction {
  struct tree tree;
  size_t m;
  size_t nbytes;                  /* of the piece that is combined now */
  double own[RANKS_MAX];          /* when each rank has its own data of this piece */
  int read[RANKS_MAX];            /* the task that reads it */
  double told[RANKS_MAX];         /* when each rank has raised the flag of this piece */
  double acknowledged[RANKS_MAX]; /* when its parent has that of this piece */
  double before[RANKS_MAX];       /* the same of the piece before */
};

/* Return the bytes of piece INDEX of M bytes. */
static size_t
piece_bytes(size_t m, size_t index)
{
  size_t offset = index * HALF_BYTES, left = m > offset ? m - offset : 0;
  return left < HALF_BYTES ? left : HALF_BYTES;
}

/* Let rank R take the piece of its children, the one with the shortest path below first, and combine it with its own. The next
 * child's piece is got while that is done if it is there. */
static void
combine(struct memory_cost *memory, struct reduction *reduction, unsigned r)
{
  const struct cost *c = memory->cost;
  struct chain *chain = &memory->chain;
  double got = 0; /* when what is got ahead is there; 0: nothing is */
  for (unsigned i = tree_nchildren(reduction->tree, r); i-- > 0;) {
    unsigned child = tree_child_of(reduction->tree, r, i);
    if (got == 0) {
      chain_hear(chain, r, child, reduction->told[child]);
      got = chain->at[r] + memory_cost_fetching(memory, child, r, reduction->nbytes);
    }
    chain->at[r] = fmax(chain->at[r], got);
    got = 0;
    reduction->acknowledged[child] = chain_tell(chain, r, child);
    unsigned next = i > 0 ? tree_child_of(reduction->tree, r, i - 1) : child;
    if (i > 0 && reduction->told[next] + chain_flag(chain, next, r) <= chain->at[r] + cost_handle(c)) {
      chain_hear(chain, r, next, reduction->told[next]);
      got = chain->at[r] + memory_cost_fetching(memory, next, r, reduction->nbytes);
      chain->at[r] += cost_start(c);
    }
    chain->at[r] = fmax(chain->at[r], reduction->own[r]) + cost_combine(c, reduction->nbytes);
  }
  chain->at[r] = fmax(chain->at[r], reduction->own[r]);
}

/* Let rank R do its part of piece INDEX. */
static void
do_piece(struct memory_cost *memory, struct reduction *reduction, unsigned r, size_t index)
{
  struct chain *chain = &memory->chain;
  struct share_task next = {
    .kind = COST_READ1, .rank = r, .nbytes = piece_bytes(reduction->m, index + 1), .after = SHARE_AT_ONCE};
  unsigned parent = r > 0 ? tree_parent(reduction->tree, r) : 0;
  if (index > 0 && next.nbytes > 0) {
    if (r > 0) {
      chain_hear(chain, r, parent, reduction->before[r]);
    }
    next.after = reduction->read[r];
    next.earliest = chain->at[r];
    reduction->read[r] = share_add(&memory->share, next);
    chain->at[r] += cost_start(memory->cost);
  }
  combine(memory, reduction, r);
  if (r > 0) {
    reduction->told[r] = chain_tell(chain, r, parent);
  } else {
    share_add(&memory->share, (struct share_task){.kind = COST_WRITE1,
                                                  .nbytes = reduction->nbytes,
                                                  .after = SHARE_AT_ONCE,
                                                  .delay = chain->at[0]});
    chain->at[0] += cost_start(memory->cost);
  }
}

bool
memory_cost_tree_reduce(struct memory_cost *memory, struct tree tree, size_t m)
{
  struct reduction reduction = {.tree = tree, .m = m};
  size_t npieces = (m + HALF_BYTES - 1) / HALF_BYTES;
  struct chain *chain = &memory->chain;
  for (unsigned r = 0; r < memory->cost->p; r++) {
    struct share_task read = {
      .kind = COST_READ1, .rank = r, .nbytes = piece_bytes(m, 0) + piece_bytes(m, 1), .after = SHARE_AT_ONCE};
    reduction.read[r] = share_add(&memory->share, read);
    chain->at[r] += cost_start(memory->cost) * (npieces > 1 ? 2 : 1);
  }
  for (size_t i = 0; i < npieces; i++) {
    if (!share_run(&memory->share)) {
      return false;
    }
    reduction.nbytes = piece_bytes(m, i);
    for (unsigned r = memory->cost->p; r-- > 0;) {
      reduction.own[r] = memory->share.tasks[reduction.read[r]].end;
    }
    for (unsigned r = memory->cost->p; r-- > 0;) {
      do_piece(memory, &reduction, r, i);
    }
    for (unsigned r = 0; r < memory->cost->p; r++) {
      reduction.before[r] = reduction.acknowledged[r];
    }
  }
  for (unsigned r = 1; r < memory->cost->p; r++) {
    chain_hear(chain, r, tree_parent(tree, r), reduction.acknowledged[r]);
  }
  return memory_cost_run(memory);
}
