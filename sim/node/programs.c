/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of SPEs and PPEs: the start, the end, and the functions of struct program_kind. */
#include "sim/node/programs.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/board/ppe.h"
#include "sim/hw/board/program.h"
#include "sim/hw/spe/spe.h"

#include <assert.h>
#include <string.h>

static __attribute__((noreturn)) void fault_on_spe(struct program *program, const char *what) {
  spe_fault(((struct spu *)program)->hw, what);
}

static __attribute__((noreturn)) void fault_on_ppe(struct program *program, const char *what) {
  ppe_fault(((struct ppu *)program)->hw, what);
}

static void let_go(struct program *program, uint32_t tags, bool any) {
  struct spe *spe = ((struct spu *)program)->hw;
  dma_let_go(&spe->dma, DMA_SPU, tags, any, des_local(spe->actor));
}

static uint32_t tags_done(const struct program *program, uint32_t tags) {
  return dma_tags_done(&((const struct spu *)program)->hw->dma, DMA_SPU, tags);
}

static const struct program_kind on_spe = {.fault = fault_on_spe,
                                           .let_go = let_go,
                                           .done = tags_done,
                                           .slowness = 1},
                                 on_ppe = {.fault = fault_on_ppe, .slowness = 1};

static void enter(void *argument) {
  struct spu *spu = argument;
  spu->main(spu->argument);
  struct spe *spe = spu->hw;
  if (spu->started) {
    des_sync(spe->actor);
  }
  spe->ended = program_end();
  if (spu->started) {
    spu->ended = true;
    spe_end(spe);
    spe_tell(spe);
  }
}

static void enter_ppe(void *argument) {
  struct ppu *ppu = argument;
  ppu->main(ppu->argument);
  program_end();
}

void spu_start(const struct board *board, struct spu *spu) {
  struct spe *spe = spu->hw = &board->spes[spu->spe];
  assert(spu->spe < board->parameters->nspes && !spe->actor);
  spu->program = (struct program){.kind = &on_spe,
                                  .name = spu->name,
                                  .board = spe->board,
                                  .number = spe->index,
                                  .memory = spe->board,
                                  .unit = spe->index,
                                  .bytes = spe->ls,
                                  .nbytes = board->parameters->ls_size,
                                  .ea = ea_of_ls(spe->index, 0),
                                  .stored = &spe->stored};
  spe->dma.tag_query = (struct dma_tag_query){0};
  spe->dma.list_stalls = 0;
  spe_events_reset(spe);
  spu->tags_taken = spu->srr0 = 0;
  spu->interrupts = false;
  memset(spu->registers, 0, sizeof spu->registers);
  spu->expected = -1;
  spu->started = spu->ended = false;
  spe->actor = program_start(
    &(struct des_job){.program = enter, .argument = spu, .name = spu->name, .number = spe->index},
    &(struct program_place){.spe = spe->index, .chip = spe->chip}, spu->start);
}

void spu_start_now(const struct board *board, struct spu *spu) {
  spu->start = des_now();
  spu_start(board, spu);
  spu->started = true;
}

void ppu_start(const struct board *board, struct ppu *ppu) {
  assert(ppu->chip < board->parameters->nchips);
  ppu->hw = &board->ppes[ppu->chip];
  ppu->program =
    (struct program){.kind = &on_ppe, .name = ppu->name, .board = ppu->hw->board, .memory = ppu->hw->board};
  ppe_start(ppu->hw, &(struct des_job){.program = enter_ppe, .argument = ppu, .name = ppu->name}, ppu->start);
}

void spu_config_signal_or(struct blade *blade, unsigned spe, unsigned which) {
  blade_board(blade)->spes[spe].signals[which - 1].or_mode = true;
}
