/* SPDX-License-Identifier: BSD-3-Clause
 * See process.h: events for the observers of processes. For the observers each process is a machine with one
 * program, on a PPE. An observed process waits with a watched_wait, as the programs of a blade do
 * (sim/hw/program.c). */
#include "sim/base/engine/des.h"
#include "sim/base/jobs/watched_wait.h"
#include "sim/hw/ea.h"
#include "sim/node/hosts_state.h"

/* A wait of a process. */
struct process_waits {
  struct watched_wait watched; /* first */
  struct process *process;
  enum probe_subject subject;
  struct probe_cause cause; /* the event that has ended the wait */
};

/* Tell EVENT to the observers of HOSTS that look only at accesses to memory (ACCESSES_ONLY), or to all
 * others. */
static void tell(const struct hosts *hosts, bool accesses_only, const struct probe_event *event) {
  for (unsigned i = 0; i < hosts->machine.probes.n; i++) {
    struct probe *probe = hosts->machine.probes.items[i];
    if (probe->accesses_only == accesses_only) {
      probe->see(probe, event);
    }
  }
}

/* --- memory --- */

void hosts_see_access(const struct hosts *hosts, struct probe_event event) {
  event.cycle = des_now();
  event.programs = hosts->names;
  tell(hosts, true, &event);
}

void process_note_bytes(const struct process *self, enum probe_kind kind, const volatile void *pointer,
                        size_t nbytes) {
  if (hosts_are_accessed(self->hosts)) {
    uint64_t offset = (uint64_t)((const volatile uint8_t *)pointer - self->memory);
    hosts_see_access(self->hosts, (struct probe_event){.kind = kind,
                                                       .touch = {.spe = self->number,
                                                                 .at = des_local(self->actor),
                                                                 .ls = offset,
                                                                 .nbytes = (unsigned)nbytes}});
  }
}

void process_note_copy(const struct process *self, uint64_t from, const void *into, size_t nbytes) {
  if (hosts_are_accessed(self->hosts)) {
    uint64_t to = ea_of_process(self->number, (uint64_t)((const uint8_t *)into - self->memory));
    struct probe_ppe_touch read = {.program = self->number, .ea = from, .nbytes = (unsigned)nbytes},
                           written = {.program = self->number, .ea = to, .nbytes = (unsigned)nbytes};
    hosts_see_access(self->hosts, (struct probe_event){.kind = PROBE_PPE_LOAD, .ppe_touch = read});
    hosts_see_access(self->hosts, (struct probe_event){.kind = PROBE_PPE_STORE, .ppe_touch = written});
  }
}

/* --- programs --- */

/* Tell the observers of SELF of EVENT, in cycle CYCLE. */
static void see_at(const struct process *self, uint64_t cycle, struct probe_event event) {
  event.cycle = cycle;
  event.node = self->number;
  event.programs = &self->job.name;
  tell(self->hosts, false, &event);
}

/* The same in the current cycle; without an observer the event is not even filled in. */
#define see(self, ...) \
  do { \
    if ((self)->hosts->machine.probes.followed) { \
      see_at((self), des_now(), __VA_ARGS__); \
    } \
  } while (0)

void process_see_start(const struct process *self) {
  see_at(self, 0,
         (struct probe_event){.kind = PROBE_START, .start = {.spe = PROBE_NOBODY, .name = self->job.name}});
}

void process_see_end(const struct process *self) {
  see(self, (struct probe_event){
              .kind = PROBE_EXIT,
              .exit = {.by = {.kind = PROBE_BY_PROGRAM, .number = 1}, .at = des_local(self->actor)}});
}

void process_see_fault(const struct process *self) {
  see(self,
      (struct probe_event){
        .kind = PROBE_FAULT,
        .fault = {.by = {.kind = PROBE_BY_PROGRAM, .number = 1}, .spe = PROBE_NOBODY, .text = self->fault}});
}

void process_note_call(const struct process *self, unsigned rank, unsigned call, bool enters) {
  des_set_step(self->actor, 0);
  see(self, (struct probe_event){.kind = enters ? PROBE_ENTER : PROBE_LEAVE,
                                 .call = {.rank = rank, .call = call, .at = des_local(self->actor)}});
}

void process_note_step(const struct process *self, unsigned step) {
  des_set_step(self->actor, step);
  see(self, (struct probe_event){.kind = PROBE_STEP, .step = {.step = step, .at = des_local(self->actor)}});
}

void process_compute(const struct process *self, enum compute_reason reason, uint64_t cycles) {
  if (cycles) {
    see(self,
        (struct probe_event){.kind = PROBE_COMPUTE,
                             .compute = {.reason = reason, .at = des_local(self->actor), .cycles = cycles}});
  }
  des_charge(self->actor, cycles);
}

/* --- waits --- */

static void tell_wait(struct watched_wait *watched) {
  const struct process_waits *own = (const struct process_waits *)watched;
  see(own->process,
      (struct probe_event){.kind = PROBE_WAIT, .wait = {.subject = own->subject, .wait = watched->given}});
}

void process_wait(struct process *self, struct des_wait *wait, enum probe_subject subject) {
  if (!self->hosts->machine.probes.followed) {
    des_wait(self->actor, wait);
    return;
  }
  struct process_waits own = {.watched = watched_wait(wait, tell_wait), .process = self, .subject = subject};
  des_wait(self->actor, &own.watched.wait);
  if (own.watched.began) {
    see(self,
        (struct probe_event){.kind = PROBE_WAKE,
                             .wake = {.subject = subject, .since = own.watched.since, .cause = own.cause}});
  }
}

void process_poke(const struct process *self, enum process_poke kind, const struct process *sender,
                  uint64_t message) {
  if (des_poke(self->actor, kind)) {
    struct des_wait *wait = des_ended_wait(self->actor);
    if (wait->begin) {
      ((struct process_waits *)wait)->cause =
        (struct probe_cause){.kind = PROBE_BY_MESSAGE, .who = sender->number, .number = message};
    }
  }
}
