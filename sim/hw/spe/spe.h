/* SPDX-License-Identifier: BSD-3-Clause
 * A synergistic processor element: local store, DMA engine, mailboxes, signal notification registers, event
 * channels, and the program on the SPE.
 * source: Cell Broadband Engine Architecture; mailboxes and signals: Gaona, Fernandez, Acacio 2009, section
 * 2. */
#pragma once

#include "sim/base/engine/rate_server.h"
#include "sim/base/engine/wheel.h"
#include "sim/hw/spe/atomic.h"
#include "sim/hw/spe/dma.h"
#include "sim/hw/watch/probe.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct des_actor;
struct board;

/* --- mailboxes: short queues of 32-bit words --- */

/* Maximum number of words in the mailboxes of an SPE. */
enum {
  MAILBOX_IN = 4,
  MAILBOX_OUT = 1,
  MAILBOX_OUT_INTERRUPT = 1,
};

struct mailbox {
  unsigned depth; /* at most MAILBOX_IN */
  unsigned count;
  uint32_t words[MAILBOX_IN];       /* the oldest first */
  struct probe_cause written, read; /* the last program that wrote or read; for observers */
};

/* Empty MAILBOX, whose depth is DEPTH words. */
static inline void mailbox_init(struct mailbox *mailbox, unsigned depth) {
  assert(depth <= MAILBOX_IN);
  *mailbox = (struct mailbox){.depth = depth};
}

/* Return how many words MAILBOX can still take. */
static inline unsigned mailbox_room(const struct mailbox *mailbox) {
  return mailbox->depth - mailbox->count;
}

/* Put VALUE behind the words of MAILBOX; into a full one, in place of the last word. */
static inline void mailbox_write(struct mailbox *mailbox, uint32_t value) {
  unsigned place = mailbox_room(mailbox) ? mailbox->count++ : mailbox->depth - 1;
  mailbox->words[place] = value;
}

/* Take the oldest word out of MAILBOX, which must not be empty: a reader stalls on an empty mailbox. */
static inline uint32_t mailbox_read(struct mailbox *mailbox) {
  assert(mailbox->count);
  uint32_t value = mailbox->words[0];
  mailbox->count--;
  memmove(mailbox->words, mailbox->words + 1, mailbox->count * sizeof *mailbox->words);
  return value;
}

/* --- signal notification registers: 32 bits, written by others and read by the SPU --- */

struct snr {
  uint32_t value;
  bool full;                  /* written since the last read */
  struct probe_cause written; /* the last program that wrote; for observers */
  bool or_mode;               /* writes are combined with OR; else the last one wins */
};

/* Take the value of a sender. */
static inline void snr_write(struct snr *snr, uint32_t value) {
  snr->value = snr->or_mode ? snr->value | value : value;
  snr->full = true;
}

/* Return the content and clear the register. Only a full register may be read; the SPU stalls on an empty
 * register. */
static inline uint32_t snr_read(struct snr *snr) {
  assert(snr->full);
  uint32_t value = snr->value;
  snr->value = 0;
  snr->full = false;
  return value;
}

/* --- event channels: events that the SPU's program wants to know --- */

/* Events, as bits. Each event is a change: a lasting state raises its event once. */
enum spe_event {
  SPE_EVENT_TAG_STATUS = 0x001,            /* a tag status can be read */
  SPE_EVENT_LIST_STALL = 0x002,            /* a list stall status can be read */
  SPE_EVENT_QUEUE = 0x008,                 /* the command queue is no longer full */
  SPE_EVENT_IN_MAILBOX = 0x010,            /* the inbound mailbox is no longer empty */
  SPE_EVENT_DECREMENTER = 0x020,           /* the decrementer has passed zero */
  SPE_EVENT_OUT_INTERRUPT_MAILBOX = 0x040, /* the outbound interrupt mailbox is no longer full */
  SPE_EVENT_OUT_MAILBOX = 0x080,           /* the outbound mailbox is no longer full */
  SPE_EVENT_SIGNAL_2 = 0x100,              /* a signal notification register can be read */
  SPE_EVENT_SIGNAL_1 = 0x200,
  SPE_EVENT_LOST = 0x400, /* somebody else has written the reserved line */
};

struct spe_events {
  uint32_t pending;         /* happened and not acknowledged, wanted or not */
  uint32_t mask;            /* wanted */
  bool fresh;               /* the status has not been read since a wanted event happened */
  struct probe_cause cause; /* the cause of the first event since the last read; for observers */
  bool counts;              /* the decrementer has been written */
  bool passed;              /* and has passed zero since */
  struct event timer;       /* the decrementer passes zero while the program waits for this */
};

/* --- the SPE --- */

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

/* The program on SPE has ended, or the run of the program is over: SPE is idle. */
void spe_end(struct spe *spe);

/* Write or read the decrementer of SPE. The decrementer counts down with the time base of the platform, and
 * from 0 to 2^32 - 1. */
void spe_write_decrementer(struct spe *spe, uint32_t value, uint64_t cycle);
uint32_t spe_read_decrementer(const struct spe *spe, uint64_t cycle);

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

/* --- events --- */

/* Forget all events of SPE. */
void spe_events_reset(struct spe *spe);

/* WHICH events happen to SPE now because of CAUSE. The caller must still wake the program, by SPE_POKE_EVENT
 * or spe_tell. */
void spe_note_event(struct spe *spe, uint32_t which, struct probe_cause cause);

/* The program of SPE wants events MASK, or acknowledges events WHICH, now. */
void spe_events_enable(struct spe *spe, uint32_t mask);
void spe_events_acknowledge(struct spe *spe, uint32_t which);

/* Raise the event of the decrementer of SPE if the decrementer has passed zero; call before looking at the
 * events. */
void spe_events_look(struct spe *spe);

/* The program of SPE begins to wait for an event, or has waited: let the decrementer end the wait, or no
 * longer. */
void spe_events_begin_wait(struct spe *spe);
void spe_events_end_wait(struct spe *spe);
