/* SPDX-License-Identifier: BSD-3-Clause
 * See auditor.h. */
#include "tests/semantics/auditor.h"

#include "sim/base/engine/des.h"
#include "sim/base/xalloc.h"
#include "tests/asserts.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

/* --- programs and their activities --- */

/* Return program NUMBER. */
static struct auditor_program *find_program(struct auditor *auditor, unsigned number) {
  ck_assert_uint_lt(number, AUDITOR_PROGRAMS);
  return &auditor->programs[number];
}

/* Return program NUMBER, which acts at cycle AT of its own time. */
static struct auditor_program *running_at(struct auditor *auditor, unsigned number, uint64_t at) {
  struct auditor_program *p = find_program(auditor, number);
  ck_assert_msg(p->running && !p->waiting, "program %u does something while it does not run", number);
  ck_assert_msg(p->clock == at, "program %u: cycles %llu to %llu are not accounted for", number,
                (ull)p->clock, (ull)at);
  return p;
}

static void add_act(struct auditor *auditor, struct auditor_act act) {
  ck_assert_uint_lt(auditor->nacts, AUDITOR_ACTS);
  auditor->acts[auditor->nacts++] = act;
}

/* Program BY does an action, told by EVENT. */
static void add_action(struct auditor *auditor, const struct probe_event *event, struct probe_cause by) {
  ck_assert_int_eq(by.kind, PROBE_BY_PROGRAM);
  ck_assert_uint_eq(by.number, ++auditor->nactions);
  add_act(auditor, (struct auditor_act){.event = event->kind, .cause = by, .wakes = PROBE_NOBODY});
}

/* EVENT, named CAUSE, may be an SPU event awaited by its program. */
static void add_occasion(struct auditor *auditor, const struct probe_event *event, struct probe_cause cause) {
  add_act(auditor, (struct auditor_act){.event = event->kind, .cause = cause, .wakes = PROBE_NOBODY});
}

/* EVENT, named CAUSE, has woken program WAKES, or at least one on a PPE: PROBE_NOBODY. */
static void add_waker(struct auditor *auditor, const struct probe_event *event, struct probe_cause cause,
                      unsigned wakes) {
  add_act(auditor, (struct auditor_act){.event = event->kind, .cause = cause, .wakes = wakes, .owes = true});
}

/* --- programs: no gap in the time of a program, and the cause of the end of a wait has been reported --- */

static void pass(struct auditor_program *p, uint64_t cycles) {
  p->clock += cycles;
  p->spent += cycles;
}

static void see_start(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_start *start = &event->start;
  struct auditor_program *p = find_program(auditor, start->program);
  ck_assert(!p->running);
  ck_assert(start->spe == start->program || start->spe == PROBE_NOBODY);
  ck_assert_uint_gt(strlen(start->name), 0);
  *p = (struct auditor_program){.running = true, .clock = start->at};
  if (start->by.kind == PROBE_BY_PROGRAM) {
    add_action(auditor, event, start->by);
    ck_assert_uint_eq(start->at, event->cycle);
  } else {
    ck_assert_int_eq(start->by.kind, PROBE_BY_NOTHING);
  }
}

static void see_exit(struct auditor *auditor, const struct probe_event *event) {
  struct auditor_program *p = running_at(auditor, event->exit.by.who, event->exit.at);
  add_action(auditor, event, event->exit.by);
  ck_assert(!p->in_call);
  p->running = false;
}

static void see_fault(struct auditor *auditor, const struct probe_event *event) {
  struct auditor_program *p = find_program(auditor, event->fault.by.who);
  ck_assert(event->fault.spe == event->fault.by.who || event->fault.spe == PROBE_NOBODY);
  add_action(auditor, event, event->fault.by);
  p->running = p->waiting = false;
}

static void see_enter(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_call *call = &event->call;
  struct auditor_program *p = running_at(auditor, call->program, call->at);
  ck_assert(!p->in_call);
  ck_assert_uint_eq(call->call, p->calls);
  p->in_call = true;
  p->entered = call->at;
  p->spent = 0;
  p->step = 0;
}

static void see_leave(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_call *call = &event->call;
  struct auditor_program *p = running_at(auditor, call->program, call->at);
  ck_assert(p->in_call);
  ck_assert_uint_eq(call->call, p->calls++);
  ck_assert_uint_eq(p->spent, call->at - p->entered);
  p->in_call = false;
  auditor->calls++;
}

static void see_step(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_step *step = &event->step;
  struct auditor_program *p = running_at(auditor, step->program, step->at);
  ck_assert(p->in_call);
  ck_assert_uint_eq(step->step, ++p->step);
  auditor->steps++;
}

static void see_compute(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_compute *compute = &event->compute;
  struct auditor_program *p = running_at(auditor, compute->program, compute->at);
  ck_assert_uint_gt(compute->cycles, 0);
  ck_assert_uint_lt(compute->reason, COMPUTE_REASONS);
  pass(p, compute->cycles);
  auditor->computed[compute->reason] += compute->cycles;
}

static void see_wait(struct auditor *auditor, const struct probe_event *event) {
  struct auditor_program *p = running_at(auditor, event->wait.program, event->cycle);
  char text[256];
  event->wait.wait->describe(event->wait.wait, text, sizeof text);
  ck_assert(strncmp(text, "waits ", 6) == 0 || strncmp(text, "reads ", 6) == 0);
  p->waiting = true;
  p->subject = event->wait.subject;
}

/* Tell whether EVENT can end a wait for SUBJECT. */
static bool fits(enum probe_subject subject, enum probe_kind event) {
  switch (subject) {
  case PROBE_FOR_FLAG:
    return event == PROBE_DELIVER || event == PROBE_COPY;
  case PROBE_FOR_SIGNAL:
    return event == PROBE_DELIVER || event == PROBE_SIGNAL;
  case PROBE_FOR_MAILBOX:
    return event == PROBE_DELIVER || event == PROBE_MAILBOX;
  case PROBE_FOR_TAGS:
  case PROBE_FOR_QUEUE:
    return event == PROBE_COMPLETE;
  case PROBE_FOR_ATOMIC:
    return event == PROBE_ATOMIC_COMPLETE;
  case PROBE_FOR_PROGRAM:
    return event == PROBE_EXIT || event == PROBE_FAULT;
  case PROBE_FOR_EVENT:
    return true; /* any event for an SPU */
  case PROBE_FOR_MEMORY:
    return event == PROBE_DELIVER;
  case PROBE_FOR_MESSAGE:
    return false; /* reported by the network, not watched by this auditor */
  }
  return false;
}

static bool is_same(const struct probe_cause *a, const struct probe_cause *b) {
  return a->kind == b->kind && a->who == b->who && a->number == b->number && a->offset == b->offset;
}

/* The program of EVENT goes on. */
static void go_on(struct auditor *auditor, const struct probe_event *event) {
  struct auditor_program *p = find_program(auditor, event->wake.program);
  p->waiting = false;
  pass(p, event->cycle - p->clock);
  auditor->wakes[event->wake.subject][event->wake.cause.kind]++;
}

static void see_wake(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_wake *wake = &event->wake;
  struct auditor_program *p = find_program(auditor, wake->program);
  struct auditor_act *act = NULL;
  ck_assert(p->waiting && p->subject == wake->subject);
  ck_assert_uint_eq(wake->since, p->clock);
  if (wake->cause.kind == PROBE_BY_DECREMENTER) { /* no other event reports a decrementer */
    ck_assert(wake->subject == PROBE_FOR_EVENT && wake->cause.who == wake->program);
    go_on(auditor, event);
    return;
  }
  for (unsigned i = 0; i < auditor->nacts; i++) {
    bool same = is_same(&auditor->acts[i].cause, &wake->cause);
    act = same && (!act || auditor->acts[i].owes) ? &auditor->acts[i] : act;
  }
  ck_assert_msg(act, "cycle %llu: program %u goes on for what did not happen: cause %d of %u, %llu",
                (ull)event->cycle, wake->program, wake->cause.kind, wake->cause.who, (ull)wake->cause.number);
  ck_assert(fits(wake->subject, act->event));
  ck_assert(act->wakes == PROBE_NOBODY || act->wakes == wake->program);
  act->owes = false;
  go_on(auditor, event);
}

static void see_touch(struct auditor *auditor, const struct probe_event *event) {
  running_at(auditor, event->touch.spe, event->touch.at);
}

static void see_copy(struct auditor *auditor, const struct probe_event *event) {
  add_action(auditor, event, event->copy.by);
}

/* A word for a mailbox or a signal, by a program or by a command. */
static void see_word(struct auditor *auditor, const struct probe_event *event) {
  struct probe_cause by = event->kind == PROBE_MAILBOX ? event->mailbox.by : event->signal.by;
  if (by.kind == PROBE_BY_PROGRAM) {
    add_action(auditor, event, by);
  }
}

/* --- DMA commands --- */

static struct auditor_command *find_command(struct auditor *auditor, unsigned spe, uint64_t number) {
  for (size_t i = 0; i < auditor->ncommands; i++) {
    struct auditor_command *command = &auditor->commands[i];
    if (command->name.spe == spe && command->name.command == number) {
      return command;
    }
  }
  ck_abort_msg("command %llu of SPE %u is not under way", (ull)number, spe);
}

static struct auditor_command *named(struct auditor *auditor, const struct probe_dma *name) {
  struct auditor_command *command = find_command(auditor, name->spe, name->command);
  ck_assert(command->name.tag == name->tag && command->name.nbytes == name->nbytes);
  return command;
}

static void see_enqueue(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_enqueue *enqueue = &event->enqueue;
  const struct probe_dma *name = &enqueue->dma;
  ck_assert(enqueue->is_proxy ? enqueue->program != name->spe : enqueue->program == name->spe);
  running_at(auditor, enqueue->program, enqueue->at);
  ck_assert_uint_eq(name->command, ++auditor->ncommands_of[name->spe]);
  if (auditor->ncommands == auditor->commands_room) {
    auditor->commands_room = 2 * auditor->commands_room + 64;
    auditor->commands = xrealloc(auditor->commands, auditor->commands_room, sizeof *auditor->commands);
  }
  auditor->commands[auditor->ncommands++] = (struct auditor_command){
    .name = *name, .is_list = enqueue->is_list, .moves = enqueue->is_list ? 0 : name->nbytes};
}

static void see_command(struct auditor *auditor, const struct probe_event *event) {
  struct auditor_command *command = named(auditor, &event->command.dma);
  ck_assert(!command->came);
  command->came = true;
}

static void see_element(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_element *element = &event->element;
  struct auditor_command *command = named(auditor, &element->dma);
  ck_assert(command->is_list && command->came);
  ck_assert_uint_eq(element->offset, command->moves);
  command->moves += element->nbytes;
}

static void see_complete(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_dma *name = &event->complete.dma;
  struct auditor_command *command = named(auditor, name);
  ck_assert(command->came);
  ck_assert_uint_eq(command->delivered, command->moves);
  *command = auditor->commands[--auditor->ncommands];
  auditor->ncompleted++;
  if (event->complete.wakes) {
    add_waker(auditor, event,
              (struct probe_cause){.kind = PROBE_BY_COMPLETION, .who = name->spe, .number = name->command},
              PROBE_NOBODY);
  }
}

/* --- bus requests --- */

static bool is_same_request(const struct probe_request *a, const struct probe_request *b) {
  return a->spe == b->spe && a->command == b->command && a->offset == b->offset && a->tag == b->tag &&
         a->nbytes == b->nbytes;
}

static struct auditor_request *find_request(struct auditor *auditor, const struct probe_request *name) {
  for (size_t i = 0; i < auditor->nrequests; i++) {
    struct auditor_request *request = &auditor->requests[i];
    if (is_same_request(&request->name, name)) {
      find_command(auditor, name->spe, name->command);
      return request;
    }
  }
  ck_abort_msg("bus request %u of command %llu of SPE %u is not under way", name->offset, (ull)name->command,
               name->spe);
}

static void see_issue(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_issue *issue = &event->issue;
  const struct probe_request *name = &issue->request;
  struct auditor_command *command = find_command(auditor, name->spe, name->command);
  ck_assert(command->came && command->name.tag == name->tag);
  ck_assert_uint_eq(name->offset, command->issued);
  command->issued += name->nbytes;
  ck_assert_uint_le(command->issued, command->moves);
  if (auditor->nrequests == auditor->requests_room) {
    auditor->requests_room = 2 * auditor->requests_room + 64;
    auditor->requests = xrealloc(auditor->requests, auditor->requests_room, sizeof *auditor->requests);
  }
  auditor->requests[auditor->nrequests++] = (struct auditor_request){.name = *name, .chip = PROBE_NOBODY};
}

static void see_grant(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_grant *grant = &event->grant;
  struct auditor_request *request = find_request(auditor, &grant->request);
  ck_assert(!request->granted && (request->chip == PROBE_NOBODY || request->chip == grant->chip));
  request->granted = true;
  request->chip = grant->chip;
}

static void see_cross(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_cross *cross = &event->cross;
  struct auditor_request *request = find_request(auditor, &cross->request);
  ck_assert_uint_eq(request->chip, cross->chip);
  ck_assert_uint_ne(cross->next_chip, cross->chip);
  request->granted = false;
  request->chip = cross->next_chip;
  auditor->crossings++;
}

static void see_deliver(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_deliver *deliver = &event->deliver;
  const struct probe_request *name = &deliver->request;
  struct auditor_request *request = find_request(auditor, name);
  ck_assert(request->granted);
  find_command(auditor, name->spe, name->command)->delivered += name->nbytes;
  struct probe_cause cause = {
    .kind = PROBE_BY_DELIVERY, .who = name->spe, .number = name->command, .offset = name->offset};
  *request = auditor->requests[--auditor->nrequests];
  if (deliver->wakes) {
    ck_assert_uint_ne(deliver->peer, PROBE_NOBODY);
    add_waker(auditor, event, cause, deliver->peer);
  } else if (deliver->peer == PROBE_NOBODY) {
    add_occasion(auditor, event, cause); /* reservations of the line are lost */
  }
}

static void see_memory(struct auditor *auditor, const struct probe_event *event) {
  find_request(auditor, &event->memory.request);
}

static void see_stall(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_dma *name = &event->stall.dma;
  add_occasion(auditor, event,
               (struct probe_cause){.kind = PROBE_BY_STALL, .who = name->spe, .number = name->command});
}

/* --- atomic commands --- */

static void see_atomic(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_atomic *atomic = &event->atomic_complete.atomic;
  if (event->kind == PROBE_ATOMIC_ENQUEUE) {
    running_at(auditor, atomic->spe, event->atomic_enqueue.at);
    ck_assert_uint_eq(atomic->number, ++auditor->natomics_of[atomic->spe]);
    return;
  }
  struct probe_cause cause = {.kind = PROBE_BY_ATOMIC, .who = atomic->spe, .number = atomic->number};
  ck_assert_uint_eq(atomic->number, auditor->natomics_of[atomic->spe]);
  if (event->kind == PROBE_ATOMIC_EFFECT) {
    add_occasion(auditor, event, cause);
  } else if (event->atomic_complete.wakes) {
    add_waker(auditor, event, cause, atomic->spe);
  }
}
/* --- events --- */

/* Everything of the cycle before has been told. */
static void end_cycle(struct auditor *auditor) {
  for (unsigned i = 0; i < auditor->nacts; i++) {
    ck_assert_msg(!auditor->acts[i].owes, "cycle %llu: event %d has woken nobody", (ull)auditor->cycle,
                  auditor->acts[i].event);
  }
  auditor->nacts = 0;
}

/* The machine was made as new: numbers begin again. */
static void see_reset(struct auditor *auditor, const struct probe_event *event) {
  (void)event;
  auditor->nactions = 0;
  memset(auditor->ncommands_of, 0, sizeof auditor->ncommands_of);
  memset(auditor->natomics_of, 0, sizeof auditor->natomics_of);
}

static void (*const see_kind[])(struct auditor *auditor, const struct probe_event *event) = {
  [PROBE_RESET] = see_reset,
  [PROBE_ENQUEUE] = see_enqueue,
  [PROBE_COMMAND] = see_command,
  [PROBE_ELEMENT] = see_element,
  [PROBE_COMPLETE] = see_complete,
  [PROBE_ISSUE] = see_issue,
  [PROBE_MEMORY] = see_memory,
  [PROBE_GRANT] = see_grant,
  [PROBE_CROSS] = see_cross,
  [PROBE_DELIVER] = see_deliver,
  [PROBE_STALL] = see_stall,
  [PROBE_ATOMIC_ENQUEUE] = see_atomic,
  [PROBE_ATOMIC_EFFECT] = see_atomic,
  [PROBE_ATOMIC_COMPLETE] = see_atomic,
  [PROBE_START] = see_start,
  [PROBE_EXIT] = see_exit,
  [PROBE_FAULT] = see_fault,
  [PROBE_ENTER] = see_enter,
  [PROBE_LEAVE] = see_leave,
  [PROBE_STEP] = see_step,
  [PROBE_COMPUTE] = see_compute,
  [PROBE_WAIT] = see_wait,
  [PROBE_WAKE] = see_wake,
  [PROBE_STORE] = see_touch,
  [PROBE_LOAD] = see_touch,
  [PROBE_COPY] = see_copy,
  [PROBE_MAILBOX] = see_word,
  [PROBE_SIGNAL] = see_word,
};

static void see(struct probe *probe, const struct probe_event *event) {
  struct auditor *auditor = (struct auditor *)probe;
  if (event->cycle != auditor->cycle) {
    end_cycle(auditor);
    auditor->cycle = event->cycle;
  }
  if (event->kind < sizeof see_kind / sizeof *see_kind && see_kind[event->kind]) {
    see_kind[event->kind](auditor, event);
  }
}

void auditor_init(struct auditor *auditor) {
  *auditor = (struct auditor){.probe = {.see = see, .details = true, .each_load = true}};
}

void auditor_fini(struct auditor *auditor) {
  end_cycle(auditor);
  ck_assert_uint_eq(auditor->ncommands, 0);
  ck_assert_uint_eq(auditor->nrequests, 0);
  for (unsigned i = 0; i < AUDITOR_PROGRAMS; i++) {
    ck_assert_msg(!auditor->programs[i].running, "program %u has not ended", i);
  }
  free(auditor->commands);
  free(auditor->requests);
}
