/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_event.h. */
#include "sim/spu/spu_event.h"

#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/waits.h"

#include <stdio.h>

void spu_write_event_mask(uint32_t mask) {
  struct spe *spe = spu_self()->hw;
  des_sync(spe->actor);
  spe_events_enable(spe, mask);
}

uint32_t spu_read_event_mask(void) {
  return spu_self()->hw->events.mask;
}

uint32_t spu_read_event_status(void) {
  struct spe *spe = spu_self()->hw;
  des_sync(spe->actor);
  spe_events_begin_wait(spe);
  wait_for(WAIT_EVENT, spe->board, &(struct wait){.spe = spe}, &spe->events.cause);
  spe_events_end_wait(spe);
  spe->events.fresh = false;
  return spe->events.pending & spe->events.mask;
}

uint32_t spu_stat_event_status(void) {
  struct spe *spe = spu_look();
  spe_events_look(spe);
  return spe->events.fresh;
}

void spu_write_event_ack(uint32_t events) {
  struct spe *spe = spu_self()->hw;
  des_sync(spe->actor);
  spe_events_acknowledge(spe, events);
}
