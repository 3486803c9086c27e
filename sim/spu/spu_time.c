/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of SPE programs without a counterpart in real code: computing, catching up, notes for observers. */
#include "sim/spu/spu_time.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/program.h"
#include "sim/hw/spe/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/waits.h"

#include <stdio.h>

void spu_compute_for(enum compute_reason reason, uint64_t cycles) {
  program_compute(spu_self()->hw->board, reason, cycles);
}

void spu_compute(uint64_t cycles) {
  if (cycles > COMPUTE_MAX) {
    spu_fault(COMPUTE_FAULT);
  }
  spu_compute_for(COMPUTE_OTHER, cycles);
  des_end_compute(des_self(), cycles);
}

void spu_catch_up(void) {
  des_sync(spu_self()->hw->actor);
}

uint64_t spu_cycles(void) {
  des_note_change();
  return des_local(spu_self()->hw->actor);
}

void spu_fault(const char *what) {
  spe_fault(spu_self()->hw, what);
}

void *spu_ls(uint32_t address) {
  const struct spe *spe = spu_self()->hw;
  if (address >= spe->board->parameters->ls_size) {
    char what[96];
    snprintf(what, sizeof what, "local store address 0x%x, expected below 0x%x", (unsigned)address,
             (unsigned)spe->board->parameters->ls_size);
    spu_fault(what);
  }
  return spe->ls + address;
}

uint32_t spu_ls_bytes(void) {
  return spu_self()->hw->board->parameters->ls_size;
}

uint64_t spu_ls_ea(unsigned spe, uint32_t address) {
  return ea_of_ls(spe, address);
}

uint64_t spu_signal_ea(unsigned spe, unsigned which) {
  return ea_of_signal(spe, which);
}

uint64_t spu_mailbox_ea(unsigned spe) {
  return ea_of_mailbox(spe);
}

void spu_expect_signal_from(unsigned rank) {
  spu_self()->expected = (int)rank;
}

/* Tell the observers of an access of the program to NBYTES from POINTER on. */
static void note(enum probe_kind kind, const volatile void *pointer, size_t nbytes) {
  const struct spe *spe = spu_self()->hw;
  if (spe->board->probes.detailed && nbytes) {
    board_see_detail(spe->board, &(struct probe_event){
                                   .kind = kind,
                                   .touch = {.spe = spe->index,
                                             .at = des_local(spe->actor),
                                             .ls = (uint64_t)((const volatile uint8_t *)pointer - spe->ls),
                                             .nbytes = (unsigned)nbytes}});
  }
}

void spu_note_store(const volatile void *pointer, size_t nbytes) {
  note(PROBE_STORE, pointer, nbytes);
}

void spu_note_load(const volatile void *pointer, size_t nbytes) {
  note(PROBE_LOAD, pointer, nbytes);
}

void spu_note_flags(const volatile void *pointer, size_t nbytes) {
  note(PROBE_FLAGS, pointer, nbytes);
}

static void note_memory(enum probe_kind kind, uint64_t ea, size_t nbytes) {
  const struct spe *spe = spu_self()->hw;
  board_see_order(spe->board, &(struct probe_event){
                                .kind = kind, .seen = {.program = spe->index, .ea = ea, .number = nbytes}});
}

void spu_note_memory_store(uint64_t ea, size_t nbytes) {
  note_memory(PROBE_MEMORY_STORE, ea, nbytes);
}

void spu_note_memory_load(uint64_t ea, size_t nbytes) {
  note_memory(PROBE_MEMORY_LOAD, ea, nbytes);
}

void spu_note_enter(unsigned rank, unsigned call) {
  des_set_step(spu_self()->hw->actor, 0);
  program_note_call(spu_self()->hw->board, PROBE_ENTER, rank, call);
}

void spu_note_leave(unsigned rank, unsigned call) {
  program_note_call(spu_self()->hw->board, PROBE_LEAVE, rank, call);
}

void spu_note_step(unsigned step, const char *name) {
  const struct spe *spe = spu_self()->hw;
  des_set_step(spe->actor, step);
  board_see_course(
    spe->board,
    &(struct probe_event){.kind = PROBE_STEP, .step = {program_self(), step, des_local(spe->actor), name}});
}

void spu_note_barrier(unsigned rank, unsigned call, unsigned nranks) {
  const struct spe *spe = spu_self()->hw;
  board_see_order(
    spe->board,
    &(struct probe_event){.kind = PROBE_BARRIER,
                          .seen = {.program = spe->index, .rank = rank, .number = call, .mask = nranks}});
}

bool spu_poll_flag(const struct spu_flag *flag) {
  struct spe *spe = spu_self()->hw;
  des_sync(spe->actor);
  bool up = spu_flag_is_up(flag);
  if (up) {
    uint64_t ea = ea_of_ls(spe->index, (uint32_t)((const volatile uint8_t *)flag->word - spe->ls));
    board_see_order(
      spe->board, &(struct probe_event){.kind = PROBE_SEEN_WORD, .seen = {.program = spe->index, .ea = ea}});
  }
  return up;
}

void spu_wait_flag(const struct spu_flag *flag) {
  struct spe *spe = spu_self()->hw;
  wait_for(WAIT_FLAG, spe->board, &(struct wait){.flag = flag}, &spe->stored);
  spu_poll_flag(flag);
}

void spu_wait_any(const struct spu_any *any) {
  struct spe *spe = spu_self()->hw;
  dma_let_go(&spe->dma, DMA_SPU, any->tags, true, des_local(spe->actor));
  wait_for(WAIT_ANY, spe->board, &(struct wait){.spe = spe, .any = any}, &spe->stored);
}

/* --- for the calls of SPE programs: spu.h --- */

/* Stop the program of SPE, unless ADDRESS is NULL or in, or at the end of, the local store of an SPE. */
static void refuse_foreign(struct spe *spe, const uint8_t *address) {
  const struct board *board = spe->board;
  uint32_t size = board->parameters->ls_size;
  bool known = !address;
  for (unsigned i = 0; i < board->parameters->nspes; i++) {
    const uint8_t *ls = board->spes[i].ls;
    known = known || (address >= ls && address <= ls + size);
  }
  if (!known) {
    struct fault fault;
    fault_set(&fault,
              "the address %p is no part of the local store of SPE %u: a static variable or the stack of the "
              "program; data for DMA comes from spu_ls or the buffers of the call",
              (const void *)address, spe->index);
    spe_fault(spe, fault.text);
  }
}

uint32_t spu_ls_address(const struct spu *spu, volatile const void *pointer) {
  ptrdiff_t offset = (volatile const uint8_t *)pointer - spu->hw->ls;
  uint32_t end = spu->hw->board->parameters->ls_size;
  if (offset >= 0 && offset < (ptrdiff_t)end) {
    return (uint32_t)offset;
  }
  refuse_foreign(spu->hw, (const uint8_t *)pointer);
  return end;
}

struct spe *spu_look(void) {
  struct spe *spe = spu_self()->hw;
  program_compute(spe->board, COMPUTE_CHANNEL, spe->board->parameters->mfc_channel_read);
  des_sync(spe->actor);
  return spe;
}
