/* SPDX-License-Identifier: BSD-3-Clause
 * A program of an SPE, of a PPE or of a process on a host, for the machine and for observers: computing,
 * waiting, and acting on things that others wait for. */
#pragma once

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/program_head.h"
#include "sim/hw/watch/probe.h"

#include <stdint.h>

/* The processor of a program. */
struct program_place {
  unsigned spe; /* PROBE_NOBODY: the PPE of the chip */
  unsigned chip;
};

/* Start JOB, whose argument is a struct program, at PLACE, in a run or before a run, at cycle START.
 * owner: the event core, until the end of the run. */
struct des_actor *program_start(const struct des_job *job, const struct program_place *place, uint64_t start);

/* Tell the observers of the end of the calling program.
 * returns: the end as the cause of an event. */
struct probe_cause program_end(void);

/* Return the calling program. */
static inline struct program *program_self(void) {
  return des_argument(des_self());
}

/* Stop the calling program because of the formatted text. */
void program_fault(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Return the calling program, on an SPE or on a PPE, for CALL. A program on a host stops here. */
static inline void *program_self_for(const char *call) {
  struct program *self = program_self();
  if (__builtin_expect(self->kind->is_on_host, 0)) {
    program_fault("%s, which is a call of an SPE, on a host", call);
  }
  return self;
}

/* Tell the observers of BOARD that the calling program will compute for CYCLES because of REASON. */
void program_see_compute(struct board *board, enum compute_reason reason, uint64_t cycles);

/* Let CYCLES of the calling program's own time, on BOARD, pass because of REASON. */
static inline void program_compute(struct board *board, enum compute_reason reason, uint64_t cycles) {
  if (__builtin_expect(board->probes.followed_in_detail && cycles, 0)) {
    program_see_compute(board, reason, cycles);
  }
  des_charge(des_self(), cycles);
}

/* Let the calling program, on BOARD, stand still for a drawn time, in a shuffled run, before a command or a
 * wait. */
static inline void program_stall(struct board *board) {
  if (des_is_shuffled()) {
    program_compute(board, COMPUTE_OTHER, program_self()->kind->slowness * des_stall());
  }
}

/* Let the calling program, on BOARD, stand still for CYCLES, and let the machine catch up; 0: neither. */
static inline void program_stall_for(struct board *board, uint64_t cycles) {
  if (__builtin_expect(cycles != 0, 0)) {
    program_compute(board, COMPUTE_OTHER, cycles);
    des_sync(des_self());
  }
}

/* Let the calling program wait as in des_wait, for an event of SUBJECT. BY is the place of the cause if
 * another program can end the wait by an action; NULL: only the machine can. */
void program_wait(struct des_wait *wait, enum probe_subject subject, const struct probe_cause *by);

/* Tell observers of orders that the calling program has seen, or done, something of KIND; the other arguments
 * are the fields of struct probe_seen, without the program. */
#define program_see(kind_, ...) \
  board_see_order( \
    program_self()->memory, \
    &(struct probe_event){.kind = (kind_), .seen = {.program = program_self()->unit, __VA_ARGS__}})

/* The machine has just ended the wait of ACTOR by CAUSE. */
void program_woken(const struct des_actor *actor, struct probe_cause cause);

/* Return the name of the next action of program NUMBER on BOARD. */
struct probe_cause program_action(struct board *board, unsigned number);
