/* SPDX-License-Identifier: BSD-3-Clause
 * See ppe_memory.h. */
#include "sim/spu/ppe_memory.h"

#include "sim/base/engine/des.h"
#include "sim/hw/bus_end.h"
#include "sim/hw/board.h"
#include "sim/hw/memory.h"
#include "sim/hw/ppe.h"
#include "sim/hw/program.h"
#include "sim/hw/reservation.h"
#include "sim/spu/spu.h"
#include "sim/spu/waits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

uint8_t *ppe_bytes(uint64_t ea, uint32_t nbytes) {
  const struct ppu *ppu = ppu_self();
  struct bus_end end;
  if (board_resolve(ppu->hw->board, ea, nbytes, &end) != 0 || end.kind != BUS_END_MEMORY ||
      nbytes > memory_room(end.memory, end.bytes)) {
    char what[128];
    snprintf(what, sizeof what, "effective addresses 0x%llx to 0x%llx, expected the main memory of a chip",
             (unsigned long long)ea, (unsigned long long)ea + nbytes);
    ppe_fault(ppu->hw, what);
  }
  return end.bytes;
}

void ppe_wait_word(uint64_t ea, uint32_t value, unsigned from) {
  struct board *board = ppu_self()->hw->board;
  struct wait wait = {.bytes = ppe_bytes(ea, sizeof value), .ea = ea, .number = value, .from = (int)from};
  board->reservations->in_use = true;
  wait_for(WAIT_WORD, board, &wait, NULL);
  board_see_order(
    board, &(struct probe_event){.kind = PROBE_SEEN_WORD, .seen = {.program = program_self(), .ea = ea}});
  program_compute(board, COMPUTE_RECEIVE, board->parameters->poll);
  des_sync(des_self());
}

/* Tell observers of KIND. */
static void note(enum probe_kind kind, uint64_t ea, uint32_t nbytes) {
  struct board *board = ppu_self()->hw->board;
  board_see_detail(
    board, &(struct probe_event){.kind = kind,
                                 .ppe_touch = {.program = program_self(), .ea = ea, .nbytes = nbytes}});
}

void ppe_note_load(uint64_t ea, uint32_t nbytes) {
  note(PROBE_PPE_LOAD, ea, nbytes);
}

void ppe_note_store(uint64_t ea, uint32_t nbytes) {
  note(PROBE_PPE_STORE, ea, nbytes);
}

void ppe_work(uint32_t nbytes) {
  struct board *board = ppu_self()->hw->board;
  double rate = board->parameters->combine_bytes_per_cycle;
  if (rate <= 0) {
    char what[128];
    snprintf(what, sizeof what,
             "%u bytes to combine on a platform without a rate for it, expected a value of ppe.combine",
             nbytes);
    ppe_fault(ppu_self()->hw, what);
  }
  program_compute(board, COMPUTE_COMBINE, (uint64_t)llround(nbytes / rate));
  des_sync(des_self());
}
