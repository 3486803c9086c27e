/* SPDX-License-Identifier: BSD-3-Clause
 * A schedule of thread blocks: each rank has blocks, the steps of a block are done one after the other, and a
 * step may depend on a step of another block of the rank. Messages go from block to block on connections
 * with slots. A vector is a number of chunks. */
#pragma once

#include "algos/schedule/links/loaded.h"

enum { BLOCKS_CHUNKS_MAX = 1 << 22 /* of all buffers of all ranks, and of all steps */ };

/* No step or connection. */
#define BLOCKS_NONE UINT_MAX

enum step_kind {
#define STEP(word, ...) STEP_##word,
#include "algos/schedule/blocks/steps.def"
  STEP_COUNT
};

/* A kind of step: the word, and the effect of the step on buffers and connections. */
struct step_traits {
  const char *word;
  bool reads_src, reads_dst, writes, receives, sends;
};

extern const struct step_traits step_traits[STEP_COUNT];

enum blocks_collective {
#define COLLECTIVE(word, ...) BLOCKS_##word,
#define NO_RESULT(word) BLOCKS_##word,
#include "algos/schedule/blocks/collectives.def"
  BLOCKS_COLLECTIVES
};

/* A collective: the word, and the result. */
struct blocks_traits {
  const char *word;
  bool has_result, root_only, is_block;
  enum { FROM_ALL, FROM_ROOT, FROM_BLOCK } from;
  bool is_own;            /* chunks of the block of the receiver */
  enum collective played; /* of the catalogue; COLL_BARRIER: none */
};

extern const struct blocks_traits blocks_traits[BLOCKS_COLLECTIVES];

/* Tell whether a rank gives a block only, in place the own block of the result. */
static inline bool blocks_joins(const struct blocks_traits *traits) {
  return traits->has_result && traits->from == FROM_BLOCK && !traits->is_own;
}

/* Tell whether one rank, the root, has all of the result or of the input. */
static inline bool blocks_has_root(const struct blocks_traits *traits) {
  return traits->root_only || traits->from == FROM_ROOT;
}

enum block_buffer { BUFFER_INPUT, BUFFER_OUTPUT, BUFFER_SCRATCH, BUFFER_COUNT };

#define BUFFER_LETTERS "ios"

/* Chunks OFFSET .. OFFSET + count - 1 of BUFFER. */
struct block_chunks {
  enum block_buffer buffer;
  int offset;
};

struct block_step {
  enum step_kind kind;
  unsigned line;
  unsigned number; /* as written in the file */
  struct block_chunks src, dst;
  unsigned count;
  int dep_block, dep_step; /* a step of the rank to be finished before; block -1: none */
  int is_published;        /* hasdep, not 0: RCCL tells other blocks of the end of the step */
  unsigned block;          /* of the schedule */
  unsigned sender;         /* sender of the message received; BLOCKS_NONE: none */
};

struct block {
  unsigned rank, number, line;
  int send, receive, channel; /* ranks; -1: none */
  size_t first, nsteps;       /* of the steps of the schedule */
  unsigned in, out;           /* connections; BLOCKS_NONE: no step uses one */
};

/* A connection from a block to a block. */
struct connection {
  unsigned from, to;
};

struct blocks_rank {
  unsigned line;                  /* of the element; 0: the file lacks the rank */
  unsigned nchunks[BUFFER_COUNT]; /* as declared */
  unsigned room[BUFFER_COUNT];    /* as declared, or by the collective, whichever is more */
  unsigned first, nblocks;        /* of the blocks of the schedule */
};

struct blocks {
  struct loaded loaded; /* first */
  enum blocks_collective collective;
  const char *protocol;
  int64_t least_bytes, most_bytes; /* of calls for which RCCL chooses the file; 0: no limit */
  unsigned nslots;                 /* of a connection in RCCL, by the protocol */
  unsigned nranks, nchunks, line;
  unsigned each, natural[BUFFER_COUNT]; /* chunks of a block; of buffers by the collective */
  const struct block_step *beyond;      /* the first step with chunks beyond NATURAL; NULL: none */
  enum block_buffer beyond_buffer;
  bool claims[BLOCKS_WAYS]; /* to be right in this way */
  bool takes_input;         /* done out of place, the schedule overwrites the input of the caller */
  bool is_apart;            /* for the player: done out of place */
  struct blocks_rank *ranks;
  unsigned nfound;      /* elements of ranks in the file */
  struct block *blocks; /* by rank and number */
  size_t nblocks;
  struct block_step *steps; /* of a block one after the other */
  size_t nsteps;
  struct connection *connections;
  size_t nconnections;
  char *missing; /* attributes unknown to older files, each behind a blank; NULL: none */
  char *ignored; /* the first unknown element; NULL: none */
  unsigned nignored;
  char **names; /* for the player: of each step, by enum block_name */
};

/* The name of a step, and of its waits for a slot, for a message. */
enum block_name { BLOCK_STEP, BLOCK_SLOT, BLOCK_MESSAGE, BLOCK_NAMES };

/* The form of schedules of thread blocks. */
extern const struct form blocks_form;

/* Return LOADED, a schedule of thread blocks. */
static inline const struct blocks *blocks_of(const struct loaded *loaded) {
  return (const struct blocks *)(const void *)loaded;
}

/* Read, and judge, the algorithm file PATH of MSCCL, of NBYTES of TEXT.
 * returns: NULL after an error.
 * owner: the caller, with loaded_free.
 * errors: PATH:LINE: found and expected. */
struct loaded *msccl_read(const char *path, const char *text, size_t nbytes, struct err *err);

/* Return the judgement of LOADED. */
struct judgement blocks_judge(const struct loaded *loaded);

/* As the functions of a form. */
unsigned blocks_depth(const struct loaded *loaded, const unsigned *values, unsigned least, size_t nbytes);
void blocks_free(struct loaded *loaded);

/* Return the bytes of a chunk in a call with NBYTES. */
size_t blocks_chunk_bytes(const struct blocks *schedule, size_t nbytes);

/* --- the parts of the judge --- */

/* Return the place of step INDEX of SCHEDULE, a text_brief. */
const char *judge_place(const struct blocks *schedule, size_t index);

/* Judge the chunks of SCHEDULE, done in the way WAY: the result after all steps, and the order of accesses.
 * ORDER: all steps, each after all needs of the step. */
void judge_way(const struct blocks *schedule, const unsigned *order, unsigned way,
               struct judgement *judgement);

/* Judge SCHEDULE as the interpreter of RCCL would: into FOUND, by kind. */
void judge_rccl(const struct blocks *schedule, struct findings *found);
