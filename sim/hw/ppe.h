/* SPDX-License-Identifier: BSD-3-Clause
 * The PowerPC processor of a chip: programs on it reach the SPEs through their registers, mailboxes and proxy
 * queues. Any number of programs may run on one PPE at a time; none of them makes another one slower
 * (assumption). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct des_actor;
struct des_job;
struct machine;
struct probe_cause;

/* What can end the wait of a program (see des_wait). */
enum ppe_poke {
  PPE_POKE_MAILBOX = 1,  /* an SPE wrote into an outbound mailbox, or read from its inbound one */
  PPE_POKE_DMA = 2,      /* a proxy command completed */
  PPE_POKE_PROGRAM = 4,  /* an SPE program that was started ended */
  PPE_POKE_MEMORY = 8,   /* a DMA command wrote main memory (told only while reservations are in use) */
  PPE_POKE_MESSAGE = 16, /* a message from another node arrived */
};

struct ppe {
  struct machine *machine;
  unsigned chip;
  struct des_actor **actors; /* the programs of this run, in the order of their start */
  unsigned nactors, room;
};

/* Make PPE, of CHIP of MACHINE, one without programs.
 * owner: the caller, with ppe_fini. */
void ppe_init(struct ppe *ppe, struct machine *machine, unsigned chip);

/* Release what PPE holds. */
void ppe_fini(struct ppe *ppe);

/* Start JOB, whose number is set here, on PPE, at cycle START of this run or of the next one. */
void ppe_start(struct ppe *ppe, const struct des_job *job, uint64_t start);

/* The run is over, or there was none: PPE has no programs. */
void ppe_end(struct ppe *ppe);

/* Tell the programs on all PPEs of MACHINE that something of KINDS has happened; CAUSE is by what, NULL: by a
 * program.
 * returns: whether one of them wakes because of this. */
bool ppe_poke_all(const struct machine *machine, unsigned kinds, const struct probe_cause *cause);

/* Stop the program on PPE that calls with a fault. Does not return. */
void ppe_fault(struct ppe *ppe, const char *what) __attribute__((noreturn));
