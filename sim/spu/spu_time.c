/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of programs without a counterpart in real code: computing, catching up, flags, notes for observers.
 * All but calls about an MFC serve programs of processes as well: struct program tells the difference. */
#include "sim/spu/spu_time.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/board/program.h"
#include "sim/hw/spe/spe.h"
#include "sim/spu/spu.h"

void spu_compute_for(enum compute_reason reason, uint64_t cycles) {
  program_compute(program_self()->board, reason, cycles);
}

void spu_compute(uint64_t cycles) {
  if (cycles > COMPUTE_MAX) {
    program_fault(COMPUTE_FAULT);
  }
  spu_compute_for(COMPUTE_OTHER, cycles);
  des_end_compute(des_self(), cycles);
}

void spu_catch_up(void) {
  des_sync(des_self());
}

uint64_t spu_cycles(void) {
  des_note_change();
  return des_local(des_self());
}

void spu_fault(const char *what) {
  program_fault("%s", what);
}

void *spu_ls(uint32_t address) {
  const struct program *self = program_self();
  if (address >= self->nbytes) {
    program_fault("local store address 0x%x, expected below 0x%zx", (unsigned)address, self->nbytes);
  }
  return self->bytes + address;
}

uint32_t spu_ls_bytes(void) {
  return (uint32_t)program_self()->nbytes;
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

/* --- notes for observers --- */

/* Return the place of POINTER in the memory of SELF. */
static uint64_t place_in(const struct program *self, const volatile void *pointer) {
  return (uint64_t)((const volatile uint8_t *)pointer - self->bytes);
}

/* Tell the observers of an access of the program to NBYTES from POINTER on. */
static void note(enum probe_kind kind, const volatile void *pointer, size_t nbytes) {
  const struct program *self = program_self();
  if (self->memory->probes.detailed && nbytes) {
    board_tell(self->memory, &(struct probe_event){.kind = kind,
                                                   .touch = {.spe = self->unit,
                                                             .at = des_local(des_self()),
                                                             .ls = place_in(self, pointer),
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

void spu_note_memory_store(uint64_t ea, size_t nbytes) {
  program_see(PROBE_MEMORY_STORE, .ea = ea, .number = nbytes);
}

void spu_note_memory_load(uint64_t ea, size_t nbytes) {
  program_see(PROBE_MEMORY_LOAD, .ea = ea, .number = nbytes);
}

static void note_call(enum probe_kind kind, unsigned rank, unsigned call) {
  const struct program *self = program_self();
  board_see_course(
    self->board,
    &(struct probe_event){
      .kind = kind,
      .call = {.program = self->number, .rank = rank, .call = call, .at = des_local(des_self())}});
}

void spu_note_enter(unsigned rank, unsigned call) {
  des_set_step(des_self(), 0);
  note_call(PROBE_ENTER, rank, call);
}

void spu_note_leave(unsigned rank, unsigned call) {
  note_call(PROBE_LEAVE, rank, call);
}

void spu_note_step(unsigned step, const char *name) {
  const struct program *self = program_self();
  des_set_step(des_self(), step);
  board_see_course(
    self->board,
    &(struct probe_event){.kind = PROBE_STEP, .step = {self->number, step, des_local(des_self()), name}});
}

void spu_note_barrier(unsigned rank, unsigned call, unsigned nranks) {
  program_see(PROBE_BARRIER, .rank = rank, .number = call, .mask = nranks);
}

/* --- flags --- */

bool spu_poll_flag(const struct spu_flag *flag) {
  const struct program *self = program_self();
  des_sync(des_self());
  bool up = flag_is_up(flag);
  if (up) {
    uint64_t ea = self->ea + place_in(self, flag->word);
    program_see(PROBE_SEEN_WORD, .ea = ea);
  }
  return up;
}

void spu_wait_flag(const struct spu_flag *flag) {
  wait_for(WAIT_FLAG, &(struct wait){.flag = flag}, program_self()->stored);
  spu_poll_flag(flag);
}

void spu_wait_any(const struct spu_any *any) {
  struct program *self = program_self();
  self->kind->let_go(self, any->tags, true);
  wait_for(any->nflags ? WAIT_ANY : WAIT_ANY_TAG, &(struct wait){.program = self, .any = any}, self->stored);
}

/* --- for the calls of SPE programs: spu.h --- */

uint32_t spu_ls_address(const struct spu *spu, volatile const void *pointer) {
  const struct board *board = spu->hw->board;
  const uint8_t *address = (const uint8_t *)pointer;
  ptrdiff_t offset = address - spu->hw->ls, size = board->parameters->ls_size;
  if (offset >= 0 && offset < size) {
    return (uint32_t)offset;
  }
  bool known = !address; /* or in, or at the end of, the local store of an SPE */
  for (unsigned i = 0; i < board->parameters->nspes; i++) {
    known = known || (address >= board->spes[i].ls && address <= board->spes[i].ls + size);
  }
  if (!known) {
    program_fault(
      "the address %p is no part of the local store of SPE %u: a static variable or the stack of the "
      "program; data for DMA comes from spu_ls or the buffers of the call",
      (const void *)address, spu->hw->index);
  }
  return (uint32_t)size;
}

struct spe *spu_look(void) {
  struct spe *spe = spu_self()->hw;
  program_compute(spe->board, COMPUTE_CHANNEL, spe->board->parameters->mfc_channel_read);
  des_sync(spe->actor);
  return spe;
}
