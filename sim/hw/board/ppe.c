/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/hw/board/ppe.h"

#include "sim/base/engine/des.h"
#include "sim/base/vec.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/program.h"

/* Return the number of program INDEX of PPE. Numbers of PPE programs follow the numbers of SPEs: the first
 * program of each PPE, by chip, then the second programs, and so on. So a number does not depend on the
 * programs of other PPEs. */
static unsigned number_of(const struct ppe *ppe, unsigned index) {
  const struct parameters *parameters = ppe->board->parameters;
  return parameters->nspes + ppe->chip + index * parameters->nchips;
}

void ppe_start(struct ppe *ppe, const struct des_job *job, uint64_t start) {
  struct des_job numbered = *job;
  struct program *program = job->argument;
  program->number = program->unit = numbered.number = number_of(ppe, ppe->nactors);
  struct des_actor *actor =
    program_start(&numbered, &(struct program_place){.spe = PROBE_NOBODY, .chip = ppe->chip}, start);
  VEC_ADD(ppe->actors, ppe->nactors) = actor;
}

void ppe_end(struct ppe *ppe) {
  while (ppe->nactors) {
    board_name_program(ppe->board, number_of(ppe, --ppe->nactors), NULL);
  }
}

bool ppe_poke_all(const struct board *board, unsigned kinds, const struct probe_cause *cause) {
  bool wakes = false;
  for (unsigned chip = 0; chip < board->parameters->nchips; chip++) {
    const struct ppe *ppe = &board->ppes[chip];
    for (unsigned i = 0; i < ppe->nactors; i++) {
      if (des_poke(ppe->actors[i], kinds)) {
        wakes = true;
        if (cause) {
          program_woken(ppe->actors[i], *cause);
        }
      }
    }
  }
  return wakes;
}

void ppe_fault(struct ppe *ppe, const char *what) {
  struct des_actor *actor = des_self();
  des_sync(actor);
  board_note_fault(ppe->board, des_name(actor), des_local(actor), what);
  board_see(ppe->board,
            &(struct probe_event){.kind = PROBE_FAULT,
                                  .fault = {.by = program_action(ppe->board, program_self()->number),
                                            .spe = PROBE_NOBODY,
                                            .text = what}});
  des_park(actor);
}
