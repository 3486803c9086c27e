/* SPDX-License-Identifier: BSD-3-Clause
 * See spe_events.h. An unwanted event is kept, and can be read once the program wants the event. The
 * decrementer takes no events of the machine while no program waits for the decrementer: whether the
 * decrementer has passed zero is computed when a program looks. The decrementer raises its event once after
 * each write (assumption: no program waits 2^32 ticks for the next time). An acknowledgement takes no unread
 * status back: the next read then returns no event.
 * source: elad335/myps3tests, "event acking channel count" (result of hardware). */
#include "sim/hw/spe/spe_events.h"

#include "sim/base/engine/des.h"
#include "sim/hw/spe/spe.h"

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
  if (runs && spe_decrementer_passes(spe) <= des_now()) {
    events->passed = true;
    spe_note_event(spe, SPE_EVENT_DECREMENTER,
                   (struct probe_cause){.kind = PROBE_BY_DECREMENTER, .who = spe->index});
  }
}

void spe_events_begin_wait(struct spe *spe) {
  struct spe_events *events = &spe->events;
  spe_events_look(spe);
  if (events->counts && !events->passed && (events->mask & SPE_EVENT_DECREMENTER)) {
    des_schedule(&events->timer, spe_decrementer_passes(spe), DES_DELIVER, spe->index);
  }
}

void spe_events_end_wait(struct spe *spe) {
  if (spe->events.timer.pending) {
    des_cancel(&spe->events.timer);
  }
}
