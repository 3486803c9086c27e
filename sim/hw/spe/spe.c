/* SPDX-License-Identifier: BSD-3-Clause
 * An SPE but for its MFC.
 *
 * An unwanted event is kept, and can be read once the program wants the event. The decrementer takes no
 * events of the machine while no program waits for the decrementer: whether the decrementer has passed zero
 * is computed when a program looks. The decrementer raises its event once after each write (assumption: no
 * program waits 2^32 ticks for the next time). An acknowledgement takes no unread status back: the next read
 * then returns no event.
 * source: elad335/myps3tests, "event acking channel count" (result of hardware). */
#include "sim/hw/spe/spe.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/ppe.h"
#include "sim/hw/board/program.h"

#include <stdio.h>
#include <string.h>

static void wake_waiting(struct event *event) {
  struct spe *spe = EVENT_OWNER(event, struct spe, told);
  des_poke(spe->actor, SPE_POKE_MAILBOX | SPE_POKE_SIGNAL | SPE_POKE_LS | SPE_POKE_EVENT);
  ppe_poke_all(spe->board, PPE_POKE_MAILBOX | PPE_POKE_PROGRAM, NULL);
}

void spe_tell(struct spe *spe) {
  if (!spe->told.pending) {
    des_schedule(&spe->told, des_now(), DES_DELIVER, spe->index);
  }
}

/* --- mailboxes and signals --- */

/* Return which of the mailboxes of SPE MAILBOX is. */
static enum probe_mailbox_kind kind_of(const struct spe *spe, const struct mailbox *mailbox) {
  if (mailbox == &spe->in_mailbox) {
    return PROBE_MAILBOX_IN;
  }
  return mailbox == &spe->out_mailbox ? PROBE_MAILBOX_OUT : PROBE_MAILBOX_OUT_INTERRUPT;
}

/* Tell the observers about event WHAT of MAILBOX of SPE, with the members of the event filled in. */
static void see_mailbox(const struct spe *spe, const struct mailbox *mailbox,
                        const struct probe_mailbox *what) {
  struct probe_event event = {.kind = PROBE_MAILBOX, .mailbox = *what};
  event.mailbox.spe = spe->index;
  event.mailbox.which = kind_of(spe, mailbox);
  event.mailbox.words = mailbox->count;
  board_see_detail(spe->board, &event);
}

void spe_put_mailbox(struct spe *spe, struct mailbox *mailbox, struct probe_cause by, uint32_t value) {
  if (mailbox == &spe->in_mailbox && mailbox->count == 0) {
    spe_note_event(spe, SPE_EVENT_IN_MAILBOX, by);
  }
  mailbox_write(mailbox, value);
  see_mailbox(spe, mailbox, &(struct probe_mailbox){.by = by, .is_write = true, .value = value});
}

void spe_write_mailbox(struct spe *spe, struct mailbox *mailbox, uint32_t value) {
  mailbox->written = program_action(spe->board, program_self()->number);
  spe_put_mailbox(spe, mailbox, mailbox->written, value);
  spe_tell(spe);
}

uint32_t spe_read_mailbox(struct spe *spe, struct mailbox *mailbox) {
  mailbox->read = program_action(spe->board, program_self()->number);
  if (mailbox_room(mailbox) == 0 && mailbox != &spe->in_mailbox) {
    spe_note_event(spe,
                   mailbox == &spe->out_mailbox ? SPE_EVENT_OUT_MAILBOX : SPE_EVENT_OUT_INTERRUPT_MAILBOX,
                   mailbox->read);
  }
  uint32_t value = mailbox_read(mailbox);
  see_mailbox(spe, mailbox, &(struct probe_mailbox){.by = mailbox->read, .value = value});
  spe_tell(spe);
  return value;
}

void spe_put_signal(struct spe *spe, unsigned which, struct probe_cause by, uint32_t value) {
  struct snr *snr = &spe->signals[which];
  board_see_detail(spe->board, &(struct probe_event){.kind = PROBE_SIGNAL,
                                                     .signal = {.by = by,
                                                                .peer = spe->index,
                                                                .number = which + 1,
                                                                .combines = snr->or_mode,
                                                                .full = snr->full,
                                                                .old = snr->value,
                                                                .value = value}});
  if (!snr->full) {
    spe_note_event(spe, which ? SPE_EVENT_SIGNAL_2 : SPE_EVENT_SIGNAL_1, by);
  }
  snr_write(snr, value);
}

void spe_write_signal(struct spe *spe, unsigned which, uint32_t value) {
  struct snr *snr = &spe->signals[which];
  snr->written = program_action(spe->board, program_self()->number);
  spe_put_signal(spe, which, snr->written, value);
  spe_tell(spe);
}

void spe_reset(struct spe *spe) {
  dma_reset(&spe->dma);
  spe->ls_port = (struct rate_server){0};
  spe->atomic = (struct atomic){.spe = spe};
  memset(spe->signals, 0, sizeof spe->signals);
  mailbox_init(&spe->in_mailbox, MAILBOX_IN);
  mailbox_init(&spe->out_mailbox, MAILBOX_OUT);
  mailbox_init(&spe->out_interrupt_mailbox, MAILBOX_OUT_INTERRUPT);
  spe->decrementer = 0;
  spe->decrementer_written = 0;
  spe_events_reset(spe);
  spe->told = (struct event){.run = wake_waiting};
  spe_end(spe);
}

void spe_end(struct spe *spe) {
  spe->actor = NULL;
  board_name_program(spe->board, spe->index, NULL);
}

/* Return the ticks of the time base up to CYCLE. */
static uint64_t ticks(const struct spe *spe, uint64_t cycle) {
  const struct parameters *parameters = spe->board->parameters;
  return cycle * parameters->timebase_khz / parameters->spu_khz;
}

void spe_write_decrementer(struct spe *spe, uint32_t value, uint64_t cycle) {
  spe->decrementer = value;
  spe->decrementer_written = cycle;
  spe->events.counts = true;
  spe->events.passed = false;
}

/* Return the cycle at which the decrementer of SPE goes from 0 to 2^32 - 1 for the first time after the last
 * write. */
static uint64_t decrementer_passes(const struct spe *spe) {
  const struct parameters *parameters = spe->board->parameters;
  uint64_t tick = ticks(spe, spe->decrementer_written) + spe->decrementer + 1;
  return (tick * parameters->spu_khz + parameters->timebase_khz - 1) / parameters->timebase_khz;
}

uint32_t spe_read_decrementer(const struct spe *spe, uint64_t cycle) {
  return spe->decrementer - (uint32_t)(ticks(spe, cycle) - ticks(spe, spe->decrementer_written));
}

/* Stop the MFC of SPE and note that SPE stops at CYCLE because of WHAT. */
static void record_fault(struct spe *spe, uint64_t cycle, const char *what) {
  char number[24];
  snprintf(number, sizeof number, "SPE %u", spe->index);
  dma_stop(&spe->dma);
  board_note_fault(spe->board, spe->actor ? des_name(spe->actor) : number, cycle, what);
  spe->ended = program_action(spe->board, spe->index);
  board_see(spe->board, &(struct probe_event){.kind = PROBE_FAULT,
                                              .fault = {.by = spe->ended, .spe = spe->index, .text = what}});
  spe_tell(spe);
}

void spe_fault(struct spe *spe, const char *what) {
  des_sync(spe->actor); /* actions of the program before its fault go on until then */
  record_fault(spe, des_local(spe->actor), what);
  des_park(spe->actor);
}

void spe_stop(struct spe *spe, const char *what) {
  if (!spe->dma.stopped) {
    if (spe->actor) {
      des_stop(spe->actor);
    }
    record_fault(spe, des_now(), what);
  }
}

/* --- events --- */

static void pass_zero(struct event *event) {
  struct spe *spe = EVENT_OWNER(event, struct spe, events.timer);
  spe_events_look(spe);
  des_poke(spe->actor, SPE_POKE_EVENT);
}

void spe_events_reset(struct spe *spe) {
  spe->events = (struct spe_events){.timer.run = pass_zero};
}

void spe_note_event(struct spe *spe, uint32_t which, struct probe_cause cause) {
  struct spe_events *events = &spe->events;
  events->pending |= which;
  if ((which & events->mask) && !events->fresh) {
    events->fresh = true;
    events->cause = cause;
  }
}

void spe_events_enable(struct spe *spe, uint32_t mask) {
  spe_events_look(spe);
  spe->events.mask = mask;
  spe->events.fresh = (spe->events.pending & mask) != 0;
}

void spe_events_acknowledge(struct spe *spe, uint32_t which) {
  spe_events_look(spe);
  spe->events.pending &= ~which;
  spe->events.fresh |= (spe->events.pending & spe->events.mask) != 0;
}

void spe_events_look(struct spe *spe) {
  struct spe_events *events = &spe->events;
  bool runs = events->counts && !events->passed;
  if (runs) {
    des_note_change();
  }
  if (runs && decrementer_passes(spe) <= des_now()) {
    events->passed = true;
    spe_note_event(spe, SPE_EVENT_DECREMENTER,
                   (struct probe_cause){.kind = PROBE_BY_DECREMENTER, .who = spe->index});
  }
}

void spe_events_begin_wait(struct spe *spe) {
  struct spe_events *events = &spe->events;
  spe_events_look(spe);
  if (events->counts && !events->passed && (events->mask & SPE_EVENT_DECREMENTER)) {
    des_schedule(&events->timer, decrementer_passes(spe), DES_DELIVER, spe->index);
  }
}

void spe_events_end_wait(struct spe *spe) {
  if (spe->events.timer.pending) {
    des_cancel(&spe->events.timer);
  }
}
