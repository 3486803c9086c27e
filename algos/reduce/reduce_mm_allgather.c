/* SPDX-License-Identifier: BSD-3-Clause
 * Every rank combines a piece of the data of all ranks: all exchange addresses, then rank i reads piece i of every vector
 * from memory, combines them and writes the result to the memory of the root.
 *
 *   addresses: all <> all   then   memory of 0, 1, 2, ..., piece i > i > memory of 0, piece i
 *
 * source: Velamati et al. 2007, section 7.1 (AG). */
#include "algos/cost/memory_cost.h"
#include "algos/memory/double_buffer.h"
#include "algos/memory/memory_combine.h"
#include "algos/memory/metadata.h"
#include "algos/phase/synchronize.h"
#include "algos/step/layout.h"

static void
run(struct coll *c)
{
  struct span piece = layout_piece(c->group, c->rank, c->nranks);
  metadata_allgather(c);
  memory_combine(c, &(struct memory_combine){.to = metadata_at(c, c->root) + piece.offset,
                                             .from = metadata_list(c, c->nranks, piece.offset),
                                             .nfrom = c->nranks,
                                             .nbytes = piece.nbytes});
  synchronize(c, SYNCHRONIZE_BY_FLAG);
}

/* Let all ranks with a piece read, at once, so many bytes for each byte of it, or one request each if that is none.
 * returns: whether READ, per rank, tells when they have. */
static bool
read_all(const struct cost *c, unsigned times, double read[MEMORY_MODEL_TASKS_MAX])
{
  struct memory_model model;
  memory_model_begin(&model, c);
  for (unsigned r = 0; r < c->p; r++) {
    size_t places = (c->m + 15) / 16, piece = (places * (r + 1) / c->p - places * r / c->p) * 16;
    size_t nbytes = times || !piece ? times * piece : 16;
    memory_model_add(
      &model,
      (struct memory_task){.kind = COST_READ1, .rank = r, .nbytes = nbytes, .after = MEMORY_MODEL_AT_ONCE});
  }
  bool ended = memory_model_run(&model);
  for (unsigned r = 0; r < c->p && ended; r++) {
    read[r] = model.tasks[r].end;
  }
  return ended;
}

/* Two pieces are read first; then, while one is combined, the next one is read, not sooner after the last one than memory
 * serves all ranks. The result is written as fast as a piece is read; the second vector of the next piece, for which a buffer
 * is free only then, takes turns with it. */
static double
combining(const struct cost *c, size_t npieces, const double read[3])
{
  size_t n = npieces * c->p, piece = c->m / c->p < 16 ? 16 : c->m / c->p / 16 * 16;
  double combined = 2 * cost_start(c), there = cost_start(c) + read[2];
  for (size_t k = 1; k < n; k++) {
    bool first = k % c->p == 0, last = k % c->p == c->p - 1;
    double beside = first ? read[1] - read[0] : 0; /* the write of the piece before */
    double next = fmax(combined + read[1], there + read[1] - read[0]) + beside;
    combined = fmax(combined + (k + 1 < n ? cost_start(c) : 0), there);
    combined += first ? 0 : cost_combine(c, piece);
    combined += last && k + 1 < n ? cost_start(c) : 0;
    there = next;
  }
  return combined + read[1];
}

/* All ranks do the same at the same time, in as many pieces as fit buffers, which count as equal. */
static double
refined(const struct cost *c)
{
  enum { HALF_BYTES = DOUBLE_BUFFER_BYTES / 2 };
  struct memory_cost memory;
  double read[3][MEMORY_MODEL_TASKS_MAX];
  struct cost piece = *c;
  size_t npieces = (c->m / c->p + HALF_BYTES - 1) / HALF_BYTES;
  npieces = npieces > 0 ? npieces : 1;
  piece.m = c->m / npieces;
  if (!memory_cost_begin(&memory, c) || !read_all(&piece, 0, read[0]) || !read_all(&piece, 1, read[1]) ||
      !read_all(&piece, 2, read[2])) {
    return NAN;
  }
  chain_doubling(&memory.chain);
  for (unsigned r = 0; r < c->p; r++) {
    memory.chain.at[r] +=
      read[1][r] > 0 ? combining(&piece, npieces, (const double[]){read[0][r], read[1][r], read[2][r]}) : 0;
  }
  return memory_cost_end(&memory);
}

const struct algo reduce_mm_allgather = {
  .collective = COLL_REDUCE,
  .name = "mm-allgather",
  .source = "velamati2007",
  .idea = "every rank combines a piece of all vectors and writes it to the memory of the root",
  .in_memory = true,
  .scratch = metadata_scratch,
  .run = run,
  .refined = refined,
};
