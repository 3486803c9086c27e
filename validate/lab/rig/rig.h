/* SPDX-License-Identifier: BSD-3-Clause
 * The rig for all measurements: ranks placed on a machine, each with a program, run once on the machine as
 * new. Ranks of microbenchmarks and of most algorithms are SPEs of one blade; an algorithm of several nodes
 * has a part of the call on each node with ranks; on hosts without SPEs a rank is a process. */
#pragma once

#include "algos/step/group.h"
#include "platform/platform.h"
#include "sim/node/machine.h"
#include "validate/lab/call/call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The program of a rank in a microbenchmark; the buffer is in `c`. */
struct rig_rank;
typedef void rig_program(struct rig_rank *rank);

/* One rank on the rig. */
struct rig_rank {
  struct coll *c; /* the rank's view of the call */
  /* For the programs of microbenchmarks: */
  rig_program *program;
  unsigned peer, end; /* one rank, or the first of several and one more than the last */
  size_t nbytes;
  unsigned rounds;
  double cycles;   /* duration of the program, or another measurement of the program; negative: not yet */
  const void *job; /* further data for the program */
  struct stream *streams;                 /* see stream.h */
  struct machine_program machine_program; /* the program on the machine; main NULL: none */
};

/* The part of a call on a node with ranks; on processes there is one part, of all nodes. */
struct rig_part {
  unsigned node;              /* of the machine */
  struct blade *blade;        /* NULL: processes */
  struct coll_group *group;   /* the part; ranks count from 0 */
  struct machine_program ppe; /* of chip 0; main NULL: none */
};

struct rig {
  struct machine *machine;
  struct coll_group group; /* the whole call, with the numbers that ranks use for each other */
  struct rig_rank *ranks;  /* [rank] */
  struct rig_part *parts;
  unsigned nparts;
  struct rig_layout *layout; /* of a call on several nodes; NULL: of another one */
  struct rig_host *hosts;    /* of triblades: in the order of the layout */
};

/* Tell whether calls on PLATFORM for the time alone have `lengths_only`: data of hosts may be gigabytes. */
static inline bool rig_needs_lengths_only(const struct platform *platform) {
  return !platform_has_spes(platform);
}

/* Find the software-cost profile for a program of SOURCE: WANTED if not NULL, otherwise the profile of the
 * platform.
 * errors: no such profile in the platform. */
const struct profile *rig_profile(const struct platform *platform, const char *wanted, const char *source,
                                  struct err *err);

/* Return the name of the profile for comparisons of algorithms on PLATFORM: WANTED if not NULL, else
 * software.profile, or if software.profile is "source" software.comparison; on hosts profiles mean
 * nothing. */
const char *rig_comparison(const struct platform *platform, const char *wanted);

/* Return the profile rig_comparison names, for ALGORITHM: the name "source" means the profile of the paper of
 * ALGORITHM. NULL: the platform does not have the profile. */
const struct profile *rig_compared(const struct platform *platform, const char *wanted,
                                   const struct algorithm *algorithm);

/* Describe CALL on PLATFORM, or the part that CALL places; without software costs if CALL has no
 * profile. On processes rig_check must come first. */
struct coll_group rig_group(const struct platform *platform, const struct call *call);
void rig_group_fini(struct coll_group *group);

/* --- checks --- */

/* Check that PLATFORM can serve CALL; ERR may be NULL.
 * returns: RIG_MISTAKE: a proof has found a mistake of the algorithm.
 * errors: more ranks than SPEs or processes, or no ranks; a placement that the machine does not have; unmet
 * needs of the algorithm; no room in the local stores; an algorithm of one blade on ranks of several, or the
 * other way round; on hosts a network that cannot be built. */
enum { RIG_MISTAKE = -2 };
int rig_check(const struct platform *platform, const struct call *call, struct err *err);

/* Check that each of NRANKS ranks on a blade of PLATFORM has room for a buffer of NBYTES.
 * errors: no room in a local store. */
int rig_check_room(const struct platform *platform, unsigned nranks, size_t nbytes, struct err *err);

/* Check how many ranks CALL has on a blade of PLATFORM, or on all nodes, and where. */
int rig_check_ranks(const struct platform *platform, const struct call *call, struct err *err);

/* Return the SPE of RANK in CALL on a blade of PLATFORM, or the process on hosts. */
unsigned rig_place(const struct platform *platform, const struct call *call, unsigned rank);

/* Return the placement of the N RANKS of a group of CALL on PLATFORM.
 * owner: the caller frees the list. */
struct placement rig_place_group(const struct platform *platform, const struct call *call,
                                 const unsigned *ranks, unsigned n);

/* --- a run --- */

/* Return the machine for CALL, allowed by rig_check: MACHINE, or several nodes and a network.
 * errors: as machine_of_nodes.
 * owner: the caller, with machine_free, of another machine than MACHINE. */
struct machine *rig_machine(struct machine *machine, const struct call *call, struct err *err);

/* Reset MACHINE and place the ranks of CALL on MACHINE. The needs of the algorithm are not checked here.
 * errors: on a blade more ranks than SPEs, or no ranks; an impossible placement; too little memory.
 * owner: the caller, with rig_fini, also after an error. */
int rig_init(struct rig *rig, struct machine *machine, const struct call *call, struct err *err);
void rig_fini(struct rig *rig);

/* As rig_init, for a CALL known to fit: the caller has checked the room. */
void rig_init_known(struct rig *rig, struct machine *machine, const struct call *call);

/* Return the first neighbour of chip 0: the next chip in measurements of two chips; 0: only one chip. */
unsigned rig_next_chip(const struct machine *machine);

/* Return the maximum size of a buffer of each of NRANKS ranks on a blade of PLATFORM, in bytes. */
size_t rig_room(const struct platform *platform, unsigned nranks);

/* Let rank RANK run PROGRAM. */
void rig_set(struct rig *rig, unsigned rank, rig_program *program);

/* Let all ranks make the calls of the algorithm. */
void rig_set_calls(struct rig *rig);

/* Start the ranks with a program, and the programs of PPEs and hosts of triblades. */
void rig_start(struct rig *rig);

/* As rig_start, and run the machine.
 * owner: the caller, with blade_result_fini. */
struct blade_result rig_run(struct rig *rig);

/* Run ranks whose programs are known to be sound: the programs end, without faults, unless written for
 * another machine. The reason of a stop is kept for rig_take_stop, and `cycles` of all ranks become NaN.
 * After des_interrupted() the measurements are invalid. */
void rig_run_sound(struct rig *rig);

/* Note WHY a program has stopped, for rig_take_stop; WHY begins with fault or deadlock. */
void rig_note_stop(const char *why);

/* Return the first reason noted in this process (also by rig_run_sound) since the last call of rig_take_stop;
 * NULL: none.
 * owner: the caller frees the text. */
char *rig_take_stop(void);

/* Run RIG as rig_run_sound does and release RIG.
 * returns: the mean of the measurements of ranks FIRST .. END - 1. */
double rig_measure(struct rig *rig, unsigned first, unsigned end);

/* Two ranks, each the peer of the other: rank 0 on SPE 0, rank 1 on another one. */
struct rig_pair {
  unsigned spe;             /* of rank 1; 0: rank 0 is alone */
  size_t nbytes;            /* of both */
  rig_program *programs[2]; /* of rank 0, and of rank 1; NULL: no program */
  const void *job;          /* of both */
  const struct profile *profile;
};

/* Run PAIR on MACHINE.
 * returns: the measurement of rank 0. */
double rig_measure_pair(struct machine *machine, const struct rig_pair *pair);

/* Return the mean of rig_measure_pair over all other SPEs of chip 0, or over the SPEs of the next chip if
 * ACROSS. */
double rig_mean_of_pairs(struct machine *machine, struct rig_pair pair, bool across);

/* Return the mean of the measurements of ranks FIRST .. END - 1. */
double rig_mean(const struct rig *rig, unsigned first, unsigned end);

/* Return the part of the call with RANK. */
const struct rig_part *rig_part_of(const struct rig *rig, unsigned rank);

/* Return the data buffer of RANK or, with IN, the separate input of RANK, in the simulator's memory. */
uint8_t *rig_bytes(const struct rig *rig, unsigned rank, bool in);

/* Return on how many nodes there are ranks of RIG; hosts count, not processes. */
unsigned rig_count_nodes(const struct rig *rig);

/* Return a line for each node of the last call on several nodes, which has ended, about the node's inner part
 * and release: from the last rank's beginning to the last rank's end, in counted cycles.
 * owner: the caller. */
char *rig_tell_parts(const struct rig *rig);

/* The content of the messages of a round trip. */
enum pingpong_kind {
  PINGPONG_FLAG,   /* a flag */
  PINGPONG_SIGNAL, /* a signal */
  PINGPONG_DATA,   /* an address; the other side then gets the data */
};

/* Return two ranks that make round trips of KIND, with NBYTES of data, under the software costs of PROFILE;
 * the measurement is a round trip in SPU cycles.
 * source: Ali, Midkiff, Pai 2010, figure 3. */
struct rig_pair rig_pingpong(enum pingpong_kind kind, size_t nbytes, const struct profile *profile);
