/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_atomic.h, and spu_wait_line in spu_time.h. A command costs the SPU mfc.issue cycles, as any
 * other. */
#include "sim/spu/spu_atomic.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board.h"
#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_time.h"
#include "sim/spu/waits.h"

#include <stdio.h>

/* Return the atomic unit for the next command, with addresses LS and EA. */
static struct atomic *prepare(volatile void *ls, uint64_t ea) {
  struct spu *spu = spu_self();
  struct spe *spe = spu->hw;
  struct fault fault;
  uint32_t address = spu_ls_address(spu, ls);
  if (atomic_check(&spe->atomic, address, ea, &fault)) {
    spe_fault(spe, fault.text);
  }
  wait_for(WAIT_ATOMIC_UNIT, spe->board, &(struct wait){.spe = spe}, NULL);
  program_compute(spe->board, COMPUTE_ISSUE, spe->board->parameters->issue);
  spe->atomic.ls = address;
  spe->atomic.ea = ea;
  return &spe->atomic;
}

static void begin(volatile void *ls, uint64_t ea, enum atomic_kind kind) {
  struct atomic *atomic = prepare(ls, ea);
  atomic_begin(atomic, kind, des_local(atomic->spe->actor));
}

/* Wait for the completion of ATOMIC, by a wait of KIND, and read the status. */
static uint32_t read_status(struct atomic *atomic, enum wait_kind kind) {
  struct spe *spe = atomic->spe;
  wait_for(kind, spe->board, &(struct wait){.spe = spe}, NULL);
  program_compute(spe->board, COMPUTE_CHANNEL, spe->board->parameters->channel_read);
  atomic->told = false;
  return atomic->status;
}

void mfc_getllar(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  begin(ls, ea, ATOMIC_GETLLAR);
}

void mfc_putllc(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  begin(ls, ea, ATOMIC_PUTLLC);
}

void mfc_putlluc(volatile void *ls, uint64_t ea, uint32_t tid, uint32_t rid) {
  (void)tid, (void)rid;
  begin(ls, ea, ATOMIC_PUTLLUC);
}

uint32_t mfc_read_atomic_status(void) {
  return read_status(&spu_self()->hw->atomic, WAIT_ATOMIC);
}

uint32_t mfc_stat_atomic_status(void) {
  return spu_look()->atomic.told;
}

/* Wait for a line, load by load. */
static void load_until_found(const struct spu_line_wait *wait) {
  do {
    mfc_getllar(wait->ls, wait->ea, 0, 0);
    mfc_read_atomic_status();
    spu_compute_for(wait->reason, wait->cycles);
  } while (!wait->found((const void *)wait->ls, wait->context));
}

void spu_wait_line(const struct spu_line_wait *wait) {
  const struct board *board = spu_self()->hw->board;
  const struct parameters *parameters = board->parameters;
  /* a command given in the cycle in which the MFC receives the command comes after the commands of all other
   * MFCs of that cycle */
  if (board->probes.each_load || parameters->issue == 0) {
    load_until_found(wait);
    return;
  }
  struct atomic_poll poll = {.found = wait->found,
                             .context = wait->context,
                             .pause = parameters->channel_read + wait->cycles + parameters->issue};
  struct atomic *atomic = prepare(wait->ls, wait->ea);
  atomic_begin_poll(atomic, &poll, des_local(atomic->spe->actor));
  read_status(atomic, WAIT_LINE);
  spu_compute_for(wait->reason, wait->cycles);
}
