/* SPDX-License-Identifier: BSD-3-Clause
 * See program.h. While observers watch programs, a program waits on a watched wait, which also keeps the
 * cause of the wait's end until the program goes on. */
#include "sim/hw/program.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board.h"

/* A wait of a program of a machine. */
struct program_waits {
  struct watched_wait watched; /* first */
  struct board *board;
  unsigned program;
  enum probe_subject subject;
  struct probe_cause cause; /* the cause of the end */
};

struct des_actor *program_start(struct board *board, const struct des_job *job,
                                const struct program_place *place, uint64_t start) {
  struct probe_cause by = {.kind = PROBE_BY_NOTHING};
  if (des_self()) {
    by = program_action(board, program_self());
  }
  board_name_program(board, job->number, job->name);
  board_see_detail(board, &(struct probe_event){.kind = PROBE_START,
                                                .start = {.by = by,
                                                          .program = job->number,
                                                          .spe = place->spe,
                                                          .chip = place->chip,
                                                          .name = job->name,
                                                          .at = start}});
  return des_spawn(board->node, job, start);
}

unsigned program_self(void) {
  return des_number(des_self());
}

void program_see_compute(struct board *board, enum compute_reason reason, uint64_t cycles) {
  const struct des_actor *actor = des_self();
  board_see_course(
    board,
    &(struct probe_event){
      .kind = PROBE_COMPUTE,
      .compute = {.program = des_number(actor), .reason = reason, .at = des_local(actor), .cycles = cycles}});
}

void program_note_call(struct board *board, enum probe_kind kind, unsigned rank, unsigned call) {
  board_see_course(
    board, &(struct probe_event){
             .kind = kind,
             .call = {.program = program_self(), .rank = rank, .call = call, .at = des_local(des_self())}});
}

struct probe_cause program_action(struct board *board, unsigned program) {
  return (struct probe_cause){.kind = PROBE_BY_PROGRAM, .who = program, .number = ++board->nactions};
}

/* --- waits --- */

static void tell_wait(struct watched_wait *watched) {
  const struct program_waits *own = (const struct program_waits *)watched;
  board_see_course(own->board,
                   &(struct probe_event){
                     .kind = PROBE_WAIT,
                     .wait = {.program = own->program, .subject = own->subject, .wait = watched->given}});
}

void program_wait(struct board *board, struct des_wait *wait, enum probe_subject subject,
                  const struct probe_cause *by) {
  struct des_actor *actor = des_self();
  if (!board->probes.followed_in_detail) {
    des_wait(actor, wait);
    return;
  }
  struct program_waits own = {.watched = watched_wait(wait, tell_wait),
                              .board = board,
                              .program = des_number(actor),
                              .subject = subject};
  des_wait(actor, &own.watched.wait);
  if (own.watched.began) {
    bool by_machine = own.cause.kind != PROBE_BY_NOTHING;
    board_see_course(board, &(struct probe_event){.kind = PROBE_WAKE,
                                                  .wake = {.program = own.program,
                                                           .subject = subject,
                                                           .since = own.watched.since,
                                                           .cause = by_machine ? own.cause : *by}});
  }
}

void program_woken(const struct des_actor *actor, struct probe_cause cause) {
  struct des_wait *wait = des_ended_wait(actor);
  if (wait->begin) {
    ((struct program_waits *)wait)->cause = cause;
  }
}
