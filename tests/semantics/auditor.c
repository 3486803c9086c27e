/* SPDX-License-Identifier: BSD-3-Clause
 * See auditor.h. */
#include "tests/semantics/auditor.h"

#include "sim/base/xalloc.h"
#include "tests/asserts.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

/* --- programs --- */

static struct auditor_program *
program(struct auditor *auditor, unsigned number)
{
  ck_assert_uint_lt(number, AUDITOR_PROGRAMS);
  return &auditor->programs[number];
}

/* Return program NUMBER, which does something at cycle AT of its own time. */
static struct auditor_program *
running_at(struct auditor *auditor, unsigned number, uint64_t at)
{
  struct auditor_program *p = program(auditor, number);
  ck_assert_msg(p->running && !p->waiting, "program %u does something while it does not run", number);
  ck_assert_msg(p->clock == at, "program %u: cycles %llu to %llu are not accounted for", number,
                (ull)p->clock, (ull)at);
  return p;
}

static void
pass(struct auditor_program *p, uint64_t cycles)
{
  p->clock += cycles;
  p->spent += cycles;
}

static void
add_act(struct auditor *auditor, struct auditor_act act)
{
  ck_assert_uint_lt(auditor->nacts, AUDITOR_ACTS);
  auditor->acts[auditor->nacts++] = act;
}

/* Program BY does an action, told by EVENT. */
static void
see_action(struct auditor *auditor, const struct probe_event *event, struct probe_cause by)
{
  ck_assert_int_eq(by.kind, PROBE_BY_PROGRAM);
  ck_assert_uint_eq(by.number, ++auditor->nactions);
  add_act(auditor, (struct auditor_act){.event = event->kind, .cause = by, .wakes = PROBE_NOBODY});
}

/* EVENT, named CAUSE, has woken program WAKES, or one on a PPE: PROBE_NOBODY. */
static void
see_waker(struct auditor *auditor, const struct probe_event *event, struct probe_cause cause, unsigned wakes)
{
  add_act(auditor, (struct auditor_act){.event = event->kind, .cause = cause, .wakes = wakes, .owes = true});
}

static void
see_start(struct auditor *auditor, const struct probe_event *event)
{
  const struct probe_start *start = &event->start;
  struct auditor_program *p = program(auditor, start->program);
  ck_assert(!p->running);
  ck_assert(start->spe == start->program || start->spe == PROBE_NOBODY);
  ck_assert_uint_gt(strlen(start->name), 0);
  *p = (struct auditor_program){.running = true, .clock = start->at};
  if (start->by.kind == PROBE_BY_PROGRAM) {
    see_action(auditor, event, start->by);
    ck_assert_uint_eq(start->at, event->cycle);
  } else {
    ck_assert_int_eq(start->by.kind, PROBE_BY_NOTHING);
  }
}

static void
see_exit(struct auditor *auditor, const struct probe_event *event)
{
  struct auditor_program *p = running_at(auditor, event->exit.by.who, event->exit.at);
  see_action(auditor, event, event->exit.by);
  ck_assert(!p->in_call);
  p->running = false;
}

static void
see_enter(struct auditor *auditor, const struct probe_call *call)
{
  struct auditor_program *p = running_at(auditor, call->program, call->at);
  ck_assert(!p->in_call);
  ck_assert_uint_eq(call->call, p->calls);
  p->in_call = true;
  p->entered = call->at;
  p->spent = 0;
  p->step = 0;
}

static void
see_leave(struct auditor *auditor, const struct probe_call *call)
{
  struct auditor_program *p = running_at(auditor, call->program, call->at);
  ck_assert(p->in_call);
  ck_assert_uint_eq(call->call, p->calls++);
  ck_assert_uint_eq(p->spent, call->at - p->entered);
  p->in_call = false;
  auditor->calls++;
}

static void
see_step(struct auditor *auditor, const struct probe_step *step)
{
  struct auditor_program *p = running_at(auditor, step->program, step->at);
  ck_assert(p->in_call);
  ck_assert_uint_eq(step->step, ++p->step);
  auditor->steps++;
}

static void
see_compute(struct auditor *auditor, const struct probe_compute *compute)
{
  struct auditor_program *p = running_at(auditor, compute->program, compute->at);
  ck_assert_uint_gt(compute->cycles, 0);
  ck_assert_uint_lt(compute->reason, COMPUTE_REASONS);
  pass(p, compute->cycles);
  auditor->computed[compute->reason] += compute->cycles;
}

static void
see_wait(struct auditor *auditor, const struct probe_event *event)
{
  struct auditor_program *p = running_at(auditor, event->wait.program, event->cycle);
  ck_assert(strncmp(event->wait.text, "waits ", 6) == 0 || strncmp(event->wait.text, "reads ", 6) == 0);
  p->waiting = true;
  p->subject = event->wait.subject;
}

/* Tell whether what is told by EVENT can end a wait for SUBJECT. */
static bool
fits(enum probe_subject subject, enum probe_kind event)
{
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
    return true; /* anything that an SPU may want to know of */
  }
  return false;
}

static bool
is_same(const struct probe_cause *a, const struct probe_cause *b)
{
  return a->kind == b->kind && a->who == b->who && a->number == b->number && a->offset == b->offset;
}

static void
see_wake(struct auditor *auditor, const struct probe_event *event)
{
  const struct probe_wake *wake = &event->wake;
  struct auditor_program *p = program(auditor, wake->program);
  struct auditor_act *act = NULL;
  ck_assert(p->waiting && p->subject == wake->subject);
  ck_assert_uint_eq(wake->since, p->clock);
  for (unsigned i = 0; i < auditor->nacts && !act; i++) {
    act = is_same(&auditor->acts[i].cause, &wake->cause) ? &auditor->acts[i] : NULL;
  }
  ck_assert_msg(act, "cycle %llu: program %u goes on for what did not happen: cause %d of %u, %llu",
                (ull)event->cycle, wake->program, wake->cause.kind, wake->cause.who, (ull)wake->cause.number);
  ck_assert(fits(wake->subject, act->event));
  ck_assert(act->wakes == PROBE_NOBODY || act->wakes == wake->program);
  act->owes = false;
  p->waiting = false;
  pass(p, event->cycle - p->clock);
  auditor->wakes[wake->subject][wake->cause.kind]++;
}

/* --- DMA commands --- */

static struct auditor_command *
find_command(struct auditor *auditor, unsigned spe, uint64_t number)
{
  for (size_t i = 0; i < auditor->ncommands; i++) {
    struct auditor_command *command = &auditor->commands[i];
    if (command->name.spe == spe && command->name.command == number) {
      return command;
    }
  }
  ck_abort_msg("command %llu of SPE %u is not under way", (ull)number, spe);
}

static struct auditor_command *
named(struct auditor *auditor, const struct probe_dma *name)
{
  struct auditor_command *command = find_command(auditor, name->spe, name->command);
  ck_assert(command->name.tag == name->tag && command->name.nbytes == name->nbytes);
  return command;
}

static void
see_enqueue(struct auditor *auditor, const struct probe_enqueue *enqueue)
{
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

static void
see_command(struct auditor *auditor, const struct probe_dma *name)
{
  struct auditor_command *command = named(auditor, name);
  ck_assert(!command->came);
  command->came = true;
}

static void
see_element(struct auditor *auditor, const struct probe_element *element)
{
  struct auditor_command *command = named(auditor, &element->dma);
  ck_assert(command->is_list && command->came);
  ck_assert_uint_eq(element->offset, command->moves);
  command->moves += element->nbytes;
}

static void
see_complete(struct auditor *auditor, const struct probe_event *event)
{
  const struct probe_dma *name = &event->complete.dma;
  struct auditor_command *command = named(auditor, name);
  ck_assert(command->came);
  ck_assert_uint_eq(command->delivered, command->moves);
  *command = auditor->commands[--auditor->ncommands];
  auditor->ncompleted++;
  if (event->complete.wakes) {
    see_waker(auditor, event,
              (struct probe_cause){.kind = PROBE_BY_COMPLETION, .who = name->spe, .number = name->command},
              PROBE_NOBODY);
  }
}

/* --- bus requests --- */

static bool
is_same_request(const struct probe_request *a, const struct probe_request *b)
{
  return a->spe == b->spe && a->command == b->command && a->offset == b->offset && a->tag == b->tag &&
         a->nbytes == b->nbytes;
}

static struct auditor_request *
find_request(struct auditor *auditor, const struct probe_request *name)
{
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

static void
see_issue(struct auditor *auditor, const struct probe_issue *issue)
{
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

static void
see_grant(struct auditor *auditor, const struct probe_grant *grant)
{
  struct auditor_request *request = find_request(auditor, &grant->request);
  ck_assert(!request->granted && (request->chip == PROBE_NOBODY || request->chip == grant->chip));
  request->granted = true;
  request->chip = grant->chip;
}

static void
see_cross(struct auditor *auditor, const struct probe_cross *cross)
{
  struct auditor_request *request = find_request(auditor, &cross->request);
  ck_assert_uint_eq(request->chip, cross->chip);
  ck_assert_uint_ne(cross->next_chip, cross->chip);
  request->granted = false;
  request->chip = cross->next_chip;
  auditor->crossings++;
}

static void
see_deliver(struct auditor *auditor, const struct probe_event *event)
{
  const struct probe_deliver *deliver = &event->deliver;
  const struct probe_request *name = &deliver->request;
  struct auditor_request *request = find_request(auditor, name);
  ck_assert(request->granted);
  find_command(auditor, name->spe, name->command)->delivered += name->nbytes;
  *request = auditor->requests[--auditor->nrequests];
  if (deliver->wakes) {
    struct probe_cause cause = {
      .kind = PROBE_BY_DELIVERY, .who = name->spe, .number = name->command, .offset = name->offset};
    ck_assert_uint_ne(deliver->peer, PROBE_NOBODY);
    see_waker(auditor, event, cause, deliver->peer);
  }
}

/* --- atomic commands --- */

static void
see_atomic(struct auditor *auditor, const struct probe_event *event)
{
  const struct probe_atomic *atomic = &event->atomic_complete.atomic;
  if (event->kind == PROBE_ATOMIC_ENQUEUE) {
    running_at(auditor, atomic->spe, event->atomic_enqueue.at);
    ck_assert_uint_eq(atomic->number, ++auditor->natomics_of[atomic->spe]);
    return;
  }
  ck_assert_uint_eq(atomic->number, auditor->natomics_of[atomic->spe]);
  if (event->kind == PROBE_ATOMIC_COMPLETE && event->atomic_complete.wakes) {
    struct probe_cause cause = {.kind = PROBE_BY_ATOMIC, .who = atomic->spe, .number = atomic->number};
    see_waker(auditor, event, cause, atomic->spe);
  }
}

/* --- events --- */

/* Everything of the cycle before has been told. */
static void
end_cycle(struct auditor *auditor)
{
  for (unsigned i = 0; i < auditor->nacts; i++) {
    ck_assert_msg(!auditor->acts[i].owes, "cycle %llu: event %d has woken nobody", (ull)auditor->cycle,
                  auditor->acts[i].event);
  }
  auditor->nacts = 0;
}

/* See what concerns programs.
 * returns: false if it is something else. */
static bool
see_program(struct auditor *auditor, const struct probe_event *event)
{
  switch (event->kind) {
  case PROBE_START:
    see_start(auditor, event);
    return true;
  case PROBE_EXIT:
    see_exit(auditor, event);
    return true;
  case PROBE_ENTER:
    see_enter(auditor, &event->call);
    return true;
  case PROBE_LEAVE:
    see_leave(auditor, &event->call);
    return true;
  case PROBE_STEP:
    see_step(auditor, &event->step);
    return true;
  case PROBE_COMPUTE:
    see_compute(auditor, &event->compute);
    return true;
  case PROBE_WAIT:
    see_wait(auditor, event);
    return true;
  case PROBE_WAKE:
    see_wake(auditor, event);
    return true;
  case PROBE_STORE:
  case PROBE_LOAD:
    running_at(auditor, event->touch.spe, event->touch.at);
    return true;
  case PROBE_COPY:
    see_action(auditor, event, event->copy.by);
    return true;
  case PROBE_MAILBOX:
    if (event->mailbox.by.kind == PROBE_BY_PROGRAM) {
      see_action(auditor, event, event->mailbox.by);
    }
    return true;
  case PROBE_SIGNAL:
    if (event->signal.by.kind == PROBE_BY_PROGRAM) {
      see_action(auditor, event, event->signal.by);
    }
    return true;
  default:
    return false;
  }
}

static void
see(struct probe *probe, const struct probe_event *event)
{
  struct auditor *auditor = (struct auditor *)probe;
  if (event->cycle != auditor->cycle) {
    end_cycle(auditor);
    auditor->cycle = event->cycle;
  }
  if (see_program(auditor, event)) {
    return;
  }
  switch (event->kind) {
  case PROBE_ENQUEUE:
    see_enqueue(auditor, &event->enqueue);
    break;
  case PROBE_COMMAND:
    see_command(auditor, &event->command);
    break;
  case PROBE_ELEMENT:
    see_element(auditor, &event->element);
    break;
  case PROBE_COMPLETE:
    see_complete(auditor, event);
    break;
  case PROBE_ISSUE:
    see_issue(auditor, &event->issue);
    break;
  case PROBE_MEMORY:
    find_request(auditor, &event->memory.request);
    break;
  case PROBE_GRANT:
    see_grant(auditor, &event->grant);
    break;
  case PROBE_CROSS:
    see_cross(auditor, &event->cross);
    break;
  case PROBE_DELIVER:
    see_deliver(auditor, event);
    break;
  case PROBE_ATOMIC_ENQUEUE:
  case PROBE_ATOMIC_EFFECT:
  case PROBE_ATOMIC_COMPLETE:
    see_atomic(auditor, event);
    break;
  default:
    break;
  }
}

void
auditor_init(struct auditor *auditor)
{
  *auditor = (struct auditor){.probe = {.see = see, .details = true}};
}

void
auditor_fini(struct auditor *auditor)
{
  end_cycle(auditor);
  ck_assert_uint_eq(auditor->ncommands, 0);
  ck_assert_uint_eq(auditor->nrequests, 0);
  for (unsigned i = 0; i < AUDITOR_PROGRAMS; i++) {
    ck_assert_msg(!auditor->programs[i].running, "program %u has not ended", i);
  }
  free(auditor->commands);
  free(auditor->requests);
}
