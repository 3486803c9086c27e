/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_mailbox.h. As with signals, a call without a wait costs nothing here: the program charges the
 * cost. */
#include "sim/spu/spu_mailbox.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board.h"
#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/waits.h"

#include <stdio.h>

static void write_out(struct spe *spe, struct mailbox *mailbox, enum wait_kind room, uint32_t data) {
  program_compute(spe->board, COMPUTE_OTHER, des_lateness());
  wait_for(room, spe->board, &(struct wait){.spe = spe}, &mailbox->read);
  spe_write_mailbox(spe, mailbox, data);
}

uint32_t spu_read_in_mbox(void) {
  struct spe *spe = spu_self()->hw;
  wait_for(WAIT_IN_WORD, spe->board, &(struct wait){.spe = spe}, &spe->in_mailbox.written);
  return spe_read_mailbox(spe, &spe->in_mailbox);
}

uint32_t spu_stat_in_mbox(void) {
  return spu_look()->in_mailbox.count;
}

void spu_write_out_mbox(uint32_t data) {
  struct spe *spe = spu_self()->hw;
  write_out(spe, &spe->out_mailbox, WAIT_OUT_ROOM, data);
}

void spu_write_out_intr_mbox(uint32_t data) {
  struct spe *spe = spu_self()->hw;
  write_out(spe, &spe->out_interrupt_mailbox, WAIT_OUT_INTERRUPT_ROOM, data);
}

uint32_t spu_stat_out_mbox(void) {
  return mailbox_room(&spu_look()->out_mailbox);
}

uint32_t spu_stat_out_intr_mbox(void) {
  return mailbox_room(&spu_look()->out_interrupt_mailbox);
}
