/* SPDX-License-Identifier: BSD-3-Clause
 * The owner of bytes: the places that a call may use, in local stores and in main memory; all other places
 * are forbidden. And the movement of data: the bytes that each rank receives from elsewhere and gives away,
 * compared with the minimum for the collective. */
#pragma once

#include "validate/lab/rig/rig.h"

#include <limits.h>
#include <stdbool.h>
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
  OWNED_CALLS,    /* the place of the data of calls in a program: the buffer and the input of one call */
};

/* No group of a program: bytes of all ranks. */
#define OWNED_BY_ALL UINT_MAX

/* The owner and the kind of some bytes. */
struct owned {
  enum owned_kind kind;
  unsigned rank;    /* the owner; the number of ranks: no owner */
  const char *what; /* in words */
  uint64_t offset;  /* of the first byte from the start of the array, buffer, input or scratch */
  unsigned group;   /* of arrays: the group of a workload; OWNED_BY_ALL: all ranks */
  unsigned call;    /* of a buffer or an input: the number of the call in a program */
};

/* A part of the local store of a rank; in a program of the ranks of GROUP alone. */
struct owned_area {
  enum owned_kind kind;
  unsigned group;
  size_t start, end;  /* local store addresses */
  const char *behind; /* name of the bytes behind the area */
};

/* The present call of a rank, or else the last one: the data, and the cycle in which the rank left the call
 * before, or this one. In a program: the number and the group. */
struct owned_call {
  bool is_inside, takes_input;
  unsigned number, group;
  uint64_t buffer_ea, buffer_bytes, in_ea, in_bytes, left;
};

struct ownership {
  const struct rig_part *part;
  unsigned nranks;
  unsigned nplaces;         /* SPEs or processes */
  unsigned *rank_of;        /* per SPE or process; nranks: does not participate */
  unsigned *name_of;        /* per rank: the rank's number in messages */
  struct owned_area *areas; /* by address */
  size_t nareas;
  bool has_padding; /* padding of any length may lie between blocks, and move although never written */
  struct owned_call *calls;        /* [rank, and nobody] */
  const struct workload *workload; /* NULL: the calls are no program */
  unsigned *members;               /* [group][rank, and nobody]: the rank in the group; OWNED_BY_ALL: none */
  uint64_t (**counts)[2];          /* [call of a program][rank of the group]: bytes received, and given */
  size_t ncounts;
  uint64_t (*bytes)[2]; /* [rank, and nobody]: bytes received, and given; not in a program */
  uint64_t told; /* of the bytes received, notifications: fenced puts of at most a quadword into scratch */
  uint64_t moved, needed; /* bytes received by all ranks, without TOLD, and the minimum */
};

/* Determine the owners of all bytes for PART of RIG. */
void ownership_init(struct ownership *ownership, const struct rig *rig, const struct rig_part *part);
void ownership_fini(struct ownership *ownership);

/* Return the rank of RANK in GROUP of a workload; OWNED_BY_ALL: none. In the group OWNED_BY_ALL, that of all
 * ranks, RANK is the rank. */
unsigned ownership_member(const struct ownership *ownership, unsigned group, unsigned rank);

/* Return the owner of the NBYTES from effective address EA on; a partly forbidden range is forbidden. */
struct owned ownership_find(const struct ownership *ownership, uint64_t ea, uint64_t nbytes);

/* The same for local store address ADDRESS of RANK; RIG may be gone by now. */
struct owned ownership_find_local(const struct ownership *ownership, unsigned rank, uint64_t address,
                                  uint64_t nbytes);

/* Rank C enters a call, or has left the call in CYCLE; a whole program is no call. */
void ownership_enter(struct ownership *ownership, const struct coll *c);
void ownership_leave(struct ownership *ownership, const struct coll *c, uint64_t cycle);

/* Count NBYTES, moved by rank BY (the number of ranks: a PPE) from bytes of FROM to bytes of TO; in a program
 * for the call of BY. Moves within one rank, and notification arrays, are not counted. */
void ownership_move(struct ownership *ownership, const struct owned *from, const struct owned *to,
                    uint64_t nbytes, unsigned by);

/* Compare the moved bytes with the minimum for all calls of GROUP, the whole call, and add up both.
 * returns: NULL: enough bytes have moved; or a text about the first rank with too few, which the caller
 * frees. */
char *ownership_missing(struct ownership *ownership, const struct coll_group *group);

/* --- an access to some bytes during a call, and its description in messages --- */

/* The author of an access. */
enum access_by {
  ACCESS_BY_DMA,     /* a DMA command of the program on an SPE */
  ACCESS_BY_PROXY,   /* a DMA that a PPE program gave to the MFC of an SPE */
  ACCESS_BY_ATOMIC,  /* an atomic command of the program on an SPE */
  ACCESS_BY_PROGRAM, /* the program on an SPE */
  ACCESS_BY_PPE,     /* a program on a PPE */
};

struct access {
  enum access_by by;
  unsigned spe;         /* the SPE of the MFC or of the program; unused for a PPE */
  const char *ppe;      /* the name of the program on a PPE */
  const char *what;     /* of a command: "put", "get", ... */
  unsigned tag;         /* of a DMA command */
  uint64_t command, at; /* number of a DMA command; cycle */
  uint64_t ea, nbytes;
  bool is_put, is_fenced, writes;
  struct owned owned;
};

/* Return author, kind and bytes of ACCESS, a text_brief: "a put of rank 1 on SPE 1 (tag 0; cycle 5) writes 16
 * bytes at ...". */
const char *access_describe(const struct ownership *ownership, const struct access *access);
