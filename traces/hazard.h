/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that looks for hazards: what a program leaves to chance, whatever came of it this time. It
 * watches a blade, or all processes of a machine of hosts, whose memories take the place of local stores and
 * whose transfers that of DMA commands.
 *
 *  - two DMA commands that are under way at once (from issue to completion), touch the same bytes, one of
 *    them writing, and are not ordered by a fence or a barrier;
 *  - a program that writes bytes which a DMA command reads or writes at that time, or reads bytes which one
 *    writes, as far as it tells (spu_note_store, spu_note_load; a program on a PPE that copies, combines,
 *    sends or takes a message tells); bytes that it calls flags (spu_note_flags) are left out;
 *  - a signal that is lost: another value overwrites one that has not been read, or sets bits that are
 *  already set.
 *
 * A put of a process writes until its bytes have come, and reads its source until its acknowledgement is
 * back. What a process tells comes after all that it has put into the same memory. Commands that never
 * complete, because a fault stopped their SPE, are not judged. */
#pragma once

#include "sim/hw/probe.h"
#include "traces/hazard_shadow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HAZARD_LINES_MAX = 20 };

/* A DMA command under way. */
struct hazard_command {
  struct hazard_command *next, **link; /* among those of its SPE */
  size_t place;                        /* among all */
  unsigned spe, tag, program;
  uint64_t number, sequence; /* among the commands of its SPE; among all that is seen */
  uint64_t at;               /* cycle of issue */
  uint32_t nbytes;
  bool is_put, is_proxy, is_list, fence, barrier, all_tags;
  struct hazard_span *spans; /* nspans of them, and room for more */
  size_t nspans, room;
  struct hazard_part *parts; /* the same in the shadow */
};

/* A program touches a local store, as a rule its own, or main memory. */
struct hazard_touch {
  unsigned program;
  uint64_t sequence, at;
  struct hazard_span span;
};

/* What has been touched in one local store, or in main memory, as long as a command may turn out to have been
 * under way. */
struct hazard_touches {
  struct hazard_touch *items;
  size_t n, room;
  bool mixed; /* not only by the program on that SPE: not in the order of time */
};

/* A signal register: who wrote each bit last, and when. */
struct hazard_signal {
  unsigned program[32];
  uint64_t cycle[32];
};

struct hazard {
  struct probe probe;
  bool on_hosts;
  uint64_t base;               /* where the local stores, or memories, lie */
  unsigned shift;              /* 2 to the power of that is from one to the next */
  unsigned nspes;              /* or processes */
  const char *const *programs; /* by number: their names; NULL: it does not run */
  uint64_t sequence;
  struct hazard_command **commands; /* behind the ncommands under way: others that have been used */
  size_t ncommands, nused, commands_room;
  struct hazard_command **newest; /* [spe]: the one of its commands under way that was given last */
  struct hazard_shadow shadow;
  struct hazard_touches *touches; /* [spe]; behind them those of main memory */
  struct hazard_span *flags;
  size_t nflags;
  struct hazard_signal *signals; /* [2 * spe + register] */
  uint64_t count;                /* hazards seen */
  char *lines[HAZARD_LINES_MAX]; /* the first ones */
};

/* Make HAZARD ready to be attached to a blade of NSPES SPEs, which has just been reset.
 * owner: the caller, with hazard_fini. */
void hazard_init(struct hazard *hazard, unsigned nspes);

/* The same for the accesses to memory of NPROCESSES on hosts (hosts_attach). */
void hazard_init_hosts(struct hazard *hazard, unsigned nprocesses);

/* Release what HAZARD holds. */
void hazard_fini(struct hazard *hazard);

/* Forget all hazards seen. */
void hazard_clear(struct hazard *hazard);
