/* SPDX-License-Identifier: BSD-3-Clause
 * Whose bytes are these? The places that a call may use, in local stores and in main memory; all others are
 * forbidden. And does data move? The bytes that each rank gets from elsewhere and gives away, against the
 * least that the collective needs. */
#pragma once

#include "validate/lab/rig.h"

#include <stddef.h>
#include <stdint.h>

enum owned_kind {
  OWNED_BY_NOBODY, /* forbidden */
  OWNED_ARRAYS,    /* notification arrays of a rank */
  OWNED_BUFFER,
  OWNED_INPUT, /* apart from the buffer; read only */
  OWNED_SCRATCH,
  OWNED_SHARED,   /* main memory that all ranks of the algorithm share */
  OWNED_REGISTER, /* a signal notification register or a mailbox */
};

/* What some bytes are. */
struct owned {
  enum owned_kind kind;
  unsigned rank;    /* whose; the number of ranks: nobody's */
  const char *what; /* in words */
  uint64_t offset;  /* of the first byte from the start of the array, buffer, input or scratch */
};

/* A part of the local store of a rank. */
struct owned_area {
  enum owned_kind kind;
  size_t start, end;  /* local store addresses */
  const char *behind; /* what follows, in words */
};

/* Arrays, buffer, input, scratch; on several nodes twice arrays, data and scratch of a part, and the rest of
 * the scratch. */
enum { OWNED_AREAS_MAX = 12 };

struct ownership {
  const struct rig_part *part;
  unsigned nranks;
  unsigned *rank_of;                        /* per SPE; nranks: it takes no part */
  unsigned *name_of;                        /* per rank: the number by which messages name it */
  struct owned_area areas[OWNED_AREAS_MAX]; /* by address */
  size_t nareas;
  uint64_t *came, *went; /* per rank: bytes that have moved */
};

/* Find out what belongs to whom on RIG.
 * owner: the caller, with ownership_fini. */
void ownership_init(struct ownership *ownership, const struct rig_part *part);

/* Release what OWNERSHIP holds. */
void ownership_fini(struct ownership *ownership);

/* Return what the NBYTES from effective address EA on are; bytes of which a part is forbidden are
 * forbidden. */
struct owned ownership_find(const struct ownership *ownership, uint64_t ea, uint64_t nbytes);

/* The same for local store address ADDRESS of RANK; RIG may be gone by now. */
struct owned ownership_find_local(const struct ownership *ownership, unsigned rank, uint64_t address,
                                  uint64_t nbytes);

/* Count NBYTES that go from bytes of FROM to bytes of TO. What stays with one rank is not counted, nor are
 * notification arrays. */
void ownership_move(struct ownership *ownership, const struct owned *from, const struct owned *to,
                    uint64_t nbytes);

/* Compare what has moved with all calls of GROUP, the whole call.
 * returns: NULL: enough has moved; or a text about the first rank with too little, which the caller frees. */
char *ownership_missing(const struct ownership *ownership, const struct coll_group *group);
