/* SPDX-License-Identifier: BSD-3-Clause
 * See program.h. When somebody looks at what programs do, one waits on a watched wait, which stands for the one that it has
 * given; it tells when the wait begins, and keeps what has ended it until the program goes on. */
#include "sim/hw/program.h"

#include "sim/hw/machine.h"

struct watched_wait {
  struct des_wait wait;
  const struct des_wait *given;
  struct machine *machine;
  unsigned program;
  enum probe_subject subject;
  bool began;
  uint64_t since;
  struct probe_cause cause;
};

struct des_actor *
program_start(struct machine *machine, const struct des_job *job, const struct program_place *place,
              uint64_t start)
{
  struct probe_cause by = {.kind = PROBE_BY_NOTHING};
  if (des_self()) {
    by = program_action(machine, program_self());
  }
  machine_name_program(machine, job->number, job->name);
  machine_see_course(machine, &(struct probe_event){.kind = PROBE_START,
                                                    .start = {.by = by,
                                                              .program = job->number,
                                                              .spe = place->spe,
                                                              .chip = place->chip,
                                                              .name = job->name,
                                                              .at = start}});
  return des_spawn(machine->node, job, start);
}

unsigned
program_self(void)
{
  return des_number(des_self());
}

void
program_compute(struct machine *machine, enum compute_reason reason, uint64_t cycles)
{
  struct des_actor *actor = des_self();
  if (cycles) {
    machine_see_course(machine, &(struct probe_event){.kind = PROBE_COMPUTE,
                                                      .compute = {.program = des_number(actor),
                                                                  .reason = reason,
                                                                  .at = des_local(actor),
                                                                  .cycles = cycles}});
  }
  des_charge(actor, cycles);
}

void
program_note_call(struct machine *machine, enum probe_kind kind, unsigned rank, unsigned call)
{
  machine_see_course(
    machine, &(struct probe_event){
               .kind = kind,
               .call = {.program = program_self(), .rank = rank, .call = call, .at = des_local(des_self())}});
}

struct probe_cause
program_action(struct machine *machine, unsigned program)
{
  return (struct probe_cause){.kind = PROBE_BY_PROGRAM, .who = program, .number = ++machine->nactions};
}

/* --- waits --- */

static const struct watched_wait *
of(const struct des_wait *wait)
{
  return (const struct watched_wait *)wait;
}

static bool
is_over(const struct des_wait *wait)
{
  return of(wait)->given->ready(of(wait)->given);
}

static void
describe(const struct des_wait *wait, char *text, size_t size)
{
  of(wait)->given->describe(of(wait)->given, text, size);
}

static void
begin(struct des_wait *wait)
{
  struct watched_wait *watched = (struct watched_wait *)wait;
  watched->began = true;
  watched->since = des_now();
  machine_see_course(watched->machine, &(struct probe_event){.kind = PROBE_WAIT,
                                                             .wait = {.program = watched->program,
                                                                      .subject = watched->subject,
                                                                      .wait = watched->given}});
}

void
program_wait(struct machine *machine, struct des_wait *wait, enum probe_subject subject,
             const struct probe_cause *by)
{
  struct des_actor *actor = des_self();
  if (!machine->followed_in_detail) {
    des_wait(actor, wait);
    return;
  }
  struct watched_wait watched = {
    .wait = {.kinds = wait->kinds, .ready = is_over, .describe = describe, .begin = begin},
    .given = wait,
    .machine = machine,
    .program = des_number(actor),
    .subject = subject};
  des_wait(actor, &watched.wait);
  if (watched.began) {
    bool by_machine = watched.cause.kind != PROBE_BY_NOTHING;
    machine_see_course(machine, &(struct probe_event){.kind = PROBE_WAKE,
                                                      .wake = {.program = watched.program,
                                                               .subject = subject,
                                                               .since = watched.since,
                                                               .cause = by_machine ? watched.cause : *by}});
  }
}

void
program_woken(const struct des_actor *actor, struct probe_cause cause)
{
  struct des_wait *wait = des_ended_wait(actor);
  if (wait->begin) {
    ((struct watched_wait *)wait)->cause = cause;
  }
}
