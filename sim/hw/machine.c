/* SPDX-License-Identifier: BSD-3-Clause
 * See machine.h. */
#include "sim/hw/machine.h"

#include "sim/base/des.h"
#include "sim/base/xalloc.h"
#include "sim/hw/bus_end.h"
#include "sim/hw/ea.h"
#include "sim/hw/memory.h"

#include <stdlib.h>

uint8_t *machine_memory(const struct machine *machine, uint64_t ea) {
  uint64_t offset = ea - EA_MEMORY_BASE, size = machine->parameters->memory_bytes;
  return memory_place(&machine->memories[offset / size], offset % size);
}

/* Find what lies behind NBYTES from byte OFFSET of main memory, that is, behind the first of them. */
static int resolve_memory(const struct machine *machine, uint64_t offset, uint32_t nbytes,
                          struct bus_end *end) {
  uint64_t size = machine->parameters->memory_bytes, chip = offset / size, place = offset % size;
  if (chip >= machine->parameters->nchips || offset + nbytes > machine->parameters->nchips * size) {
    return -1;
  }
  struct memory *memory = &machine->memories[chip];
  *end = (struct bus_end){.kind = BUS_END_MEMORY,
                          .chip = (unsigned)chip,
                          .unit = (uint8_t)machine->parameters->memory_unit,
                          .memory = memory,
                          .bytes = memory_place(memory, place)};
  return 0;
}

int machine_resolve(const struct machine *machine, uint64_t ea, uint32_t nbytes, struct bus_end *end) {
  if (ea >= EA_MEMORY_BASE) {
    return resolve_memory(machine, ea - EA_MEMORY_BASE, nbytes, end);
  }
  uint64_t area = (ea - EA_SPE_BASE) / EA_SPE_STRIDE, offset = (ea - EA_SPE_BASE) % EA_SPE_STRIDE;
  if (ea < EA_SPE_BASE || area >= machine->parameters->nspes) {
    return -1;
  }
  *end = machine->local_stores[area];
  if (offset + nbytes <= machine->parameters->ls_bytes) {
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

void machine_name_program(struct machine *machine, unsigned number, const char *name) {
  if (number >= machine->programs_room) {
    unsigned room = 2 * number;
    machine->programs = xrealloc(machine->programs, room, sizeof *machine->programs);
    for (unsigned i = machine->programs_room; i < room; i++) {
      machine->programs[i] = NULL;
    }
    machine->programs_room = room;
  }
  machine->programs[number] = name;
}

void machine_note_fault(struct machine *machine, const char *who, uint64_t cycle, const char *what) {
  char *line = xasprintf("%s%s stopped at cycle %llu by a fault: %s\n",
                         machine->faults ? machine->faults : "", who, (unsigned long long)cycle, what);
  free(machine->faults);
  machine->faults = line;
}

void machine_tell(const struct machine *machine, struct probe_event *event) {
  event->cycle = des_now();
  event->node = machine->number;
  event->programs = machine->programs;
  probes_tell(&machine->probes, event);
}
