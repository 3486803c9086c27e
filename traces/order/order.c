/* SPDX-License-Identifier: BSD-3-Clause
 * The rules of programs and nodes, and the events; see order.h. Clocks (order_clock.c) hold the knowledge of
 * programs and commands. Each access is compared, at its event, with the earlier accesses to the same bytes:
 * an access that the program or command does not know to be over is a hazard. The order of events agrees with
 * happens-before: a program that waits for others lets the machine catch up first. */
#include "sim/base/vec.h"
#include "traces/order/order_private.h"

#include <string.h>

enum { LINE = 128 }; /* bytes of an atomic command */

static const struct order_span NOWHERE = {0, 0};

/* --- accesses --- */

/* Return the stamp of an access of PROGRAM. */
static struct order_stamp stamp_of(const struct order_program *program) {
  return (struct order_stamp){.lane = program->lane, .count = order_epoch(program)};
}

/* Program NUMBER reads or WRITES SPAN. Loads of flags are polls and are not judged. */
static void touch(struct order *order, unsigned number, struct order_span span, bool writes) {
  if (span.nbytes == 0 || order_is_register(order, span.ea) ||
      (!writes && order_is_flags(order, span, false))) {
    return;
  }
  const struct order_program *program = order_program(order, number);
  struct order_stamp stamp = stamp_of(program);
  stamp.access = order_access_add(
    order, (struct order_access){.program = number, .ea = span.ea, .nbytes = (uint32_t)span.nbytes});
  order_touch((struct order_judge){&stamp, program->clock, order}, span, writes);
}

/* PROGRAM has stored into SPAN; others may poll SPAN. With ADDS readers learn also of earlier stores. */
static void release(struct order *order, unsigned program, struct order_span span, bool adds) {
  struct order_program *writer = order_program(order, program);
  struct order_clock *clock = order_clock_copy(order->clocks, writer->clock);
  if (adds) {
    order_acquire(order, clock, span);
  }
  order_release(order, span, &(struct order_release){.clock = clock, .stamp = stamp_of(writer)});
  order_clock_drop(order->clocks, clock);
  order_next_epoch(writer);
}

/* PROGRAM has looked at the flags of SPAN. */
static void see_words(struct order *order, unsigned program, struct order_span span) {
  ORDER_EACH_QUAD(at, span) {
    order_see_word(order, program, at);
  }
}

static void see_touch(struct order *order, const struct probe_event *event) {
  const struct probe_touch *access = &event->touch;
  struct order_span span = {order_ea(order, access->spe, access->ls), access->nbytes};
  bool writes = event->kind == PROBE_STORE;
  order->at = access->at;
  touch(order, access->spe, span, writes);
  if (order_is_flags(order, span, false)) {
    if (writes) {
      release(order, access->spe, span, false);
    } else {
      see_words(order, access->spe, span);
    }
  }
}

static void see_ppe_touch(struct order *order, const struct probe_event *event) {
  touch(order, event->ppe_touch.program, (struct order_span){event->ppe_touch.ea, event->ppe_touch.nbytes},
        event->kind == PROBE_PPE_STORE);
}

static void see_memory(struct order *order, const struct probe_event *event) {
  touch(order, event->seen.program, (struct order_span){event->seen.ea, event->seen.number},
        event->kind == PROBE_MEMORY_STORE);
}

static void see_copy(struct order *order, const struct probe_event *event) {
  const struct probe_copy *copy = &event->copy;
  struct order_span to = {copy->to, copy->nbytes};
  touch(order, copy->by.who, (struct order_span){copy->from, copy->nbytes}, false);
  touch(order, copy->by.who, to, true);
  if (copy->nbytes && (copy->nbytes <= ORDER_QUAD || order_is_flags(order, to, false))) {
    release(order, copy->by.who, to, false);
  }
  order_see_come(order, copy->to, order_program(order, copy->by.who)->clock,
                 (struct order_span){copy->from, copy->nbytes});
}

static void see_flags(struct order *order, const struct probe_event *event) {
  const struct probe_touch *polled = &event->touch;
  struct order_span flags = {order_ea(order, polled->spe, polled->ls), polled->nbytes};
  struct order_spe *spe = &order->spes[polled->spe];
  if (!order_is_flags(order, flags, false)) {
    VEC_ADD(spe->flags, spe->nflags) = flags;
  }
}

/* --- signals, mailboxes, lines --- */

/* Return the clock of the program or command behind CAUSE; NULL: none. */
static struct order_clock *clock_of(struct order *order, const struct probe_cause *cause) {
  if (cause->kind == PROBE_BY_DELIVERY) {
    const struct order_command *command = order_find(order, cause->who, cause->number);
    return command ? command->begin : NULL;
  }
  return cause->kind == PROBE_BY_PROGRAM ? order_program(order, cause->who)->clock : NULL;
}

static void see_signal(struct order *order, const struct probe_event *event) {
  const struct probe_signal *sent = &event->signal;
  struct order_signal *signal = &order->spes[sent->peer].signals[sent->number - 1];
  order_report_signal(order, sent);
  signal->clock = signal->clock ? signal->clock : order_clock_new(order->clocks);
  order_clock_join(order->clocks, signal->clock, clock_of(order, &sent->by));
  order_see_come(order, order_ea(order, sent->peer, 0), clock_of(order, &sent->by), NOWHERE);
  const struct order_command *command =
    sent->by.kind == PROBE_BY_DELIVERY ? order_find(order, sent->by.who, sent->by.number) : NULL;
  if (command && command->nmoves) {
    VEC_ADD(signal->sources, signal->nsources) =
      (struct order_source){command->moves[0].from, command->stamp};
  } else if (sent->by.kind == PROBE_BY_PROGRAM) {
    order_next_epoch(order_program(order, sent->by.who));
  }
}

static void see_signal_read(struct order *order, const struct probe_event *event) {
  const struct probe_seen *seen = &event->seen;
  struct order_signal *signal = &order->spes[seen->spe].signals[seen->number - 1];
  order_clock_join(order->clocks, order_program(order, seen->program)->clock, signal->clock);
  order_clock_drop(order->clocks, signal->clock);
  signal->clock = NULL;
  VEC_EACH(source, signal->sources, signal->nsources) {
    order_see_access(order, seen->program, (struct order_span){source->ea, sizeof(uint32_t)}, source->stamp);
  }
  signal->nsources = 0;
}

/* A mailbox passes words in order. A word written into a full mailbox replaces the last word. */
static void see_mailbox(struct order *order, const struct probe_event *event) {
  const struct probe_mailbox *access = &event->mailbox;
  struct order_clocks *clocks = order->clocks;
  struct order_mailbox *box = &order->spes[access->spe].mailboxes[access->which];
  if (access->is_write) {
    const struct order_clock *clock = clock_of(order, &access->by);
    if (box->n && box->n >= access->words) {
      order_clock_drop(clocks, box->words[--box->n]);
    }
    if (access->which == PROBE_MAILBOX_IN) {
      order_see_come(order, order_ea(order, access->spe, 0), clock, NOWHERE);
    }
    VEC_ADD(box->words, box->n) = clock ? order_clock_copy(clocks, clock) : order_clock_new(clocks);
  } else if (box->n) {
    struct order_clock *word = box->words[0];
    memmove(box->words, box->words + 1, --box->n * sizeof(struct order_clock *));
    order_clock_join(clocks, order_program(order, access->by.who)->clock, word);
    order_clock_drop(clocks, word);
  }
  if (access->by.kind == PROBE_BY_PROGRAM && access->is_write) {
    order_next_epoch(order_program(order, access->by.who));
  }
}

/* A load of a line sees all words of the line. A store adds the clock of its program to the clocks of earlier
 * stores to the line. */
static void see_atomic(struct order *order, const struct probe_event *event) {
  const struct probe_atomic_effect *effect = &event->atomic_effect;
  unsigned program = effect->atomic.spe;
  struct order_span line = {effect->atomic.ea, LINE};
  struct order_span local = {order_ea(order, program, effect->atomic.ls), LINE};
  bool loads = strcmp(effect->atomic.what, "getllar") == 0;
  order->at = effect->came;
  touch(order, program, local, loads);
  if (loads) {
    see_words(order, program, line);
  } else if (strcmp(effect->atomic.what, "putllc") != 0 || !(effect->status & 1)) {
    release(order, program, line, true);
  }
}

/* --- programs and nodes --- */

/* PROGRAM begins, or goes on, with the knowledge of OTHER. */
static void follow(struct order *order, unsigned program, unsigned other) {
  order_clock_join(order->clocks, order_program(order, program)->clock, order_program(order, other)->clock);
  order_next_epoch(order_program(order, other));
}

static void see_start(struct order *order, const struct probe_event *event) {
  if (event->start.by.kind == PROBE_BY_PROGRAM) {
    follow(order, event->start.program, event->start.by.who);
  }
}

static void see_end(struct order *order, const struct probe_event *event) {
  follow(order, event->seen.program, (unsigned)event->seen.number);
}

/* A message takes the sender's knowledge to another node: for the sender's own node a snapshot of the clock,
 * since lanes have a meaning on their own node only. */
static void see_sent(struct order *order, const struct probe_event *event) {
  struct order_net *net = order->net;
  struct order_program *program = order_program(order, event->seen.program);
  if (!program->sender) {
    program->sender = ++net->nsenders;
    VEC_ADD(order->senders, order->nsenders) = program->sender;
  }
  order_clock_send(&net->clocks, program->clock, program->sender - 1, ++program->messages);
  struct order_release *message = order_table_find(&net->messages, event->seen.number, true);
  message->clock = order_clock_copy(&net->clocks, program->clock);
  order_clock_leave(&net->clocks, message->clock); /* lanes are of one node */
  order_next_epoch(order_program(order, event->seen.program));
}

static void see_message(struct order *order, const struct probe_event *event) {
  struct order_clocks *clocks = order->clocks;
  struct order_clock *clock = order_program(order, event->seen.program)->clock;
  struct order_release *message = order_table_find(&order->net->messages, event->seen.number, false);
  if (!message) {
    return; /* sent before this observer was attached */
  }
  order_clock_join(clocks, clock, message->clock);
  order_clock_drop(clocks, message->clock);
  message->clock = NULL;
  VEC_EACH(sender, order->senders, order->nsenders) {
    order_clock_join(clocks, clock, order_clock_abroad(clock, *sender));
  }
}

/* --- events --- */

static void see_word(struct order *order, const struct probe_event *event) {
  order_see_word(order, event->seen.program, event->seen.ea);
}

void order_see(struct probe *probe, const struct probe_event *event) {
  static order_handler *const handlers[PROBE_KINDS] = {
    [PROBE_START] = see_start,
    [PROBE_ENQUEUE] = order_see_enqueue,
    [PROBE_ELEMENT] = order_see_element,
    [PROBE_STALL] = order_see_stall,
    [PROBE_RESUME] = order_see_stall,
    [PROBE_ARRIVE] = order_see_arrive,
    [PROBE_COMPLETE] = order_see_complete,
    [PROBE_STORE] = see_touch,
    [PROBE_LOAD] = see_touch,
    [PROBE_PPE_STORE] = see_ppe_touch,
    [PROBE_PPE_LOAD] = see_ppe_touch,
    [PROBE_COPY] = see_copy,
    [PROBE_FLAGS] = see_flags,
    [PROBE_SIGNAL] = see_signal,
    [PROBE_MAILBOX] = see_mailbox,
    [PROBE_ATOMIC_EFFECT] = see_atomic,
    [PROBE_TAGS_DONE] = order_see_tags_done,
    [PROBE_SEEN_TAGS] = order_see_tags,
    [PROBE_SEEN_STALLS] = order_see_stalls,
    [PROBE_SEEN_WORD] = see_word,
    [PROBE_SEEN_SIGNAL] = see_signal_read,
    [PROBE_SEEN_END] = see_end,
    [PROBE_MEMORY_STORE] = see_memory,
    [PROBE_MEMORY_LOAD] = see_memory,
    [PROBE_BARRIER] = order_see_barrier,
    [PROBE_SENT] = see_sent,
    [PROBE_SEEN_MESSAGE] = see_message,
  };
  struct order *order = (struct order *)probe;
  order->names = event->programs;
  order->at = event->cycle;
  if (event->kind == PROBE_RESET) {
    order_forget(order);
  } else if (handlers[event->kind]) {
    handlers[event->kind](order, event);
  }
}
