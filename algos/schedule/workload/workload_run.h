/* SPDX-License-Identifier: BSD-3-Clause
 * A program on a machine: the algorithms of the calls, the places of all data in local stores and in main
 * memory, the state of ranks. In the scratch of each rank lie
 *
 *   the connections                       links.h
 *   for each group of the rank: arrays, and a lasting scratch for each algorithm of the group
 *   the data of the present call          of whatever group: a rank is in one call at a time
 *   the data of messages                  messages.h
 *
 * Groups without a common rank lie at the same addresses. */
#pragma once

#include "algos/schedule/links/messages.h"
#include "algos/schedule/workload/workload.h"
#include "algos/step/group.h"
#include "sim/base/err.h"

/* Parameters of programs as algorithms; all but the first of traces alone: thousands of flop/s of a rank,
 * whether the flops of reductions count, whether blocks of different sizes become blocks of their mean. */
enum { WORKLOAD_PARAM_EAGER, PROGRAM_PARAM_KFLOPS, PROGRAM_PARAM_REDUCTIONS, PROGRAM_PARAM_MEAN };

/* An algorithm, with parameters, in the calls of a group: bytes of the largest call; bytes of scratch and the
 * address; offset in shared main memory; number of calls in a turn of the workload, index of the first. */
struct workload_algorithm {
  struct algorithm algorithm;
  const char *name;
  size_t most_bytes, scratch, shared;
  uint32_t scratch_at;
  unsigned ncalls;
  size_t first;
  bool has_signals;
};

/* A group on the machine; BASE is a call without an algorithm. */
struct workload_placed_group {
  struct coll_group base;
  struct workload_algorithm *algorithms;
  size_t nalgorithms;
};

/* A call: the index of the algorithm in the group, and earlier calls of the algorithm in a turn.
 * TIMES [turn][rank of the group]: cycles of entry and exit. */
struct workload_placed_call {
  const char *name; /* of the step, where a map replaces the algorithm; NULL: as in the file */
  unsigned algorithm, own;
  uint64_t (*times)[2];
};

/* A rank: calls in each group; the present action, NULL: the rank has not begun; messages; cycles of
 * computing, and in messages, in the last turn. */
struct workload_placed_rank {
  struct workload_inner **inners; /* by group, NULL: of others; NULL: the rank has not begun */
  const struct workload_action *present;
  struct messages messages;
  uint64_t memory_ea; /* of the data of calls in main memory */
  uint64_t computing, messaging;
};

struct workload_run {
  const struct workload *workload;
  struct workload_placed_group *groups;
  struct workload_placed_call *calls;
  struct workload_placed_rank *ranks;
  unsigned nturns;
  struct links links;
  struct message_places places;
  uint8_t *pattern;     /* of messages; NULL: there are none */
  size_t data_at, data; /* local store address and bytes of the data of calls */
  size_t scratch;       /* bytes of local store of each rank */
  size_t memory;        /* bytes of main memory of each rank */
  struct err refusal;   /* the reason for no run; empty: none */
  size_t blamed[2];     /* calls, from 1, of which one needs another algorithm; 0: none */
  bool is_full;         /* refused for lack of room in local stores */
};

/* Place WORKLOAD, the program of GROUP, behind the placement of the ranks. MAP names algorithms
 * (workload_choose). The call of GROUP gets the bytes of shared main memory.
 * owner: the caller, with workload_run_fini. */
void workload_run_init(struct coll_group *group, const struct workload *workload, const char *map);
void workload_run_fini(struct coll_group *group);

/* Release the state of rank RANK of RUN. */
void workload_run_end(struct workload_run *run, unsigned rank);

/* Check the trace WORKLOAD with VALUES of parameters.
 * errors: PATH:LINE: a rate or a mean is missing; as of workload_judge. */
int workload_check_trace(const struct workload *workload, const unsigned *values, struct err *err);

/* Words before the rows of a map: all calls without a row get the fastest algorithm; of those with a paper.
 * tune_map (validate/model/tune.h) replaces the word by rows. */
enum workload_map_word { WORKLOAD_MAP_FASTEST, WORKLOAD_MAP_PUBLISHED, WORKLOAD_MAP_ROWS };

/* Return the word at the beginning of MAP (NULL: none). ROWS becomes the rest. */
enum workload_map_word workload_map_word(const char *map, const char **rows);

/* Read TEXT, a map of algorithms, or the file with this name, into MAP, lasting as long as the process: rows
 * `COLLECTIVE[/RANKS[/BYTES[/LINE]]]=NAME`, separated by commas or ends of lines; `*` is any number. A word
 * may stand before the first row. An empty TEXT is NULL.
 * errors: a malformed row; an unreadable file. */
int workload_map_read(const char *text, const char **map, struct err *err);

/* Check that each row of MAP (NULL: none) names an algorithm, whether or not a call of WORKLOAD needs the
 * row, and that each row with a line has a call.
 * errors: an unknown algorithm; a line without such a call. */
int workload_check_map(const struct workload *workload, const char *map, struct err *err);

/* Find the algorithm of CALL in WORKLOAD: the one that MAP (NULL: none) has for the line, that of the call,
 * or the one in MAP.
 * errors: PATH:LINE: no algorithm for CALL, or an unknown one. */
int workload_choose(const struct workload *workload, const struct workload_call *call, const char *map,
                    struct algorithm *algorithm, struct err *err);

/* Describe call INDEX of GROUP's program in turn TURN; THEN becomes the place of the call.
 * owner: the caller, of THEN, part of the call. */
struct coll_group workload_run_call(const struct coll_group *group, size_t index, unsigned turn,
                                    struct workload_turn *then);

/* Return the name of call NUMBER of WORKLOAD, counted over the turns, for messages: "call 3, line 8".
 * owner: the caller. */
char *workload_call_name(const struct workload *workload, unsigned number);

/* Return " at PATH:LINE" of the present action of RANK of RUN; "": RANK has not begun.
 * owner: the caller. */
char *workload_run_line(const struct workload_run *run, unsigned rank);

/* The cycles of a call, or of a rank from the start to the end of a turn; NaN: the value has no meaning.
 *   of a call   FIRST and LAST entry and END, the last exit, from the first start of a rank on; END - LAST;
 *               WAITING and COLLECTIVE of a mean rank of the group
 *   of a rank   all; COMPUTING, MESSAGES, COLLECTIVE and WAITING, which sum to the cycles
 * WAITING: in a call, before the last rank has entered; COLLECTIVE: the rest of the call. */
enum workload_time {
  WORKLOAD_FIRST,
  WORKLOAD_LAST,
  WORKLOAD_END,
  WORKLOAD_CYCLES,
  WORKLOAD_WAITING,
  WORKLOAD_COLLECTIVE,
  WORKLOAD_COMPUTING,
  WORKLOAD_MESSAGES,
  WORKLOAD_TIMES
};
extern const char *const workload_time_names[WORKLOAD_TIMES];
struct workload_spent {
  double cycles[WORKLOAD_TIMES];
};

/* Return the times of the last turn of RUN: of all calls, of a mean rank, and of the last rank to leave. The
 * ranks have STARTED and ENDED [rank] at these cycles.
 * owner: the caller. */
struct workload_spent *workload_run_spent(const struct workload_run *run, const uint64_t *started,
                                          const uint64_t *ended);

/* Name a rank with an exit from a barrier before the last entry.
 * returns: NULL: no such rank; or a text.
 * owner: the caller. */
char *workload_run_left_early(const struct workload_run *run);
