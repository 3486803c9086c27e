/* SPDX-License-Identifier: BSD-3-Clause
 * The rules of programs and nodes, and the events; see order.h. Clocks (order_clock.h) hold the knowledge of
 * programs and commands. Each access is compared, at its event, with the earlier accesses to the same bytes:
 * an access that the program or command does not know to be over is a hazard. The order of events agrees with
 * happens-before: a program that waits for others lets the machine catch up first. */
#include "sim/base/vec.h"
#include "sim/hw/ea.h"
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
  struct order_access *access = order_access_new(order, number);
  struct order_stamp stamp = stamp_of(program);
  access->ea = span.ea;
  access->nbytes = (uint32_t)span.nbytes;
  stamp.access = access->number;
  (writes ? order_write : order_read)(order, span, &stamp, program->clock);
}

/* PROGRAM has stored into SPAN; others may poll SPAN. With ADDS readers learn also of earlier stores. */
static void release(struct order *order, unsigned program, struct order_span span, bool adds) {
  struct order_program *writer = order_program(order, program);
  struct order_clock *clock = order_clock_copy(&order->net->clocks, writer->clock);
  if (adds) {
    order_acquire(order, clock, span);
  }
  order_release(order, span, &(struct order_release){.clock = clock, .stamp = stamp_of(writer)});
  order_clock_drop(&order->net->clocks, clock);
  order_next_epoch(writer);
}

/* PROGRAM has looked at the flags of SPAN. */
static void see_words(struct order *order, unsigned program, struct order_span span) {
  for (uint64_t at = span.ea; at < span.ea + span.nbytes; at += ORDER_QUAD - at % ORDER_QUAD) {
    order_see_word(order, program, at);
  }
}

static void see_touch(struct order *order, const struct probe_touch *event, bool writes) {
  struct order_span span = {order_ea(order, event->spe, event->ls), event->nbytes};
  order->at = event->at;
  touch(order, event->spe, span, writes);
  if (order_is_flags(order, span, false)) {
    if (writes) {
      release(order, event->spe, span, false);
    } else {
      see_words(order, event->spe, span);
    }
  }
}

static void see_copy(struct order *order, const struct probe_copy *copy) {
  struct order_span to = {copy->to, copy->nbytes};
  touch(order, copy->by.who, (struct order_span){copy->from, copy->nbytes}, false);
  touch(order, copy->by.who, to, true);
  if (copy->nbytes && (copy->nbytes <= ORDER_QUAD || order_is_flags(order, to, false))) {
    release(order, copy->by.who, to, false);
  }
  order_see_come(order, copy->to, order_program(order, copy->by.who)->clock,
                 (struct order_span){copy->from, copy->nbytes});
}

static void see_flags(struct order *order, const struct probe_touch *event) {
  struct order_span flags = {order_ea(order, event->spe, event->ls), event->nbytes};
  struct order_spe *spe = &order->spes[event->spe];
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

static void see_signal(struct order *order, const struct probe_signal *event) {
  struct order_signal *signal = &order->spes[event->peer].signals[event->number - 1];
  order_report_signal(order, event);
  signal->clock = signal->clock ? signal->clock : order_clock_new(&order->net->clocks);
  order_clock_join(&order->net->clocks, signal->clock, clock_of(order, &event->by));
  order_see_come(order, order_ea(order, event->peer, 0), clock_of(order, &event->by), NOWHERE);
  const struct order_command *command =
    event->by.kind == PROBE_BY_DELIVERY ? order_find(order, event->by.who, event->by.number) : NULL;
  if (command && command->nmoves) {
    VEC_ADD(signal->sources, signal->nsources) =
      (struct order_source){command->moves[0].from, command->stamp};
  } else if (event->by.kind == PROBE_BY_PROGRAM) {
    order_next_epoch(order_program(order, event->by.who));
  }
}

static void see_signal_read(struct order *order, const struct probe_seen *seen) {
  struct order_signal *signal = &order->spes[seen->spe].signals[seen->number - 1];
  order_clock_join(&order->net->clocks, order_program(order, seen->program)->clock, signal->clock);
  order_clock_drop(&order->net->clocks, signal->clock);
  signal->clock = NULL;
  for (size_t i = 0; i < signal->nsources; i++) {
    struct order_span word = {signal->sources[i].ea, sizeof(uint32_t)};
    order_see_access(order, seen->program, word, signal->sources[i].stamp);
  }
  signal->nsources = 0;
}

/* A mailbox passes words in order. A word written into a full mailbox replaces the last word. */
static void see_mailbox(struct order *order, const struct probe_mailbox *event) {
  struct order_clocks *clocks = &order->net->clocks;
  struct order_mailbox *box = &order->spes[event->spe].mailboxes[event->which];
  if (event->is_write) {
    const struct order_clock *clock = clock_of(order, &event->by);
    if (box->n && box->n >= event->words) {
      order_clock_drop(clocks, box->words[--box->n]);
    }
    if (event->which == PROBE_MAILBOX_IN) {
      order_see_come(order, order_ea(order, event->spe, 0), clock, NOWHERE);
    }
    VEC_ADD(box->words, box->n) = clock ? order_clock_copy(clocks, clock) : order_clock_new(clocks);
  } else if (box->n) {
    struct order_clock *word = box->words[0];
    memmove(box->words, box->words + 1, --box->n * sizeof(struct order_clock *));
    order_clock_join(clocks, order_program(order, event->by.who)->clock, word);
    order_clock_drop(clocks, word);
  }
  if (event->by.kind == PROBE_BY_PROGRAM && event->is_write) {
    order_next_epoch(order_program(order, event->by.who));
  }
}

/* A load of a line sees all words of the line. A store adds the clock of its program to the clocks of earlier
 * stores to the line. */
static void see_atomic(struct order *order, const struct probe_atomic_effect *event) {
  unsigned program = event->atomic.spe;
  struct order_span line = {event->atomic.ea, LINE};
  struct order_span local = {order_ea(order, program, event->atomic.ls), LINE};
  bool loads = strcmp(event->atomic.what, "getllar") == 0;
  order->at = event->came;
  touch(order, program, local, loads);
  if (loads) {
    see_words(order, program, line);
  } else if (strcmp(event->atomic.what, "putllc") != 0 || !(event->status & 1)) {
    release(order, program, line, true);
  }
}

/* --- programs and nodes --- */

/* PROGRAM begins, or goes on, with the knowledge of OTHER. */
static void follow(struct order *order, unsigned program, unsigned other) {
  order_clock_join(&order->net->clocks, order_program(order, program)->clock,
                   order_program(order, other)->clock);
  order_next_epoch(order_program(order, other));
}

/* A message takes the sender's knowledge to another node: for the sender's own node a snapshot of the clock,
 * since lanes have a meaning on their own node only. */
static void see_sent(struct order *order, const struct probe_seen *seen) {
  struct order_net *net = order->net;
  struct order_program *program = order_program(order, seen->program);
  if (!program->sender) {
    program->sender = ++net->nsenders;
    VEC_ADD(order->senders, order->nsenders) = program->sender;
  }
  order_clock_send(&net->clocks, program->clock, program->sender - 1, ++program->messages);
  struct order_release *message = order_table_find(&net->messages, seen->number, true);
  message->clock = order_clock_copy(&net->clocks, program->clock);
  order_clock_leave(&net->clocks, message->clock); /* lanes are of one node */
  order_next_epoch(order_program(order, seen->program));
}

static void see_message(struct order *order, const struct probe_seen *seen) {
  struct order_clocks *clocks = &order->net->clocks;
  struct order_clock *clock = order_program(order, seen->program)->clock;
  struct order_release *message = order_table_find(&order->net->messages, seen->number, false);
  if (!message) {
    return; /* sent before this observer was attached */
  }
  order_clock_join(clocks, clock, message->clock);
  order_clock_drop(clocks, message->clock);
  message->clock = NULL;
  for (size_t i = 0; i < order->nsenders; i++) {
    order_clock_join(clocks, clock, order_clock_abroad(clock, order->senders[i]));
  }
}

/* --- events --- */

static void see_seen(struct order *order, const struct probe_event *event) {
  const struct probe_seen *seen = &event->seen;
  switch (event->kind) {
  case PROBE_TAGS_DONE:
    order_see_tags_done(order, seen);
    break;
  case PROBE_SEEN_TAGS:
    order_see_tags(order, seen);
    break;
  case PROBE_SEEN_STALLS:
    order_see_stalls(order, seen);
    break;
  case PROBE_SEEN_WORD:
    order_see_word(order, seen->program, seen->ea);
    break;
  case PROBE_SEEN_SIGNAL:
    see_signal_read(order, seen);
    break;
  case PROBE_SEEN_END:
    follow(order, seen->program, (unsigned)seen->number);
    break;
  case PROBE_MEMORY_STORE:
  case PROBE_MEMORY_LOAD:
    touch(order, seen->program, (struct order_span){seen->ea, seen->number},
          event->kind == PROBE_MEMORY_STORE);
    break;
  case PROBE_BARRIER:
    order_see_barrier(order, seen);
    break;
  case PROBE_SENT:
    see_sent(order, seen);
    break;
  case PROBE_SEEN_MESSAGE:
    see_message(order, seen);
    break;
  default:
    break;
  }
}

void order_see(struct probe *probe, const struct probe_event *event) {
  struct order *order = (struct order *)probe;
  const struct probe_ppe_touch *ppe = &event->ppe_touch;
  order->names = event->programs;
  order->at = event->cycle;
  switch (event->kind) {
  case PROBE_RESET:
    order_forget(order);
    break;
  case PROBE_START:
    if (event->start.by.kind == PROBE_BY_PROGRAM) {
      follow(order, event->start.program, event->start.by.who);
    }
    break;
  case PROBE_ENQUEUE:
    order_see_enqueue(order, &event->enqueue);
    break;
  case PROBE_ELEMENT:
    order_see_element(order, &event->element);
    break;
  case PROBE_STALL:
  case PROBE_RESUME:
    order_see_stall(order, &event->stall, event->kind == PROBE_RESUME);
    break;
  case PROBE_ARRIVE:
    order_see_arrive(order, &event->landed);
    break;
  case PROBE_COMPLETE:
    order_see_complete(order, &event->complete.dma);
    break;
  case PROBE_STORE:
  case PROBE_LOAD:
    see_touch(order, &event->touch, event->kind == PROBE_STORE);
    break;
  case PROBE_PPE_STORE:
  case PROBE_PPE_LOAD:
    touch(order, ppe->program, (struct order_span){ppe->ea, ppe->nbytes}, event->kind == PROBE_PPE_STORE);
    break;
  case PROBE_COPY:
    see_copy(order, &event->copy);
    break;
  case PROBE_FLAGS:
    see_flags(order, &event->touch);
    break;
  case PROBE_SIGNAL:
    see_signal(order, &event->signal);
    break;
  case PROBE_MAILBOX:
    see_mailbox(order, &event->mailbox);
    break;
  case PROBE_ATOMIC_EFFECT:
    see_atomic(order, &event->atomic_effect);
    break;
  default:
    see_seen(order, event);
    break;
  }
}
