/* SPDX-License-Identifier: BSD-3-Clause
 * Schedules in GOAL: each rank has operations, and an operation begins when others have ended or begun. */
#pragma once

#include "algos/schedule/blocks/judge.h"

struct coll;
struct coll_group;

enum goal_kind { GOAL_SEND, GOAL_RECV, GOAL_CALC, GOAL_KINDS };

extern const char *const goal_words[GOAL_KINDS];

/* No operation. */
#define GOAL_NONE UINT_MAX

struct goal_operation {
  enum goal_kind kind;
  unsigned line, rank;
  int peer;      /* -1: any rank */
  int64_t tag;   /* -1: any tag */
  uint64_t size; /* bytes, or nanoseconds */
  const char *label;
  unsigned needs; /* the last requirement on this operation, from 1; 0: none */
  unsigned nwants;
  unsigned connection; /* GOAL_NONE: none, or any */
};

/* Messages from a rank to a rank with one tag, in the order of their sends. */
struct goal_connection {
  unsigned from, to;
  int64_t tag;
  uint64_t largest; /* bytes sent */
  unsigned nsends;
  int nlost;     /* sends without a receive; not counted if the receiver has wildcards */
  unsigned next; /* connection to the same receiver, from 1; 0: none */
};

/* A rank: the operations, the line of the file. */
struct goal_rank {
  size_t first, n;
  unsigned line;
  bool is_wild;     /* with wildcards */
  unsigned sources; /* the last connection to the rank, from 1; 0: none */
};

/* OPERATION begins after NEEDED has ended, or has begun; NEXT: a further requirement on NEEDED, from 1. */
struct goal_requirement {
  unsigned operation, needed, line, next;
  bool at_begin;
  const char *labels[2]; /* of both */
};

struct goal {
  unsigned nranks;
  struct goal_operation *operations;
  size_t noperations, counts[GOAL_KINDS];
  struct goal_requirement *requirements;
  size_t nrequirements;
  struct goal_rank *ranks;
  struct goal_connection *connections;
  size_t nconnections;
  char **names; /* for the player: of each operation, and of its wait */
};

/* Slots of a connection, bytes of a slot; bytes of a send that is over with all pieces in slots. */
struct goal_slots {
  uint64_t depth, slot, eager;
};

/* Read the file PATH, of NBYTES of TEXT.
 * returns: NULL after an error.
 * owner: the caller, with goal_free.
 * errors: PATH:LINE: found and expected. */
struct goal *goal_read(const char *path, const char *text, size_t nbytes, struct err *err);

/* Release GOAL; NULL is allowed. */
void goal_free(struct goal *goal);

/* Return a depth for GOAL to end in all orders, with SLOTS, whose depth is the least one wanted: without
 * wildcards the least one. 0: each send may wait; GOAL_NONE: no depth is known. */
unsigned goal_depth(const struct goal *goal, struct goal_slots slots);

/* Return the bytes of scratch of a call of GROUP; do the rank's part of the call. */
size_t goal_scratch(const struct coll_group *group);
void goal_run(struct coll *c);
