/* SPDX-License-Identifier: BSD-3-Clause
 * Inclusive scan in main memory, piece by piece through local stores; rank r gets the prefix of ranks 0 .. r
 * for each piece. While the ranks work on one piece, the next piece is read and the last piece is written.
 *
 *   algorithm=linear     0 > 1 > 2 > ... > n - 1   a pipeline: rank r gets the prefix of rank r - 1,
 *                                                  combines its own data with the prefix, and lets
 *                                                  rank r + 1 get the result
 *   algorithm=doubling   step 1   r > r + 1        after step i rank r has the combination of ranks
 *                        step 2   r > r + 2        r - 2^i + 1 .. r, if these ranks exist
 *                        step 3   r > r + 4
 *
 * rounds: n - 1 for the first piece and one for each other piece, or ceil(log2 n) for each piece. Four
 * buffers of 8 KiB: two for the own data, two for data of others. A pairwise exchange of flags ends the call.
 * source: Velamati et al. 2007, section 8, which gives no algorithm; buffers and pipeline are as in TREE,
 * section 7.1. */
#include "algos/memory/double_buffer.h"
#include "algos/memory/memory_tree.h"
#include "algos/phase/doubling.h"

enum { PIECE = DOUBLE_BUFFER_BYTES / 2 };

/* Values of the parameter. */
enum { SCAN_LINEAR, SCAN_DOUBLING };

/* The buffers of a piece. */
enum use { OWN, OTHER };

/* Return the transfer between main memory and the buffer for USE of piece INDEX. */
static struct step_transfer piece(const struct coll *c, size_t index, enum use use) {
  return memory_tree_piece(c, index, use * DOUBLE_BUFFER_BUFFERS + index % DOUBLE_BUFFER_BUFFERS, PIECE);
}

/* Read piece INDEX, if the piece exists, into its buffer, once the buffer has been written out. */
static void read_in(struct coll *c, size_t index) {
  if (index * PIECE < c->nbytes) {
    struct step_transfer transfer = piece(c, index, OWN);
    step_start_get(c, &transfer);
  }
}

/* Get the bytes of rank FROM at THEIRS into MINE, the place of others' data, as soon as rank FROM posts the
 * bytes. */
static void get_from(struct coll *c, unsigned from, struct step_transfer mine, const void *theirs) {
  step_await(c, from);
  mine.ea = step_peer_ea(c, from, theirs);
  step_start_get(c, &mine);
  step_finish(c, mine.slot);
  step_notify(c, from);
}

/* Return the number of pieces read ahead: one less on rank 0 of the pipeline, because rank 0 gives its own
 * data while reading. */
static size_t pieces_ahead(const struct coll *c) {
  return c->rank == 0 && coll_value(c, 0) == SCAN_LINEAR ? DOUBLE_BUFFER_BUFFERS - 1 : DOUBLE_BUFFER_BUFFERS;
}

/* The pipeline: a rank makes its prefix in the buffer for data of others, so that the next rank may get the
 * prefix late. Rank 0 gets nothing and gives its own data. */
static void prefix_linear(struct coll *c, size_t index) {
  struct step_transfer mine = piece(c, index, OWN), prefix = piece(c, index, OTHER);
  bool last = c->rank + 1 == c->nranks;
  step_begin(c);
  step_finish(c, mine.slot);
  if (c->rank > 0) {
    get_from(c, c->rank - 1, prefix, c->rank == 1 ? mine.ls : prefix.ls);
    step_combine(c, prefix.ls, mine.ls, mine.nbytes);
    step_start_put(c, &prefix);
  }
  if (!last && index > 0) {
    step_await(c, c->rank + 1);
  }
  if (!last) {
    step_notify(c, c->rank + 1);
  }
  read_in(c, index + pieces_ahead(c));
}

/* Recursive doubling: the own data becomes the prefix, step by step. */
static void prefix_doubling(struct coll *c, size_t index) {
  struct step_transfer mine = piece(c, index, OWN), theirs = piece(c, index, OTHER);
  step_finish(c, mine.slot);
  for (unsigned distance = 1; distance < c->nranks; distance *= 2) {
    bool gives = c->rank + distance < c->nranks, gets = c->rank >= distance;
    step_begin(c);
    if (gives) {
      step_notify(c, c->rank + distance);
    }
    if (gets) {
      get_from(c, c->rank - distance, theirs, mine.ls);
    }
    if (gives) {
      step_await(c, c->rank + distance);
    }
    if (gets) {
      step_combine(c, mine.ls, theirs.ls, mine.nbytes);
    }
  }
  if (c->rank > 0) {
    step_start_put(c, &mine);
  }
  read_in(c, index + pieces_ahead(c));
}

static void run(struct coll *c) {
  bool linear = coll_value(c, 0) == SCAN_LINEAR;
  void (*prefix)(struct coll *, size_t) = linear ? prefix_linear : prefix_doubling;
  for (size_t i = 0; i < pieces_ahead(c); i++) {
    read_in(c, i);
  }
  for (size_t i = 0; i * PIECE < c->nbytes; i++) {
    prefix(c, i);
  }
  if (linear && c->nbytes > 0 && c->rank + 1 < c->nranks) {
    step_await(c, c->rank + 1);
  }
  for (unsigned buffer = 0; buffer < 2 * DOUBLE_BUFFER_BUFFERS; buffer++) {
    step_finish(c, 1 + buffer);
  }
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo scan_mm = {
  .collective = COLL_SCAN,
  .name = "mm",
  .source = "velamati2007",
  .idea = "prefixes of pieces pass from local store to local store",
  .in_memory = true,
  .params = {{.name = "algorithm",
              .choices = {[SCAN_LINEAR] = {.word = "linear"}, [SCAN_DOUBLING] = {.word = "doubling"}}}},
  .scratch = double_buffer_scratch,
  .run = run,
};
