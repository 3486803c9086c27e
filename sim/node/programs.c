/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/node/programs.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/ppe.h"
#include "sim/hw/board/program.h"
#include "sim/hw/spe/spe.h"

#include <assert.h>
#include <string.h>

/* Tell the observers that the running program ends.
 * returns: the program's name as the cause of an event. */
static struct probe_cause see_exit(struct board *board) {
  struct probe_cause by = program_action(board, program_self());
  board_see_course(
    board, &(struct probe_event){.kind = PROBE_EXIT, .exit = {.by = by, .at = des_local(des_self())}});
  return by;
}

static void enter(void *argument) {
  struct spu *spu = argument;
  spu->main(spu->argument);
  struct spe *spe = spu->hw;
  if (spu->started) {
    des_sync(spe->actor);
  }
  spe->ended = see_exit(spe->board);
  if (spu->started) {
    spu->ended = true;
    spe_end(spe);
    spe_tell(spe);
  }
}

static void enter_ppe(void *argument) {
  struct ppu *ppu = argument;
  ppu->main(ppu->argument);
  see_exit(ppu->hw->board);
}

/* Start SPU on BOARD in cycle SPU->start. */
static void start(const struct board *board, struct spu *spu) {
  assert(spu->spe < board->parameters->nspes);
  spu->hw = &board->spes[spu->spe];
  spu->hw->dma.tag_query = (struct dma_tag_query){0};
  spu->hw->dma.list_stalls = 0;
  spe_events_reset(spu->hw);
  spu->tags_taken = spu->srr0 = 0;
  spu->interrupts = false;
  memset(spu->registers, 0, sizeof spu->registers);
  spu->expected = -1;
  spu->started = spu->ended = false;
  spe_start(spu->hw, &(struct des_job){.program = enter, .argument = spu, .name = spu->name}, spu->start);
}

void spu_start_now(const struct board *board, struct spu *spu) {
  spu->start = des_now();
  start(board, spu);
  spu->started = true;
}

void spu_start(struct blade *blade, const struct spu_programs *programs) {
  const struct board *board = blade_board(blade);
  for (size_t i = 0; i < programs->nspus; i++) {
    start(board, &programs->spus[i]);
  }
  for (size_t i = 0; i < programs->nppus; i++) {
    struct ppu *ppu = &programs->ppus[i];
    assert(ppu->chip < board->parameters->nchips);
    ppu->hw = &board->ppes[ppu->chip];
    ppe_start(ppu->hw, &(struct des_job){.program = enter_ppe, .argument = ppu, .name = ppu->name},
              ppu->start);
  }
}

struct blade_result spu_run_all(struct blade *blade, const struct spu_programs *programs) {
  spu_start(blade, programs);
  return blade_run(blade);
}

void spu_config_signal_or(struct blade *blade, unsigned spe, unsigned which) {
  blade_board(blade)->spes[spe].signals[which - 1].or_mode = true;
}
