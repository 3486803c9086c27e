/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder's part for actions of programs and for atomic commands. */
#include "sim/spu/spu_mfcio.h"
#include "traces/record/record_private.h"

/* --- actions --- */

/* Return the record of the action of EVENT; an action is reported in its own cycle. */
static struct record_action action_of(const struct probe_event *event) {
  struct record_action action = {.at = event->cycle, .spe = RECORD_NOBODY, .kind = (uint8_t)event->kind};
  struct probe_cause by = {.kind = PROBE_BY_NOTHING};
  switch (event->kind) {
  case PROBE_SIGNAL:
    by = event->signal.by;
    action.spe = (uint16_t)event->signal.peer;
    action.is_write = true;
    break;
  case PROBE_MAILBOX:
    by = event->mailbox.by;
    action.spe = (uint16_t)event->mailbox.spe;
    action.is_write = event->mailbox.is_write;
    break;
  case PROBE_COPY:
    by = event->copy.by;
    action.nbytes = event->copy.nbytes;
    break;
  case PROBE_EXIT:
    by = event->exit.by;
    break;
  default:
    break;
  }
  action.program = by.kind == PROBE_BY_PROGRAM ? (uint16_t)by.who : RECORD_NOBODY;
  return action;
}

/* Keep the action of EVENT; a delivery is kept with its DMA command instead. */
static void see_action(struct record *record, const struct probe_event *event) {
  struct record_action action = action_of(event);
  if (action.program == RECORD_NOBODY) {
    return;
  }
  struct record_action *grown =
    record_grow(record, record->actions, record->nactions, &record->actions_room, sizeof *record->actions);
  if (grown) {
    record->actions = grown;
    grown[record->nactions++] = action;
  }
}

/* The program of an SPE declares bytes that it polls and others write. */
static void see_flags(struct record *record, const struct probe_touch *touch) {
  struct record_flags *flags = &record->flags[touch->spe];
  for (size_t i = 0; i < flags->n; i++) {
    if (flags->spans[i].ls == touch->ls && flags->spans[i].nbytes == touch->nbytes) {
      return;
    }
  }
  void *grown = record_grow(record, flags->spans, flags->n, &flags->room, sizeof *flags->spans);
  if (grown) {
    flags->spans = grown;
    flags->spans[flags->n].ls = touch->ls;
    flags->spans[flags->n++].nbytes = touch->nbytes;
  }
}

/* --- atomic commands --- */

/* Return the atomic command NAME; NULL: the command is not kept. */
static struct record_atomic *named(struct record *record, const struct probe_atomic *name) {
  return (struct record_atomic *)record_atomic(record, name->spe, name->number);
}

const struct record_atomic *record_atomic(const struct record *record, unsigned spe, uint64_t number) {
  const struct record_atomics *atomics = &record->atomics[spe];
  uint64_t place = number - atomics->first;
  return number >= atomics->first && place < atomics->n ? &atomics->atomics[place] : NULL;
}

static void see_atomic_enqueue(struct record *record, const struct probe_atomic_enqueue *enqueue) {
  struct record_atomics *atomics = &record->atomics[enqueue->atomic.spe];
  void *grown = record_grow(record, atomics->atomics, atomics->n, &atomics->room, sizeof *atomics->atomics);
  if (!grown) {
    return;
  }
  atomics->atomics = grown;
  if (atomics->n == 0) {
    atomics->first = enqueue->atomic.number;
  }
  atomics->atomics[atomics->n++] = (struct record_atomic){.enqueued = enqueue->at,
                                                          .came = RECORD_NEVER,
                                                          .effected = RECORD_NEVER,
                                                          .completed = RECORD_NEVER,
                                                          .written = RECORD_NEVER,
                                                          .ea = enqueue->atomic.ea,
                                                          .writing = RECORD_NOBODY,
                                                          .is_load = enqueue->atomic.what[0] == 'g'};
}

/* Return the latest write of line EA; NULL: line EA was never written. */
static struct record_write *latest_write(const struct record *record, uint64_t ea) {
  for (size_t i = 0; i < record->nwrites; i++) {
    if (record->writes[i].ea == ea) {
      return &record->writes[i];
    }
  }
  return NULL;
}

/* Line WRITE.ea was written. */
static void note_write(struct record *record, struct record_write write) {
  struct record_write *latest = latest_write(record, write.ea);
  if (latest) {
    *latest = write;
    return;
  }
  void *grown =
    record_grow(record, record->writes, record->nwrites, &record->writes_room, sizeof *record->writes);
  if (grown) {
    record->writes = grown;
    record->writes[record->nwrites++] = write;
  }
}

/* ATOMIC, possibly after earlier loads of its line, has the line now. */
static void see_load(const struct record *record, struct record_atomic *atomic) {
  const struct record_write *write = latest_write(record, atomic->ea);
  if (atomic->effected != RECORD_NEVER) {
    atomic->polls = true;
    if (write && write->at >= atomic->effected) {
      atomic->written = write->at;
      atomic->writer = write->number;
      atomic->writing = write->spe;
    }
  }
}

static void see_effect(struct record *record, const struct probe_event *event) {
  const struct probe_atomic_effect *effect = &event->atomic_effect;
  struct record_atomic *atomic = named(record, &effect->atomic);
  if (!atomic) {
    return;
  }
  if (atomic->is_load) {
    see_load(record, atomic);
  } else if (!(effect->status & MFC_PUTLLC_STATUS)) {
    note_write(record, (struct record_write){.ea = atomic->ea,
                                             .at = event->cycle,
                                             .number = (uint32_t)effect->atomic.number,
                                             .spe = (uint16_t)effect->atomic.spe});
  }
  atomic->came = effect->came;
  atomic->effected = event->cycle;
}

bool record_see_action(struct record *record, const struct probe_event *event) {
  struct record_atomic *atomic;
  switch (event->kind) {
  case PROBE_SIGNAL:
  case PROBE_MAILBOX:
  case PROBE_COPY:
  case PROBE_EXIT:
    see_action(record, event);
    return true;
  case PROBE_FLAGS:
    see_flags(record, &event->touch);
    return true;
  case PROBE_ATOMIC_ENQUEUE:
    see_atomic_enqueue(record, &event->atomic_enqueue);
    return true;
  case PROBE_ATOMIC_EFFECT:
    see_effect(record, event);
    return true;
  case PROBE_ATOMIC_COMPLETE:
    atomic = named(record, &event->atomic_complete.atomic);
    if (atomic) {
      atomic->completed = event->cycle;
    }
    return true;
  default:
    return false;
  }
}
