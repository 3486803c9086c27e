/* SPDX-License-Identifier: BSD-3-Clause
 * The board of a node: memory at effective addresses, names of programs, faults, and the way of events to
 * observers. */
#include "sim/hw/board/board.h"

#include "sim/base/engine/des.h"
#include "sim/base/vec.h"
#include "sim/hw/board/bus_end.h"
#include "sim/hw/board/ea.h"
#include "sim/hw/board/memory.h"

#include <stdarg.h>
#include <stdio.h>

uint8_t *board_memory(const struct board *board, uint64_t ea) {
  uint64_t offset = ea - EA_MEMORY_BASE, size = board->parameters->memory_bytes;
  return memory_place(&board->memories[offset / size], offset % size, 0);
}

/* Find the place of NBYTES from byte OFFSET of main memory, that is, the place of the first byte. */
static int resolve_memory(const struct board *board, uint64_t offset, uint32_t nbytes, struct bus_end *end) {
  uint64_t size = board->parameters->memory_bytes, chip = offset / size, place = offset % size;
  if (chip >= board->parameters->nchips || offset + nbytes > board->parameters->nchips * size) {
    return -1;
  }
  struct memory *memory = &board->memories[chip];
  *end = (struct bus_end){.kind = BUS_END_MEMORY,
                          .chip = (unsigned)chip,
                          .unit = (uint8_t)board->parameters->memory_unit,
                          .memory = memory,
                          .bytes = memory_place(memory, place, nbytes)};
  return 0;
}

int board_resolve(const struct board *board, uint64_t ea, uint32_t nbytes, struct bus_end *end) {
  if (ea >= EA_MEMORY_BASE) {
    return resolve_memory(board, ea - EA_MEMORY_BASE, nbytes, end);
  }
  uint64_t area = (ea - EA_SPE_BASE) / EA_SPE_STRIDE, offset = (ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  if (ea < EA_SPE_BASE || area >= board->parameters->nspes) {
    return -1;
  }
  *end = board->local_stores[area];
  if (offset + nbytes <= board->parameters->ls_size) {
    end->bytes += offset;
    return 0;
  }
  end->bytes = NULL;
  if (offset == EA_MAILBOX_IN) {
    end->kind = BUS_END_MAILBOX;
  } else if (offset == EA_SIGNAL_1 || offset == EA_SIGNAL_2) {
    end->kind = BUS_END_SIGNAL;
    end->signal = offset == EA_SIGNAL_2;
  } else {
    return -1;
  }
  return 0;
}

void board_name_program(struct board *board, unsigned number, const char *name) {
  *VEC_REACH(board->programs, board->programs_room, number) = name;
}

const char *fault_set(struct fault *fault, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(fault->text, sizeof fault->text, format, args);
  va_end(args);
  return fault->text;
}

void board_note_fault(struct board *board, const char *who, uint64_t cycle, const char *what) {
  SCOPED char *fault =
    xasprintf("%s stopped at cycle %llu by a fault: %s", who, (unsigned long long)cycle, what);
  xappend(&board->faults, "%s\n", fault);
  des_note_fault(fault);
}

/* Fill in cycle, node and programs of EVENT, an event on BOARD. */
static inline void stamp(const struct board *board, struct probe_event *event) {
  event->cycle = des_now();
  event->node = board->number;
  event->programs = board->programs;
}

void board_tell(const struct board *board, struct probe_event *event) {
  stamp(board, event);
  probes_tell(&board->probes, event);
}

void board_tell_order(const struct board *board, struct probe_event *event) {
  stamp(board, event);
  for (unsigned i = 0; i < board->probes.n; i++) {
    struct probe *probe = board->probes.items[i];
    if (probe->orders) {
      probe->see(probe, event);
    }
  }
}
