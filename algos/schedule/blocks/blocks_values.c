/* SPDX-License-Identifier: BSD-3-Clause
 * Is the result right? Each chunk holds a value: a tree of contributions, each tree once. A contribution is a
 * chunk of the input of a rank. Two trees with equal sums have equal contributions: each contribution counts
 * with 64 bits, random in appearance. */
#include "algos/schedule/blocks/blocks_judge.h"
#include "sim/base/hash.h"
#include "sim/base/random.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

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
  struct hash known;
  unsigned *memory;   /* values of all cells */
  unsigned **flights; /* by step: the values of a message under way */
  struct findings *unwritten;
};

/* Return 64 bits made of A and B, random in appearance. */
static uint64_t mix(uint64_t a, uint64_t b) {
  return random_at(a << 32 | b, 0);
}

/* Return the number of VALUE. */
static unsigned intern(struct judging *judging, const struct value *value) {
  uint64_t code = mix(value->left, value->right) ^ (value->is_contribution ? UINT64_MAX : 0);
  struct hash_place *place = hash_find(&judging->known, code);
  for (; place->number; place = hash_next(&judging->known, place, code)) {
    const struct value *found = &judging->values[place->number];
    if (found->left == value->left && found->right == value->right &&
        found->is_contribution == value->is_contribution) {
      return (unsigned)place->number;
    }
  }
  hash_add(&judging->known, place, code, judging->nvalues);
  VEC_ADD(judging->values, judging->nvalues) = *value;
  return (unsigned)(judging->nvalues - 1);
}

static unsigned contribution(struct judging *judging, unsigned rank, unsigned chunk) {
  return intern(judging, &(struct value){rank, chunk, true, mix(rank, chunk)});
}

/* Return the combination of A and B; nothing, combined with a value, is nothing. */
static unsigned combine(struct judging *judging, unsigned a, unsigned b) {
  if (a == 0 || b == 0) {
    return 0;
  }
  uint64_t sum = judging->values[a].sum + judging->values[b].sum;
  return intern(judging, &(struct value){a < b ? a : b, a < b ? b : a, false, sum});
}

/* --- steps --- */

/* Return the value of chunk K of CHUNKS, read by step INDEX. */
static unsigned load(struct judging *judging, size_t index, const struct block_chunks *chunks, unsigned k) {
  const struct blocks *schedule = judging->schedule;
  unsigned rank = schedule->blocks[schedule->steps[index].block].rank, offset = (unsigned)chunks->offset + k;
  unsigned value = judging->memory[cells_at(judging->cells, rank, chunks->buffer, offset)];
  if (value == 0) {
    findings_add(judging->unwritten, "%s reads %c[%u], which no step has written",
                 judge_place(schedule, index), BUFFER_LETTERS[chunks->buffer], offset);
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
      unsigned here = load(judging, index, &step->src, k);
      value = got ? combine(judging, here, value) : here;
    }
    if (traits->reads_dst) {
      value = combine(judging, load(judging, index, &step->dst, k), value);
    }
    if (traits->writes) {
      judging->memory[cells_at(judging->cells, rank, step->dst.buffer, (unsigned)step->dst.offset + k)] =
        value;
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
  return !traits->has_result || (traits->root_only && rank != root) ? 0
         : traits->is_block                                         ? schedule->each
         : traits->from == FROM_BLOCK                               ? schedule->each * schedule->nranks
                                                                    : schedule->nchunks;
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
  return judging->memory[cells_at(judging->cells, rank, BUFFER_OUTPUT, k)];
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
  unsigned n = judging->schedule->nranks, *times = count_parts(judging, top), strange = UINT_MAX;
  bool *flags = xcalloc(DEFECTS * (size_t)n, sizeof *flags);
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
      strange = value->right < strange ? value->right : strange;
    }
  }
  char *text = NULL, *chunk = xasprintf("has chunk %u of", strange);
  tell_ranks(judging, &text, "lacks the contribution of", flags);
  tell_ranks(judging, &text, "has more than once the contribution of", flags + REPEATED * n);
  tell_ranks(judging, &text, "has the foreign contribution of", flags + FOREIGN * n);
  tell_ranks(judging, &text, chunk, flags + STRANGE * n);
  free(chunk);
  free(times);
  free(flags);
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
      char *how = value && wrong->n < JUDGE_SHOWN ? describe(judging, value, &wanted) : NULL;
      findings_add(wrong, "rank %u: chunk %u of the result %s", r, k,
                   how ? how : "is never written, or made of chunks that no step has written");
      free(how);
    }
  }
  return nchunks;
}

/* Find the best ROOT, and compare: into WRONG.
 * returns: the number of chunks. */
static size_t compare_all(struct judging *judging, unsigned *root, struct findings *wrong) {
  const struct blocks *schedule = judging->schedule;
  uint64_t *totals = xcalloc(schedule->nchunks, sizeof *totals);
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
  size_t nchunks = compare(judging, totals, *root, wrong);
  free(totals);
  return nchunks;
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

void judge_values(const struct cells *cells, struct judgement *judgement) {
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
      judging.memory[cells_at(cells, r, BUFFER_INPUT, k)] = contribution(&judging, r, k);
    }
  }
  for (size_t i = 0; i < schedule->nsteps; i++) {
    execute(&judging, cells->order[i]);
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
