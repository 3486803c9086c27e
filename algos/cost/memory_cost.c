/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_cost.h. */
#include "algos/cost/memory_cost.h"

#include "algos/memory/double_buffer.h"

bool
memory_cost_begin(struct memory_cost *memory, const struct cost *cost)
{
  memory->cost = cost;
  memory_model_begin(&memory->model, cost);
  return chain_begin(&memory->chain, cost) && cost->p >= 2 && cost->p <= MEMORY_MODEL_TASKS_MAX / 2;
}

struct tree
memory_cost_tree(const struct cost *cost, unsigned degree)
{
  return (struct tree){.team = team_of_all(cost->p), .degree = degree};
}

double
memory_cost_telling(const struct memory_cost *memory, struct tree tree, unsigned r)
{
  double raised = 0, done = 0;
  for (struct tree_child child = tree_first(tree, r); tree_has(child); child = tree_next(child)) {
    done = fmax(done, raised + chain_issue(&memory->chain, r, tree_child_rank(child)));
    raised += cost_issue_more(memory->cost);
  }
  return done;
}

void
memory_cost_tell_all(struct memory_cost *memory)
{
  struct chain *chain = &memory->chain;
  double raised[MEMORY_MODEL_TASKS_MAX / 2][MEMORY_MODEL_TASKS_MAX / 2];
  unsigned p = memory->cost->p;
  for (unsigned r = 0; r < p; r++) {
    for (unsigned distance = 1; distance < p; distance++) {
      unsigned to = (r + distance) % p;
      raised[r][to] = chain_tell(chain, r, to);
    }
  }
  for (unsigned r = 0; r < p; r++) {
    for (unsigned distance = 1; distance < p; distance++) {
      unsigned from = (r + distance) % p;
      chain_hear(chain, r, from, raised[from][r]);
    }
  }
}

int
memory_cost_copy(struct memory_cost *memory, struct memory_task task)
{
  task.kind = COST_COPY1;
  task.writes = 1;
  if (task.nbytes > 0 && task.nbytes <= DOUBLE_BUFFER_BYTES) {
    double delay = memory_model_alone(memory->cost, &task);
    task.kind = COST_READ1;
    delay -= memory_model_alone(memory->cost, &task);
    task.after = memory_model_add(&memory->model, task);
    task.kind = COST_WRITE1;
    task.delay = delay - memory_model_alone(memory->cost, &task);
  }
  return memory_model_add(&memory->model, task);
}

double
memory_cost_fetching(const struct memory_cost *memory, unsigned p, unsigned r, size_t m)
{
  const struct cost *c = memory->cost;
  double with_address = chain_across(&memory->chain, p, r) ? cost_step_across(c, m) : cost_step(c, m);
  return with_address - chain_flag(&memory->chain, p, r);
}

bool
memory_cost_run(struct memory_cost *memory)
{
  if (!memory_model_run(&memory->model)) {
    return false;
  }
  for (unsigned i = 0; i < memory->model.n; i++) {
    const struct memory_task *task = &memory->model.tasks[i];
    memory->chain.at[task->rank] = fmax(memory->chain.at[task->rank], task->end);
  }
  return true;
}

double
memory_cost_end(struct memory_cost *memory)
{
  chain_doubling(&memory->chain);
  return chain_end(&memory->chain);
}

void
memory_cost_beside(const struct memory_task *task, double latency, struct memory_get *get)
{
  double from = fmax(get->start, task->start), sent = task->end - latency;
  if (get->end > from && sent > from) {
    double part = fmin((get->end - from) / get->alone, 1);
    get->end += fmin(sent - from, part * (sent - task->start));
  }
}

/* Return the cost of the call C with M bytes, few enough pieces. */
static double
few_of(const struct memory_stream *stream, const struct cost *c, size_t m)
{
  struct cost some = *c;
  some.m = m;
  return stream->few(&some);
}

double
memory_cost_stream(const struct cost *c, const struct memory_stream *stream)
{
  size_t npieces = (c->m + stream->piece - 1) / stream->piece;
  if (npieces <= stream->most) {
    return stream->few(c);
  }
  size_t more = npieces - stream->most, full = stream->most * stream->piece,
         last = c->m - more * stream->piece;
  double time = few_of(stream, c, full), interval = time - few_of(stream, c, full - stream->piece);
  if (last < full) {
    time = few_of(stream, c, last);
  }
  return time + (double)more * fmax(interval, stream->busy);
}
