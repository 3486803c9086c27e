/* SPDX-License-Identifier: BSD-3-Clause
 * See recorder.h. */
#include "tests/semantics/recorder.h"

#include "tests/asserts.h"

struct recorder told;

static void record(struct probe *probe, const struct probe_event *event) {
  struct recorder *recorder = (struct recorder *)probe;
  ck_assert_uint_lt(recorder->count, RECORDER_EVENTS);
  recorder->events[recorder->count++] = *event;
  if (event->kind == PROBE_WAIT) {
    event->wait.wait->describe(event->wait.wait, recorder->text, sizeof recorder->text);
  }
}

void recorder_start(void) {
  des_init();
  told.bed = bed_new("qs20");
  told.probe = (struct probe){.see = record, .details = true, .each_load = true};
  blade_attach(told.bed.blade, &told.probe);
}

void recorder_stop(void) {
  blade_detach(told.bed.blade, &told.probe);
  bed_fini(&told.bed);
}

const struct probe_event *recorder_event(enum probe_kind kind, unsigned number) {
  unsigned found = 0;
  for (unsigned i = 0; i < told.count; i++) {
    if (told.events[i].kind == kind && found++ == number) {
      return &told.events[i];
    }
  }
  ck_abort_msg("only %u events of kind %d", found, kind);
}

unsigned recorder_count(enum probe_kind kind) {
  unsigned n = 0;
  for (unsigned i = 0; i < told.count; i++) {
    n += told.events[i].kind == kind;
  }
  return n;
}

const struct probe_event *recorder_only_wait(unsigned program, enum probe_subject subject, uint64_t since) {
  const struct probe_event *wait = NULL, *wake = NULL;
  for (unsigned i = 0; i < told.count; i++) {
    const struct probe_event *e = &told.events[i];
    if (e->kind == PROBE_WAIT && e->wait.program == program) {
      ck_assert_ptr_null(wait);
      wait = e;
    } else if (e->kind == PROBE_WAKE && e->wake.program == program) {
      ck_assert_ptr_null(wake);
      wake = e;
    }
  }
  ck_assert(wait && wake && wait < wake);
  ck_assert_uint_eq(wait->wait.subject, subject);
  ck_assert_uint_eq(wake->wake.subject, subject);
  ck_assert_uint_eq(wait->cycle, since);
  ck_assert_uint_eq(wake->wake.since, since);
  return wake;
}

void recorder_check_cause(const struct probe_event *wake, enum probe_cause_kind kind, unsigned who,
                          uint64_t number) {
  ck_assert_uint_eq(wake->wake.cause.kind, kind);
  ck_assert_uint_eq(wake->wake.cause.who, who);
  ck_assert_uint_eq(wake->wake.cause.number, number);
}

void recorder_run(void (*first)(void *), void (*second)(void *), void (*ppe_program)(void *)) {
  struct spu spus[2];
  struct ppu ppu = {.main = ppe_program, .name = "PPE"};
  size_t n = 0;
  told.count = 0;
  if (first) {
    spus[n++] = (struct spu){.spe = 0, .main = first, .name = "zero"};
  }
  if (second) {
    spus[n++] = (struct spu){.spe = 1, .main = second, .name = "one"};
  }
  bed_run_all(&told.bed,
              &(struct spu_programs){.spus = spus, .nspus = n, .ppus = &ppu, .nppus = ppe_program != NULL});
}
