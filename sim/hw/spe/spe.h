/* SPDX-License-Identifier: BSD-3-Clause
 * A synergistic processor element: local store, DMA engine, mailboxes, signal notification registers, and the
 * program on the SPE. */
#pragma once

#include "sim/base/engine/rate_server.h"
#include "sim/hw/spe/atomic.h"
#include "sim/hw/spe/dma.h"
#include "sim/hw/spe/mailbox.h"
#include "sim/hw/spe/snr.h"
#include "sim/hw/spe/spe_events.h"

#include <stdint.h>

struct des_actor;
struct des_job;
struct board;

enum { SPE_SIGNALS = 2 };

/* The pokes that can end a wait of a program (see des_wait). */
enum spe_poke {
  SPE_POKE_LS = 1,      /* bytes arrived in the local store */
  SPE_POKE_SIGNAL = 2,  /* a signal arrived */
  SPE_POKE_DMA = 4,     /* a DMA command completed */
  SPE_POKE_MAILBOX = 8, /* a word arrived in the inbound mailbox, or was taken from an outbound mailbox */
  SPE_POKE_ATOMIC = 16, /* an atomic command completed */
  SPE_POKE_EVENT = 32,  /* an event of the event channels happened */
};

struct spe {
  struct board *board;
  unsigned index; /* on the blade */
  unsigned chip;
  unsigned unit; /* position on the ring of the chip */
  uint8_t *ls;
  struct des_actor *actor;    /* the program; NULL: none */
  struct rate_server ls_port; /* requests out to the bus and in from the bus, first come, first served */
  struct dma dma;
  struct snr signals[SPE_SIGNALS];
  struct mailbox in_mailbox, out_mailbox, out_interrupt_mailbox;
  struct atomic atomic;
  uint32_t decrementer;         /* the last written value */
  uint64_t decrementer_written; /* and when */
  struct spe_events events;
  struct probe_cause stored; /* the last PPE program that wrote into the local store; for observers */
  struct probe_cause ended;  /* the program on this SPE, which has ended or stopped; for observers */
  struct event told;         /* others have changed something that a program may wait for */
};

/* Make SPE idle, all its registers and mailboxes empty; the local store stays. */
void spe_reset(struct spe *spe);

/* Start JOB, whose number is set here, on SPE, which is idle, at cycle START of this run or of the next
 * run. */
void spe_start(struct spe *spe, const struct des_job *job, uint64_t start);

/* The program on SPE has ended, or the run of the program is over: SPE is idle. */
void spe_end(struct spe *spe);

/* Write or read the decrementer of SPE. The decrementer counts down with the time base of the platform, and
 * from 0 to 2^32 - 1. */
void spe_write_decrementer(struct spe *spe, uint32_t value, uint64_t cycle);
uint32_t spe_read_decrementer(const struct spe *spe, uint64_t cycle);

/* Return the cycle at which the decrementer of SPE goes from 0 to 2^32 - 1 for the first time after the last
 * write. */
uint64_t spe_decrementer_passes(const struct spe *spe);

/* Let the calling program write VALUE into MAILBOX of SPE, or read the oldest word from MAILBOX, which must
 * not be empty, and wake the programs that wait for the change in this cycle. */
void spe_write_mailbox(struct spe *spe, struct mailbox *mailbox, uint32_t value);
uint32_t spe_read_mailbox(struct spe *spe, struct mailbox *mailbox);

/* Let the calling program, on a PPE, write VALUE into signal register WHICH (0 or 1) of SPE, and wake the
 * waiting program. */
void spe_write_signal(struct spe *spe, unsigned which, uint32_t value);

/* Put VALUE into MAILBOX, or into signal register WHICH (0 or 1), of SPE because of BY; nobody wakes. */
void spe_put_mailbox(struct spe *spe, struct mailbox *mailbox, struct probe_cause by, uint32_t value);
void spe_put_signal(struct spe *spe, unsigned which, struct probe_cause by, uint32_t value);

/* Wake, in this cycle, the programs on SPE and on the PPEs whose wait is over; for changes by a program. */
void spe_tell(struct spe *spe);

/* Stop the program of SPE, which calls, with a fault. Does not return.
 * Requests of the MFC on the bus go on; the MFC issues nothing more.
 * source: the MFC stops its queue and interrupts the PPE, which reports and ends the program. */
void spe_fault(struct spe *spe, const char *what) __attribute__((noreturn));

/* The same for a fault found by the MFC while the program waits or computes, or after the program's end. */
void spe_stop(struct spe *spe, const char *what);
