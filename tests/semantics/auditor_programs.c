/* SPDX-License-Identifier: BSD-3-Clause
 * The auditor's checks of programs: the time of a program is accounted for without a gap, and the cause of
 * the end of a wait has been reported. */
#include "tests/semantics/auditor_parts.h"

#include "sim/base/engine/des.h"
#include "tests/asserts.h"

#include <string.h>

typedef unsigned long long ull;

static void pass(struct auditor_program *p, uint64_t cycles) {
  p->clock += cycles;
  p->spent += cycles;
}

static void see_start(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_start *start = &event->start;
  struct auditor_program *p = auditor_program(auditor, start->program);
  ck_assert(!p->running);
  ck_assert(start->spe == start->program || start->spe == PROBE_NOBODY);
  ck_assert_uint_gt(strlen(start->name), 0);
  *p = (struct auditor_program){.running = true, .clock = start->at};
  if (start->by.kind == PROBE_BY_PROGRAM) {
    auditor_see_action(auditor, event, start->by);
    ck_assert_uint_eq(start->at, event->cycle);
  } else {
    ck_assert_int_eq(start->by.kind, PROBE_BY_NOTHING);
  }
}

static void see_exit(struct auditor *auditor, const struct probe_event *event) {
  struct auditor_program *p = auditor_running_at(auditor, event->exit.by.who, event->exit.at);
  auditor_see_action(auditor, event, event->exit.by);
  ck_assert(!p->in_call);
  p->running = false;
}

static void see_fault(struct auditor *auditor, const struct probe_event *event) {
  struct auditor_program *p = auditor_program(auditor, event->fault.by.who);
  ck_assert(event->fault.spe == event->fault.by.who || event->fault.spe == PROBE_NOBODY);
  auditor_see_action(auditor, event, event->fault.by);
  p->running = p->waiting = false;
}

static void see_enter(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_call *call = &event->call;
  struct auditor_program *p = auditor_running_at(auditor, call->program, call->at);
  ck_assert(!p->in_call);
  ck_assert_uint_eq(call->call, p->calls);
  p->in_call = true;
  p->entered = call->at;
  p->spent = 0;
  p->step = 0;
}

static void see_leave(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_call *call = &event->call;
  struct auditor_program *p = auditor_running_at(auditor, call->program, call->at);
  ck_assert(p->in_call);
  ck_assert_uint_eq(call->call, p->calls++);
  ck_assert_uint_eq(p->spent, call->at - p->entered);
  p->in_call = false;
  auditor->calls++;
}

static void see_step(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_step *step = &event->step;
  struct auditor_program *p = auditor_running_at(auditor, step->program, step->at);
  ck_assert(p->in_call);
  ck_assert_uint_eq(step->step, ++p->step);
  auditor->steps++;
}

static void see_compute(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_compute *compute = &event->compute;
  struct auditor_program *p = auditor_running_at(auditor, compute->program, compute->at);
  ck_assert_uint_gt(compute->cycles, 0);
  ck_assert_uint_lt(compute->reason, COMPUTE_REASONS);
  pass(p, compute->cycles);
  auditor->computed[compute->reason] += compute->cycles;
}

static void see_wait(struct auditor *auditor, const struct probe_event *event) {
  struct auditor_program *p = auditor_running_at(auditor, event->wait.program, event->cycle);
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
  struct auditor_program *p = auditor_program(auditor, event->wake.program);
  p->waiting = false;
  pass(p, event->cycle - p->clock);
  auditor->wakes[event->wake.subject][event->wake.cause.kind]++;
}

static void see_wake(struct auditor *auditor, const struct probe_event *event) {
  const struct probe_wake *wake = &event->wake;
  struct auditor_program *p = auditor_program(auditor, wake->program);
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
  auditor_running_at(auditor, event->touch.spe, event->touch.at);
}

static void see_copy(struct auditor *auditor, const struct probe_event *event) {
  auditor_see_action(auditor, event, event->copy.by);
}

/* A word for a mailbox or a signal, by a program or by a command. */
static void see_word(struct auditor *auditor, const struct probe_event *event) {
  struct probe_cause by = event->kind == PROBE_MAILBOX ? event->mailbox.by : event->signal.by;
  if (by.kind == PROBE_BY_PROGRAM) {
    auditor_see_action(auditor, event, by);
  }
}

static void (*const see[])(struct auditor *auditor, const struct probe_event *event) = {
  [PROBE_START] = see_start,     [PROBE_EXIT] = see_exit,   [PROBE_FAULT] = see_fault,
  [PROBE_ENTER] = see_enter,     [PROBE_LEAVE] = see_leave, [PROBE_STEP] = see_step,
  [PROBE_COMPUTE] = see_compute, [PROBE_WAIT] = see_wait,   [PROBE_WAKE] = see_wake,
  [PROBE_STORE] = see_touch,     [PROBE_LOAD] = see_touch,  [PROBE_COPY] = see_copy,
  [PROBE_MAILBOX] = see_word,    [PROBE_SIGNAL] = see_word,
};

bool auditor_see_program(struct auditor *auditor, const struct probe_event *event) {
  bool known = event->kind < sizeof see / sizeof *see && see[event->kind];
  if (known) {
    see[event->kind](auditor, event);
  }
  return known;
}
