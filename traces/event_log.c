/* SPDX-License-Identifier: BSD-3-Clause
 * See event_log.h. The activities of a program ahead of the machine are kept until the machine comes to the
 * cycle, so that lines are in the order of cycles. */
#include "traces/event_log.h"

#include "sim/base/engine/des.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/hw/board/ea.h"
#include "traces/trace_words.h"

#include <stdarg.h>
#include <stdlib.h>

typedef unsigned long long ull;

/* --- programs --- */

/* Return the record of program NUMBER. */
static struct event_log_program *program(struct event_log_node *node, unsigned number) {
  return VEC_REACH(node->programs, node->nprograms, number);
}

/* Return the name of program NUMBER, or of the network (PROBE_NOBODY); a program without a name belongs to an
 * SPE. */
static const char *name(struct event_log_node *node, unsigned number) {
  if (number == PROBE_NOBODY) {
    return "network";
  }
  struct event_log_program *p = program(node, number);
  if (!p->name[0]) {
    snprintf(p->name, sizeof p->name, "SPE %u", number);
  }
  return p->name;
}

/* Return the word for DMA command NUMBER of SPE. */
static const char *command(struct event_log_node *node, unsigned spe, uint64_t number) {
  const struct event_log_program *p = program(node, spe);
  size_t place = number % EVENT_LOG_RECENT;
  return p->recent[place].number == number ? p->recent[place].what : "command";
}

/* Describe the place at effective address EA. */
static const char *place(struct event_log_node *node, uint64_t ea) {
  uint64_t area = (ea - EA_SPE_BASE) / EA_SPE_STRIDE, offset = (ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  if (ea >= EA_MEMORY_BASE) {
    return text_brief("main memory 0x%llx", (ull)(ea - EA_MEMORY_BASE));
  }
  const char *owner = name(node, (unsigned)area);
  return offset < EA_PROBLEM_STATE ? owner
         : offset == EA_MAILBOX_IN
           ? text_brief("the inbound mailbox of %s", owner)
           : text_brief("signal register %d of %s", offset == EA_SIGNAL_1 ? 1 : 2, owner);
}

/* --- lines --- */

/* Write a line about program WHO, or the network (PROBE_NOBODY), at cycle AT. */
static void __attribute__((format(printf, 4, 5)))
tell(struct event_log_node *node, uint64_t at, unsigned who, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  cycle_queue_add(&node->lines->queue, at,
                  xasprintf("%12llu  %s%-9s  %s\n", (ull)at, node->before, name(node, who), what));
}

/* --- activities of programs --- */

static void see_start(struct event_log_node *node, const struct probe_start *start) {
  struct event_log_program *p = program(node, start->program);
  snprintf(p->name, sizeof p->name, "%s", start->name);
  const char *where = node->lines->names.processes || node->on_host ? ""
                      : start->spe == PROBE_NOBODY ? text_brief(" on the PPE of chip %u", start->chip)
                                                   : text_brief(" on SPE %u", start->spe);
  tell(node, start->at, start->program, "begins%s", where);
}

/* Return the current step of program NUMBER, if any, as the beginning of a line. */
static const char *step_of(struct event_log_node *node, unsigned number) {
  unsigned step = program(node, number)->step;
  return step ? text_brief("step %u: ", step) : "";
}

/* Describe CAUSE, the waker of program NUMBER. */
static const char *cause_of(struct event_log_node *node, const struct probe_cause *cause, unsigned number) {
  switch (cause->kind) {
  case PROBE_BY_PROGRAM:
    return name(node, cause->who);
  case PROBE_BY_MESSAGE:
    return text_brief("message #%llu of %s", (ull)cause->number, node_name(&node->lines->names, cause->who));
  case PROBE_BY_DECREMENTER:
    return "its decrementer";
  default:
    return text_brief(cause->who == number ? "its %s #%llu" : "%s #%llu of %s",
                      cause->kind == PROBE_BY_ATOMIC ? "atomic command"
                                                     : command(node, cause->who, cause->number),
                      (ull)cause->number, name(node, cause->who));
  }
}

static void see_wait(struct event_log_node *node, uint64_t cycle, const struct probe_wait *wait) {
  char what[256];
  wait->wait->describe(wait->wait, what, sizeof what);
  tell(node, cycle, wait->program, "%s%s", step_of(node, wait->program), what);
}

static void see_wake(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_wake *wake = &event->wake;
  tell(node, event->cycle, wake->program, "%sgoes on after %llu cycles, woken by %s",
       step_of(node, wake->program), (ull)(event->cycle - wake->since),
       cause_of(node, &wake->cause, wake->program));
}

static void see_mailbox(struct event_log_node *node, uint64_t cycle, const struct probe_mailbox *mailbox) {
  static const char *const names[] = {[PROBE_MAILBOX_IN] = "inbound",
                                      [PROBE_MAILBOX_OUT] = "outbound",
                                      [PROBE_MAILBOX_OUT_INTERRUPT] = "outbound interrupt"};
  if (mailbox->by.kind == PROBE_BY_PROGRAM) { /* else the delivery has a line */
    tell(node, cycle, mailbox->by.who, "%s %u %s the %s mailbox of %s",
         mailbox->is_write ? "writes" : "reads", (unsigned)mailbox->value,
         mailbox->is_write ? "into" : "from", names[mailbox->which], name(node, mailbox->spe));
  }
}

/* Write the lines of EVENT if EVENT is about programs.
 * returns: false if EVENT is about something else. */
static bool see_program(struct event_log_node *node, const struct probe_event *event) {
  switch (event->kind) {
  case PROBE_START:
    see_start(node, &event->start);
    return true;
  case PROBE_EXIT:
    tell(node, event->exit.at, event->exit.by.who, "ends");
    return true;
  case PROBE_ENTER:
  case PROBE_LEAVE:
    program(node, event->call.program)->step = 0;
    tell(node, event->call.at, event->call.program, "%s call %u",
         event->kind == PROBE_ENTER ? "enters" : "leaves", event->call.call + 1);
    return true;
  case PROBE_STEP:
    program(node, event->step.program)->step = event->step.step;
    tell(node, event->step.at, event->step.program, event->step.name ? "goes on with %s" : "%s begins",
         trace_step_name(&event->step));
    return true;
  case PROBE_COMPUTE:
    tell(node, event->compute.at, event->compute.program, "computes %llu cycles: %s",
         (ull)event->compute.cycles, trace_reason_words[event->compute.reason]);
    return true;
  case PROBE_WAIT:
    see_wait(node, event->cycle, &event->wait);
    return true;
  case PROBE_WAKE:
    see_wake(node, event);
    return true;
  case PROBE_MAILBOX:
    see_mailbox(node, event->cycle, &event->mailbox);
    return true;
  case PROBE_SIGNAL:
    if (event->signal.by.kind == PROBE_BY_PROGRAM) { /* else the delivery has a line */
      tell(node, event->cycle, event->signal.by.who, "writes 0x%x into signal register %u of %s",
           (unsigned)event->signal.value, event->signal.number, name(node, event->signal.peer));
    }
    return true;
  case PROBE_COPY:
    tell(node, event->cycle, event->copy.by.who, "has copied %u bytes from %s to %s", event->copy.nbytes,
         place(node, event->copy.from), place(node, event->copy.to));
    return true;
  case PROBE_FAULT:
    tell(node, event->cycle, event->fault.by.who, "fault: %s", event->fault.text);
    return true;
  default:
    return false;
  }
}

/* --- DMA and atomic commands --- */

static void see_enqueue(struct event_log_node *node, const struct probe_enqueue *enqueue) {
  const struct probe_dma *dma = &enqueue->dma;
  struct event_log_program *p = program(node, dma->spe);
  size_t recent = dma->command % EVENT_LOG_RECENT;
  const char *what = trace_dma_word(enqueue);
  const char *from = enqueue->is_proxy ? text_brief(" by the MFC of %s", name(node, dma->spe)) : "";
  p->recent[recent].number = dma->command;
  p->recent[recent].what = what;
  const char *moved = enqueue->is_sync ? ""
                      : enqueue->is_list
                        ? text_brief(": a list of %u elements", dma->nbytes / 8)
                        : text_brief(": %u bytes %s %s", dma->nbytes, enqueue->is_put ? "to" : "from",
                                     place(node, enqueue->ea));
  tell(node, enqueue->at, enqueue->program, "%s #%llu%s%s (tag %u)", what, (ull)dma->command, from, moved,
       dma->tag);
}

static void see_atomic(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_complete.atomic;
  const struct probe_atomic_effect *effect = &event->atomic_effect;
  ull number = atomic->number;
  if (event->kind == PROBE_ATOMIC_ENQUEUE) {
    tell(node, event->atomic_enqueue.at, atomic->spe, "%s, atomic command #%llu: line 0x%llx", atomic->what,
         number, (ull)(atomic->ea - EA_MEMORY_BASE));
  } else if (event->kind == PROBE_ATOMIC_COMPLETE) {
    tell(node, event->cycle, atomic->spe, "  atomic command #%llu complete", number);
  } else {
    bool is_kept = effect->keeper != PROBE_NOBODY && !effect->is_local;
    tell(node, event->cycle, atomic->spe, "  atomic command #%llu takes effect after %llu cycles%s%s", number,
         (ull)(event->cycle - effect->came), is_kept ? ", line kept by " : "",
         is_kept ? name(node, effect->keeper) : "");
  }
}

/* Return the stage of a bus request in EVENT; NULL: EVENT is about something else. */
static const char *stage_of(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  switch (event->kind) {
  case PROBE_ISSUE:
    return text_brief("issued: %u bytes", event->issue.request.nbytes);
  case PROBE_MEMORY:
    return text_brief("main memory of chip %u after %llu cycles", event->memory.chip,
                      (ull)event->memory.waited);
  case PROBE_GRANT:
    return text_brief("ring %u of chip %u from unit %u to unit %u (%u hops) after %llu cycles", grant->ring,
                      grant->chip, grant->from, grant->to, grant->hops, (ull)grant->waited);
  case PROBE_CROSS:
    return text_brief("link from chip %u to chip %u after %llu cycles", event->cross.chip,
                      event->cross.next_chip, (ull)event->cross.waited);
  case PROBE_DELIVER:
    return text_brief("visible in %s",
                      event->deliver.peer == PROBE_NOBODY ? "main memory" : name(node, event->deliver.peer));
  default:
    return NULL;
  }
}

/* Write the line of a stage of a bus request. */
static void see_request(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_request *request = &event->issue.request; /* the first field of all these events */
  const char *stage = stage_of(node, event);
  if (stage) {
    tell(node, event->cycle, request->spe, "  #%llu+%u %s", (ull)request->command, request->offset, stage);
  }
}

/* --- messages between nodes --- */

static void see_packet(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_packet *packet = &event->packet;
  const char *text = text_brief(packet->is_answer ? "#%llu acknowledged up to packet %u" : "#%llu.%u%s",
                                (ull)event->message.number, packet->number, packet->again ? " again" : "");
  tell(node, event->cycle, PROBE_NOBODY, "  %s on %s from cycle %llu to %llu, after %llu cycles: %zu bytes",
       text, packet->server.name, (ull)packet->begin, (ull)packet->end, (ull)(packet->begin - packet->came),
       packet->nbytes);
}

/* Write the line of EVENT of the network. */
static void see_network(const struct event_log *event_log, const struct probe_event *event) {
  const struct probe_message *message = &event->message;
  struct event_log_node *sender = &event_log->nodes[message->from],
                        *receiver = &event_log->nodes[message->to];
  const char *const *hosts = event_log->lines->names.hosts;
  const char *from = node_name(&event_log->lines->names, message->from),
             *to = node_name(&event_log->lines->names, message->to);
  ull number = message->number;
  switch (event->kind) {
  case PROBE_MESSAGE_SEND:
    tell(sender, event->cycle, PROBE_NOBODY, "message #%llu %s %s%s %zu bytes", number,
         event->send.asks ? "asks" : "to", to,
         event->send.asks   ? " for"
         : event->send.near ? " through shared memory:"
                            : ":",
         message->nbytes);
    break;
  case PROBE_MESSAGE_LEAVE:
    tell(sender, event->cycle, PROBE_NOBODY, "  #%llu leaves the processor of host %u%s%s", number,
         message->from_host, hosts ? " " : "", hosts ? hosts[message->from_host] : "");
    break;
  case PROBE_PACKET:
    see_packet(event->packet.is_answer ? receiver : sender, event);
    break;
  case PROBE_PACKET_DROP:
    tell(sender, event->cycle, PROBE_NOBODY, "  #%llu: a packet is lost, no room at %s", number,
         event->drop.server.name);
    break;
  case PROBE_PACKET_TIMEOUT:
    tell(sender, event->cycle, PROBE_NOBODY, "  #%llu: nothing acknowledged since cycle %llu, timeout",
         number, (ull)event->timer.since);
    break;
  case PROBE_PACKET_DELAY:
    tell(receiver, event->cycle, PROBE_NOBODY, "  #%llu: acknowledgement held back since cycle %llu", number,
         (ull)event->timer.since);
    break;
  case PROBE_MESSAGE_ARRIVE:
    tell(receiver, event->cycle, PROBE_NOBODY,
         event->arrive.at_host ? "  #%llu from %s has come to the host, told at cycle %llu"
                               : "message #%llu from %s has arrived, told at cycle %llu",
         number, from, (ull)event->arrive.told);
    break;
  default:
    break;
  }
}

/* --- all events --- */

static void see(struct probe *probe, const struct probe_event *event) {
  const struct event_log *event_log = (const struct event_log *)probe;
  if (probe_is_of_message(event)) {
    see_network(event_log, event);
    return;
  }
  if (event->node == PROBE_NOBODY) {
    return;
  }
  struct event_log_node *node = &event_log->nodes[event->node];
  const struct probe_dma *dma = &event->complete.dma; /* the first field of COMMAND, too */
  cycle_lines_reach(event_log->lines, event->cycle);
  if (see_program(node, event)) {
    return;
  }
  switch (event->kind) {
  case PROBE_RESET:
  case PROBE_END:
    if (!node->before[0]) {
      cycle_lines_reach(event_log->lines, UINT64_MAX);
    }
    break;
  case PROBE_ENQUEUE:
    see_enqueue(node, &event->enqueue);
    break;
  case PROBE_COMMAND:
    tell(node, event->cycle, dma->spe, "  #%llu comes to the bus", (ull)dma->command);
    break;
  case PROBE_COMPLETE:
    tell(node, event->cycle, dma->spe, "  #%llu complete", (ull)dma->command);
    break;
  case PROBE_ATOMIC_ENQUEUE:
  case PROBE_ATOMIC_EFFECT:
  case PROBE_ATOMIC_COMPLETE:
    see_atomic(node, event);
    break;
  default:
    see_request(node, event);
  }
}

void event_log_init(struct event_log *event_log, struct cycle_lines *lines, unsigned nnodes) {
  *event_log = (struct event_log){
    .probe = {.see = see, .details = true, .each_load = true}, .lines = lines, .n = nnodes ? nnodes : 1};
  event_log->nodes = xcalloc(event_log->n, sizeof *event_log->nodes);
  for (unsigned i = 0; i < event_log->n; i++) {
    struct event_log_node *node = &event_log->nodes[i];
    *node = (struct event_log_node){.lines = lines, .on_host = node_is_host(&lines->names, i)};
    if (nnodes) {
      snprintf(node->before, sizeof node->before, "%-*s ", lines->names.processes ? 12 : 9,
               node_name(&lines->names, i));
    }
  }
}

void event_log_fini(struct event_log *event_log) {
  for (unsigned i = 0; i < event_log->n; i++) {
    free(event_log->nodes[i].programs);
  }
  free(event_log->nodes);
}
