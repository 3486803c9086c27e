/* SPDX-License-Identifier: BSD-3-Clause
 * See event_log.h. The activities of a program ahead of the machine are kept until the machine comes to the
 * cycle: lines are in the order of cycles. */
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
  if (offset < EA_PROBLEM_STATE) {
    return owner;
  }
  return offset == EA_MAILBOX_IN
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

static void see_start(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_start *start = &event->start;
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

static void see_wait(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_wait *wait = &event->wait;
  char what[256];
  wait->wait->describe(wait->wait, what, sizeof what);
  tell(node, event->cycle, wait->program, "%s%s", step_of(node, wait->program), what);
}

static void see_wake(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_wake *wake = &event->wake;
  tell(node, event->cycle, wake->program, "%sgoes on after %llu cycles, woken by %s",
       step_of(node, wake->program), (ull)(event->cycle - wake->since),
       cause_of(node, &wake->cause, wake->program));
}

static void see_mailbox(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_mailbox *mailbox = &event->mailbox;
  static const char *const names[] = {[PROBE_MAILBOX_IN] = "inbound",
                                      [PROBE_MAILBOX_OUT] = "outbound",
                                      [PROBE_MAILBOX_OUT_INTERRUPT] = "outbound interrupt"};
  if (mailbox->by.kind == PROBE_BY_PROGRAM) { /* else the delivery has a line */
    tell(node, event->cycle, mailbox->by.who, "%s %u %s the %s mailbox of %s",
         mailbox->is_write ? "writes" : "reads", (unsigned)mailbox->value,
         mailbox->is_write ? "into" : "from", names[mailbox->which], name(node, mailbox->spe));
  }
}

static void see_signal(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_signal *signal = &event->signal;
  if (signal->by.kind == PROBE_BY_PROGRAM) { /* else the delivery has a line */
    tell(node, event->cycle, signal->by.who, "writes 0x%x into signal register %u of %s",
         (unsigned)signal->value, signal->number, name(node, signal->peer));
  }
}

static void see_exit(struct event_log_node *node, const struct probe_event *event) {
  tell(node, event->exit.at, event->exit.by.who, "ends");
}

static void see_call(struct event_log_node *node, const struct probe_event *event) {
  program(node, event->call.program)->step = 0;
  tell(node, event->call.at, event->call.program, "%s call %u",
       event->kind == PROBE_ENTER ? "enters" : "leaves", event->call.call + 1);
}

static void see_step(struct event_log_node *node, const struct probe_event *event) {
  program(node, event->step.program)->step = event->step.step;
  tell(node, event->step.at, event->step.program, event->step.name ? "goes on with %s" : "%s begins",
       trace_step_name(&event->step));
}

static void see_compute(struct event_log_node *node, const struct probe_event *event) {
  tell(node, event->compute.at, event->compute.program, "computes %llu cycles: %s",
       (ull)event->compute.cycles, trace_reason_words[event->compute.reason]);
}

static void see_copy(struct event_log_node *node, const struct probe_event *event) {
  tell(node, event->cycle, event->copy.by.who, "has copied %u bytes from %s to %s", event->copy.nbytes,
       place(node, event->copy.from), place(node, event->copy.to));
}

static void see_fault(struct event_log_node *node, const struct probe_event *event) {
  tell(node, event->cycle, event->fault.by.who, "fault: %s", event->fault.text);
}

/* --- DMA and atomic commands --- */

static void see_enqueue(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_enqueue *enqueue = &event->enqueue;
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

static void see_command(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_dma *dma = &event->command.dma; /* the first field of COMPLETE, too */
  tell(node, event->cycle, dma->spe,
       event->kind == PROBE_COMMAND ? "  #%llu comes to the bus" : "  #%llu complete", (ull)dma->command);
}

static void see_atomic_enqueue(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_enqueue.atomic;
  tell(node, event->atomic_enqueue.at, atomic->spe, "%s, atomic command #%llu: line 0x%llx", atomic->what,
       (ull)atomic->number, (ull)(atomic->ea - EA_MEMORY_BASE));
}

static void see_atomic_effect(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_atomic_effect *effect = &event->atomic_effect;
  bool is_kept = effect->keeper != PROBE_NOBODY && !effect->is_local;
  tell(node, event->cycle, effect->atomic.spe, "  atomic command #%llu takes effect after %llu cycles%s%s",
       (ull)effect->atomic.number, (ull)(event->cycle - effect->came), is_kept ? ", line kept by " : "",
       is_kept ? name(node, effect->keeper) : "");
}

static void see_atomic_complete(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_complete.atomic;
  tell(node, event->cycle, atomic->spe, "  atomic command #%llu complete", (ull)atomic->number);
}

/* --- bus requests --- */

/* Write the line of a STAGE of a bus request. */
static void tell_stage(struct event_log_node *node, const struct probe_event *event, const char *stage) {
  const struct probe_request *request = &event->issue.request; /* the first field of all these events */
  tell(node, event->cycle, request->spe, "  #%llu+%u %s", (ull)request->command, request->offset, stage);
}

static void see_issue(struct event_log_node *node, const struct probe_event *event) {
  tell_stage(node, event, text_brief("issued: %u bytes", event->issue.request.nbytes));
}

static void see_memory(struct event_log_node *node, const struct probe_event *event) {
  tell_stage(
    node, event,
    text_brief("main memory of chip %u after %llu cycles", event->memory.chip, (ull)event->memory.waited));
}

static void see_grant(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  tell_stage(node, event,
             text_brief("ring %u of chip %u from unit %u to unit %u (%u hops) after %llu cycles", grant->ring,
                        grant->chip, grant->from, grant->to, grant->hops, (ull)grant->waited));
}

static void see_cross(struct event_log_node *node, const struct probe_event *event) {
  tell_stage(node, event,
             text_brief("link from chip %u to chip %u after %llu cycles", event->cross.chip,
                        event->cross.next_chip, (ull)event->cross.waited));
}

static void see_delivery(struct event_log_node *node, const struct probe_event *event) {
  unsigned peer = event->deliver.peer;
  tell_stage(node, event,
             text_brief("visible in %s", peer == PROBE_NOBODY ? "main memory" : name(node, peer)));
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

static void see_run(struct event_log_node *node, const struct probe_event *event) {
  (void)event;
  if (!node->before[0]) {
    cycle_lines_reach(node->lines, UINT64_MAX);
  }
}

static void see(struct probe *probe, const struct probe_event *event) {
  static void (*const handlers[PROBE_KINDS])(struct event_log_node *, const struct probe_event *) = {
    [PROBE_RESET] = see_run,
    [PROBE_END] = see_run,
    [PROBE_START] = see_start,
    [PROBE_EXIT] = see_exit,
    [PROBE_ENTER] = see_call,
    [PROBE_LEAVE] = see_call,
    [PROBE_STEP] = see_step,
    [PROBE_COMPUTE] = see_compute,
    [PROBE_WAIT] = see_wait,
    [PROBE_WAKE] = see_wake,
    [PROBE_MAILBOX] = see_mailbox,
    [PROBE_SIGNAL] = see_signal,
    [PROBE_COPY] = see_copy,
    [PROBE_FAULT] = see_fault,
    [PROBE_ENQUEUE] = see_enqueue,
    [PROBE_COMMAND] = see_command,
    [PROBE_COMPLETE] = see_command,
    [PROBE_ATOMIC_ENQUEUE] = see_atomic_enqueue,
    [PROBE_ATOMIC_EFFECT] = see_atomic_effect,
    [PROBE_ATOMIC_COMPLETE] = see_atomic_complete,
    [PROBE_ISSUE] = see_issue,
    [PROBE_MEMORY] = see_memory,
    [PROBE_GRANT] = see_grant,
    [PROBE_CROSS] = see_cross,
    [PROBE_DELIVER] = see_delivery,
  };
  const struct event_log *event_log = (const struct event_log *)probe;
  if (probe_is_of_message(event)) {
    see_network(event_log, event);
  } else if (event->node != PROBE_NOBODY) {
    cycle_lines_reach(event_log->lines, event->cycle);
    if (handlers[event->kind]) {
      handlers[event->kind](&event_log->nodes[event->node], event);
    }
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
  VEC_EACH(node, event_log->nodes, event_log->n) {
    free(node->programs);
  }
  free(event_log->nodes);
}
