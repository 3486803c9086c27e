/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_cost.h: trees over local stores. */
#include "algos/cost/memory_cost.h"
#include "algos/memory/double_buffer.h"

enum { RANKS_MAX = MEMORY_MODEL_TASKS_MAX / 2 };

/* Return the get of M bytes that rank R, its child, begins at time HEARD from rank P, whose local store serves all its
 * children. */
static struct memory_task
get_from_parent(const struct memory_cost *memory, unsigned p, unsigned r, double heard, size_t m)
{
  bool across = chain_across(&memory->chain, p, r);
  double all = memory_cost_fetching(memory, p, r, m);
  double serve = memory->cost->parameter(memory->cost, COST_SERVE1, m, 0);
  double link = across ? memory->cost->parameter(memory->cost, COST_SERVE2, m, 0) : 0;
  double alone = fmax(fmax(serve, link), all - memory_cost_fetching(memory, p, r, MFC_MIN_DMA_SIZE));
  double burst = memory_model_first(memory->cost, (struct memory_task){.kind = COST_READ1, .nbytes = m}),
         rest = 1 - burst;
  return (struct memory_task){
    .rank = r,
    .after = MEMORY_MODEL_AT_ONCE,
    .delay = heard,
    .lead = all - alone,
    .parts = {{burst * alone, {burst * serve, burst * link}}, {rest * alone, {rest * serve, rest * link}}}};
}

/* Pieces on their way down a tree. What belongs to a piece is in the place that its number modulo 2 tells, as is its buffer. */
struct pieces {
  struct tree tree;
  size_t m, npieces;
  size_t index;                      /* of the piece that goes down now */
  int writes[RANKS_MAX][2];          /* tasks that write out, per rank, or MEMORY_MODEL_AT_ONCE */
  double acknowledged[RANKS_MAX][2]; /* when each rank raises that flag */
  double latency[RANKS_MAX];         /* of one request of a write by each rank */
};

/* Return the bytes of the piece that goes down now. */
static size_t
piece_bytes(const struct pieces *pieces)
{
  size_t left = pieces->m - pieces->index * DOUBLE_BUFFER_BYTES;
  return left < DOUBLE_BUFFER_BYTES ? left : DOUBLE_BUFFER_BYTES;
}

/* Return when TASK has ended, 0 if there is none. */
static double
end_of(const struct memory_cost *memory, int task)
{
  return task == MEMORY_MODEL_AT_ONCE ? 0 : memory->model.tasks[task].end;
}

/* Let rank R wait until its children have taken piece INDEX. */
static void
await_children(struct memory_cost *memory, const struct pieces *pieces, unsigned r, size_t index)
{
  for (struct tree_child child = tree_first(pieces->tree, r); tree_has(child); child = tree_next(child)) {
    unsigned from = tree_child_rank(child);
    chain_hear(&memory->chain, r, from, pieces->acknowledged[from][index % 2]);
  }
}

/* Return the get of the piece by rank R from its parent P. It begins when the buffer has been written out, and goes on beside
 * the write of the piece before. */
static struct memory_task
get_piece(const struct memory_cost *memory, const struct pieces *pieces, unsigned p, unsigned r)
{
  const int *writes = pieces->writes[r];
  double begin = fmax(memory->chain.at[r], end_of(memory, writes[pieces->index % 2]));
  struct memory_task task = get_from_parent(memory, p, r, begin, piece_bytes(pieces));
  int before = writes[(pieces->index + 1) % 2];
  if (before != MEMORY_MODEL_AT_ONCE) {
    double alone = task.lead + task.parts[0].alone + task.parts[1].alone;
    struct memory_get get = {.start = begin, .alone = alone, .end = begin + alone};
    memory_cost_beside(&memory->model.tasks[before], pieces->latency[r], &get);
    task.parts[1].alone += get.end - begin - alone;
  }
  return task;
}

/* Let rank R, which has the piece, tell its children one after the other and wait until all has left; at each child it is then
 * got. What a rank but the root does is behind a write that it has just begun. */
static bool
serve_children(struct memory_cost *memory, const struct pieces *pieces, unsigned r)
{
  const struct cost *c = memory->cost;
  struct chain *chain = &memory->chain;
  struct memory_model gets;
  memory_model_begin(&gets, c);
  double telling = memory_cost_telling(memory, pieces->tree, r), first = chain->at[r];
  if (telling > 0 && r > 0) {
    first += c->parameter(c, r >= c->spes_per_chip ? COST_BEHIND2 : COST_BEHIND1, piece_bytes(pieces), 0);
  }
  double done = telling > 0 ? first + telling : first;
  for (struct tree_child child = tree_first(pieces->tree, r); tree_has(child); child = tree_next(child)) {
    unsigned to = tree_child_rank(child);
    if (pieces->index >= DOUBLE_BUFFER_BUFFERS) {
      await_children(memory, pieces, to, pieces->index);
    }
    chain_hear(chain, to, r, fmax(chain_tell_more(chain, r, to), first));
    memory_model_add(&gets, get_piece(memory, pieces, r, to));
  }
  chain->at[r] = done;
  bool ended = memory_model_run(&gets);
  for (unsigned i = 0; i < gets.n && ended; i++) {
    chain->at[gets.tasks[i].rank] = gets.tasks[i].end;
  }
  return ended;
}

/* Let rank R, which has got the piece, acknowledge it and begin to write it out, after the piece before. */
static void
pass_on(struct memory_cost *memory, struct pieces *pieces, unsigned r)
{
  struct chain *chain = &memory->chain;
  unsigned place = pieces->index % 2;
  struct memory_task write = {
    .kind = COST_WRITE1, .rank = r, .nbytes = piece_bytes(pieces), .after = pieces->writes[r][1 - place]};
  pieces->acknowledged[r][place] = chain_tell_more(chain, r, tree_parent(pieces->tree, r));
  write.earliest = chain->at[r];
  pieces->writes[r][place] = memory_model_add(&memory->model, write);
  chain->at[r] += cost_start(memory->cost);
}

/* Let the root read the piece, as soon as its children have taken the one that was in its buffer. */
static bool
read_in(struct memory_cost *memory, const struct pieces *pieces)
{
  double *at = &memory->chain.at[0];
  if (pieces->index >= DOUBLE_BUFFER_BUFFERS) {
    await_children(memory, pieces, 0, pieces->index);
  }
  int read = memory_model_add(&memory->model, (struct memory_task){.kind = COST_READ1,
                                                                   .nbytes = piece_bytes(pieces),
                                                                   .after = MEMORY_MODEL_AT_ONCE,
                                                                   .delay = *at});
  bool ended = memory_model_run(&memory->model);
  *at = end_of(memory, read);
  return ended;
}

static void
begin(const struct memory_cost *memory, struct pieces *pieces)
{
  for (unsigned r = 0; r < memory->cost->p; r++) {
    struct memory_task write = {.kind = COST_WRITE1, .rank = r, .nbytes = MEMORY_LINE};
    pieces->latency[r] = memory_model_alone(memory->cost, &write);
    pieces->writes[r][0] = pieces->writes[r][1] = MEMORY_MODEL_AT_ONCE;
  }
}

bool
memory_cost_tree_bcast(struct memory_cost *memory, struct tree tree, size_t m)
{
  struct pieces pieces = {
    .tree = tree, .m = m, .npieces = (m + DOUBLE_BUFFER_BYTES - 1) / DOUBLE_BUFFER_BYTES};
  begin(memory, &pieces);
  for (; pieces.index < pieces.npieces; pieces.index++) {
    bool ended = read_in(memory, &pieces);
    for (unsigned r = 0; r < memory->cost->p && ended; r++) {
      if (r > 0) {
        pass_on(memory, &pieces, r);
      }
      ended = serve_children(memory, &pieces, r);
      chain_settle(&memory->chain, r);
    }
    if (!ended) {
      return false;
    }
  }
  for (unsigned r = 1; r < memory->cost->p; r++) {
    chain_hear(&memory->chain, tree_parent(tree, r), r, pieces.acknowledged[r][(pieces.npieces - 1) % 2]);
  }
  return memory_cost_run(memory);
}
