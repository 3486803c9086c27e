/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_cost.h: reductions up trees over local stores.
 *
 * What a rank gets from a child takes turns with what it reads or writes at the same time. Got ahead, while the operand before
 * is combined, it costs nothing. The first of several children is a leaf, which has its next piece before the last operand is
 * combined; a leaf that is the only child has it so early only when it is the last one, for which no buffer has to be free. */
#include "algos/cost/memory_cost.h"
#include "algos/memory/double_buffer.h"

enum { HALF_BYTES = DOUBLE_BUFFER_BYTES / 2, RANKS_MAX = MEMORY_MODEL_TASKS_MAX / 2 };

/* Pieces on their way up a tree. */
struct reduction {
  struct tree tree;
  size_t m, npieces;
  size_t index;           /* of the piece that is combined now */
  int read[RANKS_MAX][2]; /* the tasks that read this piece, and the next one, by their numbers modulo 2 */
  int written;            /* the task that writes the piece before, or MEMORY_MODEL_AT_ONCE */
  double told[RANKS_MAX]; /* when each rank has raised the flag of this piece */
  double acknowledged[RANKS_MAX]; /* when its parent has that of this piece */
  double got[RANKS_MAX];          /* when what each has got ahead is there; 0: nothing is */
  double latency[RANKS_MAX];      /* of one request of a read by each rank */
  double write_latency;           /* and of a write by the root */
};

/* A piece of a child. */
struct operand {
  unsigned child;
  size_t index;
  double told; /* when its child raises the flag */
};

/* Return the bytes of piece INDEX of M bytes. */
static size_t
piece_bytes(size_t m, size_t index)
{
  size_t offset = index * HALF_BYTES, left = m > offset ? m - offset : 0;
  return left < HALF_BYTES ? left : HALF_BYTES;
}

/* Return when rank R has the piece INDEX of its own data. */
static double
own(const struct memory_cost *memory, const struct reduction *reduction, unsigned r, size_t index)
{
  return memory->model.tasks[reduction->read[r][index % 2]].end;
}

/* Let rank R get piece INDEX of CHILD, which tells of it at time TOLD. */
static void
get(struct memory_cost *memory, struct reduction *reduction, unsigned r, struct operand from)
{
  struct chain *chain = &memory->chain;
  chain_hear(chain, r, from.child, from.told);
  double alone = memory_cost_fetching(memory, from.child, r, piece_bytes(reduction->m, from.index));
  struct memory_get get = {.start = chain->at[r], .alone = alone, .end = chain->at[r] + alone};
  const struct memory_task *tasks = memory->model.tasks;
  if (r == 0 && reduction->written != MEMORY_MODEL_AT_ONCE) {
    memory_cost_beside(&tasks[reduction->written], reduction->write_latency, &get);
  }
  memory_cost_beside(&tasks[reduction->read[r][(reduction->index + 1) % 2]], reduction->latency[r], &get);
  reduction->got[r] = get.end;
}

/* Return the operand that rank R combines behind child K, in their order, of NCHILDREN: a piece of the next child, or the next
 * piece of the first one if that is a leaf; INFINITY as the time of what is not foreseen. */
static struct operand
next_operand(const struct memory_cost *memory, const struct reduction *reduction, unsigned r, unsigned k)
{
  const struct chain *chain = &memory->chain;
  unsigned n = tree_nchildren(reduction->tree, r),
           child = tree_child_of(reduction->tree, r, k > 0 ? k - 1 : n - 1);
  struct operand next = {child, reduction->index + (k == 0), reduction->told[child]};
  if (k > 0) {
    return next;
  }
  if (next.index == reduction->npieces || tree_nchildren(reduction->tree, child) > 0) {
    next.told = INFINITY;
    return next;
  }
  next.told = chain->at[child];
  if (next.index + 1 < reduction->npieces) {
    double heard = reduction->acknowledged[child] + chain_flag(chain, r, child);
    next.told = fmax(next.told + cost_handle(memory->cost), heard) + cost_start(memory->cost);
  }
  next.told = fmax(next.told, own(memory, reduction, child, next.index));
  return next;
}

/* Let rank R take the piece of its children, the one with the shortest path below first, and combine it with its own. The next
 * operand is got while that is done if it is there. */
static void
combine(struct memory_cost *memory, struct reduction *reduction, unsigned r)
{
  const struct cost *c = memory->cost;
  struct chain *chain = &memory->chain;
  for (unsigned k = tree_nchildren(reduction->tree, r); k-- > 0;) {
    unsigned child = tree_child_of(reduction->tree, r, k);
    if (reduction->got[r] == 0) {
      get(memory, reduction, r, (struct operand){child, reduction->index, reduction->told[child]});
    }
    chain->at[r] = fmax(chain->at[r], reduction->got[r]);
    reduction->got[r] = 0;
    reduction->acknowledged[child] = chain_tell(chain, r, child);
    struct operand next = next_operand(memory, reduction, r, k);
    if (next.told + chain_flag(chain, next.child, r) <= chain->at[r] + cost_handle(c)) {
      get(memory, reduction, r, next);
      chain->at[r] += cost_start(c);
    }
    chain->at[r] = fmax(chain->at[r], own(memory, reduction, r, reduction->index));
    chain->at[r] += cost_combine(c, piece_bytes(reduction->m, reduction->index));
  }
  chain->at[r] = fmax(chain->at[r], own(memory, reduction, r, reduction->index));
}

/* Let rank R begin to read the next piece of its own data as soon as its buffer is free. */
static void
read_ahead(struct memory_cost *memory, struct reduction *reduction, unsigned r)
{
  size_t index = reduction->index + 1;
  struct memory_task read = {.kind = COST_READ1,
                             .rank = r,
                             .nbytes = piece_bytes(reduction->m, index),
                             .after = r > 0 ? reduction->read[r][index % 2] : reduction->written};
  if (r > 0) {
    chain_hear(&memory->chain, r, tree_parent(reduction->tree, r), reduction->acknowledged[r]);
  }
  read.earliest = memory->chain.at[r];
  reduction->read[r][index % 2] = memory_model_add(&memory->model, read);
  memory->chain.at[r] += cost_start(memory->cost);
}

/* Let rank R tell its parent that it has combined a piece, or write it if it is the root. */
static void
hand_over(struct memory_cost *memory, struct reduction *reduction, unsigned r)
{
  struct chain *chain = &memory->chain;
  if (r > 0) {
    reduction->told[r] = chain_tell(chain, r, tree_parent(reduction->tree, r));
    return;
  }
  struct memory_task write = {.kind = COST_WRITE1,
                              .nbytes = piece_bytes(reduction->m, reduction->index),
                              .after = MEMORY_MODEL_AT_ONCE,
                              .delay = chain->at[0]};
  reduction->written = memory_model_add(&memory->model, write);
  chain->at[0] += cost_start(memory->cost);
}

/* Let all ranks begin: the first two pieces are read at once. */
static void
begin(struct memory_cost *memory, struct reduction *reduction)
{
  struct memory_task write = {.kind = COST_WRITE1, .nbytes = MEMORY_LINE};
  reduction->write_latency = memory_model_alone(memory->cost, &write);
  for (unsigned r = 0; r < memory->cost->p; r++) {
    struct memory_task read = {
      .kind = COST_READ1, .rank = r, .nbytes = MEMORY_LINE, .after = MEMORY_MODEL_AT_ONCE};
    reduction->latency[r] = memory_model_alone(memory->cost, &read);
    read.nbytes = piece_bytes(reduction->m, 0) + piece_bytes(reduction->m, 1);
    reduction->read[r][0] = reduction->read[r][1] = memory_model_add(&memory->model, read);
    memory->chain.at[r] += cost_start(memory->cost) * (reduction->npieces > 1 ? 2 : 1);
  }
}

bool
memory_cost_tree_reduce(struct memory_cost *memory, struct tree tree, size_t m)
{
  struct reduction reduction = {
    .tree = tree, .m = m, .npieces = (m + HALF_BYTES - 1) / HALF_BYTES, .written = MEMORY_MODEL_AT_ONCE};
  unsigned p = memory->cost->p;
  begin(memory, &reduction);
  for (; reduction.index < reduction.npieces; reduction.index++) {
    for (unsigned r = 0; r < p && reduction.index > 0 && reduction.index + 1 < reduction.npieces; r++) {
      read_ahead(memory, &reduction, r);
    }
    if (!memory_model_run(&memory->model)) {
      return false;
    }
    for (unsigned r = p; r-- > 0;) {
      combine(memory, &reduction, r);
      hand_over(memory, &reduction, r);
    }
  }
  for (unsigned r = 1; r < p; r++) {
    chain_hear(&memory->chain, r, tree_parent(tree, r), reduction.acknowledged[r]);
  }
  return memory_cost_run(memory);
}
