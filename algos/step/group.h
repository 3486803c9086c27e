/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a collective: the part common to all ranks. */
#pragma once

#include "algos/step/algo.h"
#include "algos/step/combine.h"

#include <stddef.h>
#include <stdint.h>

/* Software cost of the vocabulary: cycles of an SPE program of some code base in addition to the hardware.
 * units: SPU cycles. source: the profile of a platform file, field by field. */
struct step_costs {
  uint64_t send;                          /* prepare and issue one notification */
  uint64_t receive;                       /* notice a notification that has arrived and act on it */
  uint64_t dma;                           /* prepare and issue one data transfer */
  uint64_t tag;                           /* notice the completion of a tag group */
  uint64_t step;                          /* bookkeeping of one step (round) */
  uint64_t combine;                       /* call of the function for two operands, without the work itself */
  double quadwords[TYPE_COUNT][OP_COUNT]; /* combine 16 bytes; source: the platform */
};

/* The place of a call in a program: earlier calls in the workload; in the group, earlier calls of the same
 * algorithm. */
struct workload_turn {
  unsigned number, own;
};

struct coll_group {
  struct algorithm call;
  unsigned nranks, root;
  uint64_t
    root_step; /* from the root of a call to the root of the next call; rank 0 is behind the last rank */
  unsigned nranks_all; /* ranks of this call on all nodes, with blocks in the buffers; 0: nranks */
  size_t nbytes;       /* --bytes: of the whole vector, or of the block of one rank */
  size_t byte_step;    /* every second call has BYTE_STEP bytes fewer */
  size_t most_bytes;   /* of all calls, if their bytes differ; 0: nbytes */
  enum coll_op op;     /* operator of a reduction */
  enum coll_type type;
  unsigned *spe_of, *chip_of; /* per rank; chips count from 0 without gaps */
  unsigned nchips;            /* number of chips with ranks */
  unsigned *by_chip;          /* the ranks, chip by chip, ascending on each chip */
  unsigned *place_of;         /* per rank: index of the rank in by_chip */
  unsigned *chip_first;       /* per chip, and one more: index in by_chip of the chip's first rank */
  unsigned nrepeats;          /* calls, back to back */
  struct step_costs costs;
  uint32_t ls_base;  /* first local store address that the call may use */
  uint32_t ls_bytes; /* size of the local store */
  /* local store addresses of the data and of the scratch; 0: as in call_map.h */
  uint32_t data_at, scratch_at;
  const unsigned *names;        /* per rank: the rank's number in messages; NULL: equal to the rank */
  struct cluster_call *cluster; /* of the ranks' node in a call on several nodes; NULL: one node */
  const struct step_port *port; /* the machine of the ranks */
  /* ranks are processes, spe_of holds process numbers, chips are clusters of hosts */
  bool on_hosts;
  bool no_ppe;                   /* chips have none */
  bool lengths_only;             /* transfers take time but move no data */
  uint64_t shared_ea;            /* effective address of main memory that all ranks share */
  size_t shared;                 /* bytes there */
  double ghz;                    /* cycles of a nanosecond */
  struct workload_run *workload; /* the calls of a program (algos/schedule/workload); NULL: of an algorithm */
  const struct workload_turn *turn; /* of a call in a workload; NULL: of another call */
};

/* Return the number of RANK of GROUP in messages. */
static inline unsigned group_name(const struct coll_group *group, unsigned rank) {
  return group->names ? group->names[rank] : rank;
}

/* Tell whether the calls of GROUP differ, in the root or in the size. */
static inline bool group_changes(const struct coll_group *group) {
  return group->root_step || group->byte_step;
}

/* Return the group of call number CALL of GROUP, counted from 0, with a byte_step of 0. */
static inline struct coll_group group_of_call(const struct coll_group *group, unsigned call) {
  struct coll_group now = *group;
  now.root = (unsigned)((group->root + call * (group->root_step % group->nranks)) % group->nranks);
  now.nbytes -= call % 2 ? group->byte_step : 0;
  now.byte_step = 0;
  return now;
}

/* Return the maximum of nbytes over the calls of GROUP. Other ranks may put data into the scratch of a rank
 * still in the call before; so the places of such data may depend on this maximum only. */
static inline size_t group_most_bytes(const struct coll_group *group) {
  return group->most_bytes ? group->most_bytes : group->nbytes;
}

/* Tell whether the data of GROUP lies in main memory. */
static inline bool group_in_memory(const struct coll_group *group) {
  return group->call.algo && group->call.algo->in_memory;
}

/* Give GROUP the arrays by rank and by chip, with room for NCHIPS chips.
 * owner: the caller, of spe_of. */
void group_make_places(struct coll_group *group, unsigned nchips);

/* List the ranks of GROUP by chip_of, numbers below NCHIPS; then chips without ranks do not count. */
void group_list_chips(struct coll_group *group, unsigned nchips);

/* Ranks by chip or by node; `first` has room for all chips or nodes, and one more. */
struct group_lists {
  unsigned nranks;
  unsigned *of;    /* [rank]: the number of the chip or node */
  unsigned *at;    /* [rank]: the index of the rank in `ranks` */
  unsigned *ranks; /* chip by chip or node by node */
  unsigned *first; /* index in `ranks` of the first rank of each chip or node with ranks, and the end */
};

/* Fill LISTS, with `nranks` and `of` given for N chips or nodes; then `of` counts only chips or nodes with
 * ranks.
 * returns: the number of chips or nodes with ranks. */
unsigned group_list(const struct group_lists *lists, unsigned n);
