/* SPDX-License-Identifier: BSD-3-Clause
 * Are accesses of blocks of a rank to one chunk ordered? Program order, messages and dependencies order
 * steps; free slots do not, since an order by slots changes with the number of slots.
 *
 * For some ranks at a time: each step of the schedule gets a clock: for each block of these ranks the number
 * of steps over before. */
#include "algos/schedule/blocks/blocks_judge.h"
#include "sim/base/hash.h"
#include "sim/base/random.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

/* The number of entries of a clock is a multiple: a compiler can compare several at once. */
enum { CLOCK_ENTRIES = 8, CLOCK_BLOCKS = 64 /* of ranks inspected together */ };

/* The last read of a chunk by a block. */
struct reader {
  unsigned step;
  unsigned next; /* reader of the same chunk, from 1; 0: none */
};

struct chunk_state {
  unsigned writer;  /* step, from 1; 0: none since the begin */
  unsigned readers; /* since the last write */
};

struct racing {
  const struct cells *cells;
  const struct blocks *schedule;
  unsigned first, end; /* ranks */
  bool *is_possible;   /* by rank: a race without the order by messages; NULL: races are sought */
  int *clocks;         /* by step, width entries each */
  size_t width, room;
  struct chunk_state *chunks; /* of the ranks */
  struct reader *readers;
  size_t nreaders;
  struct hash told; /* pairs of blocks and a chunk */
  struct findings *races;
};

static const struct block *block_of(const struct racing *racing, size_t step) {
  return &racing->schedule->blocks[racing->schedule->steps[step].block];
}

/* Return the place in clocks of BLOCK; without the order by messages a step knows only one rank. */
static size_t place_of(const struct racing *racing, const struct block *block) {
  unsigned rank = racing->is_possible ? block->rank : racing->first;
  return (size_t)(block - racing->schedule->blocks) - racing->schedule->ranks[rank].first;
}

/* Let CLOCK know all events known to OTHER. */
static void join(int *restrict clock, const int *restrict other, size_t width) {
  for (size_t i = 0; i < width; i += CLOCK_ENTRIES) {
    for (size_t k = 0; k < CLOCK_ENTRIES; k++) {
      clock[i + k] = other[i + k] > clock[i + k] ? other[i + k] : clock[i + k];
    }
  }
}

/* Make the clock of step INDEX: the steps over when step INDEX begins. */
static int *make_clock(const struct racing *racing, size_t index) {
  const struct blocks *schedule = racing->schedule;
  const struct block_step *step = &schedule->steps[index];
  const struct block *block = &schedule->blocks[step->block];
  size_t width = racing->width;
  int *clock = racing->clocks + index * width;
  if (index > block->first) {
    memcpy(clock, clock - width, width * sizeof *clock);
  } else {
    memset(clock, 0, width * sizeof *clock);
  }
  if (step->dep_block >= 0) {
    const struct block *other =
      &schedule->blocks[schedule->ranks[block->rank].first + (unsigned)step->dep_block];
    join(clock, racing->clocks + (other->first + (unsigned)step->dep_step) * width, width);
  }
  if (step_traits[step->kind].receives && !racing->is_possible) {
    join(clock, racing->clocks + step->sender * width, width);
  }
  return clock;
}

struct access {
  size_t step, cell;
  const struct block_chunks *chunks;
  unsigned offset;
  bool writes;
};

/* Note a race of ACCESS with step OTHER, unless the steps are ordered; each pair of blocks counts once a
 * chunk. */
static void compare(struct racing *racing, const struct access *access, size_t other, bool other_writes) {
  const struct blocks *schedule = racing->schedule;
  const struct block *block = block_of(racing, other);
  unsigned me = schedule->steps[access->step].block, it = schedule->steps[other].block;
  size_t known = (size_t)racing->clocks[access->step * racing->width + place_of(racing, block)];
  if (me == it || known > other - block->first) {
    return;
  }
  if (racing->is_possible) {
    racing->is_possible[block->rank] = true;
    return;
  }
  unsigned low = me < it ? me : it, high = me < it ? it : me;
  uint64_t code = random_mix((uint64_t)access->cell << 32 ^ (uint64_t)low << 16 ^ high);
  struct hash_place *place = hash_find(&racing->told, code);
  if (place->number) {
    return;
  }
  hash_add(&racing->told, place, code, 1);
  if (racing->races->n >= JUDGE_SHOWN) {
    racing->races->n++; /* no place is put into words in vain */
  } else {
    findings_add(racing->races, "%s %s %c[%u], %s %s the chunk, and nothing orders both",
                 judge_place(schedule, access->step), access->writes ? "writes" : "reads",
                 BUFFER_LETTERS[access->chunks->buffer], access->offset, judge_place(schedule, other),
                 other_writes ? "writes" : "reads");
  }
}

static void touch(struct racing *racing, const struct access *access) {
  struct chunk_state *chunk = &racing->chunks[access->cell - racing->cells->begin[racing->first]];
  if (chunk->writer) {
    compare(racing, access, chunk->writer - 1, true);
  }
  if (access->writes) {
    for (unsigned i = chunk->readers; i; i = racing->readers[i].next) {
      compare(racing, access, racing->readers[i].step, false);
    }
    *chunk = (struct chunk_state){.writer = (unsigned)access->step + 1};
    return;
  }
  unsigned i = chunk->readers, block = racing->schedule->steps[access->step].block;
  while (i && racing->schedule->steps[racing->readers[i].step].block != block) {
    i = racing->readers[i].next;
  }
  if (i) {
    racing->readers[i].step = (unsigned)access->step;
  } else {
    VEC_ADD(racing->readers, racing->nreaders) = (struct reader){(unsigned)access->step, chunk->readers};
    chunk->readers = (unsigned)(racing->nreaders - 1);
  }
}

/* Return the number of chunk K of CHUNKS of RANK. */
static size_t cell_of(const struct racing *racing, unsigned rank, const struct block_chunks *chunks,
                      unsigned k) {
  return cells_at(racing->cells, rank, chunks->buffer, (unsigned)chunks->offset + k);
}

/* Inspect the accesses of step INDEX to chunks. A copy of a chunk onto itself is a read: the chunk keeps its
 * value, but a write between the read and the write of the copy would be lost. */
static void touch_all(struct racing *racing, size_t index) {
  const struct block_step *step = &racing->schedule->steps[index];
  const struct step_traits *traits = &step_traits[step->kind];
  unsigned rank = block_of(racing, index)->rank;
  const struct {
    bool is_made, writes;
    const struct block_chunks *chunks;
  } accesses[] = {{traits->reads_src, false, &step->src},
                  {traits->reads_dst, false, &step->dst},
                  {traits->writes, true, &step->dst}};
  for (unsigned k = 0; k < step->count; k++) {
    bool is_idle =
      step->kind == STEP_cpy && cell_of(racing, rank, &step->src, k) == cell_of(racing, rank, &step->dst, k);
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
      const struct block_chunks *chunks = accesses[i].chunks;
      unsigned offset = (unsigned)chunks->offset + k;
      if (accesses[i].is_made && !(is_idle && accesses[i].writes)) {
        size_t cell = cell_of(racing, rank, chunks, k);
        touch(racing, &(struct access){index, cell, chunks, offset, accesses[i].writes});
      }
    }
  }
}

/* Find the races of the ranks of RACING, with WIDTH entries in clocks. */
static void judge_ranks(struct racing *racing, size_t width) {
  const struct cells *cells = racing->cells;
  racing->width = (width + CLOCK_ENTRIES - 1) / CLOCK_ENTRIES * CLOCK_ENTRIES;
  if (racing->schedule->nsteps * racing->width > racing->room) {
    racing->room = racing->schedule->nsteps * racing->width;
    racing->clocks = xrealloc(racing->clocks, racing->room, sizeof *racing->clocks);
  }
  racing->chunks =
    xcalloc(cells->begin[racing->end] - cells->begin[racing->first] + 1, sizeof *racing->chunks);
  racing->nreaders = 0;
  VEC_ADD(racing->readers, racing->nreaders) = (struct reader){0, 0};
  for (size_t i = 0; i < racing->schedule->nsteps; i++) {
    size_t index = cells->order[i];
    const struct block *block = block_of(racing, index);
    int *clock = make_clock(racing, index);
    if (block->rank >= racing->first && block->rank < racing->end) {
      touch_all(racing, index);
      clock[place_of(racing, block)] = (int)(index - block->first) + 1;
    }
  }
  hash_fini(&racing->told);
  free(racing->chunks);
}

/* Most ranks have no race even without the order by messages, a quick test. */
void judge_races(const struct cells *cells, struct findings *races) {
  const struct blocks *schedule = cells->schedule;
  unsigned most = 0, n = schedule->nranks;
  for (unsigned r = 0; r < n; r++) {
    most = schedule->ranks[r].nblocks > most ? schedule->ranks[r].nblocks : most;
  }
  bool *is_possible = xcalloc(n, sizeof *is_possible);
  struct racing racing = {.cells = cells, .schedule = schedule, .end = n, .is_possible = is_possible};
  judge_ranks(&racing, most);
  racing.is_possible = NULL;
  racing.races = races;
  for (unsigned r = 0; r < n; r = racing.end) {
    unsigned width = schedule->ranks[r].nblocks;
    racing.first = r;
    racing.end = r + 1;
    while (is_possible[r] && racing.end < n && width + schedule->ranks[racing.end].nblocks <= CLOCK_BLOCKS) {
      width += schedule->ranks[racing.end++].nblocks;
    }
    if (is_possible[r]) {
      judge_ranks(&racing, width);
    }
  }
  free(is_possible);
  free(racing.clocks);
  free(racing.readers);
}
