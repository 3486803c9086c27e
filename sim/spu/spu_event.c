/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_event.h. */
#include "sim/spu/spu_event.h"

#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"

#include <stdio.h>

/* A wait for an event of one SPU. */
struct event_wait {
  struct des_wait wait;
  const struct spe_events *events;
};

static const struct spe_events *of(const struct des_wait *wait) {
  return ((const struct event_wait *)wait)->events;
}

static bool has_happened(const struct des_wait *wait) {
  return of(wait)->fresh;
}

static void describe(const struct des_wait *wait, char *text, size_t size) {
  if (of(wait)->mask) {
    snprintf(text, size, "waits for one of the events 0x%x", (unsigned)of(wait)->mask);
  } else {
    snprintf(text, size, "waits for an event without having chosen one by SPU_WrEventMask");
  }
}

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
  struct event_wait wait = {.wait = {.kinds = SPE_POKE_EVENT, .ready = has_happened, .describe = describe},
                            .events = &spe->events};
  des_sync(spe->actor);
  spe_events_begin_wait(spe);
  program_wait(spe->machine, &wait.wait, PROBE_FOR_EVENT, &spe->events.cause);
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
