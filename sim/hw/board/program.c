/* SPDX-License-Identifier: BSD-3-Clause
 * Programs. While observers watch programs, a program waits on a watched wait, which also keeps the cause of
 * the wait's end until the program goes on. */
#include "sim/hw/board/program.h"

#include "sim/base/engine/des.h"
#include "sim/base/random.h"
#include "sim/hw/board/board.h"

#include <stdarg.h>
#include <stdio.h>

/* A watched wait, in place of a wait GIVEN by a program. */
struct watched_wait {
  struct des_wait wait; /* first */
  const struct des_wait *given;
  const struct program *program;
  enum probe_subject subject;
  bool began;               /* the wait takes time */
  uint64_t since;           /* in this cycle */
  struct probe_cause cause; /* of the end */
};

struct des_actor *program_start(const struct des_job *job, const struct program_place *place,
                                uint64_t start) {
  const struct program *program = job->argument;
  struct board *board = program->board;
  struct probe_cause by = {.kind = PROBE_BY_NOTHING};
  if (des_self()) {
    by = program_action(board, program_self()->number);
  }
  board_name_program(board, program->number, program->name);
  board_see_detail(board, &(struct probe_event){.kind = PROBE_START,
                                                .start = {.by = by,
                                                          .program = program->number,
                                                          .spe = place->spe,
                                                          .chip = place->chip,
                                                          .name = program->name,
                                                          .at = start}});
  return des_spawn(board->node, job, start);
}

struct probe_cause program_end(void) {
  struct board *board = program_self()->board;
  struct probe_cause by = program_action(board, program_self()->number);
  board_see_course(
    board, &(struct probe_event){.kind = PROBE_EXIT, .exit = {.by = by, .at = des_local(des_self())}});
  return by;
}

void program_fault(const char *format, ...) {
  char what[320];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  program_self()->kind->fault(program_self(), what);
}

void program_see_compute(struct board *board, enum compute_reason reason, uint64_t cycles) {
  board_see_course(board, &(struct probe_event){.kind = PROBE_COMPUTE,
                                                .compute = {.program = program_self()->number,
                                                            .reason = reason,
                                                            .at = des_local(des_self()),
                                                            .cycles = cycles}});
}

struct probe_cause program_action(struct board *board, unsigned number) {
  const struct des_actor *actor = des_self();
  des_note_change();
  random_absorb(&board->traffic.calls, (actor ? des_local(actor) : 0) << 16 ^ number);
  return (struct probe_cause){.kind = PROBE_BY_PROGRAM, .who = number, .number = ++board->nactions};
}

/* --- waits --- */

static const struct des_wait *given_of(const struct des_wait *wait) {
  return ((const struct watched_wait *)wait)->given;
}

static bool is_over(const struct des_wait *wait) {
  return given_of(wait)->ready(given_of(wait));
}

static void describe(const struct des_wait *wait, char *text, size_t size) {
  given_of(wait)->describe(given_of(wait), text, size);
}

static void begin(struct des_wait *wait) {
  struct watched_wait *own = (struct watched_wait *)wait;
  own->began = true;
  own->since = des_now();
  board_tell(own->program->board,
             &(struct probe_event){
               .kind = PROBE_WAIT,
               .wait = {.program = own->program->number, .subject = own->subject, .wait = own->given}});
}

void program_wait(struct des_wait *wait, enum probe_subject subject, const struct probe_cause *by) {
  const struct program *program = program_self();
  if (!program->board->probes.followed_in_detail) {
    des_wait(des_self(), wait);
    return;
  }
  struct watched_wait own = {
    .wait = {.kinds = wait->kinds, .ready = is_over, .describe = describe, .begin = begin},
    .given = wait,
    .program = program,
    .subject = subject};
  des_wait(des_self(), &own.wait);
  if (own.began) {
    bool by_machine = own.cause.kind != PROBE_BY_NOTHING || !by;
    board_tell(program->board, &(struct probe_event){.kind = PROBE_WAKE,
                                                     .wake = {.program = program->number,
                                                              .subject = subject,
                                                              .since = own.since,
                                                              .cause = by_machine ? own.cause : *by}});
  }
}

void program_woken(const struct des_actor *actor, struct probe_cause cause) {
  struct des_wait *wait = des_ended_wait(actor);
  if (wait->begin) {
    ((struct watched_wait *)wait)->cause = cause;
  }
}
