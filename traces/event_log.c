/* SPDX-License-Identifier: BSD-3-Clause
 * See event_log.h. The activities of a program ahead of the machine are kept until the machine comes to the
 * cycle, so that lines are in the order of cycles. */
#include "traces/event_log.h"

#include "sim/base/engine/des.h"
#include "sim/base/vec.h"
#include "sim/hw/ea.h"
#include "traces/trace_words.h"

#include <stdarg.h>
#include <stdlib.h>

typedef unsigned long long ull;

enum { PLACE_SIZE = 160 };

/* --- programs --- */

/* Return the record of program NUMBER. */
static struct event_log_program *program(struct event_log_node *node, unsigned number) {
  return VEC_REACH(node->programs, node->nprograms, number);
}

/* Return the name of program NUMBER; a program without a name belongs to an SPE. */
static const char *name(struct event_log_node *node, unsigned number) {
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
static const char *place(char text[PLACE_SIZE], struct event_log_node *node, uint64_t ea) {
  uint64_t area = (ea - EA_SPE_BASE) / EA_SPE_STRIDE, offset = (ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  if (ea >= EA_MEMORY_BASE) {
    snprintf(text, PLACE_SIZE, "main memory 0x%llx", (ull)(ea - EA_MEMORY_BASE));
  } else if (offset < EA_PROBLEM_STATE) {
    snprintf(text, PLACE_SIZE, "%s", name(node, (unsigned)area));
  } else if (offset == EA_MAILBOX_IN) {
    snprintf(text, PLACE_SIZE, "the inbound mailbox of %s", name(node, (unsigned)area));
  } else {
    snprintf(text, PLACE_SIZE, "signal register %d of %s", offset == EA_SIGNAL_1 ? 1 : 2,
             name(node, (unsigned)area));
  }
  return text;
}

/* --- lines --- */

/* Write a line about program WHO at cycle AT. */
static void __attribute__((format(printf, 4, 5)))
tell(struct event_log_node *node, uint64_t at, unsigned who, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  cycle_lines_add(node->lines, at,
                  xasprintf("%12llu  %s%-9s  %s\n", (ull)at, node->before, name(node, who), what));
}

/* --- activities of programs --- */

static void see_start(struct event_log_node *node, const struct probe_start *start) {
  struct event_log_program *p = program(node, start->program);
  snprintf(p->name, sizeof p->name, "%s", start->name);
  if (node->lines->names.processes || node->on_host) {
    tell(node, start->at, start->program, "begins");
  } else if (start->spe == PROBE_NOBODY) {
    tell(node, start->at, start->program, "begins on the PPE of chip %u", start->chip);
  } else {
    tell(node, start->at, start->program, "begins on SPE %u", start->spe);
  }
}

static void see_call(struct event_log_node *node, const struct probe_call *call, bool enters) {
  program(node, call->program)->step = 0;
  tell(node, call->at, call->program, "%s call %u", enters ? "enters" : "leaves", call->call + 1);
}

static void see_step(struct event_log_node *node, const struct probe_step *step) {
  program(node, step->program)->step = step->step;
  tell(node, step->at, step->program, "step %u begins", step->step);
}

static void see_compute(struct event_log_node *node, const struct probe_compute *compute) {
  tell(node, compute->at, compute->program, "computes %llu cycles: %s", (ull)compute->cycles,
       trace_reason_word(compute->reason));
}

/* Write the current step of program NUMBER, if any, into TEXT, as the beginning of a line. */
static const char *step_of(char text[PLACE_SIZE], struct event_log_node *node, unsigned number) {
  unsigned step = program(node, number)->step;
  snprintf(text, PLACE_SIZE, step ? "step %u: " : "", step);
  return text;
}

/* Describe CAUSE, the waker of program NUMBER. */
static const char *cause_of(char text[PLACE_SIZE], struct event_log_node *node,
                            const struct probe_cause *cause, unsigned number) {
  bool is_atomic = cause->kind == PROBE_BY_ATOMIC;
  if (cause->kind == PROBE_BY_PROGRAM) {
    snprintf(text, PLACE_SIZE, "%s", name(node, cause->who));
    return text;
  }
  if (cause->kind == PROBE_BY_MESSAGE) {
    char sender[NODE_NAME_SIZE];
    node_name(&node->lines->names, cause->who, sender);
    snprintf(text, PLACE_SIZE, "message #%llu of %s", (ull)cause->number, sender);
    return text;
  }
  if (cause->kind == PROBE_BY_DECREMENTER) {
    snprintf(text, PLACE_SIZE, "its decrementer");
    return text;
  }
  const char *what = is_atomic ? "atomic command" : command(node, cause->who, cause->number);
  if (cause->who == number) {
    snprintf(text, PLACE_SIZE, "its %s #%llu", what, (ull)cause->number);
  } else {
    snprintf(text, PLACE_SIZE, "%s #%llu of %s", what, (ull)cause->number, name(node, cause->who));
  }
  return text;
}

static void see_wait(struct event_log_node *node, uint64_t cycle, const struct probe_wait *wait) {
  char step[PLACE_SIZE], what[256];
  wait->wait->describe(wait->wait, what, sizeof what);
  tell(node, cycle, wait->program, "%s%s", step_of(step, node, wait->program), what);
}

static void see_wake(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_wake *wake = &event->wake;
  char step[PLACE_SIZE], by[PLACE_SIZE];
  tell(node, event->cycle, wake->program, "%sgoes on after %llu cycles, woken by %s",
       step_of(step, node, wake->program), (ull)(event->cycle - wake->since),
       cause_of(by, node, &wake->cause, wake->program));
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
  char here[PLACE_SIZE], there[PLACE_SIZE];
  switch (event->kind) {
  case PROBE_START:
    see_start(node, &event->start);
    return true;
  case PROBE_EXIT:
    tell(node, event->exit.at, event->exit.by.who, "ends");
    return true;
  case PROBE_ENTER:
  case PROBE_LEAVE:
    see_call(node, &event->call, event->kind == PROBE_ENTER);
    return true;
  case PROBE_STEP:
    see_step(node, &event->step);
    return true;
  case PROBE_COMPUTE:
    see_compute(node, &event->compute);
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
         place(here, node, event->copy.from), place(there, node, event->copy.to));
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
  char there[PLACE_SIZE], from[PLACE_SIZE] = "";
  p->recent[recent].number = dma->command;
  p->recent[recent].what = what;
  if (enqueue->is_proxy) {
    snprintf(from, sizeof from, " by the MFC of %s", name(node, dma->spe));
  }
  if (enqueue->is_sync) {
    tell(node, enqueue->at, enqueue->program, "%s #%llu%s (tag %u)", what, (ull)dma->command, from, dma->tag);
  } else if (enqueue->is_list) {
    tell(node, enqueue->at, enqueue->program, "%s #%llu%s: a list of %u elements (tag %u)", what,
         (ull)dma->command, from, dma->nbytes / 8, dma->tag);
  } else {
    tell(node, enqueue->at, enqueue->program, "%s #%llu%s: %u bytes %s %s (tag %u)", what, (ull)dma->command,
         from, dma->nbytes, enqueue->is_put ? "to" : "from", place(there, node, enqueue->ea), dma->tag);
  }
}

/* Write a line about DMA at cycle AT. */
static void tell_dma(struct event_log_node *node, uint64_t at, const struct probe_dma *dma,
                     const char *what) {
  tell(node, at, dma->spe, "  #%llu %s", (ull)dma->command, what);
}

/* Write a line about REQUEST at cycle AT. */
static void __attribute__((format(printf, 4, 5)))
tell_request(struct event_log_node *node, uint64_t at, const struct probe_request *request,
             const char *format, ...) {
  char what[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  tell(node, at, request->spe, "  #%llu+%u %s", (ull)request->command, request->offset, what);
}

static void see_atomic(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_complete.atomic;
  if (event->kind == PROBE_ATOMIC_ENQUEUE) {
    tell(node, event->atomic_enqueue.at, atomic->spe, "%s, atomic command #%llu: line 0x%llx", atomic->what,
         (ull)atomic->number, (ull)(atomic->ea - EA_MEMORY_BASE));
  } else if (event->kind == PROBE_ATOMIC_COMPLETE) {
    tell(node, event->cycle, atomic->spe, "  atomic command #%llu complete", (ull)atomic->number);
  } else if (event->atomic_effect.keeper == PROBE_NOBODY || event->atomic_effect.is_local) {
    tell(node, event->cycle, atomic->spe, "  atomic command #%llu takes effect after %llu cycles",
         (ull)atomic->number, (ull)(event->cycle - event->atomic_effect.came));
  } else {
    tell(node, event->cycle, atomic->spe,
         "  atomic command #%llu takes effect after %llu cycles, line kept by %s", (ull)atomic->number,
         (ull)(event->cycle - event->atomic_effect.came), name(node, event->atomic_effect.keeper));
  }
}

/* Write the line of a stage of a bus request. */
static void see_request(struct event_log_node *node, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  const struct probe_deliver *deliver = &event->deliver;
  uint64_t at = event->cycle;
  switch (event->kind) {
  case PROBE_ISSUE:
    tell_request(node, at, &event->issue.request, "issued: %u bytes", event->issue.request.nbytes);
    break;
  case PROBE_MEMORY:
    tell_request(node, at, &event->memory.request, "main memory of chip %u after %llu cycles",
                 event->memory.chip, (ull)event->memory.waited);
    break;
  case PROBE_GRANT:
    tell_request(node, at, &grant->request,
                 "ring %u of chip %u from unit %u to unit %u (%u hops) after %llu cycles", grant->ring,
                 grant->chip, grant->from, grant->to, grant->hops, (ull)grant->waited);
    break;
  case PROBE_CROSS:
    tell_request(node, at, &event->cross.request, "link from chip %u to chip %u after %llu cycles",
                 event->cross.chip, event->cross.next_chip, (ull)event->cross.waited);
    break;
  case PROBE_DELIVER:
    tell_request(node, at, &deliver->request, "visible in %s",
                 deliver->peer == PROBE_NOBODY ? "main memory" : name(node, deliver->peer));
    break;
  default:
    break;
  }
}

/* --- messages between nodes --- */

/* Write what LINES about NODE begin with, behind the cycle, into TEXT. */
static void name_node(const struct cycle_lines *lines, unsigned node, char text[EVENT_LOG_NODE_SIZE]) {
  char name[NODE_NAME_SIZE];
  node_name(&lines->names, node, name);
  snprintf(text, EVENT_LOG_NODE_SIZE, "%-*s ", lines->names.processes ? 12 : 9, name);
}

/* Write a line about NODE at cycle AT. */
static void __attribute__((format(printf, 4, 5)))
tell_network(struct cycle_lines *lines, uint64_t at, unsigned node, const char *format, ...) {
  char what[256], before[EVENT_LOG_NODE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  name_node(lines, node, before);
  cycle_lines_add(lines, at, xasprintf("%12llu  %snetwork    %s\n", (ull)at, before, what));
}

static void see_packet(struct cycle_lines *lines, const struct probe_event *event) {
  const struct probe_packet *packet = &event->packet;
  char text[48];
  if (packet->is_answer) {
    snprintf(text, sizeof text, "#%llu acknowledged up to packet %u", (ull)event->message.number,
             packet->number);
  } else {
    snprintf(text, sizeof text, "#%llu.%u%s", (ull)event->message.number, packet->number,
             packet->again ? " again" : "");
  }
  tell_network(lines, event->cycle, packet->is_answer ? event->message.to : event->message.from,
               "  %s on %s from cycle %llu to %llu, after %llu cycles: %zu bytes", text, packet->server.name,
               (ull)packet->begin, (ull)packet->end, (ull)(packet->begin - packet->came), packet->nbytes);
}

/* Write what EVENT of the network tells to LINES. */
static void see_network(struct cycle_lines *lines, const struct probe_event *event) {
  char from[NODE_NAME_SIZE], to[NODE_NAME_SIZE];
  node_name(&lines->names, event->message.from, from);
  node_name(&lines->names, event->message.to, to);
  ull number = event->message.number;
  const char *const *hosts = lines->names.hosts;
  switch (event->kind) {
  case PROBE_MESSAGE_SEND:
    if (event->send.asks) {
      tell_network(lines, event->cycle, event->message.from, "message #%llu asks %s for %zu bytes", number,
                   to, event->message.nbytes);
      break;
    }
    tell_network(lines, event->cycle, event->message.from, "message #%llu to %s%s: %zu bytes", number, to,
                 event->send.near ? " through shared memory" : "", event->message.nbytes);
    break;
  case PROBE_MESSAGE_LEAVE:
    tell_network(lines, event->cycle, event->message.from, "  #%llu leaves the processor of host %u%s%s",
                 number, event->message.from_host, hosts ? " " : "",
                 hosts ? hosts[event->message.from_host] : "");
    break;
  case PROBE_PACKET:
    see_packet(lines, event);
    break;
  case PROBE_PACKET_DROP:
    tell_network(lines, event->cycle, event->message.from, "  #%llu: a packet is lost, no room at %s", number,
                 event->drop.server.name);
    break;
  case PROBE_PACKET_TIMEOUT:
    tell_network(lines, event->cycle, event->message.from,
                 "  #%llu: nothing acknowledged since cycle %llu, timeout", number, (ull)event->timer.since);
    break;
  case PROBE_PACKET_DELAY:
    tell_network(lines, event->cycle, event->message.to,
                 "  #%llu: acknowledgement held back since cycle %llu", number, (ull)event->timer.since);
    break;
  case PROBE_MESSAGE_ARRIVE:
    tell_network(lines, event->cycle, event->message.to,
                 event->arrive.at_host ? "  #%llu from %s has come to the host, told at cycle %llu"
                                       : "message #%llu from %s has arrived, told at cycle %llu",
                 number, from, (ull)event->arrive.told);
    break;
  default:
    break;
  }
}

/* --- all of it --- */

static void see(struct probe *probe, const struct probe_event *event) {
  const struct event_log *event_log = (const struct event_log *)probe;
  if (probe_is_of_message(event)) {
    see_network(event_log->lines, event);
    return;
  }
  if (event->node == PROBE_NOBODY) {
    return;
  }
  struct event_log_node *node = &event_log->nodes[event->node];
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
    tell_dma(node, event->cycle, &event->command.dma, "comes to the bus");
    break;
  case PROBE_COMPLETE:
    tell_dma(node, event->cycle, &event->complete.dma, "complete");
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
    event_log->nodes[i] = (struct event_log_node){.lines = lines, .on_host = node_is_host(&lines->names, i)};
    if (nnodes) {
      name_node(lines, i, event_log->nodes[i].before);
    }
  }
}

void event_log_fini(struct event_log *event_log) {
  for (unsigned i = 0; i < event_log->n; i++) {
    free(event_log->nodes[i].programs);
  }
  free(event_log->nodes);
}
