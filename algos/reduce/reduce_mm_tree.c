/* SPDX-License-Identifier: BSD-3-Clause
 * Tree reduction from memory to memory, as it lies on top of send and receive: a rank combines the vector of each child
 * into its own, both in memory, then tells its parent where that is.
 *
 *   memory of 3 > memory of 2   memory of 2, 1 > memory of 0   with degree 2
 *
 * The copy that the receive of the paper makes into memory of its own is left out.
 * rounds: ceil(log_k p); for degree 1, a chain, p - 1.
 * source: Velamati et al. 2007, section 7.1 (TREEMM). */
#include "algos/cost/memory_cost.h"
#include "algos/memory/double_buffer.h"
#include "algos/memory/memory_combine.h"
#include "algos/phase/knomial.h"
#include "algos/phase/synchronize.h"

static void
run(struct coll *c)
{
  struct tree tree = knomial_tree(c, c->root);
  step_begin(c);
  for (unsigned i = tree_nchildren(tree, c->rank); i-- > 0;) {
    uint64_t vectors[] = {c->buffer_ea, step_await_post(c, tree_child_of(tree, c->rank, i))};
    memory_combine(
      c, &(struct memory_combine){.to = c->buffer_ea, .from = vectors, .nfrom = 2, .nbytes = c->nbytes});
  }
  if (c->rank != tree.root) {
    step_post_ea(c, tree_parent(tree, c->rank), c->buffer_ea);
  }
  synchronize(c, SYNCHRONIZE_BY_FLAG);
}

enum { HALF_BYTES = DOUBLE_BUFFER_BYTES / 2 };

/* Add the tasks of one combination, the first of which is FIRST but for what it moves: both vectors' first pieces are read at
 * once; then, piece by piece, the sum is made, during which the own next piece is read, and written while the other next
 * piece is read.
 * returns: the last task. */
static int
add_combination(struct memory_model *model, struct memory_task first)
{
  const struct cost *c = model->cost;
  size_t left = c->m, piece = left < HALF_BYTES ? left : HALF_BYTES;
  first.nbytes = 2 * piece;
  int last = memory_model_add(model, first);
  for (; left > piece; left -= piece) {
    size_t more = left - piece < HALF_BYTES ? left - piece : HALF_BYTES;
    struct memory_task next = {.kind = COST_READ1,
                               .rank = first.rank,
                               .nbytes = piece + more,
                               .after = last,
                               .delay = cost_combine(c, piece) + 2 * cost_start(c)};
    last = memory_model_add(model, next);
  }
  return memory_model_add(model, (struct memory_task){.kind = COST_WRITE1,
                                                      .rank = first.rank,
                                                      .nbytes = left,
                                                      .after = last,
                                                      .delay = cost_combine(c, left)});
}

/* Each combination begins when the one before has ended and the child has told that it has. */
static double
few(const struct cost *c)
{
  struct memory_cost memory;
  struct tree tree = memory_cost_tree(c, c->values[0]);
  int last[MEMORY_MODEL_TASKS_MAX];
  if (!memory_cost_begin(&memory, c)) {
    return NAN;
  }
  for (unsigned r = c->p; r-- > 0;) {
    last[r] = MEMORY_MODEL_AT_ONCE;
    for (unsigned i = tree_nchildren(tree, r); i-- > 0;) {
      unsigned child = tree_child_of(tree, r, i);
      double heard = chain_flag(&memory.chain, child, r) + cost_start(c);
      struct memory_task first = {.kind = COST_READ1,
                                  .rank = r,
                                  .after = last[r],
                                  .delay = cost_handle(c) + cost_start(c),
                                  .earliest = heard,
                                  .also = last[child] + 1,
                                  .also_delay = heard};
      last[r] = add_combination(&memory.model, first);
    }
  }
  if (!memory_cost_run(&memory)) {
    return NAN;
  }
  for (unsigned r = 1; r < c->p; r++) {
    chain_tell(&memory.chain, r, tree_parent(tree, r));
  }
  return memory_cost_end(&memory);
}

/* Every piece takes as long as the one before. */
static double
refined(const struct cost *c)
{
  return memory_cost_stream(c, &(struct memory_stream){.piece = HALF_BYTES, .most = 4, .few = few});
}

const struct algo reduce_mm_tree = {
  .collective = COLL_REDUCE,
  .name = "mm-tree",
  .source = "velamati2007",
  .idea = "vectors are combined from memory to memory up a k-nomial tree",
  .in_memory = true,
  .params = {{.name = "degree", .least = 1, .most = 16, .initial = 3}},
  .scratch = double_buffer_scratch,
  .run = run,
  .refined = refined,
};
