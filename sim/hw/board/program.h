/* SPDX-License-Identifier: BSD-3-Clause
 * Actions of programs as observers see programs: computing, waiting, and acting on things that others wait
 * for. */
#pragma once

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/watch/probe.h"

#include <stdint.h>

/* The processor of a program. */
struct program_place {
  unsigned spe; /* PROBE_NOBODY: the PPE of the chip */
  unsigned chip;
};

/* Start JOB, whose number is set, at PLACE on BOARD, in a run or before a run, at cycle START.
 * owner: the event core, until the end of the run. */
struct des_actor *program_start(struct board *board, const struct des_job *job,
                                const struct program_place *place, uint64_t start);

/* Return the number of the calling program, unique on its machine. */
unsigned program_self(void);

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
    program_compute(board, COMPUTE_OTHER, des_stall());
  }
}

/* Let the calling program, on BOARD, stand still for CYCLES, and let the machine catch up; 0: neither. */
static inline void program_stall_for(struct board *board, uint64_t cycles) {
  if (__builtin_expect(cycles != 0, 0)) {
    program_compute(board, COMPUTE_OTHER, cycles);
    des_sync(des_self());
  }
}

/* Tell the observers of BOARD that the calling program enters or leaves call CALL as RANK, by an event of
 * KIND. */
void program_note_call(struct board *board, enum probe_kind kind, unsigned rank, unsigned call);

/* Let the calling program, on BOARD, wait as in des_wait, for an event of SUBJECT. BY is the place of the
 * cause if another program can end the wait by an action; NULL: only the machine can. */
void program_wait(struct board *board, struct des_wait *wait, enum probe_subject subject,
                  const struct probe_cause *by);

/* An observer of a program: SEE gets CONTEXT and each event. */
struct program_watcher {
  void (*see)(const void *context, struct probe_event *event);
  const void *context;
  unsigned program;
};

/* Let the calling program wait as in program_wait, and tell WATCHER of the begin and the end of the wait. */
void program_wait_watched(const struct program_watcher *watcher, struct des_wait *wait,
                          enum probe_subject subject, const struct probe_cause *by);

/* The machine has just ended the wait of ACTOR by CAUSE. */
void program_woken(const struct des_actor *actor, struct probe_cause cause);

/* Return the name of the next action of program PROGRAM on BOARD. */
struct probe_cause program_action(struct board *board, unsigned program);
