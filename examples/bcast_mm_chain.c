/* SPDX-License-Identifier: BSD-3-Clause
 * Broadcast of data in main memory, as a plugin: each rank copies the data from the memory of the previous
 * rank to the own memory, through the own local store.
 *
 *   0 > 1   then   1 > 2   then   2 > 3
 *
 * rounds: p - 1 for p ranks. */
#include "algos/memory/double_buffer.h"
#include "algos/plugin.h"
#include "algos/step/step.h"

static void run(struct coll *c) {
  unsigned before = (c->rank + c->nranks - 1) % c->nranks, behind = (c->rank + 1) % c->nranks;
  step_begin(c);
  if (c->rank != c->root) {
    uint64_t from = step_await_post(c, before);
    double_buffer_copy(c, c->buffer_ea, from, c->nbytes);
    step_acknowledge(c, before);
  }
  if (behind != c->root) {
    step_post_ea(c, behind, c->buffer_ea);
    step_await_taken(c, behind); /* before the next call may overwrite the buffer */
  }
}

static const struct algo bcast_mm_chain = {
  .collective = COLL_BCAST,
  .name = "mm-chain",
  .source = "velamati2007", /* profile of software costs */
  .idea = "from memory to memory down a chain of ranks",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = run,
};

CELLCOLL_PLUGIN(&bcast_mm_chain);
