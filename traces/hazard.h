/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that looks for hazards: accesses in an order left to chance, whatever the outcome of this run.
 * The observer watches a blade, or all processes of a machine of hosts. On hosts the memories of processes
 * take the place of local stores, and transfers the place of DMA commands. The hazards are:
 *
 *  - two DMA commands under way at once (from issue to completion) touch the same bytes, at least one of them
 *    writes, and no fence or barrier orders the two;
 *  - a program writes bytes during a DMA command that reads or writes the same bytes, or reads bytes during a
 *    DMA command that writes the same bytes. Programs report such accesses (spu_note_store, spu_note_load; a
 *    program on a PPE reports when it copies, combines, sends or takes a message). Bytes declared as flags
 *    (spu_note_flags) are left out;
 *  - a signal is lost: another value overwrites an unread value, or sets bits already set.
 *
 * A put of a process writes until its bytes have come, and reads its source until the acknowledgement is
 * back. A notification of a process comes after all earlier puts of the process into the same memory.
 * Commands without a completion, because a fault stopped the SPE, are not judged. */
#pragma once

#include "sim/hw/probe.h"
#include "traces/hazard_shadow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HAZARD_LINES_MAX = 20 };

/* A DMA command under way. */
struct hazard_command {
  struct hazard_command *next, **link; /* in the list of its SPE */
  size_t place;                        /* among all */
  unsigned spe, tag, program;
  uint64_t number, sequence; /* among the commands of its SPE; among all commands and touches */
  uint64_t at;               /* cycle of issue */
  uint32_t nbytes;
  bool is_put, is_proxy, is_list, fence, barrier, all_tags;
  struct hazard_span *spans; /* nspans spans, and room for more */
  size_t nspans, room;
  struct hazard_part *parts; /* the same in the shadow */
};

/* A program touches a local store, usually its own, or main memory. */
struct hazard_touch {
  unsigned program;
  uint64_t sequence, at;
  struct hazard_span span;
};

/* The touches of one local store, or of main memory. A touch is kept as long as a command may turn out to
 * have been under way at the same time. */
struct hazard_touches {
  struct hazard_touch *items;
  size_t n, room;
  bool mixed; /* also other programs touched the store: the touches are not in the order of time */
};

/* A signal register: the last writer of each bit, and the cycle of the write. */
struct hazard_signal {
  unsigned program[32];
  uint64_t cycle[32];
};

struct hazard {
  struct probe probe;
  bool on_hosts;
  uint64_t base;               /* where the local stores, or memories, lie */
  unsigned shift;              /* neighbouring stores are 2 to the power of `shift` bytes apart */
  unsigned nspes;              /* or processes */
  const char *const *programs; /* names by number; NULL: the program does not run */
  uint64_t sequence;
  struct hazard_command **commands; /* behind the ncommands under way: others that have been used */
  size_t ncommands, nused;
  struct hazard_command **newest; /* [spe]: the one of its commands under way that was given last */
  struct hazard_shadow shadow;
  struct hazard_touches *touches; /* [spe]; behind the last SPE the touches of main memory */
  struct hazard_span *flags;
  size_t nflags;
  struct hazard_signal *signals; /* [2 * spe + register] */
  uint64_t count;                /* hazards seen */
  char *lines[HAZARD_LINES_MAX]; /* the first ones */
};

/* Make HAZARD ready to be attached to a blade of NSPES SPEs, just reset.
 * owner: the caller, with hazard_fini. */
void hazard_init(struct hazard *hazard, unsigned nspes);

/* The same for the accesses to memory of NPROCESSES on hosts (hosts_attach). */
void hazard_init_hosts(struct hazard *hazard, unsigned nprocesses);

/* Release the contents of HAZARD. */
void hazard_fini(struct hazard *hazard);

/* Forget all hazards seen. */
void hazard_clear(struct hazard *hazard);
