/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_cost.h: inclusive scans of data in main memory, as scan:mm does them.
 *
 * A rank that gets a piece from another one goes on beside the write of the piece before and the read of the next one; it
 * acknowledges, combines the piece with its own and writes the result. In the pipeline rank r gets the prefix of r - 1; it tells
 * the next rank of a piece when that has taken the one before. In recursive doubling there is a round for each distance 1, 2,
 * 4, ..., in which a rank waits until what it gave has been taken before it combines. As many bytes cross the link at once as
 * ranks have their partner on the other chip. */
#include "algos/cost/memory_cost.h"
#include "algos/memory/double_buffer.h"

enum { PIECE = DOUBLE_BUFFER_BYTES / 2, MOST = 4, RANKS_MAX = MEMORY_MODEL_TASKS_MAX / 2 };

/* Pieces on their way. */
struct scan {
  struct memory_cost memory;
  bool pipeline;
  size_t m, npieces;
  size_t index;                 /* of the piece that is combined now */
  int read[RANKS_MAX][2];       /* tasks that read this piece and the next one, by their numbers modulo 2 */
  int written[RANKS_MAX][2];    /* and that write; MEMORY_MODEL_AT_ONCE: none does yet */
  double told[RANKS_MAX];       /* when each rank has raised the flag for what it gives */
  double taken[RANKS_MAX];      /* when each rank has raised the flag for what it got last */
  double latency[RANKS_MAX][2]; /* of one request of a read, and of a write, by each rank */
};

static size_t
piece_bytes(const struct scan *scan, size_t index)
{
  size_t offset = index * PIECE, left = scan->m > offset ? scan->m - offset : 0;
  return left < PIECE ? left : PIECE;
}

/* Return when TASK has ended, 0 if there is none. */
static double
end_of(const struct scan *scan, int task)
{
  return task == MEMORY_MODEL_AT_ONCE ? 0 : scan->memory.model.tasks[task].end;
}

/* Let rank R get the piece from rank P, which has told of it, and acknowledge that. */
static void
take(struct scan *scan, unsigned r, unsigned p)
{
  struct chain *chain = &scan->memory.chain;
  const struct memory_task *tasks = scan->memory.model.tasks;
  unsigned now = scan->index % 2, distance = r - p, chip = chain->cost.spes_per_chip;
  size_t nbytes = piece_bytes(scan, scan->index);
  chain_hear(chain, r, p, scan->told[p]);
  double alone = memory_cost_fetching(&scan->memory, p, r, nbytes);
  if (chain_across(chain, p, r)) {
    unsigned crossing = distance < chain->cost.p - chip ? distance : chain->cost.p - chip;
    alone += scan->pipeline ? 0 : cost_congestion(&chain->cost, nbytes, 2 * crossing);
  }
  double begin = fmax(chain->at[r], scan->pipeline ? end_of(scan, scan->written[r][now]) : 0);
  struct memory_get get = {.start = begin, .alone = alone, .end = begin + alone};
  if (scan->written[r][1 - now] != MEMORY_MODEL_AT_ONCE) {
    memory_cost_beside(&tasks[scan->written[r][1 - now]], scan->latency[r][1], &get);
  }
  memory_cost_beside(&tasks[scan->read[r][1 - now]], scan->latency[r][0], &get);
  chain->at[r] = get.end;
  scan->taken[r] = chain_tell(chain, r, p);
}

/* Let rank R begin to write the piece. */
static void
write_out(struct scan *scan, unsigned r)
{
  struct memory_task write = {.kind = COST_WRITE1,
                              .rank = r,
                              .nbytes = piece_bytes(scan, scan->index),
                              .after = MEMORY_MODEL_AT_ONCE,
                              .delay = scan->memory.chain.at[r]};
  scan->written[r][scan->index % 2] = memory_model_add(&scan->memory.model, write);
  scan->memory.chain.at[r] += cost_start(scan->memory.cost);
}

/* Let rank R begin to read piece INDEX of its own data, if there is one, when that buffer has been written out. */
static void
read_in(struct scan *scan, unsigned r, size_t index)
{
  struct memory_task read = {.kind = COST_READ1,
                             .rank = r,
                             .nbytes = piece_bytes(scan, index),
                             .after = scan->pipeline ? MEMORY_MODEL_AT_ONCE : scan->written[r][index % 2],
                             .earliest = scan->memory.chain.at[r]};
  if (read.nbytes > 0) {
    scan->read[r][index % 2] = memory_model_add(&scan->memory.model, read);
    scan->memory.chain.at[r] += cost_start(scan->memory.cost);
  }
}

/* Return how much later another rank has the piece of rank R because R has just begun to write it. */
static double
behind(const struct scan *scan, unsigned r)
{
  const struct cost *c = scan->memory.cost;
  enum cost_parameter parameter = r >= c->spes_per_chip ? COST_BEHIND2 : COST_BEHIND1;
  return c->parameter(c, parameter, piece_bytes(scan, scan->index), 0);
}

static void
combine(struct scan *scan, unsigned r)
{
  scan->memory.chain.at[r] += cost_combine(scan->memory.cost, piece_bytes(scan, scan->index));
}

/* Let all ranks do a piece in the pipeline. */
static void
pipeline(struct scan *scan)
{
  struct chain *chain = &scan->memory.chain;
  for (unsigned r = 0; r < chain->cost.p; r++) {
    if (r > 0) {
      take(scan, r, r - 1);
      combine(scan, r);
      write_out(scan, r);
    }
    if (r + 1 < chain->cost.p) {
      if (scan->index > 0) {
        chain_hear(chain, r, r + 1, scan->taken[r + 1]);
      }
      chain->at[r] += r > 0 ? behind(scan, r) : 0;
      scan->told[r] = chain_tell(chain, r, r + 1);
    }
    read_in(scan, r, scan->index + (r > 0 ? 2 : 1));
  }
}

/* Let all ranks do a round of recursive doubling. */
static void
exchange(struct scan *scan, unsigned distance)
{
  struct chain *chain = &scan->memory.chain;
  unsigned p = chain->cost.p;
  for (unsigned r = 0; r + distance < p; r++) {
    scan->told[r] = chain_tell(chain, r, r + distance);
  }
  for (unsigned r = distance; r < p; r++) {
    take(scan, r, r - distance);
  }
  for (unsigned r = 0; r < p; r++) {
    if (r + distance < p) {
      chain_hear(chain, r, r + distance, scan->taken[r + distance]);
    }
    if (r >= distance) {
      combine(scan, r);
    }
  }
}

static void
double_up(struct scan *scan)
{
  unsigned p = scan->memory.cost->p;
  for (unsigned distance = 1; distance < p; distance *= 2) {
    exchange(scan, distance);
  }
  for (unsigned r = 0; r < p; r++) {
    if (r > 0) {
      write_out(scan, r);
    }
    read_in(scan, r, scan->index + 2);
  }
}

/* Let all ranks begin: they read one piece or two, and those at once. */
static void
begin(struct scan *scan)
{
  const struct cost *c = scan->memory.cost;
  for (unsigned r = 0; r < c->p; r++) {
    size_t ahead = scan->pipeline && r == 0 ? 1 : 2;
    struct memory_task read = {
      .kind = COST_READ1, .rank = r, .nbytes = MEMORY_LINE, .after = MEMORY_MODEL_AT_ONCE};
    scan->latency[r][0] = memory_model_alone(c, &read);
    read.kind = COST_WRITE1;
    scan->latency[r][1] = memory_model_alone(c, &read);
    read.kind = COST_READ1;
    read.nbytes = piece_bytes(scan, 0) + (ahead > 1 ? piece_bytes(scan, 1) : 0);
    scan->read[r][0] = scan->read[r][1] = memory_model_add(&scan->memory.model, read);
    scan->written[r][0] = scan->written[r][1] = MEMORY_MODEL_AT_ONCE;
    scan->memory.chain.at[r] += cost_start(c) * (double)(ahead < scan->npieces ? ahead : scan->npieces);
  }
}

/* Return the cost of at most MOST pieces. */
static double
few(const struct cost *c, bool by_pipeline)
{
  struct scan scan = {.pipeline = by_pipeline, .m = c->m, .npieces = (c->m + PIECE - 1) / PIECE};
  if (!memory_cost_begin(&scan.memory, c)) {
    return NAN;
  }
  struct chain *chain = &scan.memory.chain;
  begin(&scan);
  for (; scan.index < scan.npieces; scan.index++) {
    if (!memory_model_run(&scan.memory.model)) {
      return NAN;
    }
    for (unsigned r = 0; r < c->p; r++) {
      chain->at[r] = fmax(chain->at[r], end_of(&scan, scan.read[r][scan.index % 2]));
    }
    (by_pipeline ? pipeline : double_up)(&scan);
  }
  for (unsigned r = 0; r + 1 < c->p && by_pipeline; r++) {
    chain_hear(chain, r, r + 1, scan.taken[r + 1]);
  }
  return memory_cost_run(&scan.memory) ? memory_cost_end(&scan.memory) : NAN;
}

static double
few_by_pipeline(const struct cost *c)
{
  return few(c, true);
}

static double
few_by_doubling(const struct cost *c)
{
  return few(c, false);
}

double
memory_cost_scan(const struct cost *c)
{
  bool by_pipeline = c->values[0] == MEMORY_SCAN_LINEAR;
  struct memory_model piece;
  memory_model_begin(&piece, c);
  for (unsigned r = 0; r < c->p && c->m > MOST * PIECE; r++) {
    memory_model_add(&piece, (struct memory_task){.kind = COST_READ1, .rank = r, .nbytes = PIECE});
    memory_model_add(&piece,
                     (struct memory_task){.kind = COST_WRITE1, .rank = r, .nbytes = r > 0 ? PIECE : 0});
  }
  return memory_cost_stream(c, &(struct memory_stream){.piece = PIECE,
                                                       .most = MOST,
                                                       .few = by_pipeline ? few_by_pipeline : few_by_doubling,
                                                       .busy = memory_model_busy(&piece)});
}
