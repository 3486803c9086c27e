/* SPDX-License-Identifier: BSD-3-Clause
 * A synergistic processor element: local store, DMA engine, mailboxes, signal notification registers, and the
 * program on it. */
#pragma once

#include "sim/hw/atomic.h"
#include "sim/hw/dma.h"
#include "sim/hw/mailbox.h"
#include "sim/base/rate_server.h"
#include "sim/hw/snr.h"
#include "sim/hw/spe_events.h"

#include <stdint.h>

struct des_actor;
struct des_job;
struct machine;

enum { SPE_SIGNALS = 2 };

/* What can end the wait of a program (see des_wait). */
enum spe_poke {
  SPE_POKE_LS = 1,      /* bytes arrived in its local store */
  SPE_POKE_SIGNAL = 2,  /* a signal arrived */
  SPE_POKE_DMA = 4,     /* a DMA command completed */
  SPE_POKE_MAILBOX = 8, /* a word arrived in its inbound mailbox, or one was taken from an outbound one */
  SPE_POKE_ATOMIC = 16, /* an atomic command completed */
  SPE_POKE_EVENT = 32,  /* something happened of which it may want to know */
};

struct spe {
  struct machine *machine;
  unsigned index; /* on the blade */
  unsigned chip;
  unsigned unit; /* position on the ring of its chip */
  uint8_t *ls;
  struct des_actor *actor;    /* the program; NULL: none */
  struct rate_server ls_port; /* what goes out to the bus and what comes in, first come, first served */
  struct dma dma;
  struct snr signals[SPE_SIGNALS];
  struct mailbox in_mailbox, out_mailbox, out_interrupt_mailbox;
  struct atomic atomic;
  uint32_t decrementer;         /* what was last written to it */
  uint64_t decrementer_written; /* and when */
  struct spe_events events;
  struct probe_cause
    stored; /* by which program on a PPE, into the local store, the last time; for those who watch */
  struct probe_cause
    ended;           /* by which program: the one here, which has ended or stopped; for those who watch */
  struct event told; /* others have changed something that a program may wait for */
};

/* Make SPE idle, all its registers and mailboxes empty; its local store stays. */
void spe_reset(struct spe *spe);

/* Start JOB, whose number is set here, on SPE, which is idle, at cycle START of this run or of the next
 * one. */
void spe_start(struct spe *spe, const struct des_job *job, uint64_t start);

/* The program on SPE has ended, or its run is over: SPE is idle. */
void spe_end(struct spe *spe);

/* Write the decrementer of SPE, or read it: it counts down with the time base of the platform, and from 0 to
 * 2^32 - 1. */
void spe_write_decrementer(struct spe *spe, uint32_t value, uint64_t cycle);
uint32_t spe_read_decrementer(const struct spe *spe, uint64_t cycle);

/* Return the cycle at which the decrementer of SPE goes from 0 to 2^32 - 1 for the first time after it was
 * written. */
uint64_t spe_decrementer_passes(const struct spe *spe);

/* Let the program that calls write VALUE into MAILBOX of SPE, or read the oldest word from it, which there
 * must be, and wake those who wait for that in this cycle. */
void spe_write_mailbox(struct spe *spe, struct mailbox *mailbox, uint32_t value);
uint32_t spe_read_mailbox(struct spe *spe, struct mailbox *mailbox);

/* Let the program that calls, on a PPE, write VALUE into signal register WHICH (0 or 1) of SPE, and wake who
 * waits for it. */
void spe_write_signal(struct spe *spe, unsigned which, uint32_t value);

/* Signal register WHICH (0 or 1) of SPE is about to be written by BY: that is an event if it is empty. */
void spe_note_signal(struct spe *spe, unsigned which, struct probe_cause by);

/* Tell the observers that VALUE is about to be written by BY into signal register WHICH (0 or 1) of SPE. */
void spe_see_signal(const struct spe *spe, unsigned which, struct probe_cause by, uint32_t value);

/* Tell the observers of WHAT has happened to MAILBOX of SPE; the fields that these say are filled in. */
void spe_see_mailbox(const struct spe *spe, const struct mailbox *mailbox, const struct probe_mailbox *what);

/* Wake, in this cycle, the programs on SPE and on the PPEs whose wait is over; for changes that a program
 * makes. */
void spe_tell(struct spe *spe);

/* Stop the program of SPE, which calls, with a fault. Does not return.
 * What its MFC has on the bus goes on; it issues nothing more.
 * source: the MFC stops its queue and interrupts the PPE, which reports and ends the program. */
void spe_fault(struct spe *spe, const char *what) __attribute__((noreturn));

/* The same for a fault that its MFC finds while the program waits or computes, or after its end. */
void spe_stop(struct spe *spe, const char *what);
