/* SPDX-License-Identifier: BSD-3-Clause
 * The PowerPC processor of a chip: programs on a PPE reach the SPEs through registers, mailboxes and proxy
 * queues. Any number of programs may run on one PPE at a time; no program slows another program down
 * (assumption). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct des_actor;
struct des_job;
struct board;
struct probe_cause;

/* The pokes that can end a wait of a program (see des_wait). */
enum ppe_poke {
  PPE_POKE_MAILBOX = 1,  /* an SPE wrote into an outbound mailbox, or read from its inbound mailbox */
  PPE_POKE_DMA = 2,      /* a proxy command completed */
  PPE_POKE_PROGRAM = 4,  /* a started SPE program ended */
  PPE_POKE_MEMORY = 8,   /* a DMA command wrote main memory (told only while reservations are in use) */
  PPE_POKE_MESSAGE = 16, /* a message from another node arrived */
};

/* Without programs at first: nothing but the board and the chip. The owner frees `actors`. */
struct ppe {
  struct board *board;
  unsigned chip;
  struct des_actor **actors; /* the programs of this run, in the order of their start */
  unsigned nactors;
};

/* Start JOB, whose number is set here, on PPE, at cycle START of this run or of the next run. */
void ppe_start(struct ppe *ppe, const struct des_job *job, uint64_t start);

/* The run is over, or there was none: PPE has no programs. */
void ppe_end(struct ppe *ppe);

/* Tell the programs on all PPEs of BOARD about an event of KINDS; CAUSE names the cause, NULL: a program.
 * returns: whether a program wakes because of the event. */
bool ppe_poke_all(const struct board *board, unsigned kinds, const struct probe_cause *cause);

/* Stop the calling program on PPE with a fault. Does not return. */
void ppe_fault(struct ppe *ppe, const char *what) __attribute__((noreturn));
