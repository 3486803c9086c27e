/* SPDX-License-Identifier: BSD-3-Clause
 * Schedules in GOAL: each rank has operations, and an operation begins when others have ended or begun. */
#pragma once

#include "algos/schedule/links/loaded.h"
#include "sim/base/minmax.h"

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
  struct loaded loaded; /* first */
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

/* The form of schedules in GOAL. */
extern const struct form goal_form;

/* Return LOADED, a schedule in GOAL. */
static inline const struct goal *goal_of(const struct loaded *loaded) {
  return (const struct goal *)(const void *)loaded;
}

/* Return the bytes of the largest message that is put into a slot at once, with VALUES of parameters. */
static inline size_t goal_eager(const unsigned *values) {
  return MIN(values[PARAM_EAGER], values[PARAM_SLOT]);
}

/* As msccl_read. */
struct loaded *goal_read(const char *path, const char *text, size_t nbytes, struct err *err);

/* Return the judgement of LOADED. */
struct judgement goal_judge(const struct loaded *loaded);

/* As the functions of a form: each send may wait with 0 slots. Without wildcards the depth is the least one.
 */
unsigned goal_depth(const struct loaded *loaded, const unsigned *values, unsigned least, size_t nbytes);
void goal_free(struct loaded *loaded);
