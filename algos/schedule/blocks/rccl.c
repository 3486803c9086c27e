/* SPDX-License-Identifier: BSD-3-Clause
 * Would the interpreter of RCCL take a schedule? Source: ROCm/rccl, msccl_parser.cc and
 * msccl_kernel_impl.h. */
#include "algos/schedule/blocks/blocks.h"
#include "sim/base/xalloc.h"

#include <stdlib.h>

/* Limits of RCCL, of a rank or of a block. */
enum {
  RCCL_BLOCKS = 64,
  RCCL_SUMS = 16, /* reductions made one */
  RCCL_STEPS = 64,
  RCCL_CHUNKS = 71,     /* of a step */
  RCCL_PEERS = 32,      /* blocks with a peer on a channel */
  RCCL_ELEMENTS = 4096, /* read by a rank */
};

/* A block as RCCL reads the block: without nops, reductions in a row as one. */
struct reading {
  const struct blocks *schedule;
  struct findings *found; /* by kind */
  const struct block *block;
  unsigned nsteps;              /* of RCCL */
  unsigned nwaits;              /* dependencies since the last step other than nop */
  const struct block_step *sum; /* the last step if a reduction; else NULL */
  unsigned nsums;               /* reductions made one with SUM */
  int last_published;           /* -1: none */
};

/* Check the size and the offsets of step INDEX. */
static void check_step(const struct reading *reading, size_t index) {
  const struct blocks *schedule = reading->schedule;
  const struct block_step *step = &schedule->steps[index];
  const struct step_traits *traits = &step_traits[step->kind];
  struct findings *refusals = &reading->found[FOUND_REFUSALS];
  const struct {
    bool is_used;
    const struct block_chunks *chunks;
  } uses[] = {{traits->reads_src, &step->src}, {traits->writes, &step->dst}};
  for (unsigned i = 0; i < 2; i++) {
    enum block_buffer buffer = uses[i].chunks->buffer;
    unsigned declared = schedule->ranks[reading->block->rank].nchunks[buffer];
    if (uses[i].is_used && step->kind != STEP_rrc && (unsigned)uses[i].chunks->offset >= declared) {
      findings_add(refusals, "%s: chunk %d of %c, expected one below %c_chunks, which is %u",
                   judge_place(schedule, index), uses[i].chunks->offset, BUFFER_LETTERS[buffer],
                   BUFFER_LETTERS[buffer], declared);
    }
  }
  if (step->count > RCCL_CHUNKS) {
    findings_add(refusals, "%s: cnt is %u, expected at most %d", judge_place(schedule, index), step->count,
                 RCCL_CHUNKS);
  }
}

/* Tell whether RCCL makes STEP one with the reduction before. */
static bool is_fused(const struct reading *reading, const struct block_step *step) {
  const struct block_step *sum = reading->sum;
  return step->kind == STEP_re && sum && step->dep_block < 0 && !sum->is_published &&
         sum->dst.buffer == step->dst.buffer && sum->dst.offset == step->dst.offset &&
         sum->src.buffer == step->src.buffer && reading->nsums < RCCL_SUMS;
}

static void read_step(struct reading *reading, size_t index) {
  const struct block_step *step = &reading->schedule->steps[index];
  reading->nwaits += step->dep_block >= 0;
  if (step->kind == STEP_nop) {
    return;
  }
  check_step(reading, index);
  bool fused = is_fused(reading, step);
  if (fused && reading->sum->count != step->count) {
    findings_add(&reading->found[FOUND_NOTES], "%s is made one with the step before, which has another cnt",
                 judge_place(reading->schedule, index));
  }
  if (!fused && reading->nwaits > 0 && step->dep_block < 0) {
    findings_add(&reading->found[FOUND_REFUSALS],
                 "%s follows a nop with a dependency, expected a dependency of its own",
                 judge_place(reading->schedule, index));
  }
  reading->nsteps += fused ? 1 : 1 + (reading->nwaits > 1 ? reading->nwaits - 1 : 0);
  reading->nwaits = 0;
  reading->sum = step->kind == STEP_re ? step : NULL;
  reading->nsums = fused ? reading->nsums + 1 : 1;
  if (step->is_published) {
    reading->last_published = (int)reading->nsteps - 1;
  }
}

/* Read BLOCK.
 * returns: the last step published to other blocks; -1: none. */
static int read_block(const struct blocks *schedule, const struct block *block, struct findings *found) {
  struct reading reading = {.schedule = schedule, .found = found, .block = block, .last_published = -1};
  bool is_long = block->nsteps > RCCL_STEPS;
  for (size_t i = 0; i < block->nsteps; i++) {
    is_long |= schedule->steps[block->first + i].number >= RCCL_STEPS;
    read_step(&reading, block->first + i);
  }
  if (is_long) {
    findings_add(&found[FOUND_REFUSALS],
                 "rank %u block %u has %zu steps, expected at most %d, counted from 0", block->rank,
                 block->number, block->nsteps, RCCL_STEPS);
  }
  if (block->channel < 0) {
    findings_add(&found[FOUND_REFUSALS], "rank %u block %u has no channel", block->rank, block->number);
  }
  if (reading.nwaits > 0) {
    findings_add(&found[FOUND_NOTES], "rank %u block %u: the last nop is dropped, with the dependency",
                 block->rank, block->number);
  }
  return reading.last_published;
}

/* --- a rank --- */

/* Refuse channels with too many senders, or receivers, of RANK. */
static void check_peers(const struct blocks *schedule, const struct blocks_rank *rank,
                        struct findings *found) {
  for (unsigned i = rank->first; i < rank->first + rank->nblocks; i++) {
    const struct block *block = &schedule->blocks[i];
    unsigned counts[2] = {0, 0};
    for (unsigned k = rank->first; k <= i; k++) {
      const struct block *other = &schedule->blocks[k];
      counts[0] += other->channel == block->channel && other->send >= 0 && block->send >= 0;
      counts[1] += other->channel == block->channel && other->receive >= 0 && block->receive >= 0;
    }
    if (counts[0] == RCCL_PEERS + 1 || counts[1] == RCCL_PEERS + 1) {
      findings_add(&found[FOUND_REFUSALS], "rank %u has more than %d blocks that %s on channel %d",
                   block->rank, RCCL_PEERS, counts[0] > RCCL_PEERS ? "send" : "receive", block->channel);
    }
  }
}

/* Find the dependencies of BLOCK on steps never published; PUBLISHED: by block of the rank, the last step
 * published. */
static void check_waits(const struct blocks *schedule, const struct block *block, const int *published,
                        struct findings *found) {
  size_t used = block->nsteps; /* steps up to the last one other than nop */
  while (used > 0 && schedule->steps[block->first + used - 1].kind == STEP_nop) {
    used--;
  }
  for (size_t i = 0; i < used; i++) {
    const struct block_step *step = &schedule->steps[block->first + i];
    if (step->dep_block >= 0 && published[step->dep_block] < step->dep_step) {
      findings_add(&found[FOUND_HANGS],
                   "%s waits for step %d of block %d, expected hasdep on that step or a later one",
                   judge_place(schedule, block->first + i), step->dep_step, step->dep_block);
    }
  }
}

static void judge_rank(const struct blocks *schedule, unsigned r, struct findings *found) {
  const struct blocks_rank *rank = &schedule->ranks[r];
  size_t nelements = 1 + (size_t)schedule->nranks + rank->nblocks;
  SCOPED int *published = xcalloc(rank->nblocks + 1, sizeof *published);
  for (unsigned i = 0; i < rank->nblocks; i++) {
    const struct block *block = &schedule->blocks[rank->first + i];
    nelements += block->nsteps;
    published[i] = read_block(schedule, block, found);
  }
  for (unsigned i = 0; i < rank->nblocks; i++) {
    check_waits(schedule, &schedule->blocks[rank->first + i], published, found);
  }
  if (rank->nblocks > RCCL_BLOCKS) {
    findings_add(&found[FOUND_REFUSALS], "rank %u has %u blocks, expected at most %d", r, rank->nblocks,
                 RCCL_BLOCKS);
  } else {
    check_peers(schedule, rank, found);
  }
  if (nelements > RCCL_ELEMENTS) {
    findings_add(&found[FOUND_REFUSALS], "rank %u reads %zu elements, expected at most %d", r, nelements,
                 RCCL_ELEMENTS);
  }
}

void judge_rccl(const struct blocks *schedule, struct findings *found) {
  if (schedule->missing) {
    findings_add(&found[FOUND_REFUSALS], "attributes missing:%s", schedule->missing);
  }
  if (schedule->collective == BLOCKS_custom) {
    findings_add(&found[FOUND_REFUSALS], "collective custom");
  }
  if (schedule->most_bytes && schedule->least_bytes > schedule->most_bytes) {
    findings_add(&found[FOUND_NOTES], "minBytes is %jd, above maxBytes, which is %jd: never chosen",
                 (intmax_t)schedule->least_bytes, (intmax_t)schedule->most_bytes);
  }
  if (schedule->nignored) {
    findings_add(&found[FOUND_NOTES], "%u elements are passed over, the first is %s", schedule->nignored,
                 schedule->ignored);
  }
  for (unsigned r = 0; r < schedule->nranks; r++) {
    judge_rank(schedule, r, found);
  }
}
