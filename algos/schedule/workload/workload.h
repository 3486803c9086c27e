/* SPDX-License-Identifier: BSD-3-Clause
 * Programs: calls of several collectives in a row, computing and messages in between, and groups of ranks
 * with calls side by side. A program is plain data, and an algorithm of the catalogue: each rank does
 * the rank's actions. */
#pragma once

#include "algos/step/algo.h"
#include "algos/step/combine.h"
#include "sim/base/err.h"

#include <stddef.h>
#include <stdint.h>

enum workload_kind {
  WORKLOAD_CALL,
  WORKLOAD_COMPUTE,
  PROGRAM_FLOPS,         /* computing, in millionths of a floating-point operation */
  PROGRAM_FLOPS_OF_CALL, /* the same, of a reduction before, which a run may leave out */
  PROGRAM_SLEEP,         /* in nanoseconds */
  WORKLOAD_SEND,         /* WORKLOAD_ISEND, and a wait for the end */
  WORKLOAD_RECV,
  WORKLOAD_ISEND,
  WORKLOAD_IRECV,
  WORKLOAD_TEST, /* of the oldest message of the rank on a connection; the rank goes on in any case */
  WORKLOAD_WAIT, /* for the end of the same message */
  WORKLOAD_WAITALL,
};

/* An action of a rank: the index of a call or of a connection; cycles, bytes, or the unit of the kind; a name
 * in traces, as lasting as the process. */
struct workload_action {
  enum workload_kind kind;
  unsigned index, line;
  uint64_t amount;
  const char *name;
};

struct workload_rank {
  struct workload_action *actions;
  size_t n;
  unsigned sends;   /* the last connection from the rank, from 1; 0: none */
  const char *path; /* of the file with the lines; NULL: the program's */
};

/* Ranks of the workload, by their ranks in the group. Group 0 has all ranks. */
struct workload_group {
  const char *name;
  unsigned n, *ranks;
};

/* A call of all ranks of GROUP; ROOT is a rank in the group. IS_MEAN: the blocks have different sizes, and
 * NBYTES is their mean. */
struct workload_call {
  unsigned group, root, line;
  enum collective collective;
  struct algorithm algorithm; /* algo NULL: the map of the run names one */
  enum coll_op op;
  enum coll_type type;
  bool is_mean;
  size_t nbytes;
};

/* Messages from a rank to a rank with one tag, in order. LARGEST: bytes of the largest one. */
struct workload_connection {
  const char *path; /* of the file with the line; NULL: the program's */
  unsigned from, to;
  int64_t tag;
  uint64_t largest;
  unsigned nsends, nrecvs, line; /* LINE: of the first message */
  unsigned next;                 /* connection from the same rank, from 1; 0: none */
};

/* What the judge has told of a trace with EAGER. */
struct workload_verdict {
  bool is_known;
  unsigned eager;
  struct err found; /* empty: the trace ends */
};

struct workload {
  struct algo algo; /* first; empty before workload_add */
  const char *path;
  uint64_t sum;           /* checksum of further files; 0: none */
  bool is_trace;          /* of an MPI program: computing in flops, and calls without algorithms */
  const char *flops_at;   /* PATH:LINE of the first computing in flops; NULL: none */
  unsigned nranks, eager; /* EAGER: bytes of the largest message sent at once */
  struct workload_rank *ranks;
  struct workload_group *groups;
  size_t ngroups, ncalls, nconnections, nactions;
  struct workload_call *calls;
  struct workload_connection *connections;
  struct workload_verdict *verdict; /* the last one */
};

enum {
  WORKLOAD_RANKS_MAX = 65536,
  WORKLOAD_ACTIONS_MAX = 1 << 22, /* of all ranks */
  WORKLOAD_EAGER = 1024,
  WORKLOAD_EAGER_MAX = 16384, /* one DMA */
};

/* --- to build a workload, for readers --- */

/* Return a program of NRANKS ranks without actions.
 * owner: the caller, with workload_free. */
struct workload *workload_new(const char *path, unsigned nranks);
void workload_free(struct workload *workload);

/* Add the group NAME of N different RANKS of PROGRAM.
 * returns: the index. */
unsigned workload_add_group(struct workload *workload, const char *name, const unsigned *ranks, unsigned n);

/* Add ACTION to RANK. */
void workload_act(struct workload *workload, unsigned rank, const struct workload_action *action);

/* Add CALL without actions of ranks.
 * returns: the index. */
unsigned workload_add_call(struct workload *workload, const struct workload_call *call);

/* Return the number, from 1, of the connection with the ranks and the tag of CONNECTION; 0: none. */
unsigned workload_find_connection(const struct workload *workload,
                                  const struct workload_connection *connection);

/* Add ACTION, a send or a receive of AMOUNT bytes, to a rank at the end of CONNECTION, told by the ranks and
 * the tag; the connection is made if there is none. */
void workload_add_message(struct workload *workload, const struct workload_connection *connection,
                          struct workload_action action);

/* Check the complete PROGRAM.
 * errors: PATH:LINE: a message without a send, or without a receive; too many actions. */
int workload_check(const struct workload *workload, struct err *err);

/* Play the complete trace WORKLOAD without time, with messages of at most EAGER bytes sent at once, or, if
 * IS_STRICT, with each send in wait for the receive and each call for all ranks.
 * errors: PATH:LINE: a cycle of waits, a deadlock on all machines, or, if IS_STRICT, on some; a message
 * longer than the receive. */
int workload_judge(const struct workload *workload, unsigned eager, bool is_strict, struct err *err);

/* Return the path of the file with the lines of RANK. */
const char *workload_path(const struct workload *workload, unsigned rank);

/* Return the number of slots of CONNECTION on a machine. */
unsigned workload_slots(const struct workload_connection *connection);

/* --- as algorithms of the catalogue --- */

/* Read the program of our own grammar (docs/how-to/programs.md) in TEXT, of file PATH.
 * returns: NULL after an error.
 * owner: the caller, with workload_free.
 * errors: PATH:LINE: found and expected. */
struct workload *workload_read_text(const char *path, const char *text, struct err *err);

/* The same for a time-independent trace of SimGrid, and for a list of the files of such a trace, one for each
 * rank, or one for all. */
struct workload *workload_read_ti(const char *path, const char *text, struct err *err);
struct workload *workload_read_ti_list(const char *path, const char *text, struct err *err);

/* Add PROGRAM, from a file with checksum SUM, to the catalogue as the algorithm NAME.
 * returns: the algorithm, part of PROGRAM, as long as the process; NULL after an error.
 * errors: the name is taken. */
const struct algo *workload_add(struct workload *workload, const char *name, uint64_t sum, struct err *err);

/* Return the program of ALGO; NULL: ALGO is of another kind. */
const struct workload *workload_of_algo(const struct algo *algo);
