/* SPDX-License-Identifier: BSD-3-Clause
 * The PowerPC processor of a chip: a program on it reaches the SPEs through their registers, mailboxes and proxy queues. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct blade;
struct des_actor;
struct probe_cause;

/* What can end the wait of a program (see des_wait). */
enum ppe_poke {
  PPE_POKE_MAILBOX = 1, /* an SPE wrote into an outbound mailbox, or read from its inbound one */
  PPE_POKE_DMA = 2,     /* a proxy command completed */
  PPE_POKE_PROGRAM = 4, /* an SPE program that was started ended */
};

struct ppe {
  struct blade *blade;
  unsigned chip;
  struct des_actor *actor; /* the program; NULL: none */
};

/* Tell the programs on all PPEs of BLADE that something of KINDS has happened; CAUSE is by what, NULL: by a program.
 * returns: whether one of them wakes because of this. */
bool ppe_poke_all(const struct blade *blade, unsigned kinds, const struct probe_cause *cause);

/* Stop the program of PPE, which calls, with a fault. Does not return. */
void ppe_fault(struct ppe *ppe, const char *what) __attribute__((noreturn));
