/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/schedule/blocks/blocks.h"

#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdarg.h>
#include <stdlib.h>

const struct step_traits step_traits[STEP_COUNT] = {
#define STEP(word, ...) {#word, __VA_ARGS__},
#include "algos/schedule/blocks/steps.def"
};

const struct blocks_traits blocks_traits[BLOCKS_COLLECTIVES] = {
#define COLLECTIVE(word, played, root_only, is_block, from, is_own) \
  {#word, true, root_only, is_block, FROM_##from, is_own, COLL_##played},
#define NO_RESULT(name) {.word = #name},
#include "algos/schedule/blocks/collectives.def"
};

void blocks_free(struct blocks *schedule) {
  if (schedule) {
    free(schedule->ranks);
    free(schedule->blocks);
    free(schedule->steps);
    free(schedule->connections);
    free(schedule->missing);
    free(schedule->ignored);
    free(schedule->names);
    free(schedule);
  }
}

int blocks_refuse(const struct blocks_place *place, unsigned line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = xvasprintf(format, arguments);
  va_end(arguments);
  err_set(place->err, "%.200s:%u: %s", place->path, line, text);
  free(text);
  return -1;
}

/* --- blocks and steps of a rank --- */

/* Order blocks by rank and number. */
static int compare_blocks(const void *a, const void *b) {
  const struct block *left = a, *right = b;
  uint64_t key = (uint64_t)left->rank << 32 | left->number,
           other = (uint64_t)right->rank << 32 | right->number;
  return key < other ? -1 : key > other;
}

/* Give each rank the blocks of the rank, with the numbers 0, 1, 2 ... */
static int check_blocks(struct blocks *schedule, const struct blocks_place *place) {
  if (schedule->nblocks) {
    qsort(schedule->blocks, schedule->nblocks, sizeof *schedule->blocks, compare_blocks);
  }
  for (unsigned i = 0; i < schedule->nblocks; i++) {
    const struct block *block = &schedule->blocks[i];
    struct blocks_rank *rank = &schedule->ranks[block->rank];
    if (block->number < rank->nblocks) {
      return blocks_refuse(place, block->line, "tb %u of gpu %u a second time, expected it once",
                           block->number, block->rank);
    }
    if (block->number > rank->nblocks) {
      return blocks_refuse(place, rank->line, "gpu %u has tb %u, expected also a tb %u", block->rank,
                           block->number, rank->nblocks);
    }
    rank->first = rank->nblocks++ ? rank->first : i;
    for (size_t k = 0; k < block->nsteps; k++) {
      schedule->steps[block->first + k].block = i;
    }
  }
  return 0;
}

/* Check for missing ranks, and for chunks beyond a bounded room. */
static int check_ranks(struct blocks *schedule, const struct blocks_place *place) {
  unsigned nthere = 0, missing = 0;
  for (unsigned r = 0; r < schedule->nfound; r++) {
    nthere += schedule->ranks[r].line != 0;
    missing += missing == r && schedule->ranks[r].line != 0;
  }
  if (nthere != schedule->nranks) {
    return blocks_refuse(place, schedule->line,
                         "%u elements gpu, expected ngpus, which is %u; the first one missing is gpu %u",
                         nthere, schedule->nranks, missing);
  }
  uint64_t nchunks = 0;
  for (unsigned r = 0; r < schedule->nranks; r++) {
    struct blocks_rank *rank = &schedule->ranks[r];
    for (unsigned b = 0; b < BUFFER_COUNT; b++) {
      rank->room[b] = rank->nchunks[b] > schedule->natural[b] ? rank->nchunks[b] : schedule->natural[b];
      nchunks += rank->room[b];
    }
  }
  for (size_t i = 0; i < schedule->nsteps; i++) {
    nchunks += schedule->steps[i].count;
  }
  return nchunks > BLOCKS_CHUNKS_MAX
           ? blocks_refuse(place, schedule->line, "%ju chunks in all buffers and steps, expected at most %d",
                           (uintmax_t)nchunks, BLOCKS_CHUNKS_MAX)
           : 0;
}

/* Check the place of chunks NAME of STEP in the buffer. */
static int check_chunks(struct blocks *schedule, const struct blocks_place *place,
                        const struct block_step *step, const char *name) {
  const struct block_chunks *chunks = *name == 's' ? &step->src : &step->dst;
  unsigned room = schedule->ranks[schedule->blocks[step->block].rank].room[chunks->buffer];
  int64_t end = (int64_t)chunks->offset + step->count;
  if (!schedule->beyond && chunks->buffer != BUFFER_SCRATCH && end > schedule->natural[chunks->buffer]) {
    schedule->beyond = step;
    schedule->beyond_buffer = chunks->buffer;
  }
  return chunks->offset >= 0 && end <= room
           ? 0
           : blocks_refuse(place, step->line,
                           "%s: chunks %d to %jd of buffer %c, expected some of the %u that it has", name,
                           chunks->offset, (intmax_t)end - 1, BUFFER_LETTERS[chunks->buffer], room);
}

static int check_dependency(const struct blocks *schedule, const struct blocks_place *place, size_t index) {
  const struct block_step *step = &schedule->steps[index];
  const struct block *block = &schedule->blocks[step->block];
  const struct blocks_rank *rank = &schedule->ranks[block->rank];
  if (step->dep_block < 0) {
    return 0;
  }
  if ((unsigned)step->dep_block >= rank->nblocks) {
    return blocks_refuse(place, step->line, "depid is %d, expected a block of gpu %u, 0 to %u",
                         step->dep_block, block->rank, rank->nblocks - 1);
  }
  const struct block *other = &schedule->blocks[rank->first + (unsigned)step->dep_block];
  if (step->dep_step < 0 || (unsigned)step->dep_step >= other->nsteps) {
    return blocks_refuse(place, step->line, "deps is %d, expected one of the %zu steps of tb %d",
                         step->dep_step, other->nsteps, step->dep_block);
  }
  return other == block && (size_t)step->dep_step >= index - block->first
           ? blocks_refuse(place, step->line,
                           "step %zu of tb %u depends on step %d of itself, expected a step before",
                           index - block->first, block->number, step->dep_step)
           : 0;
}

/* --- connections --- */

/* An end of a connection in a block, and the steps at the end. */
struct end {
  unsigned from, to, channel; /* ranks */
  unsigned receives, block;
  unsigned *steps;
  size_t n;
};

/* Order ends by connection, the sender first. */
static int compare_ends(const void *a, const void *b) {
  const unsigned *left = a, *right = b;
  size_t i = 0;
  while (i < offsetof(struct end, steps) / sizeof *left && left[i] == right[i]) {
    i++;
  }
  return left[i] < right[i] ? -1 : 1;
}

/* Return the N ends in use, sorted.
 * owner: the caller, of the ends and of the steps. */
static struct end *find_ends(const struct blocks *schedule, size_t *n) {
  struct end *ends = xcalloc(2 * schedule->nblocks + 1, sizeof *ends);
  for (unsigned i = 0; i < schedule->nblocks; i++) {
    const struct block *block = &schedule->blocks[i];
    unsigned rank = block->rank, channel = (unsigned)block->channel;
    ends[2 * i] = (struct end){rank, (unsigned)block->send, channel, false, i, NULL, 0};
    ends[2 * i + 1] = (struct end){(unsigned)block->receive, rank, channel, true, i, NULL, 0};
  }
  for (unsigned i = 0; i < schedule->nsteps; i++) {
    const struct step_traits *traits = &step_traits[schedule->steps[i].kind];
    for (unsigned receives = 0; receives < 2; receives++) {
      struct end *end = &ends[2 * schedule->steps[i].block + receives];
      if (receives ? traits->receives : traits->sends) {
        VEC_ADD(end->steps, end->n) = i;
      }
    }
  }
  *n = 0;
  for (size_t i = 0; i < 2 * schedule->nblocks; i++) {
    ends[*n] = ends[i];
    *n += ends[i].n > 0;
  }
  qsort(ends, *n, sizeof *ends, compare_ends);
  return ends;
}

/* Connect the N ends ENDS, at least one, all of one connection. */
static int connect_ends(struct blocks *schedule, const struct blocks_place *place, const struct end *ends,
                        size_t n) {
  const struct end *last = &ends[n - 1];
  size_t counts[] = {ends->receives ? 0 : ends->n, last->receives ? last->n : 0};
  char *name = xasprintf("on channel %u from rank %u to rank %u", ends->channel, ends->from, ends->to);
  int status = 0;
  for (size_t i = 1; i < n && status == 0; i++) {
    if (ends[i].receives == ends[i - 1].receives) {
      const struct block *block = &schedule->blocks[ends[i].block];
      status = blocks_refuse(place, block->line, "tb %u %s %s, as tb %u does, expected one tb", block->number,
                             ends[i].receives ? "receives" : "sends", name,
                             schedule->blocks[ends[i - 1].block].number);
    }
  }
  if (status == 0 && counts[0] != counts[1]) {
    status =
      blocks_refuse(place, schedule->steps[ends->steps[ends->n - 1]].line,
                    "%s: %zu steps send, %zu receive, expected equal numbers", name, counts[0], counts[1]);
  }
  for (size_t k = 0; status == 0 && k < ends->n; k++) {
    const struct block_step *send = &schedule->steps[ends->steps[k]];
    struct block_step *receive = &schedule->steps[last->steps[k]];
    receive->sender = ends->steps[k];
    if (send->count != receive->count) {
      status =
        blocks_refuse(place, receive->line, "%s: message %zu is received with %u chunks, expected %u as sent",
                      name, k, receive->count, send->count);
    }
  }
  schedule->blocks[ends->block].out = schedule->blocks[last->block].in = (unsigned)schedule->nconnections;
  VEC_ADD(schedule->connections, schedule->nconnections) = (struct connection){ends->block, last->block};
  free(name);
  return status;
}

static int check_connections(struct blocks *schedule, const struct blocks_place *place) {
  size_t n, behind;
  struct end *ends = find_ends(schedule, &n);
  int status = 0;
  for (size_t i = 0; i < n && status == 0; i = behind) {
    for (behind = i + 1;
         behind < n && memcmp(&ends[i], &ends[behind], offsetof(struct end, receives)) == 0;) {
      behind++;
    }
    status = connect_ends(schedule, place, &ends[i], behind - i);
  }
  for (size_t i = 0; i < n; i++) {
    free(ends[i].steps);
  }
  free(ends);
  return status;
}

int blocks_check(struct blocks *schedule, const char *path, struct err *err) {
  const struct blocks_place place = {path, err};
  if (check_ranks(schedule, &place) != 0 || check_blocks(schedule, &place) != 0) {
    return -1;
  }
  for (size_t i = 0; i < schedule->nsteps; i++) {
    const struct block_step *step = &schedule->steps[i];
    const struct step_traits *traits = &step_traits[step->kind];
    schedule->takes_input |= traits->writes && step->dst.buffer == BUFFER_INPUT;
    if ((traits->reads_src && check_chunks(schedule, &place, step, "src") != 0) ||
        (traits->writes && check_chunks(schedule, &place, step, "dst") != 0) ||
        check_dependency(schedule, &place, i) != 0) {
      return -1;
    }
  }
  return check_connections(schedule, &place);
}
