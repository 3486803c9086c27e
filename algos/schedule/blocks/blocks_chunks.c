/* SPDX-License-Identifier: BSD-3-Clause
 * The judge of the chunks of thread blocks, in one way of doing a schedule.
 *
 * Is the result right? Each chunk holds a value: a tree of contributions, each tree once. A contribution is a
 * chunk of the input of a rank. Two trees with equal sums have equal contributions: each contribution counts
 * with 64 bits, random in appearance.
 *
 * Are accesses of blocks of a rank to one chunk ordered? Program order, messages and dependencies order
 * steps; free slots do not, since an order by slots changes with the number of slots. For some ranks at a
 * time, each step of the schedule gets a clock: for each block of these ranks the number of steps over
 * before. */
#include "algos/schedule/blocks/blocks.h"
#include "sim/base/hash.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* The chunks of all buffers, numbered, for one way of doing a schedule. In place, some chunks have two
 * names. */
struct cells {
  const struct blocks *schedule;
  const unsigned *order; /* all steps, each after all needs of the step */
  unsigned way;          /* enum blocks_way */
  size_t *first;         /* chunk 0 of each buffer, by rank and buffer */
  size_t *begin;         /* the first chunk of each rank, and the end */
};

/* Return the number of chunk K of CHUNKS of RANK. */
static size_t cells_at(const struct cells *cells, unsigned rank, struct block_chunks chunks, unsigned k) {
  return cells->first[(size_t)rank * BUFFER_COUNT + chunks.buffer] + (unsigned)chunks.offset + k;
}

/* Number the chunks of SCHEDULE, done in ORDER in the way WAY, in CELLS. */
static void cells_init(struct cells *cells, const struct blocks *schedule, const unsigned *order,
                       unsigned way) {
  const struct blocks_traits *traits = &blocks_traits[schedule->collective];
  bool in_place = way == BLOCKS_IN_PLACE, joins = in_place && blocks_joins(traits);
  *cells = (struct cells){.schedule = schedule, .order = order, .way = way};
  cells->first = xcalloc((size_t)schedule->nranks * BUFFER_COUNT, sizeof *cells->first);
  cells->begin = xcalloc((size_t)schedule->nranks + 1, sizeof *cells->begin);
  for (unsigned r = 0; r < schedule->nranks; r++) {
    size_t *first = &cells->first[(size_t)r * BUFFER_COUNT], shift = (size_t)r * schedule->each;
    const unsigned *room = schedule->ranks[r].room;
    first[BUFFER_INPUT] = cells->begin[r] + (joins ? shift : 0);
    size_t end = first[BUFFER_INPUT] + room[BUFFER_INPUT];
    first[BUFFER_OUTPUT] = in_place ? cells->begin[r] + (traits->is_block ? shift : 0) : end;
    size_t other = first[BUFFER_OUTPUT] + room[BUFFER_OUTPUT];
    first[BUFFER_SCRATCH] = MAX(end, other);
    cells->begin[r + 1] = first[BUFFER_SCRATCH] + room[BUFFER_SCRATCH];
  }
}

/* --- values --- */

/* A contribution, or the combination of two values; value 0 is of a chunk never written. */
struct value {
  unsigned left, right; /* values; of a contribution: rank, chunk */
  bool is_contribution;
  uint64_t sum;
};

struct judging {
  const struct cells *cells;
  const struct blocks *schedule;
  struct value *values;
  size_t nvalues;
  struct hash known;  /* combinations */
  unsigned *memory;   /* values of all cells */
  unsigned **flights; /* by step: the values of a message under way */
  struct findings *unwritten;
};

/* Return 64 bits made of A and B, random in appearance. */
static uint64_t mix(uint64_t a, uint64_t b) {
  return random_at(a << 32 | b, 0);
}

/* Return the combination of A and B; nothing, combined with a value, is nothing. */
static unsigned combine(struct judging *judging, unsigned a, unsigned b) {
  if (a == 0 || b == 0) {
    return 0;
  }
  uint64_t sum = judging->values[a].sum + judging->values[b].sum;
  unsigned left = MIN(a, b), right = MAX(a, b);
  struct hash_place *place = hash_find(&judging->known, mix(left, right)); /* of no other two */
  if (!place->number) {
    hash_add(&judging->known, place, mix(left, right), judging->nvalues);
    VEC_ADD(judging->values, judging->nvalues) = (struct value){left, right, false, sum};
  }
  return (unsigned)place->number;
}

/* --- steps --- */

/* Return the value of chunk K of CHUNKS, read by step INDEX. */
static unsigned load(struct judging *judging, size_t index, struct block_chunks chunks, unsigned k) {
  const struct blocks *schedule = judging->schedule;
  unsigned rank = schedule->blocks[schedule->steps[index].block].rank;
  unsigned value = judging->memory[cells_at(judging->cells, rank, chunks, k)];
  if (value == 0) {
    findings_add(judging->unwritten, "%s reads %c[%u], which no step has written",
                 judge_place(schedule, index), BUFFER_LETTERS[chunks.buffer], (unsigned)chunks.offset + k);
  }
  return value;
}

static void execute(struct judging *judging, size_t index) {
  const struct blocks *schedule = judging->schedule;
  const struct block_step *step = &schedule->steps[index];
  const struct step_traits *traits = &step_traits[step->kind];
  unsigned rank = schedule->blocks[step->block].rank;
  unsigned *got = traits->receives ? judging->flights[step->sender] : NULL;
  unsigned *sent = traits->sends ? xcalloc(step->count, sizeof *sent) : NULL;
  for (unsigned k = 0; k < step->count; k++) {
    unsigned value = got ? got[k] : 0;
    if (traits->reads_src) {
      unsigned here = load(judging, index, step->src, k);
      value = got ? combine(judging, here, value) : here;
    }
    if (traits->reads_dst) {
      value = combine(judging, load(judging, index, step->dst, k), value);
    }
    if (traits->writes) {
      judging->memory[cells_at(judging->cells, rank, step->dst, k)] = value;
    }
    if (sent) {
      sent[k] = value;
    }
  }
  if (got) {
    free(got);
    judging->flights[step->sender] = NULL;
  }
  judging->flights[index] = sent;
}

/* --- the result --- */

/* The result for a chunk: chunk CHUNK of rank FROM, or of all ranks combined. */
struct wanted {
  bool of_all;
  unsigned from, chunk;
};

/* Return the number of chunks in the result on RANK, with root ROOT. */
static unsigned count_wanted(const struct blocks *schedule, unsigned rank, unsigned root) {
  const struct blocks_traits *traits = &blocks_traits[schedule->collective];
  if (!traits->has_result || (traits->root_only && rank != root)) {
    return 0;
  }
  return traits->is_block ? schedule->each : schedule->nchunks;
}

/* Return the result for chunk K of RANK, with root ROOT. */
static struct wanted find_wanted(const struct blocks *schedule, unsigned rank, unsigned root, unsigned k) {
  const struct blocks_traits *traits = &blocks_traits[schedule->collective];
  unsigned each = schedule->each;
  return (struct wanted){.of_all = traits->from == FROM_ALL,
                         .from = traits->from == FROM_ROOT ? root : k / (each ? each : 1),
                         .chunk =
                           (traits->from == FROM_BLOCK ? k % each : k) + (traits->is_own ? rank * each : 0)};
}

/* Return the value of chunk K of the result on RANK. */
static unsigned result_value(const struct judging *judging, unsigned rank, unsigned k) {
  return judging->memory[cells_at(judging->cells, rank, (struct block_chunks){BUFFER_OUTPUT, 0}, k)];
}

/* Append to TEXT the words BEFORE and the ranks of FLAGS, if there are ranks. */
static void tell_ranks(const struct judging *judging, char **text, const char *before, const bool *flags) {
  enum { NAMED_MAX = 8 };
  unsigned n = 0, told = 0;
  for (unsigned r = 0; r < judging->schedule->nranks; r++) {
    n += flags[r];
  }
  for (unsigned r = 0; r < judging->schedule->nranks && told < NAMED_MAX; r++) {
    if (flags[r] && told++ == 0) {
      xappend(text, "%s%s rank%s", *text ? "; " : "", before, n > 1 ? "s" : "");
    }
    if (flags[r]) {
      xappend(text, " %u", r);
    }
  }
  if (n > told) {
    xappend(text, " ...");
  }
}

/* Count how often each value is part of value TOP.
 * owner: the caller. */
static unsigned *count_parts(const struct judging *judging, unsigned top) {
  unsigned *times = xcalloc(judging->nvalues, sizeof *times);
  times[top] = 1;
  for (unsigned i = top; i > 0; i--) { /* the parts of a value are older */
    const struct value *value = &judging->values[i];
    if (times[i] && !value->is_contribution) {
      unsigned *parts[] = {&times[value->left], &times[value->right]};
      for (unsigned j = 0; j < 2; j++) {
        *parts[j] = *parts[j] > UINT_MAX / 2 - times[i] / 2 ? UINT_MAX / 2 : *parts[j] + times[i];
      }
    }
  }
  return times;
}

/* Describe the difference of value TOP from WANTED.
 * owner: the caller. */
static char *describe(const struct judging *judging, unsigned top, const struct wanted *wanted) {
  enum { LACKING, REPEATED, FOREIGN, STRANGE, DEFECTS };
  unsigned n = judging->schedule->nranks, strange = UINT_MAX;
  SCOPED unsigned *times = count_parts(judging, top);
  SCOPED bool *flags = xcalloc(DEFECTS * (size_t)n, sizeof *flags);
  for (unsigned r = 0; r < n; r++) {
    flags[r] = wanted->of_all || r == wanted->from;
  }
  for (unsigned i = 1; i <= top; i++) {
    const struct value *value = &judging->values[i];
    if (times[i] && value->is_contribution && value->right == wanted->chunk) {
      flags[(flags[value->left] ? REPEATED : FOREIGN) * n + value->left] =
        !flags[value->left] || times[i] > 1;
      flags[value->left] = false;
    } else if (times[i] && value->is_contribution) {
      flags[STRANGE * n + value->left] = true;
      LOWER(strange, value->right);
    }
  }
  char *text = NULL;
  tell_ranks(judging, &text, "lacks the contribution of", flags);
  tell_ranks(judging, &text, "has more than once the contribution of", flags + REPEATED * n);
  tell_ranks(judging, &text, "has the foreign contribution of", flags + FOREIGN * n);
  tell_ranks(judging, &text, text_brief("has chunk %u of", strange), flags + STRANGE * n);
  return text;
}

/* Compare with the result of the collective with root ROOT: into WRONG.
 * returns: the number of chunks. */
static size_t compare(struct judging *judging, const uint64_t *totals, unsigned root,
                      struct findings *wrong) {
  const struct blocks *schedule = judging->schedule;
  size_t nchunks = 0;
  for (unsigned r = 0; r < schedule->nranks; r++) {
    unsigned n = count_wanted(schedule, r, root);
    nchunks += n;
    for (unsigned k = 0; k < n; k++) {
      struct wanted wanted = find_wanted(schedule, r, root, k);
      unsigned value = result_value(judging, r, k);
      if (value && judging->values[value].sum ==
                     (wanted.of_all ? totals[wanted.chunk] : mix(wanted.from, wanted.chunk))) {
        continue;
      }
      SCOPED char *how = value && wrong->n < JUDGE_SHOWN ? describe(judging, value, &wanted) : NULL;
      findings_add(wrong, "rank %u: chunk %u of the result %s", r, k,
                   how ? how : "is never written, or made of chunks that no step has written");
    }
  }
  return nchunks;
}

/* Find the best ROOT, and compare: into WRONG.
 * returns: the number of chunks. */
static size_t compare_all(struct judging *judging, unsigned *root, struct findings *wrong) {
  const struct blocks *schedule = judging->schedule;
  SCOPED uint64_t *totals = xcalloc(schedule->nchunks, sizeof *totals);
  for (unsigned k = 0; k < schedule->nchunks; k++) {
    for (unsigned r = 0; r < schedule->nranks; r++) {
      totals[k] += mix(r, k);
    }
  }
  bool is_rooted = blocks_has_root(&blocks_traits[schedule->collective]);
  size_t fewest = SIZE_MAX;
  for (unsigned r = 0; is_rooted && r < schedule->nranks && fewest > 0; r++) {
    struct findings mute = {.n = JUDGE_SHOWN}; /* no words */
    compare(judging, totals, r, &mute);
    if (mute.n - JUDGE_SHOWN < fewest) {
      fewest = mute.n - JUDGE_SHOWN;
      *root = r;
    }
  }
  return compare(judging, totals, *root, wrong);
}

/* Find the chunks with different combinations on ranks: into ORDERS. */
static void compare_orders(const struct judging *judging, struct findings *orders) {
  const struct blocks *schedule = judging->schedule;
  for (unsigned k = 0; schedule->collective == BLOCKS_allreduce && k < schedule->nchunks; k++) {
    unsigned r = 1;
    while (r < schedule->nranks && result_value(judging, r, k) == result_value(judging, 0, k)) {
      r++;
    }
    if (r < schedule->nranks) {
      findings_add(orders, "rank %u: chunk %u of the result is combined otherwise than on rank 0", r, k);
    }
  }
}

/* Judge the values in CELLS after all steps. */
static void judge_values(const struct cells *cells, struct judgement *judgement) {
  const struct blocks *schedule = cells->schedule;
  struct judging judging = {.cells = cells,
                            .schedule = schedule,
                            .memory = xcalloc(cells->begin[schedule->nranks] + 1, sizeof *judging.memory),
                            .flights = xcalloc(schedule->nsteps + 1, sizeof *judging.flights),
                            .unwritten = &judgement->found[FOUND_UNWRITTEN + cells->way]};
  unsigned ninputs = schedule->natural[BUFFER_INPUT];
  VEC_ADD(judging.values, judging.nvalues) = (struct value){0};
  for (unsigned r = 0; r < schedule->nranks; r++) {
    for (unsigned k = 0; k < ninputs; k++) {
      judging.memory[cells_at(cells, r, (struct block_chunks){BUFFER_INPUT, 0}, k)] =
        (unsigned)judging.nvalues;
      VEC_ADD(judging.values, judging.nvalues) = (struct value){r, k, true, mix(r, k)};
    }
  }
  VEC_EACH(step, cells->order, schedule->nsteps) {
    execute(&judging, *step);
  }
  judgement->nresults =
    compare_all(&judging, &judgement->roots[cells->way], &judgement->found[FOUND_WRONG + cells->way]);
  if (judgement->found[FOUND_ORDERS].n == 0) { /* of the first way with such chunks */
    compare_orders(&judging, &judgement->found[FOUND_ORDERS]);
  }
  hash_fini(&judging.known);
  free(judging.values);
  free(judging.memory);
  free(judging.flights);
}

/* --- races --- */

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
      RAISE(clock[i + k], other[i + k]);
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
  struct block_chunks chunk;
  bool writes;
};

/* Note a race of ACCESS with step OTHER, unless the steps are ordered; each pair of blocks counts once a
 * chunk. */
static void compare_access(struct racing *racing, const struct access *access, size_t other,
                           bool other_writes) {
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
  unsigned low = MIN(me, it), high = MAX(me, it);
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
                 BUFFER_LETTERS[access->chunk.buffer], (unsigned)access->chunk.offset,
                 judge_place(schedule, other), other_writes ? "writes" : "reads");
  }
}

static void touch(struct racing *racing, const struct access *access) {
  struct chunk_state *chunk = &racing->chunks[access->cell - racing->cells->begin[racing->first]];
  if (chunk->writer) {
    compare_access(racing, access, chunk->writer - 1, true);
  }
  if (access->writes) {
    for (unsigned i = chunk->readers; i; i = racing->readers[i].next) {
      compare_access(racing, access, racing->readers[i].step, false);
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

/* Inspect the accesses of step INDEX to chunks. A copy of a chunk onto itself is a read: the chunk keeps its
 * value, but a write between the read and the write of the copy would be lost. */
static void touch_all(struct racing *racing, size_t index) {
  const struct block_step *step = &racing->schedule->steps[index];
  const struct step_traits *traits = &step_traits[step->kind];
  unsigned rank = block_of(racing, index)->rank;
  const struct {
    bool is_made, writes;
    struct block_chunks chunks;
  } accesses[] = {{traits->reads_src, false, step->src},
                  {traits->reads_dst, false, step->dst},
                  {traits->writes, true, step->dst}};
  bool is_idle = step->kind == STEP_cpy &&
                 cells_at(racing->cells, rank, step->src, 0) == cells_at(racing->cells, rank, step->dst, 0);
  for (unsigned k = 0; k < step->count; k++) {
    VEC_EACH(access, accesses, VEC_LENGTH(accesses)) {
      struct block_chunks chunk = access->chunks;
      chunk.offset += (int)k;
      if (access->is_made && !(is_idle && access->writes)) {
        size_t cell = cells_at(racing->cells, rank, chunk, 0);
        touch(racing, &(struct access){index, cell, chunk, access->writes});
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
  VEC_EACH(step, cells->order, racing->schedule->nsteps) {
    size_t index = *step;
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

/* Find accesses of two blocks of a rank to one chunk without an order by messages and dependencies. Most
 * ranks have no race even without the order by messages, a quick test. */
static void judge_races(const struct cells *cells, struct findings *races) {
  const struct blocks *schedule = cells->schedule;
  unsigned most = 0, n = schedule->nranks;
  VEC_EACH(rank, schedule->ranks, n) {
    RAISE(most, rank->nblocks);
  }
  SCOPED bool *is_possible = xcalloc(n, sizeof *is_possible);
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
  free(racing.clocks);
  free(racing.readers);
}

void judge_way(const struct blocks *schedule, const unsigned *order, unsigned way,
               struct judgement *judgement) {
  struct cells cells;
  cells_init(&cells, schedule, order, way);
  judge_values(&cells, judgement);
  judge_races(&cells, &judgement->found[FOUND_RACES + way]);
  free(cells.first);
  free(cells.begin);
}
