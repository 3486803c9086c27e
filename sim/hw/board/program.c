/* SPDX-License-Identifier: BSD-3-Clause
 * See program.h. While observers watch programs, a program waits on a watched wait, which also keeps the
 * cause of the wait's end until the program goes on. */
#include "sim/base/random.h"
#include "sim/hw/board/program.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"

/* A watched wait, in place of a wait GIVEN by a program. */
struct watched_wait {
  struct des_wait wait; /* first */
  const struct des_wait *given;
  const struct program_watcher *watcher;
  enum probe_subject subject;
  bool began;               /* the wait takes time */
  uint64_t since;           /* in this cycle */
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
  const struct des_actor *actor = des_self();
  des_note_change();
  random_absorb(&board->traffic.calls, (actor ? des_local(actor) : 0) << 16 ^ program);
  return (struct probe_cause){.kind = PROBE_BY_PROGRAM, .who = program, .number = ++board->nactions};
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
  own->watcher->see(own->watcher->context, &(struct probe_event){.kind = PROBE_WAIT,
                                                                 .wait = {.program = own->watcher->program,
                                                                          .subject = own->subject,
                                                                          .wait = own->given}});
}

void program_wait_watched(const struct program_watcher *watcher, struct des_wait *wait,
                          enum probe_subject subject, const struct probe_cause *by) {
  struct watched_wait own = {
    .wait = {.kinds = wait->kinds, .ready = is_over, .describe = describe, .begin = begin},
    .given = wait,
    .watcher = watcher,
    .subject = subject};
  des_wait(des_self(), &own.wait);
  if (own.began) {
    bool by_machine = own.cause.kind != PROBE_BY_NOTHING || !by;
    watcher->see(watcher->context, &(struct probe_event){.kind = PROBE_WAKE,
                                                         .wake = {.program = watcher->program,
                                                                  .subject = subject,
                                                                  .since = own.since,
                                                                  .cause = by_machine ? own.cause : *by}});
  }
}

static void see_on_board(const void *board, struct probe_event *event) {
  board_tell(board, event);
}

void program_wait(struct board *board, struct des_wait *wait, enum probe_subject subject,
                  const struct probe_cause *by) {
  if (board->probes.followed_in_detail) {
    const struct program_watcher watcher = {see_on_board, board, program_self()};
    program_wait_watched(&watcher, wait, subject, by);
  } else {
    des_wait(des_self(), wait);
  }
}

void program_woken(const struct des_actor *actor, struct probe_cause cause) {
  struct des_wait *wait = des_ended_wait(actor);
  if (wait->begin) {
    ((struct watched_wait *)wait)->cause = cause;
  }
}
