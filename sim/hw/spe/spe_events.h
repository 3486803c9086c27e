/* SPDX-License-Identifier: BSD-3-Clause
 * The event channels of an SPU: events that the SPU's program wants to know.
 * source: Cell Broadband Engine Architecture, SPU event channels. */
#pragma once

#include "sim/base/engine/wheel.h"
#include "sim/hw/watch/probe.h"

#include <stdbool.h>
#include <stdint.h>

struct spe;

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
