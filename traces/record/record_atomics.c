/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder's part for polled bytes and for atomic commands. */
#include "sim/base/vec.h"
#include "sim/spu/spu_mfcio.h"
#include "traces/record/record_private.h"

/* The program of an SPE declares bytes that it polls and others write. */
void record_see_flags(struct record *record, const struct probe_event *event) {
  const struct probe_touch *touch = &event->touch;
  struct record_flags *flags = &record->flags[touch->spe];
  if (VEC_FIND(flags->spans, flags->n, item->ls == touch->ls && item->nbytes == touch->nbytes)) {
    return;
  }
  struct record_polled *span = record_add(record, &flags->spans, &flags->n, &flags->room, sizeof *span);
  if (span) {
    *span = (struct record_polled){touch->ls, touch->nbytes};
  }
}

/* --- atomic commands --- */

struct record_atomic *record_atomic(const struct record *record, unsigned spe, uint64_t number) {
  const struct record_atomics *atomics = &record->atomics[spe];
  uint64_t place = number - atomics->first;
  return number >= atomics->first && place < atomics->n ? &atomics->atomics[place] : NULL;
}

void record_see_atomic_enqueue(struct record *record, const struct probe_event *event) {
  const struct probe_atomic_enqueue *enqueue = &event->atomic_enqueue;
  struct record_atomics *atomics = &record->atomics[enqueue->atomic.spe];
  struct record_atomic *atomic =
    record_add(record, &atomics->atomics, &atomics->n, &atomics->room, sizeof *atomic);
  if (atomic) {
    atomics->first = atomics->n == 1 ? enqueue->atomic.number : atomics->first;
    *atomic = (struct record_atomic){.enqueued = enqueue->at,
                                     .came = RECORD_NEVER,
                                     .effected = RECORD_NEVER,
                                     .written = RECORD_NEVER,
                                     .ea = enqueue->atomic.ea,
                                     .writing = RECORD_NOBODY,
                                     .is_load = enqueue->atomic.what[0] == 'g'};
  }
}

/* Return the latest write of line EA, if missing a new one if MAKE; NULL: none. */
static struct record_write *latest_write(struct record *record, uint64_t ea, bool make) {
  struct record_write *write = VEC_FIND(record->writes, record->nwrites, item->ea == ea);
  return write || !make ? write
                        : record_add(record, &record->writes, &record->nwrites, &record->writes_room,
                                     sizeof *record->writes);
}

/* ATOMIC, possibly after earlier loads of its line, has the line now. */
static void see_load(struct record *record, struct record_atomic *atomic) {
  const struct record_write *write = latest_write(record, atomic->ea, false);
  if (atomic->effected != RECORD_NEVER) {
    atomic->polls = true;
    if (write && write->at >= atomic->effected) {
      atomic->written = write->at;
      atomic->writer = write->number;
      atomic->writing = write->spe;
    }
  }
}

void record_see_effect(struct record *record, const struct probe_event *event) {
  const struct probe_atomic_effect *effect = &event->atomic_effect;
  struct record_atomic *atomic = record_atomic(record, effect->atomic.spe, effect->atomic.number);
  if (!atomic) {
    return;
  }
  if (atomic->is_load) {
    see_load(record, atomic);
  } else if (!(effect->status & MFC_PUTLLC_STATUS)) {
    struct record_write *write = latest_write(record, atomic->ea, true);
    if (!write) {
      return;
    }
    *write = (struct record_write){.ea = atomic->ea,
                                   .at = event->cycle,
                                   .number = (uint32_t)effect->atomic.number,
                                   .spe = (uint16_t)effect->atomic.spe};
  }
  atomic->came = effect->came;
  atomic->effected = event->cycle;
}
